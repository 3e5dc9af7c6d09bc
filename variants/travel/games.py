"""A game as a file describes it, and as our adjudicator replays it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from adjudication.position import Position
from adjudication.resolution import Notice, Public, Verdict
from variants.phase_json import Json
from variants.variant import Variant
from variants.words.orders import phase_words

Bids = Mapping[str, tuple[tuple[int, str], ...]]
"""Power -> points and canonical order of each bid."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about a phase that only the project's own record has, as it has them: see `games.orders.records`."""

    closed: str = ""
    notices: tuple[Notice, ...] = ()
    amendments: tuple[Json, ...] = ()
    missed: tuple[str, ...] = ()
    engine: str = ""
    record: Json | None = None
    sheets: Json | None = None
    undone: Json | None = None
    stays_sealed: bool = False


PLAIN = Facts()


@dataclass(frozen=True, slots=True)
class ToldPhase:
    """One phase with orders. `place` says where it is in the file; `document` is a phase of `variants.phase_json`, in
    which minor powers' orders are those of NEUTRAL; `bids` is None if they were not published."""

    place: str
    ordinal: int
    document: dict[str, Any]
    bids: Mapping[str, Any] | None = None
    facts: Facts = PLAIN


@dataclass(frozen=True, slots=True)
class GameHeading:
    """The facts about a whole game. `players`: power -> a player's name, which is only text. `status` is one of a game
    on a site: "finished", "closed", "running" … `maps` is the address of a phase's map, with {ordinal} in it."""

    id: str
    name: str
    variant: Variant
    version: str
    digest: str
    status: str = "closed"
    verdict: Verdict | None = None
    players: Mapping[str, str] = field(default_factory=dict)
    last_year: int | None = None
    open_bids_at_end: bool = False
    maps: str = ""


@dataclass(frozen=True, slots=True)
class ToldGame:
    """`phases` in the order in which they were played, including those undone later. `last`: the position at the end,
    if the file has it, as a phase without orders. `found` are differences that the form itself has found. `by_intent`:
    armies went by convoy according to `variants.travel.intent`."""

    heading: GameHeading
    phases: tuple[ToldPhase, ...]
    last: dict[str, Any] | None = None
    found: tuple[str, ...] | None = None
    by_intent: bool = False


@dataclass(frozen=True, slots=True)
class PlayedPhase:
    """One phase with its result."""

    ordinal: int
    position: Position
    public: Public
    bids: Bids | None = None
    facts: Facts = PLAIN

    @property
    def title(self) -> str:
        return phase_words(self.public.turn)


@dataclass(frozen=True)
class PlayedGame:
    """`phases` as in a `ToldGame`."""

    heading: GameHeading
    phases: tuple[PlayedPhase, ...]

    @cached_property
    def standing(self) -> tuple[PlayedPhase, ...]:
        """The phases that were not undone."""
        return tuple(sorted((it for it in self.phases if it.facts.undone is None), key=lambda it: it.ordinal))

    @property
    def end(self) -> Position:
        """The position after the last phase."""
        return self.standing[-1].public.next if self.standing else self.heading.variant.start
