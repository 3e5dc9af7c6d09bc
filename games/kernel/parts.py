"""Phases by their names, and their deadlines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any


@dataclass(frozen=True, slots=True)
class Term:
    """One thing that was chosen: in which group, what it is about, and what holds, in a sentence or a few."""

    group: str
    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TermGroup:
    title: str
    terms: tuple[Term, ...]


def phase_mark(ordinal: int, opened: datetime) -> str:
    """What tells a phase also from one that was opened again in its place."""
    return f"{ordinal} {opened.isoformat()}"


@dataclass(frozen=True, slots=True)
class PhaseHead:
    """`kind`: movement "M", retreats "R", adjustments "A", deployment "P", declarations "D". `short` tells the phase
    from the others of its `year`. `remaining_seconds` instead of a deadline while the clock is stopped."""

    ordinal: int
    code: str
    title: str
    year: int
    short: str
    kind: str
    kind_title: str
    is_open: bool
    opened: datetime
    closed: datetime | None
    deadline: datetime | None
    remaining_seconds: int | None

    @property
    def mark(self) -> str:
        """Tells this phase also from one that was opened again in its place."""
        return phase_mark(self.ordinal, self.opened)


@dataclass(frozen=True, slots=True)
class PowerCard:
    id: str
    name: str
    colour: str
    letter: str


@dataclass(frozen=True, slots=True)
class VariantCard:
    """`rules_text` is markdown; `bids`: players bid points for the orders of minor powers; `press_title` says
    what players may write to each other unless a game is created otherwise."""

    slug: str
    title: str
    players: int
    summary: str
    rules_text: str
    credits: str
    powers: tuple[PowerCard, ...]
    bids: bool
    press_title: str


@dataclass(frozen=True, slots=True)
class EventView:
    at: datetime
    kind: str
    sentence: str


@dataclass(frozen=True)
class GameOptionsView:
    """All options of a game, and what follows from them, by the names that their subjects declare; lengths in seconds.
    `terms` say to everybody, before they join, what was chosen."""

    terms: tuple[Term, ...]
    facts: InitVar[Mapping[str, Any]]

    def __post_init__(self, facts: Mapping[str, Any]) -> None:
        vars(self).update(facts)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the lobby shows it. `everybody_is_ready`: the deadline comes early, unless somebody
    takes that back. `winners` are power ids; `taken` counts those who have joined, with a power or
    without; `roll_call_until` while the roll is called before the start. `i_sit`, for a player, in the
    viewer's own list only. `repairs` counts how often the game master has put something right; `unread` the messages
    that wait for this player, sitter or game master."""

    slug: str
    name: str
    variant: str
    variant_title: str
    status: str
    status_sentence: str
    verdict: str
    winners: tuple[str, ...]
    gm_name: str
    players: int
    taken: int
    ordinal: int | None
    turn_title: str
    kind_title: str
    deadline: datetime | None
    remaining_seconds: int | None
    everybody_is_ready: bool
    by_invitation: bool
    my_power: str | None
    i_joined: bool
    i_sit: bool
    i_am_gm: bool
    roll_call_until: datetime | None
    options: GameOptionsView
    created: datetime
    repairs: int
    unread: int

    @property
    def is_next(self) -> tuple[bool, float]:
        """To sort by: what comes next first, and last what has no clock that runs."""
        return self.deadline is None, self.deadline.timestamp() if self.deadline else 0.0
