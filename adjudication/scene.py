"""A position laid out on its board, made once for all questions about it."""

from __future__ import annotations

from adjudication.board import Board, province_of
from adjudication.movement.convoys import on_route, route_exists
from adjudication.movement.table import Table, table_of
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.units import Unit, UnitKind


class Scene:
    """`units`: province -> the unit standing there. `fleets`: mask of the waters with a fleet."""

    __slots__ = ("board", "fleets", "position", "ruleset", "table", "units")

    def __init__(self, position: Position, ruleset: Ruleset) -> None:
        self.position = position
        self.ruleset = ruleset
        self.board: Board = ruleset.board
        self.table: Table = table_of(ruleset.board)
        self.units: dict[str, Unit] = position.occupied()
        self.fleets = self._fleets_at_sea()

    def _fleets_at_sea(self) -> int:
        mask = 0
        for province, unit in self.units.items():
            if unit.kind is UnitKind.FLEET:
                mask |= 1 << self.table.number[province]
        return mask & self.table.water

    def unit_at(self, location: str) -> Unit | None:
        return self.units.get(province_of(location))

    def is_shore(self, province: str) -> bool:
        return bool(self.table.shore >> self.table.number[province] & 1)

    def convoy_possible(self, start: str, goal: str, without: str | None = None) -> bool:
        """Could the fleets on the board, were they ordered to, convoy an army from shore to shore?"""
        if start == goal or not (self.is_shore(start) and self.is_shore(goal)):
            return False
        number = self.table.number
        fleets = self.fleets if without is None else self.fleets & ~(1 << number[without])
        return route_exists(self.table, number[start], number[goal], fleets)

    def convoy_uses(self, fleet: str, start: str, goal: str) -> bool:
        """Does the fleet in that province lie on such a route?"""
        if start == goal or not (self.is_shore(start) and self.is_shore(goal)):
            return False
        number = self.table.number
        return on_route(self.table, number[start], number[goal], self.fleets, number[fleet])
