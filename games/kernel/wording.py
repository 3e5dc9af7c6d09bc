"""Times in words, and what is said of a phase by its kind: to those who write for it, and to those who did not."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple
from zoneinfo import ZoneInfo

from adjudication.english import amount
from adjudication.turns import PhaseKind
from games.kernel.days import HOUR

SECONDS = {86_400: "day", 3_600: "hour", 60: "minute", 1: "second"}
LONGEST_IN_HOURS = 47


class PhaseWords(NamedTuple):
    """`note` stands beside the heading, `blank` in a list where nothing is chosen, `nothing` where there is no list;
    `tap` tells how to begin on the map.

    `unsaved` warns whoever has saved nothing, `left_out` says what became of it; `whole` praises a complete sheet.
    """

    heading: str
    note: str
    blank: str
    nothing: str
    unsaved: str
    left_out: str
    whole: str
    tap: str


_WORDS = {
    PhaseKind.MOVEMENT: PhaseWords(
        heading="Orders",
        note="a unit without an order holds",
        blank="no order",
        nothing="You have no units left to order.",
        unsaved="Without a save your units hold.",
        left_out="your units hold",
        whole="Everything of yours has an order.",
        tap="Tap a unit",
    ),
    PhaseKind.RETREAT: PhaseWords(
        heading="Retreats",
        note="a unit without an order is disbanded",
        blank="no order",
        nothing="None of your units must retreat.",
        unsaved="Without a save they are disbanded.",
        left_out="units that had to retreat are disbanded",
        whole="Everything of yours has an order.",
        tap="Tap a unit that must retreat",
    ),
    PhaseKind.ADJUSTMENT: PhaseWords(
        heading="Builds and removals",
        note="what you leave out, the rules decide",
        blank="not decided",
        nothing="You have nothing to build or remove.",
        unsaved="Without a save the rules decide.",
        left_out="nothing is built, and the rules choose what goes",
        whole="Everything is decided.",
        tap="Tap a space to build in, or a unit to remove",
    ),
    PhaseKind.DEPLOYMENT: PhaseWords(
        heading="Where your units start",
        note="what you leave out, the rules place for you",
        blank="nobody here",
        nothing="You have nothing to place.",
        unsaved="Without a save the rules place your units.",
        left_out="the rules place your units",
        whole="All your units have a place.",
        tap="Tap a space to place a unit there",
    ),
    PhaseKind.DECLARATION: PhaseWords(
        heading="Declarations",
        note="all are opened at the same time",
        blank="keep as it is",
        nothing="There is nobody to declare anything to.",
        unsaved="Without a save you declare nothing.",
        left_out="you declared nothing",
        whole="Saying nothing is allowed.",
        tap="In this phase you choose in the lists, not on the map",
    ),
}


def words_of(kind: str) -> PhaseWords:
    """Of a phase of this kind, as in "M"."""
    return _WORDS[PhaseKind(kind)]


def words_for_muster() -> PhaseWords:
    """Of a movement phase in which an order also says what its unit is."""
    note = "your order also says whether it is an army or a fleet; without one it is an army and holds"
    return _WORDS[PhaseKind.MOVEMENT]._replace(note=note)


def words_for_adjustments(counts: Mapping[str, int], factions: Mapping[str, str]) -> PhaseWords:
    """Of a power that may build (>0) or must remove (<0) so many units of each faction; "" is that of units without
    one. `factions`: letter -> adjective."""
    builds = {faction: count for faction, count in counts.items() if count > 0}
    removals = {faction: -count for faction, count in counts.items() if count < 0}
    words = _WORDS[PhaseKind.ADJUSTMENT]
    if builds and removals:
        note = f"build {_units(builds, factions)}, remove {_units(removals, factions)}"
        return words._replace(note=note)
    if builds:
        note = f"you may build {_units(builds, factions)}; waive what you do not use"
        return words._replace(heading="Builds", note=note, tap="Tap a space to build in")
    if removals:
        note = f"you must remove {_units(removals, factions)}; otherwise the rule chooses"
        return words._replace(heading="Removals", note=note, blank="stays", tap="Tap a unit to remove it")
    return words


def _units(counts: Mapping[str, int], factions: Mapping[str, str]) -> str:
    """As in "2", "1 communist unit and 2 democratic units"."""
    return " and ".join(
        amount(count, f"{factions[letter]} unit") if letter in factions else str(count)
        for letter, count in counts.items()
    )


def in_words(seconds: int) -> str:
    """As in "1 day 12 hours", "90 seconds" as "1 minute 30 seconds"."""
    parts = []
    for size, word in SECONDS.items():
        count, seconds = divmod(seconds, size)
        if count:
            parts.append(amount(count, word))
    return " ".join(parts)


def length_in_words(seconds: int) -> str:
    """The same, but up to two days in hours, which cannot be misread."""
    hours, rest = divmod(seconds, HOUR)
    return f"{hours} hours" if not rest and 1 < hours <= LONGEST_IN_HOURS else in_words(seconds)


def deadline_words(deadline: datetime | None, time_zone: str) -> str:
    if deadline is None:
        return "The clock is stopped."
    local = deadline.astimezone(ZoneInfo(time_zone))
    return f"Deadline: {local:%A %d %B %Y, %H:%M} ({time_zone})."
