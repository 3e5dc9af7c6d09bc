"""The public log of a game in words, and the part of it and of its results that goes to feeds and webhooks."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.text import capfirst

from adjudication.turns import Turn
from adjudication.words import phase_words
from games.kernel import codec
from games.kernel.models import Event, Game, Result
from games.kernel.news import LINES
from games.kernel.parts import EventView
from games.kernel.queries import head_of, names_are_hidden
from games.kernel.wording import in_words
from variants.variant import Variant


def events_of(game: Game, variant: Variant, *, hidden: bool = False) -> tuple[EventView, ...]:
    """The public log, newest first; with `hidden` it names no player."""
    rows = Event.objects.filter(game=game).select_related("by").order_by("-pk")
    return tuple(EventView(event.at, event.kind, _sentence(event, game, variant, hidden=hidden)) for event in rows)


def _sentence(event: Event, game: Game, variant: Variant, *, hidden: bool) -> str:
    facts, news = dict(event.facts), LINES[event.kind]
    names = {power.id: power.called for power in variant.powers}
    facts["power"] = names.get(facts.get("power", ""), "")
    facts["who"] = event.by.get_username() if event.by else "The site"
    if hidden and news.by_player:
        facts["who"] = "A player"
    if hidden and "player" in facts:
        facts["player"] = "a player"
    if "turn" in facts:
        facts["turn"] = Turn.from_code(facts["turn"]).title
    if "seconds" in facts:
        facts["how"] = f"by {in_words(facts['seconds'])}"
    line = news.line_of(event, game) if news.line_of else news.line
    sentence = line.format(**facts)
    if line.startswith("{power}"):
        sentence = capfirst(sentence)
    return f"{sentence} Reason: {facts['reason']}" if facts.get("reason") else sentence


@dataclass(frozen=True, slots=True)
class PublicLine:
    """One sentence that anyone may read. `ordinal` is that of the phase with a result, None for anything else."""

    at: datetime
    sentence: str
    ordinal: int | None = None


def told_of(game: Game) -> tuple[PublicLine, ...]:
    """All public news so far, newest first, as anyone who may see the game may know it; names only where shown."""
    hidden = names_are_hidden(game, None)
    events = events_of(game, codec.variant_of(game), hidden=hidden)
    told = [PublicLine(event.at, event.sentence) for event in events if LINES[event.kind].to_the_world]
    for result in Result.objects.filter(phase__game=game).select_related("phase").order_by("-phase__ordinal"):
        head = head_of(result.phase)
        if head.closed is not None:
            sentence = f"{phase_words(head)}: the result is out."
            told.append(PublicLine(head.closed, sentence, head.ordinal))
    return tuple(sorted(told, key=lambda one: one.at, reverse=True))


def was_told(game: Game, since: datetime) -> bool:
    """Whether there has been any public news since then."""
    kinds = [kind for kind, news in LINES.items() if news.to_the_world]
    events = Event.objects.filter(game=game, kind__in=kinds, at__gt=since)
    return events.exists() or Result.objects.filter(phase__game=game, phase__closed__gt=since).exists()
