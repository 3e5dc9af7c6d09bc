"""The retreat phase: where dislodged units may go, and what happens to them."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from adjudication.board import province_of
from adjudication.movement.bitboard import NOWHERE, Bitboard
from adjudication.orders import Disband, Order, Retreat, location_of
from adjudication.position import Dislodged
from adjudication.reasons import Facts, OrderRefusal, Reason, refuse
from adjudication.resolution import Notice, NoticeKind, OrderOutcome, OrderResult, Settled
from adjudication.situation import Situation
from adjudication.units import Unit, UnitKind, neighbours


def retreats_left_by_board(
    unit: Unit, attacker_from: str | None, closed_provinces: Container[int], board: Bitboard
) -> tuple[str, ...]:
    """The locations a dislodged unit may retreat to, sorted (DATC 6.H.5 to 6.H.9).

    `closed_provinces`: the numbers of provinces that are occupied after the moves or were left empty by a bounce.
    `attacker_from`: the province the attack came from, None if it came by convoy (DATC 4.A.5).
    """
    origin = NOWHERE if attacker_from is None else board.number[attacker_from]
    ways_out = (board.army_ways if unit.kind is UnitKind.ARMY else board.fleet_ways).get(unit.location, ())
    return tuple([there for there, province in ways_out if province != origin and province not in closed_provinces])


def lawful_retreats(unit: Unit, places: Iterable[str], situation: Situation) -> tuple[str, ...]:
    """The locations among these `places` that the variant's own retreat rules allow too."""
    rules = situation.ruleset.legality.retreats
    if not rules:
        return tuple(places)
    return tuple(
        there for there in places if all(rule(Retreat(unit.location, there), unit, situation) is None for rule in rules)
    )


def open_retreats(unit: Unit, attacker_from: str | None, situation: Situation) -> tuple[str, ...]:
    """The locations to which a unit that was dislodged may retreat in this position, sorted."""
    board = situation.bitboard
    closed_provinces = {board.number[place] for place in situation.position.contested} | situation.at.keys()
    if board.camps:
        closed_provinces |= {board.around[here] for here in situation.at}
        closed_provinces |= {here for here, outer in enumerate(board.around) if outer != here}
    return lawful_retreats(unit, retreats_left_by_board(unit, attacker_from, closed_provinces, board), situation)


def retreat_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this retreat or disbandment is refused; None if it is legal."""
    location = location_of(order)
    dislodged = situation.position.dislodged_at(location)
    if dislodged is None or dislodged.unit.location != location:
        return refuse(Reason.NO_SUCH_UNIT, case="dislodged", place=location)
    if dislodged.unit.power != power:
        return refuse(Reason.NOT_YOUR_UNIT, case="dislodged", place=location)
    if isinstance(order, Retreat) and order.destination not in dislodged.retreats:
        return _destination_refusal(order, dislodged, situation)
    return None


def _destination_refusal(order: Retreat, dislodged: Dislodged, situation: Situation) -> OrderRefusal:
    unit, place = dislodged.unit, order.destination
    province = province_of(place)
    provinces = {province_of(p) for p in neighbours(unit.kind, order.location, situation.board)}
    if province not in provinces:
        return refuse(Reason.NOT_A_RETREAT, unit=unit, place=place)
    if province == dislodged.attacker_from:
        return refuse(Reason.RETREAT_TO_ATTACKER, unit=unit, place=place)
    if situation.is_occupied(province):
        return refuse(Reason.RETREAT_TO_OCCUPIED, place=place)
    if province in situation.position.contested:
        return refuse(Reason.RETREAT_TO_CONTESTED, place=place)
    for rule in situation.ruleset.legality.retreats:
        refusal = rule(order, unit, situation)
        if refusal is not None:
            return refusal
    coasts = tuple([there for there in dislodged.retreats if province_of(there) == province])
    return refuse(Reason.COAST_NEEDED, case="retreat", places=coasts)


def resolve_retreats(orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
    """The position without dislodged units; `orders`: power -> its lawful orders.

    Units that retreat to the same province are all disbanded, as is a unit without an order.
    """
    all_orders = [o for own_orders in orders.values() for o in own_orders if isinstance(o, Retreat | Disband)]
    by_place = {o.location: o for o in all_orders}
    goals = Counter(province_of(o.destination) for o in all_orders if isinstance(o, Retreat))
    outcomes, notices, units = [], [], list(situation.position.units)
    for dislodged in situation.position.dislodged:
        unit = dislodged.unit
        order = by_place.get(unit.location)
        if order is None:
            notices.append(Notice(NoticeKind.DISBANDED, unit.power, unit.province, {"unit": unit}))
        elif isinstance(order, Retreat) and goals[province_of(order.destination)] > 1:
            facts: Facts = {"place": order.destination}
            outcomes.append(OrderOutcome(unit, unit.power, order, (OrderResult.FAILS,), Reason.RETREATS_COLLIDE, facts))
        else:
            outcomes.append(OrderOutcome(unit, unit.power, order, (OrderResult.SUCCEEDS,)))
            if isinstance(order, Retreat):
                units.append(replace(unit, location=order.destination))
    position = replace(situation.position, units=tuple(units), dislodged=(), contested=frozenset())
    return Settled(position, tuple(outcomes), tuple(notices))
