"""The public log of a game in words, and the part of the news that goes to feeds and webhooks."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from adjudication.turns import Turn
from games.kernel import codec
from games.kernel.access import GameAccess
from games.kernel.marks import InApi
from games.kernel.models import Event, Game, Result
from games.kernel.news import NEWS_BY_LINE, Topic
from games.kernel.page import Page, part
from games.kernel.parts import EventView, LogView
from games.kernel.prepared import GAME, PreparedQuery
from games.kernel.queries import names_are_hidden, phase_head
from games.kernel.windows import window
from games.kernel.wording import duration_in_words
from variants.variant import Variant
from variants.words.orders import phase_words, turn_words

MOST_LINES = 100
NEWEST = 8
RESULT = "result"


def newest_lines_of(game: Game, variant: Variant, *, hidden: bool = False) -> tuple[EventView, ...]:
    """The newest lines of the public log, newest first. With `hidden`, they name no player."""
    return tuple(line_in_words(row, game, variant, hidden=hidden) for row in NEWEST_LINES(game.pk))


@part("events")
def events(page: Page) -> Annotated[tuple[EventView, ...], InApi("The newest lines of the public log.")]:
    """The newest lines of the public log for the viewer of a page."""
    shared, at = page.rows.shared, (events, page.names_are_hidden)
    if at not in shared:
        shared[at] = newest_lines_of(page.rows.game, page.rows.variant, hidden=page.names_are_hidden)
    views: tuple[EventView, ...] = shared[at]
    return views


@part("newest_events")
def newest_events(page: Page) -> tuple[EventView, ...]:
    """The few newest lines that a page shows beside other things."""
    return events(page)[:NEWEST]


def _newest_on(page: Page, topic: Topic) -> EventView | None:
    return next((event for event in events(page) if NEWS_BY_LINE[event.kind].topic == topic), None)


def has_newer_line(page: Page, topic: Topic, moment: datetime) -> bool:
    """Does the public log have a line on this topic from after this moment?"""
    event = _newest_on(page, topic)
    return event is not None and event.at > moment


def newest_line(page: Page, topic: Topic) -> str:
    """The last line of the public log on this topic, as `line_introducing_master` words it; "" if there is none."""
    event = _newest_on(page, topic)
    return line_introducing_master(page, event) if event else ""


def line_introducing_master(page: Page, event: EventView) -> str:
    """This line of the public log, worded so that it says who the game master is."""
    if not (NEWS_BY_LINE[event.kind].line.startswith("{who} ") and event.sentence.startswith(f"{page.gm_name} ")):
        return event.sentence
    return event.sentence.replace(page.gm_name, _("The game master, {name},").format(name=page.gm_name), 1)


def log_view(access: GameAccess, before: int | None = None, after: int | None = None) -> LogView:
    """The newest lines of the public log, or those before or after a place, which never changes: the log only grows."""
    game, variant = access.game, codec.variant_of(access.game)
    hidden, rows = names_are_hidden(game, access.user_id), _rows(game)
    part = window(rows.count(), MOST_LINES, before=before, after=after)
    lines = reversed(rows.order_by("pk")[part.start : part.end])
    lines_told = tuple(line_in_words(row, game, variant, hidden=hidden) for row in lines)
    return LogView(lines_told, part.first, part.end, part.total)


def _rows(game: Game | int) -> QuerySet[Event]:
    return Event.objects.filter(game=game).select_related("by").order_by("-pk")


NEWEST_LINES = PreparedQuery(lambda game_id: _rows(game_id)[:MOST_LINES], GAME)


def line_in_words(row: Event, game: Game, variant: Variant, *, hidden: bool) -> EventView:
    return EventView(row.at, row.kind, _sentence(row, game, variant, hidden=hidden))


def _sentence(event: Event, game: Game, variant: Variant, *, hidden: bool) -> str:
    facts, news = dict(event.facts), NEWS_BY_LINE[event.kind]
    names = {power.id: power.called for power in variant.powers}
    facts["power"] = names.get(facts.get("power", ""), "")
    facts["who"] = event.by.get_username() if event.by else _("The site")
    if hidden and news.by_player:
        facts["who"] = _("A player")
    if hidden and "player" in facts:
        facts["player"] = _("a player")
    if "turn" in facts:
        facts["turn"] = turn_words(Turn.from_code(facts["turn"]))
    if "seconds" in facts:
        facts["length"] = duration_in_words(facts["seconds"])
    facts |= {name: make(event, game) for name, make in news.words.items() if not facts.get(name)}
    line = news.line_of(event, game) if news.line_of else news.line
    sentence = line.format(**facts)
    if line.startswith("{power}"):
        sentence = capfirst(sentence)
    if not facts.get("reason"):
        return sentence.strip()
    return _("{sentence} Reason: {reason}").format(sentence=sentence.strip(), reason=facts["reason"])


@dataclass(frozen=True, slots=True)
class PublicLine:
    """One sentence that anyone may read. `kind` is the kind of the log line, or RESULT; `ordinal` is that of the phase
    with a result, otherwise None."""

    at: datetime
    kind: str
    sentence: str
    ordinal: int | None = None


def address_of_news(game: Game, ordinal: int | None) -> str:
    """The address of the game, or of the phase whose result is new."""
    if ordinal is None:
        return settings.SITE_ADDRESS + reverse("games:game", kwargs={"slug": game.slug})
    return settings.SITE_ADDRESS + reverse("games:phase", kwargs={"slug": game.slug, "ordinal": ordinal})


def public_news_of(game: Game, *, since: datetime | None = None, most: int | None = None) -> tuple[PublicLine, ...]:
    """The newest public news as anyone may read it who may see the game, newest first; names only where they are shown.

    `since`: only news after this moment. `most`: at most this many.
    """
    hidden, variant = names_are_hidden(game, None), codec.variant_of(game)
    rows = _rows(game).filter(kind__in=[kind for kind, news in NEWS_BY_LINE.items() if news.to_the_world])
    results = Result.objects.filter(phase__game=game).select_related("phase").order_by("-phase__ordinal")
    if since is not None:
        rows, results = rows.filter(at__gt=since), results.filter(phase__closed__gt=since)
    lines = [PublicLine(row.at, row.kind, _sentence(row, game, variant, hidden=hidden)) for row in rows[:most]]
    for result in results[:most]:
        head = phase_head(result.phase)
        if head.closed is not None:
            sentence = _("{phase}: the result is out.").format(phase=phase_words(head))
            lines.append(PublicLine(head.closed, RESULT, sentence, head.ordinal))
    return tuple(sorted(lines, key=lambda one: one.at, reverse=True)[:most])


def has_public_news_since(since: str) -> Q:
    """Has there been public news of a row's game since the moment in this column?"""
    kinds = [kind for kind, news in NEWS_BY_LINE.items() if news.to_the_world]
    events = Event.objects.filter(game=OuterRef("game"), kind__in=kinds, at__gt=OuterRef(since))
    results = Result.objects.filter(phase__game=OuterRef("game"), phase__closed__gt=OuterRef(since))
    return Exists(events) | Exists(results)
