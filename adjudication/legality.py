"""Which orders are legal: one small rule for each thing that can be wrong.

A rule looks at one order for an existing unit and at the position, but not at other orders. That is why a player's
options can be listed before any orders are written.
"""

from collections.abc import Iterable, Mapping, Sequence

from adjudication.adjustments import adjustment_refusal, surplus_refusal
from adjudication.board import province_of
from adjudication.movement.prepared import PreparedOrder
from adjudication.orders import (
    ADJUSTMENT_ORDERS,
    MOVEMENT_ORDERS,
    RETREAT_ORDERS,
    Convoy,
    Move,
    Order,
    Support,
    location_of,
)
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.retreats import retreat_refusal
from adjudication.ruleset import Legality
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit, UnitKind, neighbours

ORDERS_OF = {
    PhaseKind.MOVEMENT: MOVEMENT_ORDERS,
    PhaseKind.RETREAT: RETREAT_ORDERS,
    PhaseKind.ADJUSTMENT: ADJUSTMENT_ORDERS,
}


def order_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this power cannot give this order now; None if it can."""
    kind = situation.position.turn.kind
    special_phase = situation.ruleset.special.get(kind)
    if not isinstance(order, special_phase.orders if special_phase else ORDERS_OF[kind]):
        return refuse(Reason.WRONG_PHASE, phase=kind.value)
    if special_phase:
        return special_phase.refusal(order, power, situation)
    if kind is PhaseKind.RETREAT:
        return retreat_refusal(order, power, situation)
    if kind is PhaseKind.ADJUSTMENT:
        return adjustment_refusal(order, power, situation)
    situation = situation.with_unit_formed(location_of(order))
    return unit_refusal(order, power, situation) or rule_refusal(
        situation.prepared(order, situation.units[province_of(location_of(order))]), situation
    )


def refusals_of_sheet(orders: Iterable[Order], power: str, situation: Situation) -> tuple[OrderRefusal | None, ...]:
    """`order_refusal` for the orders of one sheet, in order. A unit takes one order, the first legal one (DATC 4.D.3),
    and builds and removals are counted."""
    refusals: list[OrderRefusal | None] = []
    accepted: list[Order] = []
    for order in orders:
        refusal = next_order_refusal(order, accepted, power, situation)
        if refusal is None:
            accepted.append(order)
        refusals.append(refusal)
    return tuple(refusals)


def next_order_refusal(
    order: Order, accepted: Sequence[Order], power: str, situation: Situation
) -> OrderRefusal | None:
    """`order_refusal` for an order that comes after the accepted ones."""
    refusal = order_refusal(order, power, situation)
    if refusal:
        return refusal
    special_phase = situation.ruleset.special.get(situation.position.turn.kind)
    if special_phase:
        return special_phase.surplus_refusal(order, accepted, power, situation)
    return surplus_refusal(order, accepted, power, situation)


def unit_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this power may not give that unit such an order in a movement phase. The rules of the board and of the
    position are checked separately."""
    location = location_of(order)
    unit = situation.unit_at(location)
    if unit is None or unit.power != power or unit.location != location:
        return _wrong_unit_refusal(unit, power, location)
    if unit.province in situation.leaderless:
        return refuse(Reason.IN_DISORDER, unit=unit, **situation.ruleset.disorder.refusal_facts)
    if power == NEUTRAL and not situation.ruleset.neutrals.may_be_ordered(order):
        return refuse(Reason.MINOR_ONLY_HOLDS_OR_SUPPORTS, deeds=situation.ruleset.neutrals.order_kinds)
    return None


def rule_refusal(prepared: PreparedOrder, situation: Situation) -> OrderRefusal | None:
    """The refusal of the first rule that forbids the order. Only rules are left that the board alone doesn't decide."""
    for rule in prepared.rules:
        refusal = rule(prepared.order, prepared.unit, situation)
        if refusal is not None:
            return refusal
    return None


