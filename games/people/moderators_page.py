"""What moderators see: suspensions, stopped games, reports, their log, what is new in the site. No orders or bids."""

import re
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from operator import attrgetter

import nh3
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import Http404
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt

from games.kernel.members import master_at
from games.kernel.models import MODERATORS, OVER, Game, Occupancy
from games.kernel.options import Names
from games.people.models import ModerationAct, SeriesReport, Suspension
from games.press.models import AnyReport, Message, RemarkReport, Report
from games.press.threads import NAMELESS, ROOM, user_of_voice

MOST_LOG_LINES = 100
VERSIONS_TOLD = 2
_VERSION = re.compile(r"^## (.*)$", re.MULTILINE)
_GROUP = re.compile(r"^([A-Z].*):$", re.MULTILINE)
_NOT_FOR_PLAYERS = re.compile(r"^(For |Host).*:$", re.MULTILINE)
"""The first group of lines that players need not read: for hosts, programs or contributors."""
FACTS_OF_REPORTS: dict[type[AnyReport], tuple[str, ...]] = {
    Report: ("message__thread__game__gm", "message__assistant"),
    RemarkReport: ("remark__game", "remark__user"),
    SeriesReport: ("director",),
}
"""What is read with each kind of report."""


@dataclass(frozen=True, slots=True)
class ActsView:
    """A page of the moderators' log, newest first. `older`: the number of its last line; None if none follow."""

    lines: tuple[ModerationAct, ...]
    older: int | None


@dataclass(frozen=True, slots=True)
class ReportView:
    """Something that a user has reported to the moderators: a message or, by `about`, one of REPORTS. `game` and `slug`
    may be those of a tournament. `writer` is "" while its game hides names, and for good if the game hid them when it
    was written in the waiting room."""

    about: str
    number: int
    at: datetime
    game: str
    slug: str
    power: str
    writer: str
    text: str
    reason: str


@dataclass(frozen=True, slots=True)
class ModerationView:
    suspended: tuple[Suspension, ...]
    stopped: tuple[tuple[str, str], ...]
    """Slug and name of each game."""
    stranded: tuple[tuple[str, str], ...]
    """The same for games that are not over and whose game master can't sign in."""
    reports: tuple[ReportView, ...]
    waiting: int
    """How many new accounts wait for approval."""
    acts: ActsView


@dataclass(frozen=True, slots=True)
class AccountCase:
    """One user as moderators see them."""

    id: int
    name: str
    since: datetime
    suspension: Suspension | None
    acts: ActsView


def moderation_view(before: int | None = None) -> ModerationView:
    """The moderators' page. With `before`, the log continues after the line with that number."""
    rows = Suspension.objects.filter(ended__isnull=True).select_related("user").order_by("-since", "-pk")
    games = Game.objects.filter(incident=MODERATORS).order_by("name")
    games_without_gm = Game.objects.of_people().filter(gm__is_active=False).exclude(status__in=OVER).order_by("name")
    reports = [
        row
        for kind, facts in FACTS_OF_REPORTS.items()
        for row in kind._default_manager.filter(dealt__isnull=True)
        .select_related(*facts)
        .order_by("-made", "-pk")[:MOST_LOG_LINES]
    ]
    return ModerationView(
        suspended=tuple(rows),
        stopped=tuple(games.values_list("slug", "name")),
        stranded=tuple(games_without_gm.values_list("slug", "name")),
        reports=tuple(map(_report_view, sorted(reports, key=attrgetter("made"), reverse=True))),
        waiting=get_user_model().objects.filter(awaits_approval=True).count(),
        acts=_acts_view(ModerationAct.objects.all(), before),
    )


def account_case(username: str, before: int | None = None) -> AccountCase:
    """One account for moderators; raises Http404 if there is none. With `before`, the log continues after that line."""
    user = get_user_model().objects.filter(username=username).first()
    if user is None:
        raise Http404
    return AccountCase(
        id=user.pk,
        name=user.get_username(),
        since=user.date_joined,
        suspension=Suspension.objects.filter(user=user, ended__isnull=True).first(),
        acts=_acts_view(ModerationAct.objects.filter(user=user), before),
    )


def _report_view(row: AnyReport) -> ReportView:
    at = (row.pk, row.made)
    if isinstance(row, SeriesReport):
        return ReportView("series", *at, row.name, row.series, "", row.director.get_username(), row.text, row.reason)
    if isinstance(row, RemarkReport):
        remark, game = row.remark, row.remark.game
        return ReportView("gallery", *at, game.name, game.slug, "", remark.user.get_username(), remark.text, row.reason)
    assert isinstance(row, Report), "there are three kinds"
    message, game, power = row.message, row.message.thread.game, _name_of_power(row.message)
    return ReportView("", *at, game.name, game.slug, power, _name_of_writer(message), message.text, row.reason)


def _name_of_power(message: Message) -> str:
    """The name of the power that wrote it; "" for the game master."""
    if user_of_voice(message.power) is not None:
        return _("A player without a seat")
    variant = message.thread.game.variant
    return variant.power(message.power).name if message.power else ""


def _name_of_writer(message: Message) -> str:
    """The player who had that power when the message was sent, unless this is secret."""
    game = message.thread.game
    if not message.power:
        return (message.assistant or master_at(game, message.sent)).get_username()
    user_id = user_of_voice(message.power)
    says_who_plays = user_id is None or tuple(message.thread.powers) == ROOM
    is_secret = says_who_plays and game.options[Names].hidden_names and game.status not in OVER
    if is_secret or message.power.startswith(NAMELESS):
        return ""
    if user_id is not None:
        return get_user_model().objects.get(pk=user_id).get_username()
    occupancies = Occupancy.objects.filter(game=game, seat__power=message.power, since__lte=message.sent)
    player = occupancies.select_related("user").order_by("-since").first()
    return player.user.get_username() if player else ""


def _acts_view(rows: QuerySet[ModerationAct], before: int | None) -> ActsView:
    newest = rows.select_related("by", "user", "game").order_by("-pk")
    rows_read = list((newest if before is None else newest.filter(pk__lt=before))[: MOST_LOG_LINES + 1])
    lines = rows_read[:MOST_LOG_LINES]
    return ActsView(tuple(lines), lines[-1].pk if rows_read[MOST_LOG_LINES:] else None)


@cache
def newest_changes() -> tuple[tuple[str, SafeString], ...]:
    """What changed for players in the newest versions: (version, its changes as HTML), the newest first."""
    _before, *parts = _VERSION.split((settings.BASE_DIR / "CHANGELOG.md").read_text(encoding="utf-8"))
    reader, told = MarkdownIt("js-default", {"typographer": True}).enable("smartquotes"), []
    for version, text in list(zip(parts[::2], parts[1::2], strict=True))[:VERSIONS_TOLD]:
        for_players = _GROUP.sub(r"### \1", _NOT_FOR_PLAYERS.split(text, maxsplit=1)[0])
        html = mark_safe(nh3.clean(reader.render(for_players)))  # noqa: S308 - cleaned here
        told.append((version, html))
    return tuple(told)
