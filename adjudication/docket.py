"""Which of the orders written for a phase count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudication.board import province_of
from adjudication.legality import check_all, rule_refusal, unit_refusal
from adjudication.movement.intents import (
    ARRIVAL,
    DEED,
    GOAL,
    HELPED,
    MOVES,
    NOWHERE,
    SUPPORTS_HOLD,
    Facts,
    Intent,
)
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.reasons import Refusal
from adjudication.resolution import OrderOutcome, refusal_word
from adjudication.scene import Scene
from adjudication.units import NEUTRAL

Orders = Mapping[str, Sequence[Order]]
"""Power -> what it ordered, in that sequence."""


NOTHING: Mapping[int, Intent] = {}
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
    """The orders of a movement phase, by the number of the province. `intents`: the lawful ones; `refused`: where
    none was lawful the first order of the unit's owner, and why; `surplus`: refused orders beside those."""

    __slots__ = ("intents", "refused", "scene", "surplus")

    def __init__(self, orders: Orders, scene: Scene) -> None:
        self.scene = scene
        self.intents: dict[int, Intent] = {}
        self.refused: dict[int, tuple[Order, Refusal]] = {}
        self.surplus: list[OrderOutcome] = []
        helpers: list[Intent] = []
        troubled = {power for power in orders if not self._accept(power, orders[power], helpers)}
        for intent in helpers:
            here = intent.here
            if self.intents[here] is intent and not self._may_help(intent):
                troubled.add(intent.unit.power)
                del self.intents[here]
        for power in sorted(troubled):
            self._refuse(power, orders[power])

    def facts(self) -> dict[int, Facts]:
        """As the battle wants them."""
        return {here: intent.facts for here, intent in self.intents.items()}

    def _accept(self, power: str, orders: Sequence[Order], helpers: list[Intent]) -> bool:
        """Take the lawful ones; False if there are others. Of several for a unit the first one stands.
        Supports and convoys are taken for now: the `helpers` whose rules are still to be asked."""
        intents, units, count = self.intents, self.scene.at, len(self.intents)
        plain = power != NEUTRAL and not self.scene.leaderless
        recall = self.scene.ledger.at_hand.get(power, NOTHING).get if plain else NOTHING.get
        for order in orders:
            intent = recall(id(order))
            if intent is None or units.get(intent.here) is not intent.unit:
                intent = self._meant(order, power)
                if intent is None:
                    continue
            here = intent.here
            if here in intents and not rule_refusal(intents[here], self.scene):
                continue
            if not intent.free:
                if intent.helps:
                    helpers.append(intent)
                elif rule_refusal(intent, self.scene):
                    continue
            intents[here] = intent
        return len(intents) == count + len(orders)

    def _meant(self, order: Order, power: str) -> Intent | None:
        """What the order comes to if it is one for this phase and for a unit that the power may order so."""
        if not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, self.scene):
            return None
        return self.scene.intent(order, self.scene.units[province_of(order.location)])

    def _may_help(self, intent: Intent) -> bool:
        """A support of what was ordered by land is lawful without asking."""
        if not intent.firm and self._is_matched(intent):
            return True
        return rule_refusal(intent, self.scene) is None

    def _is_matched(self, intent: Intent) -> bool:
        deed, goal, arrival = intent.facts[DEED], intent.facts[GOAL], intent.facts[ARRIVAL]
        if deed == SUPPORTS_HOLD:
            return intent.facts[HELPED] in self.scene.at
        helped = self.intents.get(intent.facts[HELPED])
        if helped is None or helped.sails or helped.facts[DEED] != MOVES:
            return False
        return helped.facts[GOAL] == goal and arrival in (goal, helped.facts[ARRIVAL])

    def _refuse(self, power: str, orders: Sequence[Order]) -> None:
        for order, refusal in zip(orders, check_all(orders, power, self.scene), strict=True):
            if refusal is None:
                continue
            here = self.scene.table.number.get(province_of(where(order)), NOWHERE)
            unit = self.scene.at.get(here)
            own = unit is not None and unit.power == power
            if own and here not in self.intents and here not in self.refused:
                self.refused[here] = order, refusal
            else:
                self.surplus.append(refused(order, power, refusal, self.scene))


def refused(order: Order, power: str, refusal: Refusal, scene: Scene) -> OrderOutcome:
    unit = scene.units.get(province_of(where(order)))
    owned = unit if unit is not None and unit.power == power else None
    word = refusal_word(refusal.reason)
    return OrderOutcome(owned, power, order, (word,), refusal.reason, refusal.sentence)
