"""Orders that declarations make void: the unit holds instead."""

from dataclasses import replace

from adjudication.board import province_of
from adjudication.legality import STANDARD_LEGALITY
from adjudication.movement.convoys import route_exists
from adjudication.orders import Convoy, Move, Retreat, Support
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.relations import stance_of
from adjudication.situation import Situation, is_on_route
from adjudication.units import Unit, UnitKind, neighbours
from variants.formal.stances import STANCES, are_at_war, are_friends, are_neutral


def neutral_land_is_closed(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """An army or fleet may not enter neutral land, except to attack an enemy there."""
    return _entry_refusal(order.destination, unit, situation)


def no_retreat_to_neutral_land(order: Retreat, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A unit may not retreat to neutral land: a retreat attacks no one, so there is no exception (D6)."""
    return _neutral_land_refusal(order.destination, unit, situation)


def army_finds_friendly_fleets(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """Only fleets of the army's power and its allies convoy it."""
    next_door = order.destination in neighbours(unit.kind, unit.location, situation.board)
    if next_door and situation.ruleset.via_fallback:
        return None
    if unit.kind is not UnitKind.ARMY or _convoy_is_possible(unit, order.destination, situation):
        return None
    return refuse(Reason.NO_FLEET_TO_CONVOY, case="friends", here=unit.location, there=order.destination)


def support_is_for_a_friend(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A unit supports only units of its power and its allies (D4)."""
    return _friendship_refusal(unit, "support", order.supported, situation)


def supported_move_is_not_void(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    mover = situation.unit_at(order.supported)
    if mover is None or order.destination is None:
        return None
    refusal = _entry_refusal(order.destination, mover, situation)
    if refusal or _move_is_possible(mover, order.destination, unit, situation):
        return refusal
    return refuse(Reason.SUPPORT_OF_IMPOSSIBLE_MOVE, case="friends", unit=mover, place=order.destination)


def convoy_is_for_a_friend(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A fleet convoys only armies of its power and its allies (D4)."""
    return _friendship_refusal(unit, "convoy", order.army, situation)


def convoyed_move_is_not_void(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    army = situation.unit_at(order.army)
    return _entry_refusal(order.destination, army, situation) if army else None


def convoy_is_among_friends(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """Every fleet in the chain must be one that may convoy this army."""
    army = situation.unit_at(order.army)
    if army is None:
        return None
    fleets = _friendly_fleets(army, situation)
    if is_on_route(situation.bitboard, army.province, order.destination, fleets, unit.province):
        return None
    return refuse(Reason.CONVOY_OUTSIDE_ROUTE, case="friends", unit=unit, helped=army, there=order.destination)


def _entry_refusal(destination: str, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """Why the unit may not enter: it is neutral land, where only an enemy may be attacked. None if it may."""
    there = situation.unit_at(destination)
    if there and are_at_war(unit.power, there.power, situation.position):
        return None
    return _neutral_land_refusal(destination, unit, situation)


def _neutral_land_refusal(destination: str, unit: Unit, situation: Situation) -> OrderRefusal | None:
    owner = situation.ruleset.territory.owner(province_of(destination), situation.position)
    if owner is None or not are_neutral(unit.power, owner, situation.position):
        return None
    return refuse(Reason.CLOSED_LAND, place=province_of(destination), owner=owner, power=unit.power, unit=unit)


def _friendship_refusal(unit: Unit, helps: str, province: str, situation: Situation) -> OrderRefusal | None:
    helped = situation.unit_at(province)
    if helped is None or are_friends(unit.power, helped.power, situation.position):
        return None
    stance = stance_of(unit.power, helped.power, situation.position, STANCES)
    case = f"{stance} {helps}"
    return refuse(Reason.NOT_A_FRIEND, case=case, power=unit.power, other=helped.power, unit=unit, helped=helped)


def _move_is_possible(mover: Unit, destination: str, supporter: Unit, situation: Situation) -> bool:
    """Is the move possible by itself, or by sea with fleets other than the supporter?"""
    provinces = {province_of(p) for p in neighbours(mover.kind, mover.location, situation.board)}
    return province_of(destination) in provinces or _convoy_is_possible(
        mover, destination, situation, supporter.province
    )


def _convoy_is_possible(army: Unit, destination: str, situation: Situation, without: str | None = None) -> bool:
    number = situation.bitboard.number
    fleets = _friendly_fleets(army, situation)
    if without is not None:
        fleets &= ~(1 << number[without])
    return route_exists(situation.bitboard, number[army.province], number[province_of(destination)], fleets)


def _friendly_fleets(army: Unit, situation: Situation) -> int:
    """Mask of the waters with a fleet that may convoy this army."""
    number, position = situation.bitboard.number, situation.position
    friends = (u.province for u in position.units if are_friends(u.power, army.power, position))
    return situation.fleets & sum(1 << number[province] for province in friends)


FORMAL_LEGALITY = replace(
    STANDARD_LEGALITY,
    moves=(*STANDARD_LEGALITY.moves, neutral_land_is_closed),
    sailings=(*STANDARD_LEGALITY.sailings, army_finds_friendly_fleets),
    supports=(*STANDARD_LEGALITY.supports, support_is_for_a_friend, supported_move_is_not_void),
    convoys=(*STANDARD_LEGALITY.convoys, convoy_is_for_a_friend, convoyed_move_is_not_void, convoy_is_among_friends),
    retreats=(no_retreat_to_neutral_land,),
    by_match=STANDARD_LEGALITY.by_match | {supported_move_is_not_void},
)
"""The rules of standard Diplomacy, and what the relations between the powers forbid."""
