"""Seats that change hands while a game is under way, and who sits for whom."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from games.phase_view.game import GameCard, PowerCard


@dataclass(frozen=True, slots=True)
class MarketView:
    """Seats of a game under way before this viewer. `vacant`: ids of powers that nobody plays; `offered`: the name of
    the one into which the game master has asked him, `way_back`: of the one he has lost and may come back to. He may be
    `asked_to_sit` for a player, and `sits_for` this power now, or be `asked_to_master` the game."""

    vacant: tuple[str, ...] = ()
    offered: str = ""
    way_back: str = ""
    may_resign: bool = False
    asked_to_sit: bool = False
    sits_for: str = ""
    asked_to_master: bool = False


@dataclass(frozen=True, slots=True)
class VacantSeat:
    """A seat that nobody plays, from public facts. `rank` by centres, 1 the first; `messages`: public ones so far.

    `why_not` this viewer may not take it, "" if he may; `must_ask`: he asks the game master for it, `asked`: he has.
    """

    game: GameCard
    power: PowerCard
    centres: int
    units: int
    rank: int
    of: int
    messages: int
    may_take: bool
    must_ask: bool
    asked: bool
    why_not: str


@dataclass(frozen=True, slots=True)
class StandbyView:
    """Of which vacant seats somebody wants to be told: slugs of variants (none: any) and a pace ("": any)."""

    variants: tuple[str, ...]
    pace: str


@dataclass(frozen=True, slots=True)
class SittingView:
    """Somebody plays for a player from `begins` to `ends`; `accepted` None until he has answered."""

    number: int
    slug: str
    game: str
    player: str
    sitter: str
    begins: datetime
    ends: datetime
    talks: bool
    accepted: bool | None
    has_begun: bool
