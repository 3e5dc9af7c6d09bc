"""Which of the orders written for a phase count."""

from __future__ import annotations

from collections.abc import Mapping

from adjudication.board import province_of
from adjudication.legality import check_all
from adjudication.orders import Order, where
from adjudication.reasons import Refusal
from adjudication.resolution import OrderOutcome, refusal_word
from adjudication.scene import Scene
from adjudication.turns import PhaseKind

Orders = Mapping[str, tuple[Order, ...]]
"""Power -> what it ordered, in that sequence."""


class Docket:
    """The orders of one phase, examined. `lawful`: province -> its order; `given`: province -> the
    lawful order, or else the first refused one; `refusals`: province -> why that was refused;
    `by_power`: the lawful orders in their sequence; `surplus`: refused orders beside those."""

    __slots__ = ("by_power", "given", "lawful", "refusals", "scene", "surplus")

    def __init__(self, orders: Orders, scene: Scene) -> None:
        self.scene = scene
        self.lawful: dict[str, Order] = {}
        self.given: dict[str, Order] = {}
        self.refusals: dict[str, Refusal] = {}
        self.by_power: dict[str, list[Order]] = {}
        self.surplus: list[OrderOutcome] = []
        for power in sorted(orders):
            refused = self._accept(power, orders[power])
            for order, refusal in refused:
                self._refuse(power, order, refusal)

    def _accept(self, power: str, orders: tuple[Order, ...]) -> list[tuple[Order, Refusal]]:
        refused = []
        for order, refusal in zip(orders, check_all(orders, power, self.scene), strict=True):
            if refusal:
                refused.append((order, refusal))
                continue
            self.by_power.setdefault(power, []).append(order)
            self.lawful[province_of(where(order))] = order
            self.given[province_of(where(order))] = order
        return refused

    def _refuse(self, power: str, order: Order, refusal: Refusal) -> None:
        province = province_of(where(order))
        unit = self.scene.units.get(province)
        in_movement = self.scene.position.turn.kind is PhaseKind.MOVEMENT
        own = unit is not None and unit.power == power
        if in_movement and own and province not in self.given:
            self.given[province], self.refusals[province] = order, refusal
            return
        self.surplus.append(
            OrderOutcome(
                unit if own else None,
                power,
                order,
                (refusal_word(refusal.reason),),
                refusal.reason,
                refusal.sentence,
            )
        )
