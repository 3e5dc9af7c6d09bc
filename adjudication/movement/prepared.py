"""Prepared orders: what each order comes to on a board, worked out once as numbers, and kept.

The same few thousand orders are given in every game. All that follows from an order, its unit and the
board alone is therefore remembered, with those rules that still have to look at the position.
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
from adjudication.units import NEUTRAL, Unit, UnitKind, shared

if TYPE_CHECKING:
    from adjudication.situation import Situation

MOVES, HOLDS, SUPPORTS_HOLD, SUPPORTS_MOVE, CONVOYS = range(5)
"""What a unit does; from HOLDS on, without leaving its province; from SUPPORTS_HOLD on, for another unit."""
ASK_NEVER, ASK_IF_BY_SEA, ASK_ALWAYS = range(3)
"""When the rules of an order that may break one have to be asked: ASK_IF_BY_SEA of supports, which are lawful if
what they support was ordered, by land."""
WORKS_OUT = {
    HOLDS: OrderResult.STANDS,
    MOVES: OrderResult.SUCCEEDS,
    SUPPORTS_HOLD: OrderResult.GIVEN,
    SUPPORTS_MOVE: OrderResult.GIVEN,
    CONVOYS: OrderResult.AVAILABLE,
}
"""What is said of an order that works out."""
MOST_REMEMBERED = 50_000
"""Orders or lines that a cache keeps before it forgets them all, so that nonsense cannot fill the memory."""


class PreparedOrder:
    """One order of one unit. `does`: what is done, and `goal`: where to; `moved`: the unit as it will be if that works
    out, and `fine`: what is said then. `sails`: is it a move that asks for a convoy? `helped`: of a support or convoy
    the other unit; `arrival`: the exact location where a move, or a supported one, goes. `rules`: those that must still
    be asked in a position, and `asks`: when; `alone`: the province as a group of one. `kind`: of the helped unit, where
    this was read from a line."""

    __slots__ = (
        "alone",
        "arrival",
        "asks",
        "does",
        "fine",
        "goal",
        "helped",
        "here",
        "kind",
        "moved",
        "order",
        "rules",
        "sails",
        "stead",
        "unit",
    )

    def __init__(self, order: Order, unit: Unit, situation: Situation) -> None:
        legality = situation.ruleset.legality
        self.order = order
        self.unit = unit
        self.stead = unit.stead
        self.here = situation.bitboard.number[unit.province]
        self.alone = situation.bitboard.alone[self.here]
        self.sails = isinstance(order, Move) and order.via and unit.kind is UnitKind.ARMY
        self.rules = legality.still_to_ask(order, unit, situation)
        self.does, self.goal, self.moved, self.helped, self.arrival = _deed(order, unit, situation.bitboard)
        self.asks = ASK_ALWAYS if self.rules or self.sails else ASK_NEVER
        if isinstance(order, Support) and legality.by_match.issuperset(self.rules):
            self.asks = ASK_IF_BY_SEA
        self.fine = OrderOutcome(unit, unit.power, order, (WORKS_OUT[self.does],))
        self.kind: UnitKind | None = None

    def read_of(self, kind: UnitKind) -> PreparedOrder:
        """The same as read from a line while the helped unit was of that kind."""
        read = copy(self)
        read.kind = kind
        return read


def _deed(order: Order, unit: Unit, board: Bitboard) -> tuple[int, int, Unit, int, int]:
    """What is done and where to; the unit as it will be; helped and arrival, as in a prepared order."""
    number = board.number
    match order:
        case Move():
            arrival = number[order.destination]
            moved = shared(unit.power, unit.kind, order.destination, unit.faction)
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
    """The prepared orders of one ruleset. `known`: side and kind of unit -> order -> prepared order; `holds`: the same
    by rank for units without an order. `at_hand`: power -> identity of an order -> what it comes to,
    which keeps that order alive; `lines`: power -> line of text -> what it was read as."""

    __slots__ = ("at_hand", "count", "holds", "known", "lines")

    def __init__(self, powers: Iterable[str]) -> None:
        self.at_hand: dict[str, dict[int, PreparedOrder]] = {}
        self.known: dict[tuple[str, UnitKind], dict[Order, PreparedOrder]] = {}
        self.holds: dict[str, PreparedOrder] = {}
        self.lines: dict[str, dict[str, PreparedOrder]] = {power: {} for power in (*powers, NEUTRAL)}
        self.count = 0

    def prepared(self, order: Order, unit: Unit, situation: Situation) -> PreparedOrder:
        """Of a unit that stands where the order says."""
        of_kind = self.known.get((unit.side, unit.kind))
        known = None if of_kind is None else of_kind.get(order)
        return self._learn(order, unit, situation) if known is None else known

    def holding(self, unit: Unit, situation: Situation) -> PreparedOrder:
        """Of a unit without an order."""
        known = self.holds.get(unit.rank)
        if known is None:
            self.holds[unit.rank] = known = PreparedOrder(Hold(unit.location), _shared(unit), situation)
        return known

    def _learn(self, order: Order, unit: Unit, situation: Situation) -> PreparedOrder:
        if self.count >= MOST_REMEMBERED:
            self.at_hand.clear()
            self.known.clear()
            self.count = 0
        prepared = PreparedOrder(order, _shared(unit), situation)
        self.at_hand.setdefault(unit.power, {})[id(order)] = prepared
        self.known.setdefault((unit.side, unit.kind), {})[order] = prepared
        self.count += 1
        return prepared


def _shared(unit: Unit) -> Unit:
    return shared(unit.power, unit.kind, unit.location, unit.faction)


@lru_cache(maxsize=64)
def order_cache_of(ruleset: Ruleset) -> OrderCache:
    """The cache of a ruleset, which is the same for as long as the ruleset lives."""
    return OrderCache(ruleset.powers)
