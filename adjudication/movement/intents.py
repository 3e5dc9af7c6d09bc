"""What each order comes to on a board, as numbers: worked out once, and kept.

The same few thousand orders are given in every game. All that follows from an order, its unit and the
board alone is therefore remembered, with those rules that still have to look at the position.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from adjudication.board import province_of
from adjudication.orders import Convoy, Hold, Move, Order, Support
from adjudication.resolution import OrderOutcome, Result
from adjudication.units import Unit, UnitKind, shared

if TYPE_CHECKING:
    from adjudication.movement.table import Table
    from adjudication.ruleset import Ruleset
    from adjudication.scene import Scene

EMPTY, HOLDS, MOVES, SUPPORTS_HOLD, SUPPORTS_MOVE, CONVOYS = range(6)
"""What is done in a province; from SUPPORTS_HOLD on, for another unit."""
NOWHERE = -1
HERE: Final = 0
DEED: Final = 1
GOAL: Final = 2
SAILS: Final = 3
ARRIVAL: Final = 4
HELPED: Final = 5
MOVED: Final = 6
ALONE: Final = 7
"""Places in `Facts`."""
FINE = {
    HOLDS: Result.STANDS,
    MOVES: Result.SUCCEEDS,
    SUPPORTS_HOLD: Result.GIVEN,
    SUPPORTS_MOVE: Result.GIVEN,
    CONVOYS: Result.AVAILABLE,
}
"""What is said of an order that works out."""
ENOUGH = 50_000
"""Orders remembered for a ruleset before all are forgotten, so that nonsense cannot fill the memory."""

Facts: TypeAlias = tuple[int, int, int, bool, int, int, Unit | None, tuple[int], *tuple[Any, ...]]
"""As laid out in a battle: province, deed, goal, whether it asks for a convoy, exact arrival, helped unit, for a move
the unit as it will be, and the province once more as a group of one. What follows is not for the battle."""


class Intent:
    """One order of one unit, and `facts`: the same as numbers. `rules`: those that must still be asked
    in a position, unless it is `free` of them; `firm`: those of them that do not follow from a match.
    `helps`: the province of the unit it supports or convoys, or "". `sails`: the order asks for a convoy.
    `fine`: the outcome if it works out and the unit is not dislodged. `stead`: that of the unit."""

    __slots__ = (
        "facts",
        "fine",
        "firm",
        "free",
        "helps",
        "here",
        "order",
        "rules",
        "sails",
        "stead",
        "unit",
    )

    def __init__(self, order: Order, unit: Unit, scene: Scene) -> None:
        legality = scene.ruleset.legality
        self.order = order
        self.unit = unit
        self.stead = unit.stead
        self.here = scene.table.number[unit.province]
        self.rules = legality.still_to_ask(order, unit, scene)
        self.firm = tuple(rule for rule in self.rules if rule not in legality.by_match)
        self.free = not self.rules
        self.helps = ""
        if isinstance(order, Support | Convoy):
            self.helps = order.supported if isinstance(order, Support) else order.army
        self.facts = _facts(order, unit, scene.table)
        self.sails = self.facts[SAILS]
        self.fine = OrderOutcome(unit, unit.power, order, (FINE[self.facts[DEED]],))


def _facts(order: Order, unit: Unit, table: Table) -> Facts:
    number = table.number
    here = number[unit.province]
    alone = table.alone[here]
    match order:
        case Move():
            arrival = number[order.destination]
            sails = order.via and unit.kind is UnitKind.ARMY
            moved = shared(unit.power, unit.kind, order.destination, unit.faction)
            return here, MOVES, table.base[arrival], sails, arrival, NOWHERE, moved, alone
        case Support(destination=None):
            helped = number[order.supported]
            return here, SUPPORTS_HOLD, helped, False, NOWHERE, helped, None, alone
        case Support():
            arrival, helped = number[order.destination or ""], number[order.supported]
            return here, SUPPORTS_MOVE, table.base[arrival], False, arrival, helped, None, alone
        case Convoy():
            goal = number[province_of(order.destination)]
            return here, CONVOYS, goal, False, NOWHERE, number[order.army], None, alone
        case _:
            return here, HOLDS, NOWHERE, False, NOWHERE, NOWHERE, None, alone


class Ledger:
    """The intents of one ruleset. `books`: side and kind of unit -> order -> intent; `holds`: the same
    by rank for units without an order. `at_hand`: power -> identity of an order -> its intent, which
    keeps that order alive."""

    __slots__ = ("at_hand", "books", "count", "holds")

    def __init__(self) -> None:
        self.at_hand: dict[str, dict[int, Intent]] = {}
        self.books: dict[tuple[str, UnitKind], dict[Order, Intent]] = {}
        self.holds: dict[str, Intent] = {}
        self.count = 0

    def intent(self, order: Order, unit: Unit, scene: Scene) -> Intent:
        """Of a unit that stands where the order says."""
        book = self.books.get((unit.side, unit.kind))
        known = None if book is None else book.get(order)
        return self._learn(order, unit, scene) if known is None else known

    def holding(self, unit: Unit, scene: Scene) -> Intent:
        """Of a unit without an order."""
        known = self.holds.get(unit.rank)
        if known is None:
            self.holds[unit.rank] = known = Intent(Hold(unit.location), _shared(unit), scene)
        return known

    def _learn(self, order: Order, unit: Unit, scene: Scene) -> Intent:
        if self.count >= ENOUGH:
            self.at_hand.clear()
            self.books.clear()
            self.count = 0
        intent = Intent(order, _shared(unit), scene)
        self.at_hand.setdefault(unit.power, {})[id(order)] = intent
        self.books.setdefault((unit.side, unit.kind), {})[order] = intent
        self.count += 1
        return intent


def _shared(unit: Unit) -> Unit:
    return shared(unit.power, unit.kind, unit.location, unit.faction)


@lru_cache(maxsize=64)
def ledger_of(ruleset: Ruleset) -> Ledger:
    """The ledger of a ruleset, which is the same for as long as the ruleset lives."""
    return Ledger()
