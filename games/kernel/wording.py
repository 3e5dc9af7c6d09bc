"""Times in words, how even a board is, and what a player is told about each kind of phase, before and after it ends."""

import re
import tomllib
import unicodedata
from collections.abc import Callable, Mapping
from datetime import date, datetime
from pathlib import Path
from typing import NamedTuple, Protocol, cast
from zoneinfo import ZoneInfo

from django.utils.dateformat import format as formatted
from django.utils.functional import lazy
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from adjudication.turns import PhaseKind
from games.kernel.days import DAY, HOUR, MINUTE
from games.kernel.languages import later, later_as, later_by
from variants.bots.evenness import Evenness, best_power, evenness
from variants.variant import Variant
from variants.words.english import listed

SPANS: Mapping[int, str] = {
    DAY: later_by("{count} day", "{count} days", "count"),
    HOUR: later_by("{count} hour", "{count} hours", "count"),
    MINUTE: later_by("{count} minute", "{count} minutes", "count"),
    1: later_by("{count} second", "{count} seconds", "count"),
}
"""By how many seconds one takes, the largest first."""
LONGEST_IN_HOURS = 47
EVENNESS_WORDS = {
    Evenness.EVEN: later_as("a board", "Even"),
    Evenness.FAIRLY: later_as("a board", "Fairly even"),
    Evenness.EASIER: later("Easier for {power}"),
    Evenness.MUCH_EASIER: later("Much easier for {power}"),
}


class PhaseWords(NamedTuple):
    """`note` is shown beside the heading and mostly says what happens to anything left undecided; `blank` is for a list
    with nothing chosen, `nothing` for a page without a list; `tap` says how to begin on the map.

    `unsaved` warns a player who has saved nothing, `left_out` says what the result was; `whole` is for complete orders.
    """

    heading: str
    note: str
    blank: str
    nothing: str
    unsaved: str
    left_out: str
    whole: str
    tap: str


class Due(Protocol):
    """What a power has to order in the current phase, as its order page says."""

    @property
    def kind(self) -> str: ...
    @property
    def muster(self) -> bool: ...
    @property
    def budget(self) -> int: ...
    @property
    def adjustments(self) -> Mapping[str, int]: ...
    @property
    def adjectives(self) -> Mapping[str, str]: ...


_WORDS = {
    PhaseKind(kind): PhaseWords(**{name: later(it) for name, it in written.items()})
    for kind, written in tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")).items()
}


def words_of_phase_kind(kind: str, *, bids: bool = False) -> PhaseWords:
    """The words for a phase of this kind, as in "M"; `bids`: the power has points to bid."""
    words = _WORDS[PhaseKind(kind)]
    if not bids:
        return words
    return words._replace(
        unsaved=_("If you save nothing, your units will hold and your Diplomacy Points for this phase will be lost."),
        left_out=_("You saved nothing, so your units held and you bid nothing."),
        tap=_("Choose one of your units, or a minor power’s to bid for its order."),
    )


def words_for_power(task: Due) -> PhaseWords:
    """The words for what a power has to order in the current phase."""
    if PhaseKind(task.kind) is PhaseKind.ADJUSTMENT:
        return words_for_adjustments(task.adjustments, task.adjectives)
    if not task.muster:
        return words_of_phase_kind(task.kind, bids=task.budget > 0)
    return _WORDS[PhaseKind.MOVEMENT]._replace(
        note=_("choose an army or a fleet with its order; a unit without an order is an army and holds"),
        unsaved=_("If you save nothing, your unit will be an army and hold."),
    )


