"""What each order comes to on a board, as numbers: worked out once, and kept.

The same few thousand orders are given in every game. All that follows from an order, its unit and the
board alone is therefore remembered, with those rules that still have to look at the position.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, TypeAlias

from adjudication.board import province_of
from adjudication.movement.table import NOWHERE
from adjudication.orders import Convoy, Hold, Move, Order, Support
from adjudication.resolution import OrderOutcome, Result
from adjudication.units import NEUTRAL, Unit, UnitKind, shared

if TYPE_CHECKING:
    from adjudication.movement.table import Table
    from adjudication.ruleset import Ruleset
    from adjudication.scene import Scene

EMPTY, MOVES, HOLDS, SUPPORTS_HOLD, SUPPORTS_MOVE, CONVOYS = range(6)
"""What is done in a province; from HOLDS on, without leaving it; from SUPPORTS_HOLD on, for another unit."""
HERE: Final = 0
UNIT: Final = 1
ASKS: Final = 2
DEED: Final = 3
GOAL: Final = 4
ALONE: Final = 5
SAILS: Final = 6
MOVED: Final = 7
HELPED: Final = 8
ARRIVAL: Final = 9
KIND: Final = 10
STEAD: Final = 11
FINE: Final = 12
ORDER: Final = 13
INTENT: Final = 14
"""Places in a `Row`."""
NONE, IF_BY_SEA, ALWAYS = range(3)
"""When the rules of an order that may break one have to be asked: IF_BY_SEA of supports, which are lawful if
what they support was ordered, by land."""
WORKS_OUT = {
    HOLDS: Result.STANDS,
    MOVES: Result.SUCCEEDS,
    SUPPORTS_HOLD: Result.GIVEN,
    SUPPORTS_MOVE: Result.GIVEN,
    CONVOYS: Result.AVAILABLE,
}
"""What is said of an order that works out."""
ENOUGH = 50_000
"""Orders remembered for a ruleset before all are forgotten, so that nonsense cannot fill the memory."""

Row: TypeAlias = tuple[
    int,
    Unit,
    int,
    int,
    int,
    tuple[int],
    bool,
    Unit | None,
    int,
    int,
    UnitKind | None,
    str,
    OrderOutcome,
    Order,
    "Intent",
]
"""An order as laid out in a battle, what is asked most often first: the province, its unit, when its rules are asked,
what is done and where to; the province as a group of one; of a move whether it asks for a convoy, and the unit as it
will be; of a support or convoy the helped unit; the exact arrival; where a line was read, the kind of the helped unit;
the unit's stead; the outcome if all goes well; the order; the intent."""
Page: TypeAlias = dict[str, Row]
Deed: TypeAlias = tuple[int, int, bool, Unit | None, int, int]
"""What is done, goal, sails, moved, helped and arrival, as in a row."""


class Intent:
    """One order of one unit. `rules`: those that must still be asked in a position; `row`: the same as numbers."""

    __slots__ = ("here", "order", "row", "rules", "unit")

    def __init__(self, order: Order, unit: Unit, scene: Scene) -> None:
        legality, here = scene.ruleset.legality, scene.table.number[unit.province]
        self.order = order
        self.unit = unit
        self.here = here
        self.rules = legality.still_to_ask(order, unit, scene)
        asks = ALWAYS if self.rules else NONE
        if isinstance(order, Support) and legality.by_match.issuperset(self.rules):
            asks = IF_BY_SEA
        deed, goal, sails, moved, helped, arrival = _deed(order, unit, scene.table)
        fine = OrderOutcome(unit, unit.power, order, (WORKS_OUT[deed],))
        self.row: Row = (
            here,
            unit,
            asks,
            deed,
            goal,
            scene.table.alone[here],
            sails,
            moved,
            helped,
            arrival,
            None,
            unit.stead,
            fine,
            order,
            self,
        )


def _deed(order: Order, unit: Unit, table: Table) -> Deed:
    number = table.number
    match order:
        case Move():
            arrival = number[order.destination]
            sails = order.via and unit.kind is UnitKind.ARMY
            moved = shared(unit.power, unit.kind, order.destination, unit.faction)
            return MOVES, table.base[arrival], sails, moved, NOWHERE, arrival
        case Support(destination=None):
            helped = number[order.supported]
            return SUPPORTS_HOLD, helped, False, None, helped, NOWHERE
        case Support():
            arrival, helped = number[order.destination or ""], number[order.supported]
            return SUPPORTS_MOVE, table.base[arrival], False, None, helped, arrival
        case Convoy():
            goal = number[province_of(order.destination)]
            return CONVOYS, goal, False, None, number[order.army], NOWHERE
        case _:
            return HOLDS, NOWHERE, False, None, NOWHERE, NOWHERE


class Ledger:
    """The intents of one ruleset. `books`: side and kind of unit -> order -> intent; `holds`: the same
    by rank for units without an order. `at_hand`: power -> identity of an order -> its row, which
    keeps that order alive; `pages`: power -> line of text -> the row that it was read as."""

    __slots__ = ("at_hand", "books", "count", "holds", "pages")

    def __init__(self, powers: Iterable[str]) -> None:
        self.at_hand: dict[str, dict[int, Row]] = {}
        self.books: dict[tuple[str, UnitKind], dict[Order, Intent]] = {}
        self.holds: dict[str, Row] = {}
        self.pages: dict[str, Page] = {power: {} for power in (*powers, NEUTRAL)}
        self.count = 0

    def intent(self, order: Order, unit: Unit, scene: Scene) -> Intent:
        """Of a unit that stands where the order says."""
        book = self.books.get((unit.side, unit.kind))
        known = None if book is None else book.get(order)
        return self._learn(order, unit, scene) if known is None else known

    def holding(self, unit: Unit, scene: Scene) -> Row:
        """Of a unit without an order."""
        known = self.holds.get(unit.rank)
        if known is None:
            self.holds[unit.rank] = known = Intent(Hold(unit.location), _shared(unit), scene).row
        return known

    def _learn(self, order: Order, unit: Unit, scene: Scene) -> Intent:
        if self.count >= ENOUGH:
            self.at_hand.clear()
            self.books.clear()
            self.count = 0
        intent = Intent(order, _shared(unit), scene)
        self.at_hand.setdefault(unit.power, {})[id(order)] = intent.row
        self.books.setdefault((unit.side, unit.kind), {})[order] = intent
        self.count += 1
        return intent


def _shared(unit: Unit) -> Unit:
    return shared(unit.power, unit.kind, unit.location, unit.faction)


@lru_cache(maxsize=64)
def ledger_of(ruleset: Ruleset) -> Ledger:
    """The ledger of a ruleset, which is the same for as long as the ruleset lives."""
    return Ledger(ruleset.powers)
