"""Which orders are legal: one small rule for each thing that can be wrong.

A rule looks at one order for an existing unit and at the position, never at other orders. That is why a player's
options can be listed before any orders are written.
"""

from collections.abc import Iterable, Mapping, Sequence

from adjudication.adjustments import adjustment_refusal, tally_refusal
from adjudication.board import province_of
from adjudication.movement.prepared import PreparedOrder
from adjudication.orders import ADJUSTMENT_ORDERS, MOVEMENT_ORDERS, RETREAT_ORDERS, Convoy, Move, Order, Support, where
from adjudication.reasons import OrderRefusal, Reason
from adjudication.retreats import retreat_refusal
from adjudication.ruleset import Legality
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit, UnitKind, neighbours
from adjudication.words import unit_words

ORDERS_OF = {
    PhaseKind.MOVEMENT: MOVEMENT_ORDERS,
    PhaseKind.RETREAT: RETREAT_ORDERS,
    PhaseKind.ADJUSTMENT: ADJUSTMENT_ORDERS,
}
_ALLOWED = {
    PhaseKind.MOVEMENT: "units can hold, move, support or convoy",
    PhaseKind.RETREAT: "dislodged units can retreat or disband",
    PhaseKind.ADJUSTMENT: "units can be built or disbanded, and builds waived",
}


