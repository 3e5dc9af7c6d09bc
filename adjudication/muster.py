"""The turn in which a unit's first legal order also decides what the unit is."""

from collections.abc import Iterable, Mapping

from adjudication.legality import check
from adjudication.orders import Order, where
from adjudication.situation import Situation


def mustered(situation: Situation, orders: Mapping[str, Iterable[Order]]) -> Situation:
    """The situation with each unit as its order makes it, unchanged in any other turn. `orders`: power -> its
    orders."""
    if not situation.is_muster:
        return situation
    formed: set[str] = set()
    for power, some in orders.items():
        for order in some:
            unit = situation.unit_at(where(order))
            if unit and unit.province not in formed and check(order, power, situation) is None:
                formed.add(unit.province)
                situation = situation.formed(where(order))
    return situation
