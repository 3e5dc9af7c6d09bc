"""Which of the orders written for a phase count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from adjudication.board import province_of
from adjudication.legality import check_all, check_next, rule_refusal, unit_refusal
from adjudication.movement.battle import Battle
from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.prepared import NONE, PreparedOrder
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.reasons import OrderRefusal
from adjudication.resolution import OrderOutcome, refusal_word
from adjudication.scene import Scene
from adjudication.units import NEUTRAL

Orders = Mapping[str, Sequence[Order]]
"""Power -> what it ordered, in that sequence."""


NOTHING: Mapping[int, PreparedOrder] = {}
"""What is at hand of a power that never ordered anything."""


class ExaminedOrders:
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


class ExaminedMovement:
    """The orders of a movement phase, by the number of the province. `laid`: the lawful ones; `refused`: where
    none was lawful the first order of the unit's owner, and why; `surplus`: refused orders beside those. The last two
    are known once it is closed."""

    __slots__ = ("laid", "orders", "refused", "scene", "surplus", "troubled")

    def __init__(self, orders: Orders, scene: Scene, known: Layout | None = None) -> None:
        """`known`: the same orders laid out, if whoever read them knew them at once."""
        self.orders = orders
        self.scene = scene
        self.refused: dict[int, tuple[Order, OrderRefusal]] = {}
        self.surplus: list[OrderOutcome] = []
        self.troubled: set[str] = set()
        self.laid = known or laid_anew(self._accepted(), scene)

    def close(self, battle: Battle) -> None:
        """Supports of what was not ordered, taken until now, may be unlawful besides: those leave the battle."""
        if battle.unmatched:
            self._close_unmatched(battle)
        if self.laid.unlawful:
            self.troubled.update([each.unit.power for each in self.laid.unlawful])
        for power in sorted(self.troubled):
            self._refuse(power, self.orders[power], battle.orders)

    def _close_unmatched(self, battle: Battle) -> None:
        doubtful = [battle.orders[here] for here in battle.unmatched]
        unlawful = [each for each in doubtful if each.asks and rule_refusal(each, self.scene)]
        if unlawful:
            self.troubled.update([each.unit.power for each in unlawful])
            battle.strike([each.here for each in unlawful])

    def _accepted(self) -> dict[int, PreparedOrder]:
        """The orders for units that may be ordered so. In trouble is who gave others, or several for a unit."""
        accepted: dict[int, PreparedOrder] = {}
        at = self.scene.at
        for power, orders in self.orders.items():
            plain = power != NEUTRAL and not self.scene.leaderless
            recall = self.scene.cache.at_hand.get(power, NOTHING).get if plain else NOTHING.get
            count = len(accepted) + len(orders)
            for order in orders:
                prepared = recall(id(order))
                if prepared is None or at.get(prepared.here) is not prepared.unit:
                    prepared = self._meant(order, power)
                if prepared is not None:
                    take(prepared, accepted, self.scene)
            if len(accepted) < count:
                self.troubled.add(power)
        return accepted

    def _meant(self, order: Order, power: str) -> PreparedOrder | None:
        """What the order comes to if it is one for this phase and for a unit that the power may order so."""
        if not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, self.scene):
            return None
        return self.scene.prepared(order, self.scene.units[province_of(order.location)])

    def _refuse(self, power: str, orders: Sequence[Order], counting: Mapping[int, PreparedOrder]) -> None:
        """`counting`: the orders that count."""
        accepted: list[Order] = []
        for order in orders:
            here = self.scene.bitboard.number.get(province_of(where(order)), NOWHERE)
            unit = self.scene.at.get(here)
            own = unit is not None and unit.power == power
            counts = own and here in counting and counting[here].order == order and order not in accepted
            refusal = None if counts else check_next(order, accepted, power, self.scene)
            if refusal is None:
                accepted.append(order)
                continue
            if own and here not in counting and here not in self.refused:
                self.refused[here] = order, refusal
            else:
                self.surplus.append(refused(order, power, refusal, self.scene))


def take(prepared: PreparedOrder, accepted: dict[int, PreparedOrder], scene: Scene) -> None:
    """Of several orders for a unit the first lawful one counts (DATC 4.D.3)."""
    here = prepared.here
    if here not in accepted or _is_better(prepared, accepted[here], scene):
        accepted[here] = prepared


def _is_better(prepared: PreparedOrder, earlier: PreparedOrder, scene: Scene) -> bool:
    if earlier.asks == NONE or rule_refusal(earlier, scene) is None:
        return False
    return rule_refusal(prepared, scene) is None


def laid_anew(accepted: Mapping[int, PreparedOrder], scene: Scene) -> Layout:
    """`accepted`: one order for each unit, of the units that stand there, read just now."""
    laid = lay_out([*accepted.values()], scene)
    assert laid is not None
    return laid


def refused(order: Order, power: str, refusal: OrderRefusal, scene: Scene) -> OrderOutcome:
    unit = scene.units.get(province_of(where(order)))
    owned = unit if unit is not None and unit.power == power else None
    word = refusal_word(refusal.reason)
    return OrderOutcome(owned, power, order, (word,), refusal.reason, refusal.sentence)
