"""The frozen views of a tournament's standings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """A game of a series, at the table with this number. If the viewer may not see it, `slug` is "" and `name` reveals
    nothing."""

    table: int
    slug: str
    name: str
    variant_title: str
    state: str


@dataclass(frozen=True, slots=True)
class Played:
    """A player's points from one game. `part`: their part of the seat's points, as in "2/5", "" for all of them.
    `reason`: why a director gave these points instead."""

    game: SeriesGame
    power_name: str
    points: str
    counted: bool
    part: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class InRound:
    """The points of a round: of the games that count or, if none does, of all of them."""

    points: str
    counted: bool


@dataclass(frozen=True, slots=True)
class Given:
    """Points that a director added to a total."""

    points: str
    reason: str


@dataclass(frozen=True, slots=True)
class PlayerRow:
    """A player in the standings; several can share a `rank`. `rounds`: None for a round without points. `played`: in a
    series, the newest game first."""

    rank: int
    name: str
    team: str
    total: str
    rounds: tuple[InRound | None, ...]
    played: tuple[Played, ...]
    given: tuple[Given, ...] = ()

    @property
    def has_notes(self) -> bool:
        """Is there more to say than the points of the games?"""
        return bool(self.given) or any(it.reason or it.part for it in self.played)


@dataclass(frozen=True, slots=True)
class TeamRow:
    """`members`: name, total, and whether it counts; the best first."""

    rank: int
    name: str
    total: str
    members: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A power at a table that is over. `players`: every entrant who held it, the first one first."""

    power: str
    power_name: str
    players: tuple[str, ...]
    centres: int
    points: str
    fell_in: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class ScoredTable:
    """A table that counts. `round`: from 1. `table`: the row, with its game and when it `began`."""

    round: int
    table: Any
    game: SeriesGame
    seats: tuple[SeatRow, ...]