def check(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this power cannot give this order now; None if it can."""
    kind = situation.position.turn.kind
    special = situation.ruleset.special.get(kind)
    if not isinstance(order, special.orders if special else ORDERS_OF[kind]):
        sentence = f"{kind.word}: {special.allowed if special else _ALLOWED[kind]}."
        return OrderRefusal(Reason.WRONG_PHASE, sentence)
    if special:
        return special.refusal(order, power, situation)
    if kind is PhaseKind.RETREAT:
        return retreat_refusal(order, power, situation)
    if kind is PhaseKind.ADJUSTMENT:
        return adjustment_refusal(order, power, situation)
    return _movement_refusal(order, power, situation)


def check_all(orders: Iterable[Order], power: str, situation: Situation) -> tuple[OrderRefusal | None, ...]:
    """`check` for the orders of one sheet, in sequence. A unit takes one order, the first legal one (DATC 4.D.3), and
    builds and removals are counted."""
    refusals: list[OrderRefusal | None] = []
    accepted: list[Order] = []
    for order in orders:
        refusal = check_next(order, accepted, power, situation)
        if refusal is None:
            accepted.append(order)
        refusals.append(refusal)
    return tuple(refusals)


def check_next(order: Order, accepted: Sequence[Order], power: str, situation: Situation) -> OrderRefusal | None:
    """`check` for an order that comes after the accepted ones."""
    refusal = check(order, power, situation)
    if refusal:
        return refusal
    special = situation.ruleset.special.get(situation.position.turn.kind)
    if special:
        return special.tally_refusal(order, accepted, power, situation)
    return tally_refusal(order, accepted, power, situation)


def _movement_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    situation = situation.formed(where(order))
    refusal = unit_refusal(order, power, situation)
    return refusal or rule_refusal(situation.prepared(order, situation.units[province_of(where(order))]), situation)


def unit_refusal(order: Order, power: str, situation: Situation) -> OrderRefusal | None:
    """Why this power may not give that unit such an order in a movement phase. The rules of the board and of the
    position are checked separately."""
    location = where(order)
    unit = situation.unit_at(location)
    if unit is None or unit.power != power or unit.location != location:
        return _unit_refusal(unit, power, situation.board.name(location), situation)
    if unit.province in situation.leaderless:
        sentence = f"{unit_words(unit, situation.board)} takes no orders: {situation.ruleset.disorder.why}."
        return OrderRefusal(Reason.IN_DISORDER, sentence)
    if power == NEUTRAL and not situation.ruleset.neutrals.may_be_ordered(order):
        sentence = f"A minor power’s unit can only {situation.ruleset.neutrals.words}."
        return OrderRefusal(Reason.MINOR_ONLY_HOLDS_OR_SUPPORTS, sentence)
    return None


def rule_refusal(prepared: PreparedOrder, situation: Situation) -> OrderRefusal | None:
    """The refusal of the first rule that forbids the order; the board alone has already answered most of them."""
    for rule in prepared.rules:
        refusal = rule(prepared.order, prepared.unit, situation)
        if refusal is not None:
            return refusal
    return None


def _unit_refusal(unit: Unit | None, power: str, name: str, situation: Situation) -> OrderRefusal:
    if unit is None:
        return OrderRefusal(Reason.NO_SUCH_UNIT, f"There is no unit in {name}.")
    if unit.power == NEUTRAL != power:
        sentence = f"The unit in {name} belongs to a minor power: it follows bids, not orders."
        return OrderRefusal(Reason.NOT_YOUR_UNIT, sentence)
    if unit.power != power:
        return OrderRefusal(Reason.NOT_YOUR_UNIT, f"The unit in {name} is not yours to order.")
    sentence = f"The unit is in {situation.board.name(unit.location)}, not in {name}."
    return OrderRefusal(Reason.LIES_ON_ANOTHER_COAST, sentence)


# Moves.


def move_leaves_its_province(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.4, 6.A.5."""
    if province_of(order.destination) in (unit.province, situation.board.around(unit.province)):
        sentence = f"The unit in {situation.board.name(unit.location)} is already there."
        return OrderRefusal(Reason.OWN_PROVINCE, sentence)
    return None


def move_suits_the_terrain(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.2, 6.A.3."""
    terrain = situation.board.province(order.destination).kind
    if terrain.takes_armies if unit.kind is UnitKind.ARMY else terrain.takes_fleets:
        return None
    name = situation.board.name(order.destination)
    if unit.kind is UnitKind.ARMY:
        return OrderRefusal(Reason.WRONG_TERRAIN, f"An army cannot enter {name}, which is sea.")
    return OrderRefusal(Reason.WRONG_TERRAIN, f"A fleet cannot enter {name}, which is inland.")


def fleet_moves_by_itself(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.7."""
    if order.via and unit.kind is UnitKind.FLEET:
        sentence = f"{unit_words(unit, situation.board)} is a fleet, and only armies can be convoyed."
        return OrderRefusal(Reason.FLEET_NOT_CONVOYED, sentence)
    return None


def army_moves_next_door(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.1."""
    if order.via or unit.kind is not UnitKind.ARMY:
        return None
    if order.destination in neighbours(unit.kind, unit.location, situation.board):
        return None
    return _out_of_reach(unit, order.destination, situation)


def army_finds_fleets(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.D.32, 6.G.20. Fleets of any power will do; whether they do convoy is decided later."""
    if unit.kind is not UnitKind.ARMY or situation.convoy_possible(unit.province, order.destination):
        return None
    next_door = order.destination in neighbours(unit.kind, unit.location, situation.board)
    if next_door and situation.ruleset.via_fallback:
        return None
    here, there = situation.board.name(unit.location), situation.board.name(order.destination)
    if not (situation.is_shore(unit.province) and situation.is_shore(order.destination)):
        return OrderRefusal(Reason.NO_FLEET_TO_CONVOY, f"There can be no convoy from {here} to {there}.")
    sentence = f"There is no chain of fleets that could convoy from {here} to {there}."
    return OrderRefusal(Reason.NO_FLEET_TO_CONVOY, sentence)


def fleet_moves_next_door(order: Move, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.9, 6.B.1 to 6.B.3: a fleet reaches coasts, not provinces."""
    board, destination = situation.board, order.destination
    reached = neighbours(unit.kind, unit.location, board)
    if unit.kind is not UnitKind.FLEET or destination in reached:
        return None
    coasts = [c for c in board.province(destination).coasts if c in reached]
    if not coasts:
        return _out_of_reach(unit, destination, situation)
    names = " or ".join(board.name(coast) for coast in coasts)
    if destination in board.provinces:
        return OrderRefusal(Reason.COAST_NEEDED, f"Name the coast: {names}.")
    sentence = f"{unit_words(unit, board)} reaches {names}, not {board.name(destination)}."
    return OrderRefusal(Reason.WRONG_COAST, sentence)


def _out_of_reach(unit: Unit, destination: str, situation: Situation) -> OrderRefusal:
    name = situation.board.name(destination)
    sentence = f"{unit_words(unit, situation.board)} cannot reach {name} in one move."
    return OrderRefusal(Reason.OUT_OF_REACH, sentence)


# Supports.


def support_is_for_another(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.8, 6.D.34: a unit supports neither itself nor an attack on its own province."""
    if order.supported == unit.province:
        return OrderRefusal(Reason.SUPPORTS_ITSELF, "A unit cannot support itself.")
    if order.destination and province_of(order.destination) in (unit.province, situation.board.around(unit.province)):
        sentence = f"{unit_words(unit, situation.board)} cannot support a move to its own province."
        return OrderRefusal(Reason.SUPPORT_OUT_OF_REACH, sentence)
    return None


def support_is_for_a_unit(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A minor power's unit may be told to support one that turns out not to exist (D4)."""
    if unit.power == NEUTRAL or situation.unit_at(order.supported):
        return None
    sentence = f"There is no unit in {situation.board.name(order.supported)} to support."
    return OrderRefusal(Reason.NOTHING_TO_SUPPORT, sentence)


def support_is_within_reach(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.10, 6.B.4, 6.B.5: the supporter could move there itself, on any coast."""
    target = province_of(order.destination or order.supported)
    reached = neighbours(unit.kind, unit.location, situation.board)
    if any(province_of(there) == target for there in reached):
        return None
    words, name = unit_words(unit, situation.board), situation.board.name(target)
    sentence = f"{words} cannot support into {name}, which it cannot reach itself."
    return OrderRefusal(Reason.SUPPORT_OUT_OF_REACH, sentence)


def supported_move_is_possible(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.D.22 to 6.D.24, 6.D.31: the move must be possible without a convoy by the supporter."""
    if order.destination is None:
        return None
    moving = situation.unit_at(order.supported)
    if moving is None:
        return None
    if any(_could_move(form, order.destination, unit, situation) for form in situation.forms(moving)):
        return None
    words, name = unit_words(moving, situation.board), situation.board.name(order.destination)
    sentence = f"{words} could not move to {name}, so that move cannot be supported."
    return OrderRefusal(Reason.SUPPORT_OF_IMPOSSIBLE_MOVE, sentence)


def _could_move(moving: Unit, destination: str, supporter: Unit, situation: Situation) -> bool:
    reached = neighbours(moving.kind, moving.location, situation.board)
    if destination in reached:
        return True
    if destination not in situation.board.provinces:
        return False
    if moving.kind is UnitKind.FLEET:
        return any(province_of(there) == destination for there in reached)
    return situation.convoy_possible(moving.province, destination, without=supporter.province)


# Convoys.


def convoy_is_by_a_fleet_at_sea(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.F.1."""
    at_sea = situation.board.province(unit.location).kind.is_water
    if unit.kind is UnitKind.FLEET and at_sea:
        return None
    sentence = f"{unit_words(unit, situation.board)} cannot convoy: only a fleet at sea can."
    return OrderRefusal(Reason.CONVOY_BY_FLEET_AT_SEA, sentence)


def convoy_is_of_an_army(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.7."""
    army = situation.unit_at(order.army)
    if army is not None and army.kind is UnitKind.ARMY:
        return None
    sentence = f"There is no army in {situation.board.name(order.army)} to convoy."
    return OrderRefusal(Reason.NO_ARMY_TO_CONVOY, sentence)


def convoy_lies_on_a_route(order: Convoy, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """DATC 6.A.5, 6.F.12, 6.G.19."""
    if order.destination in situation.board.provinces and situation.convoy_uses(
        unit.province, order.army, order.destination
    ):
        return None
    words = unit_words(unit, situation.board)
    here, there = situation.board.name(order.army), situation.board.name(order.destination)
    sentence = f"{words} is not on any convoy route from {here} to {there}."
    return OrderRefusal(Reason.CONVOY_OUTSIDE_ROUTE, sentence)


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
