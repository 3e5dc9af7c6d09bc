"""Which of a phase's orders count, and why the others do not."""

from collections.abc import Mapping, Sequence

from adjudication.board import province_of
from adjudication.legality import next_order_refusal, refusals_of_sheet, rule_refusal, unit_refusal
from adjudication.movement.battle import Battle
from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.prepared import ASK_NEVER, PreparedOrder
from adjudication.orders import MOVEMENT_ORDERS, Order, location_of
from adjudication.reasons import OrderRefusal
from adjudication.resolution import OrderOutcome, result_of_refusal
from adjudication.situation import Situation
from adjudication.units import NEUTRAL

Orders = Mapping[str, Sequence[Order]]
"""Power -> its orders, in sequence."""


NONE_AT_HAND: Mapping[int, PreparedOrder] = {}
"""The orders at hand for a power that has never given any."""


def separate_lawful_orders(orders: Orders, situation: Situation) -> tuple[dict[str, list[Order]], list[OrderOutcome]]:
    """For any phase except movement: power -> its lawful orders in order, and the outcomes of the refused ones."""
    lawful: dict[str, list[Order]] = {}
    surplus: list[OrderOutcome] = []
    for power in sorted(orders):
        refusals = refusals_of_sheet(orders[power], power, situation)
        for order, refusal in zip(orders[power], refusals, strict=True):
            if refusal:
                surplus.append(refused_outcome(order, power, refusal, situation))
            else:
                lawful.setdefault(power, []).append(order)
    return lawful, surplus


class ExaminedMovement:
    """The orders of a movement phase, by province number. `layout` has the lawful ones. `refused`: for a unit without a
    lawful order, the first order its owner gave and why it was refused. `surplus` are all other refused orders. The
    last two are known after `strike_unlawful`."""

    __slots__ = ("layout", "orders", "refused", "situation", "surplus", "troubled")

    def __init__(self, orders: Orders, situation: Situation, layout: Layout | None = None) -> None:
        """`layout`: the same orders laid out, if every line had been read before."""
        self.orders = orders
        self.situation = situation
        self.refused: dict[int, tuple[Order, OrderRefusal]] = {}
        self.surplus: list[OrderOutcome] = []
        self.troubled: set[str] = set()
        self.layout = layout or lay_out_accepted(self._acceptable_orders(), situation)

    def strike_unlawful(self, battle: Battle) -> None:
        """Remove unlawful supports from the battle: until now, supports for orders not given were accepted."""
        unmatched_orders = [battle.orders[here] for here in battle.unmatched]
        unlawful_orders = [each for each in unmatched_orders if each.asks and rule_refusal(each, self.situation)]
        if unlawful_orders:
            battle.strike_orders([each.here for each in unlawful_orders])
        self.troubled.update([each.unit.power for each in (*unlawful_orders, *self.layout.unlawful)])
        for power in sorted(self.troubled):
            self._sort_out_refused(power, self.orders[power], battle.orders)

    def _acceptable_orders(self) -> dict[int, PreparedOrder]:
        """The acceptable orders, one for each unit. Powers that gave other orders too are `troubled`."""
        accepted: dict[int, PreparedOrder] = {}
        at = self.situation.at
        for power, orders in self.orders.items():
            may_recall = power != NEUTRAL and not self.situation.leaderless
            recall = self.situation.cache.at_hand.get(power, NONE_AT_HAND).get if may_recall else NONE_AT_HAND.get
            count = len(accepted) + len(orders)
            for order in orders:
                prepared = recall(id(order))
                if prepared is None or at.get(prepared.here) is not prepared.unit:
                    prepared = self._prepared_if_allowed(order, power)
                if prepared is not None:
                    accept_first_legal(prepared, accepted, self.situation)
            if len(accepted) < count:
                self.troubled.add(power)
        return accepted

    def _prepared_if_allowed(self, order: Order, power: str) -> PreparedOrder | None:
        """The prepared order, if it belongs in this phase and the power may give it to that unit."""
        if not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, self.situation):
            return None
        return self.situation.prepared(order, self.situation.units[province_of(order.location)])

    def _sort_out_refused(self, power: str, orders: Sequence[Order], counting: Mapping[int, PreparedOrder]) -> None:
        """Sort out the orders that do not count; `counting` are those that do."""
        accepted: list[Order] = []
        for order in orders:
            here = self.situation.bitboard.number.get(province_of(location_of(order)), NOWHERE)
            unit = self.situation.at.get(here)
            is_own = unit is not None and unit.power == power
            counts = is_own and here in counting and counting[here].order == order and order not in accepted
            refusal = None if counts else next_order_refusal(order, accepted, power, self.situation)
            if refusal is None:
                accepted.append(order)
                continue
            if is_own and here not in counting and here not in self.refused:
                self.refused[here] = order, refusal
            else:
                self.surplus.append(refused_outcome(order, power, refusal, self.situation))


def accept_first_legal(prepared: PreparedOrder, accepted: dict[int, PreparedOrder], situation: Situation) -> None:
    """Accept the order, unless an earlier one for its unit is legal: the first legal one counts (DATC 4.D.3)."""
    earlier = accepted.get(prepared.here)
    is_unlawful = earlier is not None and earlier.asks != ASK_NEVER and rule_refusal(earlier, situation) is not None
    if earlier is None or (is_unlawful and rule_refusal(prepared, situation) is None):
        accepted[prepared.here] = prepared


def lay_out_accepted(accepted: Mapping[int, PreparedOrder], situation: Situation) -> Layout:
    """The layout of these orders, one for each unit, prepared in this situation."""
    layout = lay_out([*accepted.values()], situation)
    assert layout is not None
    return layout


def refused_outcome(order: Order, power: str, refusal: OrderRefusal, situation: Situation) -> OrderOutcome:
    unit = situation.units.get(province_of(location_of(order)))
    own_unit = unit if unit is not None and unit.power == power else None
    word = result_of_refusal(refusal.reason)
    return OrderOutcome(own_unit, power, order, (word,), refusal.reason, refusal.facts)