def _wrong_unit_refusal(unit: Unit | None, power: str, place: str) -> OrderRefusal:
    if unit is None:
        return refuse(Reason.NO_SUCH_UNIT, place=place)
    if unit.power == NEUTRAL != power:
        return refuse(Reason.NOT_YOUR_UNIT, case="minor", place=place)
    if unit.power != power:
        return refuse(Reason.NOT_YOUR_UNIT, place=place)
    return refuse(Reason.LIES_ON_ANOTHER_COAST, here=unit.location, place=place)


# Moves.


def move_leaves_its_province(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A unit cannot move to where it is (DATC 6.A.4, 6.A.5)."""
    if province_of(order.destination) in (unit.province, situation.board.around(unit.province)):
        return refuse(Reason.OWN_PROVINCE, place=unit.location)
    return None


def move_suits_the_terrain(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """Armies keep off the sea, and fleets off inland provinces (DATC 6.A.2, 6.A.3)."""
    terrain = situation.board.province(order.destination).kind
    if terrain.takes_armies if unit.kind is UnitKind.ARMY else terrain.takes_fleets:
        return None
    case = "sea" if unit.kind is UnitKind.ARMY else "inland"
    return refuse(Reason.WRONG_TERRAIN, case=case, place=order.destination)


def fleet_moves_by_itself(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A fleet is never convoyed (DATC 6.A.7)."""
    if order.via and unit.kind is UnitKind.FLEET:
        return refuse(Reason.FLEET_NOT_CONVOYED, unit=unit)
    return None


def army_moves_next_door(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """Without a convoy, an army moves only to an adjacent province (DATC 6.A.1)."""
    if order.via or unit.kind is not UnitKind.ARMY:
        return None
    if order.destination in neighbours(unit.kind, unit.location, situation.board):
        return None
    return refuse(Reason.OUT_OF_REACH, unit=unit, place=order.destination)


def army_finds_fleets(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """By sea, fleets of any power must be able to convoy the army; whether they do comes later (6.D.32, 6.G.20)."""
    if unit.kind is not UnitKind.ARMY or situation.convoy_possible(unit.province, order.destination):
        return None
    next_door = order.destination in neighbours(unit.kind, unit.location, situation.board)
    if next_door and situation.ruleset.via_fallback:
        return None
    here, there = unit.location, order.destination
    if not next_door:
        return refuse(Reason.NO_FLEET_TO_CONVOY, here=here, there=there)
    case = "adjacent" if situation.is_shore(unit.province) and situation.is_shore(there) else "inland"
    return refuse(Reason.NO_FLEET_TO_CONVOY, case=case, here=here, there=there)


def fleet_moves_next_door(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A fleet moves only to an adjacent location: it reaches coasts, not provinces (DATC 6.A.9, 6.B.1 to 6.B.3)."""
    board, destination = situation.board, order.destination
    places = neighbours(unit.kind, unit.location, board)
    if unit.kind is not UnitKind.FLEET or destination in places:
        return None
    coasts = tuple([c for c in board.province(destination).coasts if c in places])
    if not coasts:
        return refuse(Reason.OUT_OF_REACH, unit=unit, place=destination)
    if destination in board.provinces:
        return refuse(Reason.COAST_NEEDED, places=coasts)
    return refuse(Reason.WRONG_COAST, unit=unit, places=coasts, place=destination)


# Supports.


def support_is_for_another(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A unit supports neither itself nor an attack on its own province (DATC 6.A.8, 6.D.34)."""
    if order.supported == unit.province:
        return refuse(Reason.SUPPORTS_ITSELF)
    if order.destination and province_of(order.destination) in (unit.province, situation.board.around(unit.province)):
        return refuse(Reason.SUPPORT_OUT_OF_REACH, case="own province", unit=unit)
    return None


def support_is_for_a_unit(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """The support must be for a unit; a minor power's may turn out to be for none (D4)."""
    if unit.power == NEUTRAL or situation.unit_at(order.supported):
        return None
    return refuse(Reason.NOTHING_TO_SUPPORT, place=order.supported)


def support_is_within_reach(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """The supporter must be able to move there itself, on any coast (DATC 6.A.10, 6.B.4, 6.B.5)."""
    target = province_of(order.destination or order.supported)
    places = neighbours(unit.kind, unit.location, situation.board)
    if any(province_of(there) == target for there in places):
        return None
    return refuse(Reason.SUPPORT_OUT_OF_REACH, unit=unit, place=target)


def supported_move_is_possible(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """The supported move must be possible without a convoy by the supporter (DATC 6.D.22 to 6.D.24, 6.D.31)."""
    if order.destination is None:
        return None
    mover = situation.unit_at(order.supported)
    if mover is None:
        return None
    if any(_could_move(form, order.destination, unit, situation) for form in situation.forms(mover)):
        return None
    return refuse(Reason.SUPPORT_OF_IMPOSSIBLE_MOVE, unit=mover, place=order.destination)


def _could_move(mover: Unit, destination: str, supporter: Unit, situation: Situation) -> bool:
    places = neighbours(mover.kind, mover.location, situation.board)
    if destination in places:
        return True
    if destination not in situation.board.provinces:
        return False
    if mover.kind is UnitKind.FLEET:
        return any(province_of(there) == destination for there in places)
    return situation.convoy_possible(mover.province, destination, without=supporter.province)


# Convoys.


def convoy_is_by_a_fleet_at_sea(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """Only a fleet at sea can convoy (DATC 6.F.1)."""
    at_sea = situation.board.province(unit.location).kind.is_water
    if unit.kind is UnitKind.FLEET and at_sea:
        return None
    return refuse(Reason.CONVOY_BY_FLEET_AT_SEA, unit=unit)


def convoy_is_of_an_army(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """Only an army can be convoyed (DATC 6.A.7)."""
    army = situation.unit_at(order.army)
    if army is not None and army.kind is UnitKind.ARMY:
        return None
    return refuse(Reason.NO_ARMY_TO_CONVOY, place=order.army)


def convoy_lies_on_a_route(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """The fleet must lie on a route that the convoy could take (DATC 6.A.5, 6.F.12, 6.G.19)."""
    if order.destination in situation.board.provinces and situation.is_on_convoy_route(
        unit.province, order.army, order.destination
    ):
        return None
    return refuse(Reason.CONVOY_OUTSIDE_ROUTE, unit=unit, here=order.army, there=order.destination)


STANDARD_LEGALITY = Legality(
    moves=(
        move_leaves_its_province,
        move_suits_the_terrain,
        fleet_moves_by_itself,
        army_moves_next_door,
        fleet_moves_next_door,
    ),
    sailings=(army_finds_fleets,),
    supports=(support_is_for_another, support_is_for_a_unit, support_is_within_reach, supported_move_is_possible),
    convoys=(convoy_is_by_a_fleet_at_sea, convoy_is_of_an_army, convoy_lies_on_a_route),
    by_board=frozenset(
        {
            move_leaves_its_province,
            move_suits_the_terrain,
            fleet_moves_by_itself,
            army_moves_next_door,
            fleet_moves_next_door,
            support_is_for_another,
            support_is_within_reach,
            convoy_is_by_a_fleet_at_sea,
        }
    ),
    by_match=frozenset({support_is_for_a_unit, supported_move_is_possible}),
)
"""The rules of standard Diplomacy. Hold orders have none: a unit may always hold."""


def with_kinds_ordered(situation: Situation, orders: Mapping[str, Iterable[Order]]) -> Situation:
    """The situation with each unit of the kind that its order makes it in the muster turn. `orders`: by power."""
    if not situation.is_muster:
        return situation
    formed_provinces: set[str] = set()
    for power, own_orders in orders.items():
        for order in own_orders:
            unit = situation.unit_at(location_of(order))
            if unit and unit.province not in formed_provinces and order_refusal(order, power, situation) is None:
                formed_provinces.add(unit.province)
                situation = situation.with_unit_formed(location_of(order))
    return situation
