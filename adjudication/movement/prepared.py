"""Prepared orders: the effect of each order on a board, worked out once as numbers and kept.

The same few thousand orders are given in every game. So everything that follows from an order, its unit and the board
alone is remembered, along with the rules that also depend on the position.
"""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING

from adjudication.board import province_of
from adjudication.movement.bitboard import NOWHERE, Bitboard
from adjudication.orders import Convoy, Hold, Move, Order, Support
from adjudication.resolution import OrderOutcome, OrderResult
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL, Unit, UnitKind, shared_unit

if TYPE_CHECKING:
    from adjudication.situation import Situation

MOVES, HOLDS, SUPPORTS_HOLD, SUPPORTS_MOVE, CONVOYS = range(5)
"""What a unit does. From HOLDS on it stays in its province; from SUPPORTS_HOLD on it helps another unit."""
ASK_NEVER, ASK_IF_BY_SEA, ASK_ALWAYS = range(3)
"""When to check the rules that an order could break. ASK_IF_BY_SEA is for supports, which are lawful if the supported
order was given and is by land."""
RESULT_OF_SUCCESS = {
    HOLDS: OrderResult.STANDS,
    MOVES: OrderResult.SUCCEEDS,
    SUPPORTS_HOLD: OrderResult.GIVEN,
    SUPPORTS_MOVE: OrderResult.GIVEN,
    CONVOYS: OrderResult.AVAILABLE,
}
"""The result of an order that succeeds."""
MOST_REMEMBERED = 50_000
"""A cache is emptied when it holds this many orders or lines, so that nonsense cannot fill the memory."""


class PreparedOrder:
    """One order of one unit. `action` is the action and `goal` its target; `moved` is the unit after success, with
    `outcome_of_success`. `sails`: is it a move that asks for a convoy? `helped` is the unit that it supports or
    convoys; `arrival` the exact destination of the move or of the supported one. `rules` must still be checked in a
    position, and `asks` says when. `singleton` is the group of just this province. `kind` is that of the helped unit if
    this was read from a line."""

    __slots__ = (
        "action",
        "arrival",
        "asks",
        "goal",
        "helped",
        "here",
        "kind",
        "moved",
        "order",
        "outcome_of_success",
        "power_and_place",
        "rules",
        "sails",
        "singleton",
        "unit",
    )

    def __init__(self, order: Order, unit: Unit, situation: Situation) -> None:
        legality = situation.ruleset.legality
        self.order = order
        self.unit = unit
        self.power_and_place = unit.power_and_place
        self.here = situation.bitboard.number[unit.province]
        self.singleton = situation.bitboard.singleton[self.here]
        self.sails = isinstance(order, Move) and order.via and unit.kind is UnitKind.ARMY
        self.rules = legality.rules_to_check(order, unit, situation)
        self.action, self.goal, self.moved, self.helped, self.arrival = _numbers_of(order, unit, situation.bitboard)
        self.asks = ASK_ALWAYS if self.rules or self.sails else ASK_NEVER
        if isinstance(order, Support) and legality.by_match.issuperset(self.rules):
            self.asks = ASK_IF_BY_SEA
        self.outcome_of_success = OrderOutcome(unit, unit.power, order, (RESULT_OF_SUCCESS[self.action],))
        self.kind: UnitKind | None = None

    def as_read_with(self, kind: UnitKind) -> PreparedOrder:
        """A copy, read from a line while the helped unit was of this kind."""
        read = copy(self)
        read.kind = kind
        return read


def _numbers_of(order: Order, unit: Unit, board: Bitboard) -> tuple[int, int, Unit, int, int]:
    """`action`, `goal`, `moved`, `helped` and `arrival` of the prepared order."""
    number = board.number
    match order:
        case Move():
            arrival = number[order.destination]
            moved = shared_unit(unit.power, unit.kind, order.destination, unit.faction)
            return MOVES, board.base[arrival], moved, NOWHERE, arrival
        case Support(destination=None):
            helped = number[order.supported]
            return SUPPORTS_HOLD, helped, unit, helped, NOWHERE
        case Support():
            arrival, helped = number[order.destination or ""], number[order.supported]
            return SUPPORTS_MOVE, board.base[arrival], unit, helped, arrival
        case Convoy():
            goal = number[province_of(order.destination)]
            return CONVOYS, goal, unit, number[order.army], NOWHERE
        case _:
            return HOLDS, NOWHERE, unit, NOWHERE, NOWHERE


class OrderCache:
    """The prepared orders of one ruleset. `known`: side and kind of unit -> order -> prepared order. `holds`: rank of a
    unit without an order -> its hold. `at_hand`: power -> id() of an order -> prepared order, which keeps a reference
    to that order. `lines`: power -> line of text -> the prepared order that it was read as."""

    __slots__ = ("at_hand", "count", "holds", "known", "lines")

    def __init__(self, powers: Iterable[str]) -> None:
        self.at_hand: dict[str, dict[int, PreparedOrder]] = {}
        self.known: dict[tuple[str, UnitKind], dict[Order, PreparedOrder]] = {}
        self.holds: dict[str, PreparedOrder] = {}
        self.lines: dict[str, dict[str, PreparedOrder]] = {power: {} for power in (*powers, NEUTRAL)}
        self.count = 0

    def prepared(self, order: Order, unit: Unit, situation: Situation) -> PreparedOrder:
        """The prepared order. The unit must be where the order says."""
        of_kind = self.known.get((unit.side, unit.kind))
        prepared_order = None if of_kind is None else of_kind.get(order)
        return self._remember(order, unit, situation) if prepared_order is None else prepared_order

    def hold_of(self, unit: Unit, situation: Situation) -> PreparedOrder:
        """The hold of a unit without an order."""
        hold = self.holds.get(unit.rank)
        if hold is None:
            self.holds[unit.rank] = hold = PreparedOrder(Hold(unit.location), _shared_copy(unit), situation)
        return hold

    def _remember(self, order: Order, unit: Unit, situation: Situation) -> PreparedOrder:
        if self.count >= MOST_REMEMBERED:
            self.at_hand.clear()
            self.known.clear()
            self.count = 0
        prepared = PreparedOrder(order, _shared_copy(unit), situation)
        self.at_hand.setdefault(unit.power, {})[id(order)] = prepared
        self.known.setdefault((unit.side, unit.kind), {})[order] = prepared
        self.count += 1
        return prepared


def _shared_copy(unit: Unit) -> Unit:
    return shared_unit(unit.power, unit.kind, unit.location, unit.faction)


@lru_cache(maxsize=64)
def order_cache_of(ruleset: Ruleset) -> OrderCache:
    """The cache of a ruleset: the same one for as long as the ruleset lives."""
    return OrderCache(ruleset.powers)
