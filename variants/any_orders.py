"""Random lawful orders: to try rules out, and for programs that learn from games."""

from adjudication.auction import budget
from adjudication.legality import next_order_refusal
from adjudication.options import LawfulOrders
from adjudication.orders import Bid, Order, OrderSheet
from adjudication.turns import PhaseKind
from variants.bots.seeded_rng import SeededRng


def any_sheet(power: str, options: LawfulOrders, rng: SeededRng) -> OrderSheet:
    """An order for each unit, build or removal of the power, and all its points for one order of a minor unit."""
    situation, rows = options.situation, options.of_power(power)
    points = budget(power, situation.position, situation.ruleset)
    minors = options.for_bids() if points else ()
    bids = (Bid(rng.one_of(rng.one_of(minors).orders), points),) if minors else ()
    if situation.position.turn.kind in (PhaseKind.MOVEMENT, PhaseKind.RETREAT):
        return OrderSheet(tuple([rng.one_of(row.orders) for row in rows]), bids)
    orders: list[Order] = []
    for row in rng.shuffled(rows):
        order = rng.one_of(row.orders)
        if next_order_refusal(order, orders, power, situation) is None:
            orders.append(order)
    return OrderSheet(tuple(orders), bids)
