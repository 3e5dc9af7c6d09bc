"""The retreat phase: where dislodged units may go, and what happens to them."""

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import replace

from adjudication.board import Board, province_of
from adjudication.movement.bitboard import NOWHERE, Bitboard
from adjudication.orders import Disband, Order, Retreat, where
from adjudication.position import Dislodged
from adjudication.reasons import OrderRefusal, Reason
from adjudication.resolution import Notice, OrderOutcome, OrderResult, Settled
from adjudication.situation import Situation
from adjudication.units import Unit, UnitKind, neighbours
from adjudication.words import place, unit_words


def retreats_of(unit: Unit, attacker_from: str | None, closed: Container[int], board: Bitboard) -> tuple[str, ...]:
    """The locations a dislodged unit may retreat to, sorted (DATC 6.H.5 to 6.H.9).

    `closed`: the numbers of provinces that are occupied after the moves or were left empty by a bounce.
    `attacker_from`: the province the attack came from, None if it came by convoy (DATC 4.A.5).
    """
    origin = NOWHERE if attacker_from is None else board.number[attacker_from]
    ways_out = (board.army_ways if unit.kind is UnitKind.ARMY else board.fleet_ways).get(unit.location, ())
    return tuple([there for there, province in ways_out if province != origin and province not in closed])


def lawful_retreats(unit: Unit, places: Iterable[str], situation: Situation) -> tuple[str, ...]:
    """The locations that the variant's own retreat rules leave open too."""
    rules = situation.ruleset.legality.retreats
    if not rules:
        return tuple(places)
    return tuple(
        there for there in places if all(rule(Retreat(unit.location, there), unit, situation) is None for rule in rules)
    )


def open_retreats(unit: Unit, attacker_from: str | None, situation: Situation) -> tuple[str, ...]:
    """The locations to which a unit that was dislodged may retreat in this position, sorted."""
    board = situation.bitboard
    closed = {board.number[place] for place in situation.position.contested} | situation.at.keys()
    if board.camps:
        closed |= {board.around[here] for here in situation.at}
        closed |= {here for here, around in enumerate(board.around) if around != here}
    return lawful_retreats(unit, retreats_of(unit, attacker_from, closed, board), situation)


def retreat_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this retreat or disbandment is refused; None if it is legal."""
    location = where(order)
    name = situation.board.name(location)
    dislodged = situation.position.dislodged_at(location)
    if dislodged is None or dislodged.unit.location != location:
        return OrderRefusal(Reason.NO_SUCH_UNIT, f"No unit was dislodged from {name}.")
    if dislodged.unit.power != power:
        return OrderRefusal(Reason.NOT_YOUR_UNIT, f"The unit dislodged from {name} is not yours to order.")
    if isinstance(order, Retreat) and order.destination not in dislodged.retreats:
        return _destination_refusal(order, dislodged, situation)
    return None


def _destination_refusal(order: Retreat, dislodged: Dislodged, situation: Situation) -> OrderRefusal:
    board, province = situation.board, province_of(order.destination)
    name, words = board.name(order.destination), unit_words(dislodged.unit, board)
    reached = {province_of(p) for p in neighbours(dislodged.unit.kind, order.location, board)}
    if province not in reached:
        return OrderRefusal(Reason.NOT_A_RETREAT, f"{words} cannot reach {name} to retreat there.")
    if province == dislodged.attacker_from:
        return OrderRefusal(Reason.RETREAT_TO_ATTACKER, f"The attack on {words} came from {name}.")
    if situation.is_occupied(province):
        return OrderRefusal(Reason.RETREAT_TO_OCCUPIED, f"{name} is occupied.")
    if province in situation.position.contested:
        return OrderRefusal(Reason.RETREAT_TO_CONTESTED, f"There was a bounce in {name}.")
    for rule in situation.ruleset.legality.retreats:
        refusal = rule(order, dislodged.unit, situation)
        if refusal is not None:
            return refusal
    coasts = " or ".join(board.name(p) for p in dislodged.retreats if province_of(p) == province)
    return OrderRefusal(Reason.COAST_NEEDED, f"Name the coast that it can reach: {coasts}.")


def resolve_retreats(orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
    """The position without dislodged units; `orders`: power -> its lawful orders.

    Units that retreat to the same province are all disbanded, as is a unit without an order.
    """
    given = [o for some in orders.values() for o in some if isinstance(o, Retreat | Disband)]
    by_place = {o.location: o for o in given}
    goals = Counter(province_of(o.destination) for o in given if isinstance(o, Retreat))
    outcomes, notices, standing = [], [], list(situation.position.units)
    for dislodged in situation.position.dislodged:
        order = by_place.get(dislodged.unit.location)
        if order is None:
            notices.append(_disbanded(dislodged.unit, situation.board))
            continue
        outcome = _outcome(dislodged.unit, order, goals, situation.board)
        outcomes.append(outcome)
        if isinstance(order, Retreat) and OrderResult.SUCCEEDS in outcome.results:
            standing.append(replace(dislodged.unit, location=order.destination))
    settled = replace(situation.position, units=tuple(standing), dislodged=(), contested=frozenset())
    return Settled(settled, tuple(outcomes), tuple(notices))


def _outcome(unit: Unit, order: Retreat | Disband, goals: Mapping[str, int], board: Board) -> OrderOutcome:
    if isinstance(order, Disband) or goals[province_of(order.destination)] == 1:
        return OrderOutcome(unit, unit.power, order, (OrderResult.SUCCEEDS,))
    there = place(order.destination, board)
    sentence = f"More than one unit retreated to {there}, so all of them were disbanded."
    return OrderOutcome(unit, unit.power, order, (OrderResult.FAILS,), Reason.RETREATS_COLLIDE, sentence)


def _disbanded(unit: Unit, board: Board) -> Notice:
    sentence = f"{unit_words(unit, board)} had no retreat order and was disbanded."
    return Notice("disbanded", unit.power, unit.province, sentence)
