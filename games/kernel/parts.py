"""The frozen views that every subject shares: phases, variants, options and game cards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import InitVar, dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any


@dataclass(frozen=True, slots=True)
class Term:
    """One of a game's terms: its group, what it is about, and what applies, in a sentence or a few."""

    group: str
    title: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TermGroup:
    title: str
    terms: tuple[Term, ...]


def phase_mark(ordinal: int, opened: datetime) -> str:
    """Tells a phase from one that was opened again in its place."""
    return f"{ordinal} {opened.isoformat()}"


@dataclass(frozen=True, slots=True)
class PhaseHead:
    """`kind`: movement "M", retreats "R", adjustments "A", deployment "P", declarations "D". `short` tells the phase
    from the others of its `year`. While the clock is stopped there are `remaining_seconds` instead of a deadline."""

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
        """Tells this phase from one that was opened again in its place."""
        return phase_mark(self.ordinal, self.opened)


@dataclass(frozen=True, slots=True)
class PowerCard:
    id: str
    name: str
    colour: str
    letter: str


@dataclass(frozen=True, slots=True)
class VariantCard:
    """`rules_text` is markdown; `bids`: players bid points for the orders of minor powers; `press_title` is the press
    that games of this variant have by default."""

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


@dataclass(frozen=True, slots=True)
class LogView:
    """A part of the public log, newest first, from the place `first`, that of its oldest line, to `last`, of `total`.
    The very first line has place 1."""

    events: tuple[EventView, ...]
    first: int
    last: int
    total: int


@dataclass(frozen=True)
class GameOptionsView:
    """All options of a game, and what follows from them, by the names that their subjects declare; lengths in seconds.
    `terms` tell everyone, before they join, what was chosen."""

    terms: tuple[Term, ...]
    facts: InitVar[Mapping[str, Any]]

    def __post_init__(self, facts: Mapping[str, Any]) -> None:
        vars(self).update(facts)

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...


class Wanted(StrEnum):
    """What a game wants of a player or of its game master, for them alone."""

    PLACE = "place to confirm"
    REQUESTS = "requests to answer"
    ORDERS = "orders missing"
    MESSAGES = "new messages"
    SAVED = "saved"
    READY = "ready"
    NOTHING = "nothing to do"


@dataclass(frozen=True, slots=True)
class GameCard:
    """A game as the lobby shows it. `everybody_is_ready`: the phase ends early unless a player takes "ready" back.
    `winners` are power ids; `taken` counts the players who have joined, with or without a power, and the places
    that are `kept` for guests who are invited by email. `bots` counts the
    seats that bots play or, before the start, those kept for them, which are then not among those for `players`.
    `roll_call_until` is set during the roll call before the start. `i_sit`: the viewer sits for a player (in their own
    list only), `i_am_gm`: they are the game master or an assistant. `repairs` counts how often the game master has
    corrected something; `unread` the unread messages of this player, sitter or game master. `wants`: in a list of
    games, what the game wants of this viewer, None where that is not known. `similar_took`: in a list of open games,
    the seconds from the creation to the start of games like this one, None where too few are known. `elsewhere`: it was
    played elsewhere."""

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
    kept: int
    bots: int
    ordinal: int | None
    turn_title: str
    kind_title: str
    deadline: datetime | None
    remaining_seconds: int | None
    everybody_is_ready: bool
    by_invitation: bool
    practice: bool
    elsewhere: bool
    my_power: str | None
    i_joined: bool
    i_sit: bool
    i_am_gm: bool
    roll_call_until: datetime | None
    options: GameOptionsView
    created: datetime
    repairs: int
    unread: int
    wants: Wanted | None = None
    similar_took: int | None = None

    @property
    def is_next(self) -> tuple[bool, float]:
        """Sort key: the nearest deadline first, games without a running clock last."""
        return self.deadline is None, self.deadline.timestamp() if self.deadline else 0.0


@dataclass(frozen=True, slots=True)
class AssistantView:
    """An assistant of the game master, or somebody who has been asked and has not answered."""

    name: str
    rights: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class GamePage:
    """One page of a list of games. `last`: the slug of its last game if more follow, else ""."""

    games: tuple[GameCard, ...]
    last: str