def words_for_adjustments(counts: Mapping[str, int], factions: Mapping[str, str]) -> PhaseWords:
    """The words for a power that may build (>0) or must remove (<0) this many units of each faction ("" if there are
    none). `factions`: letter -> adjective."""
    builds = {faction: count for faction, count in counts.items() if count > 0}
    removals = {faction: -count for faction, count in counts.items() if count < 0}
    words = _WORDS[PhaseKind.ADJUSTMENT]
    if builds and removals:
        note = _("build {builds}, remove {removals}")
        return words._replace(note=note.format(builds=_units(builds, factions), removals=_units(removals, factions)))
    if builds:
        note = _("you may build {builds}; waive any build you don’t want").format(builds=_units(builds, factions))
        unsaved = _("If you save nothing, you will build nothing.")
        return words._replace(heading=_("Builds"), note=note, unsaved=unsaved, tap=_("Choose a province to build in."))
    if removals:
        note = _("remove {removals}, or the rules will choose for you").format(removals=_units(removals, factions))
        return words._replace(
            heading=_("Removals"),
            note=note,
            blank=pgettext("a unit that could be removed", "stays"),
            unsaved=_("If you save nothing, the rules will choose the units to remove."),
            tap=_("Choose a unit to remove it."),
        )
    return words


def _units(counts: Mapping[str, int], factions: Mapping[str, str]) -> str:
    """Numbers of units in words, as in "2 units", "1 communist unit and 2 democratic units"."""
    return listed(
        ngettext("{count} {faction} unit", "{count} {faction} units", count).format(count=count, faction=faction)
        if (faction := factions.get(letter))
        else ngettext("{count} unit", "{count} units", count).format(count=count)
        for letter, count in counts.items()
    )


def duration_in_words(seconds: int, most: int = len(SPANS)) -> str:
    """A duration, as in "1 day 12 hours", in at most `most` units; "" for no time."""
    parts = []
    for size, words in SPANS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(words.format(count=count))
    return " ".join(parts[:most])


duration_in_words_later = cast(Callable[[int], str], lazy(duration_in_words, str))
"""The same, put into words when it is shown."""


def rough_duration(seconds: int) -> str:
    """A duration rounded to its largest unit, as in "3 days" for 70 hours."""
    size = next((size for size in SPANS if seconds >= size), 1)
    return SPANS[size].format(count=round(seconds / size))


def length_in_words(seconds: int) -> str:
    """A duration in words; in hours up to two days, which no one can misread."""
    hours, rest = divmod(seconds, HOUR)
    return SPANS[HOUR].format(count=hours) if not rest and 1 < hours <= LONGEST_IN_HOURS else duration_in_words(seconds)


length_later = cast(Callable[[int], str], lazy(length_in_words, str))
"""The same, put into words when it is shown."""


def day_words(day: date) -> str:
    """A day, as in "2 Nov 2026", like Django's `date` filter in templates."""
    return formatted(day, "j M Y")


def moment_words(moment: datetime, time_zone: str = "UTC") -> str:
    """A moment on the clocks of this zone, as in "Mon 2 Nov 2026, 19:00 CET"."""
    local = moment.astimezone(ZoneInfo(time_zone))
    zone = f"{local:%Z}"
    return f"{formatted(local, 'D j M Y, H:i')} {f'UTC{zone}' if zone[0] in '+-' else zone}"


def deadline_words(deadline: datetime | None, time_zone: str) -> str:
    if deadline is None:
        return _("The game is paused.")
    return _("Deadline: {until}.").format(until=moment_words(deadline, time_zone))


def evenness_words(variant: Variant) -> str:
    """How even the board is, as in "Even", "Easier for Italy"; "" if it was not measured."""
    how_even = evenness(variant)
    return str(EVENNESS_WORDS[how_even]).format(power=best_power(variant).called) if how_even else ""


def one_line(text: str) -> str:
    """Typed text as one line, without invisible characters: feeds forbid some, and others reverse the text after."""
    visible = "".join(sign for sign in " ".join(text.split()) if not unicodedata.category(sign).startswith("C"))
    return " ".join(visible.split())


WEB_ADDRESS = re.compile(r"://|\w[.。．｡][^\W\d_]{2}|\d[.。．｡]\d+[.。．｡]\d+[.。．｡]\d")
"""What mail programs and messengers may turn into a link: a scheme, a dot with letters after it, or four numbers."""


def has_web_address(text: str) -> bool:
    return WEB_ADDRESS.search(text) is not None
