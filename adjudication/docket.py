"""Which of the orders written for a phase count."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from adjudication.board import province_of
from adjudication.legality import check_all, rule_refusal, unit_refusal
from adjudication.lines import Laid
from adjudication.movement.intents import (
    ALWAYS,
    ASKS,
    HELPED,
    HERE,
    IF_BY_SEA,
    INTENT,
    NONE,
    SAILS,
    UNIT,
    Row,
)
from adjudication.movement.table import NOWHERE
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.reasons import Refusal
from adjudication.resolution import OrderOutcome, refusal_word
from adjudication.scene import Scene
from adjudication.units import NEUTRAL

Orders = Mapping[str, Sequence[Order]]
"""Power -> what it ordered, in that sequence."""


NOTHING: Mapping[int, Row] = {}
"""What is at hand of a power that never ordered anything."""


class Docket:
    """The orders of a retreat or adjustment phase, examined. `lawful`: province -> its order;
    `by_power`: the lawful orders in their sequence; `surplus`: the refused ones."""

    __slots__ = ("by_power", "lawful", "scene", "surplus")

    def __init__(self, orders: Orders, scene: Scene) -> None:
        self.scene = scene
        self.lawful: dict[str, Order] = {}
        self.by_power: dict[str, list[Order]] = {}
        self.surplus: list[OrderOutcome] = []
        for power in sorted(orders):
            refusals = check_all(orders[power], power, scene)
            for order, refusal in zip(orders[power], refusals, strict=True):
                if refusal:
                    self.surplus.append(refused(order, power, refusal, scene))
                else:
                    self.by_power.setdefault(power, []).append(order)
                    self.lawful[province_of(where(order))] = order


class MovementDocket:
    """The orders of a movement phase, by the number of the province. `rows`: the lawful ones; `refused`: where
    none was lawful the first order of the unit's owner, and why; `surplus`: refused orders beside those. The last two
    are known once the docket is closed."""

    __slots__ = ("orders", "refused", "rows", "scene", "surplus", "troubled")

    def __init__(self, orders: Orders, scene: Scene, known: Laid | None = None) -> None:
        """`known`: the same orders laid out, if whoever read them knew their rows at once."""
        self.orders = orders
        self.scene = scene
        self.refused: dict[int, tuple[Order, Refusal]] = {}
        self.surplus: list[OrderOutcome] = []
        self.troubled: set[str] = set()
        laid = known or self._accepted()
        self.rows = laid.rows.copy()
        if laid.doubtful:
            self.troubled.update(strike_unlawful(laid.doubtful, self.rows, scene))

    def close(self, unmatched: set[int]) -> None:
        """`unmatched`: supports of what was not ordered, taken until now though they may be unlawful besides."""
        for here in tuple(unmatched):
            row = self.rows[here]
            if row[ASKS] and rule_refusal(row[INTENT], self.scene):
                self.troubled.add(row[UNIT].power)
                del self.rows[here]
                unmatched.remove(here)
        for power in sorted(self.troubled):
            self._refuse(power, self.orders[power])

    def _accepted(self) -> Laid:
        """The orders for units that may be ordered so. In trouble is who gave others, or several for a unit."""
        laid, units = Laid({}, []), self.scene.at
        for power, orders in self.orders.items():
            plain = power != NEUTRAL and not self.scene.leaderless
            recall = self.scene.ledger.at_hand.get(power, NOTHING).get if plain else NOTHING.get
            count = len(laid.rows) + len(orders)
            for order in orders:
                row = recall(id(order))
                if row is None or units.get(row[HERE]) is not row[UNIT]:
                    row = self._meant(order, power)
                if row is not None:
                    take(row, laid, self.scene)
            if len(laid.rows) < count:
                self.troubled.add(power)
        return laid

    def _meant(self, order: Order, power: str) -> Row | None:
        """What the order comes to if it is one for this phase and for a unit that the power may order so."""
        if not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, self.scene):
            return None
        return self.scene.intent(order, self.scene.units[province_of(order.location)]).row

    def _refuse(self, power: str, orders: Sequence[Order]) -> None:
        for order, refusal in zip(orders, check_all(orders, power, self.scene), strict=True):
            if refusal is None:
                continue
            here = self.scene.table.number.get(province_of(where(order)), NOWHERE)
            unit = self.scene.at.get(here)
            own = unit is not None and unit.power == power
            if own and here not in self.rows and here not in self.refused:
                self.refused[here] = order, refusal
            else:
                self.surplus.append(refused(order, power, refusal, self.scene))


def take(row: Row, laid: Laid, scene: Scene) -> None:
    """Of several orders for a unit the first lawful one counts (DATC 4.D.3)."""
    here, rows = row[HERE], laid.rows
    if here in rows and not _is_better(row, rows[here], scene):
        return
    if row[ASKS] == ALWAYS:
        laid.doubtful.append(row)
    rows[here] = row


def _is_better(row: Row, earlier: Row, scene: Scene) -> bool:
    if earlier[ASKS] == NONE or rule_refusal(earlier[INTENT], scene) is None:
        return False
    return rule_refusal(row[INTENT], scene) is None


def strike_unlawful(doubtful: Iterable[Row], rows: dict[int, Row], scene: Scene) -> list[str]:
    """Take out of the rows what a rule forbids; the powers that ordered it. A support is lawful if what it supports
    was ordered, and by land: of the others only those of units that go by sea are asked here."""
    sailing = {row[HERE] for row in doubtful if row[SAILS]}
    asked = [*doubtful, *(row for row in rows.values() if row[ASKS] == IF_BY_SEA and row[HELPED] in sailing)]
    unlawful = [row for row in asked if rows.get(row[HERE]) is row and rule_refusal(row[INTENT], scene)]
    for row in unlawful:
        del rows[row[HERE]]
    return [row[UNIT].power for row in unlawful]


def refused(order: Order, power: str, refusal: Refusal, scene: Scene) -> OrderOutcome:
    unit = scene.units.get(province_of(where(order)))
    owned = unit if unit is not None and unit.power == power else None
    word = refusal_word(refusal.reason)
    return OrderOutcome(owned, power, order, (word,), refusal.reason, refusal.sentence)
