"""A position and its rules, prepared once for all questions about it."""

from __future__ import annotations

from dataclasses import replace

from adjudication.board import Board, province_of
from adjudication.movement.bitboard import NOWHERE, Bitboard, bitboard_of, bits
from adjudication.movement.convoys import chained_fleets, fleets_on_routes, reachable_shores, route_exists
from adjudication.movement.prepared import OrderCache, PreparedOrder, order_cache_of
from adjudication.orders import Order
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL, Unit, UnitKind, forms_of

FLEET = UnitKind.FLEET


class Situation:
    """`at`: province number -> the unit there. `is_muster`: do this turn's orders also say what each unit is?"""

    __slots__ = (
        "_fleets",
        "_leaderless",
        "_reached",
        "_texts",
        "_units",
        "at",
        "bitboard",
        "board",
        "cache",
        "is_muster",
        "position",
        "ruleset",
    )

    def __init__(self, position: Position, ruleset: Ruleset) -> None:
        self.position = position
        self.ruleset = ruleset
        self.board: Board = ruleset.board
        self.bitboard: Bitboard = bitboard_of(ruleset.board)
        self.cache: OrderCache = order_cache_of(ruleset)
        number = self.bitboard.number
        self.at: dict[int, Unit] = {number[unit.province]: unit for unit in position.units}
        self.is_muster = ruleset.muster is not None and ruleset.muster == position.turn
        self._units: dict[str, Unit] | None = None
        self._leaderless: frozenset[str] | None = None
        self._texts: frozenset[str] | None = None
        self._fleets: int | None = None
        self._reached: dict[tuple[int, str | None], int] = {}

    @property
    def units(self) -> dict[str, Unit]:
        """Province id -> the unit there."""
        if self._units is None:
            self._units = {unit.province: unit for unit in self.at.values()}
        return self._units

    @property
    def unit_texts(self) -> frozenset[str]:
        """The units as text, without their powers."""
        if self._texts is None:
            self._texts = frozenset([unit.text for unit in self.at.values()])
        return self._texts

    @property
    def fleets(self) -> int:
        """Mask of the waters with a fleet."""
        if self._fleets is None:
            here = [1 << place for place, unit in self.at.items() if unit.kind is FLEET]
            self._fleets = sum(here) & self.bitboard.water
        return self._fleets

    def prepared(self, order: Order, unit: Unit) -> PreparedOrder:
        return self.cache.prepared(order, unit, self)

    def hold_of(self, unit: Unit) -> PreparedOrder:
        return self.cache.hold_of(unit, self)

    def unit_at(self, location: str) -> Unit | None:
        return self.at.get(self.bitboard.number.get(province_of(location), NOWHERE))

    def is_occupied(self, province: str) -> bool:
        """Is a unit in the province, or in a camp within it?"""
        return any(place in self.units for place in (province, *self.board.camps.get(province, ())))

    @property
    def leaderless(self) -> frozenset[str]:
        """The provinces of units that take no orders now, though a power owns them."""
        if self._leaderless is None:
            self._leaderless = self.ruleset.disorder.leaderless(self.position)
        return self._leaderless

    def is_leaderless(self, unit: Unit) -> bool:
        """Is the unit disbanded when it is dislodged, because it is a minor power's or takes no orders?"""
        return unit.power == NEUTRAL or unit.province in self.leaderless

    def forms(self, unit: Unit) -> tuple[Unit, ...]:
        """The units that an order may turn this one into: an army or a fleet in the muster turn, else itself."""
        if self.is_muster and self.board.province(unit.location).coasts:
            return forms_of(unit, self.board)
        return (unit,)

    def with_unit_formed(self, location: str) -> Situation:
        """The situation after an order for that place has said what its unit is."""
        if not self.is_muster:
            return self
        unit = self.unit_at(location)
        form = unit and next((form for form in self.forms(unit) if form.location == location), None)
        if unit is None or form is None or form == unit:
            return self
        units = tuple(form if each is unit else each for each in self.position.units)
        return Situation(replace(self.position, units=units), self.ruleset)

    def is_shore(self, province: str) -> bool:
        return bool(self.bitboard.shore >> self.bitboard.number[province] & 1)

    def convoy_possible(self, start: str, goal: str, without: str | None = None) -> bool:
        """Could the fleets on the board, if ordered so, convoy an army from shore to shore?"""
        if not self._joins_two_shores(start, goal):
            return False
        number, waters = self.bitboard.number, self.bitboard.waters
        fleets = self.fleets if without is None else self.fleets & ~(1 << number[without])
        if waters[number[start]] & waters[number[goal]] & fleets & ~(1 << number[goal]):
            return True
        if not self._landings(number[start], without) >> number[goal] & 1:
            return False
        if not self.fleets >> number[goal] & 1:
            return True
        # A fleet at the goal (then an island) cannot bring an army there.
        return route_exists(self.bitboard, number[start], number[goal], fleets)

    def _joins_two_shores(self, start: str, goal: str) -> bool:
        """Are these two different shores? Armies leave camps but never enter them, and a camp's own province does not
        count as another shore."""
        if start == goal or not (self.is_shore(start) and self.is_shore(goal)):
            return False
        return not self.bitboard.camps or self.board.around(start) != goal == self.board.around(goal)

    def shores_overseas(self, start: str) -> list[str]:
        """Where the fleets on the board could bring an army, sorted; empty for an inland province."""
        if not self.is_shore(start):
            return []
        names, mask = self.bitboard.provinces, self._landings(self.bitboard.number[start], None)
        home = self.board.around(start)
        return [names[shore] for shore in bits(mask) if names[shore] != home]

    def _landings(self, start: int, without: str | None) -> int:
        """The shores that the fleets on the board reach; cached, because it is asked for again and again."""
        shores = self._reached.get((start, without))
        if shores is None:
            fleets = self.fleets if without is None else self.fleets & ~(1 << self.bitboard.number[without])
            self._reached[start, without] = shores = reachable_shores(self.bitboard, start, fleets)
        return shores

    def is_on_convoy_route(self, fleet: str, start: str, goal: str) -> bool:
        """Is the fleet in that province on a convoy route from start to goal?"""
        if not self._joins_two_shores(start, goal):
            return False
        return is_on_route(self.bitboard, start, goal, self.fleets, fleet)


def is_on_route(board: Bitboard, start: str, goal: str, fleets: int, fleet: str) -> bool:
    """Is the fleet in that province, one of those in the mask, on a convoy route from start to goal?"""
    number = board.number
    chain = chained_fleets(board, number[start], fleets)
    return bool(fleets_on_routes(board, number[start], number[goal], chain) >> number[fleet] & 1)
