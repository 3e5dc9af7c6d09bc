"""Units and what each kind may enter."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from adjudication.board import Board, province_of

NEUTRAL = "NEUTRAL"
"""The power that owns the units of every minor power."""


class UnitKind(StrEnum):
    ARMY = "A"
    FLEET = "F"

    @property
    def word(self) -> str:
        return "army" if self is UnitKind.ARMY else "fleet"

    @property
    def article(self) -> str:
        return "An army" if self is UnitKind.ARMY else "A fleet"


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    power: str
    kind: UnitKind
    location: str

    def __str__(self) -> str:
        return f"{self.kind.value} {self.location}"

    @property
    def province(self) -> str:
        return province_of(self.location)


def may_stand(kind: UnitKind, location: str, board: Board) -> bool:
    """May a unit of this kind stand exactly there (an army on no coast, a fleet on a named one)?"""
    if kind is UnitKind.ARMY:
        return location in board.provinces and board.provinces[location].kind.takes_armies
    province = board.province(location)
    return province.kind.takes_fleets and location in board.fleet_locations(province.id)


def neighbours(kind: UnitKind, location: str, board: Board) -> frozenset[str]:
    """The locations next door that a unit of this kind reaches by itself."""
    if kind is UnitKind.ARMY:
        return board.army.get(province_of(location), frozenset())
    return board.fleet.get(location, frozenset())
