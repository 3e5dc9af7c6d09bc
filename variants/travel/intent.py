"""Whether an army that is ordered to an adjacent province goes by convoy, as the package `diplomacy` decides it.

With VIA it goes by convoy if fleets are ordered to convoy it, and otherwise by land (the rules of 2000; DATC 4.A.3).
Without VIA it goes by convoy if a fleet of its own power is ordered to convoy it.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from adjudication.board import province_of
from adjudication.movement.convoys import route_exists
from adjudication.orders import Convoy, Move, Order, OrderSheet
from adjudication.situation import Situation
from adjudication.units import UnitKind, neighbours


def with_intended_convoys(sheets: Mapping[str, OrderSheet], situation: Situation) -> dict[str, OrderSheet]:
    """The orders, with each move to an adjacent province by the route that it really takes."""
    convoys: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for power, sheet in sheets.items():
        for order in sheet.orders:
            if isinstance(order, Convoy):
                convoys[order.army, province_of(order.destination)][province_of(order.location)] = power
    return {
        power: sheet._replace(
            orders=tuple(_with_intended_convoy(each, power, convoys, situation) for each in sheet.orders)
        )
        for power, sheet in sheets.items()
    }


def _with_intended_convoy(
    order: Order, power: str, convoys: Mapping[tuple[str, str], Mapping[str, str]], situation: Situation
) -> Order:
    if not isinstance(order, Move):
        return order
    start, goal = province_of(order.location), province_of(order.destination)
    unit = situation.units.get(start)
    if not unit or unit.kind is not UnitKind.ARMY or goal not in neighbours(unit.kind, start, situation.board):
        return order
    fleets, number = convoys.get((start, goal), {}), situation.bitboard.number
    fleet_mask = sum(1 << number[place] for place in fleets)
    is_ordered = route_exists(situation.bitboard, number[start], number[goal], fleet_mask)
    own_fleets = (place for place, owner in fleets.items() if owner == power)
    is_intended = order.via or any(situation.is_on_convoy_route(place, start, goal) for place in own_fleets)
    return replace(order, via=is_ordered and is_intended)
