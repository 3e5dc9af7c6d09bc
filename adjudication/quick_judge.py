"""The units' positions after a movement phase and nothing else, for programs that try many orders.

It uses the same solver as `judge`, but leaves out explanations and every question that cannot change where a unit is.
"""

from contextlib import suppress
from typing import NamedTuple

from adjudication.errors import NotationError
from adjudication.examined_orders import accept_first_legal, lay_out_accepted
from adjudication.legality import with_kinds_ordered
from adjudication.line_cache import Lines, layout_of_known_lines, prepare_line, read_order
from adjudication.movement.after_moves import arrive_and_dislodge, intern_units, province_of_attacker
from adjudication.movement.battle import Battle
from adjudication.movement.layout import Layout
from adjudication.movement.prepared import PreparedOrder
from adjudication.movement.presolve import plain_answers
from adjudication.movement.solver import Solver
from adjudication.orders import Order
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.units import Unit


class Standing(NamedTuple):
    """`units` in no particular order; `dislodged`: each dislodged unit with the province its attacker came from, None
    if it came by convoy. Both include minors' units."""

    units: tuple[Unit, ...]
    dislodged: tuple[tuple[Unit, str | None], ...]


def standing_after(position: Position, orders: Lines, ruleset: Ruleset) -> Standing:
    """The units after a movement phase; `orders`: power -> lines, including NEUTRAL's. Lines that cannot be read,
    unlawful orders and second orders for a unit are ignored. Raises KeyError for an unknown power."""
    return standing_in(Situation(position, ruleset), orders)


def standing_in(situation: Situation, orders: Lines) -> Standing:
    """`standing_after` for a position that is already laid out, to try many orders in it."""
    if situation.is_muster:
        orders_by_power: dict[str, list[Order]] = {}
        for power, lines in orders.items():
            for line in lines:
                with suppress(NotationError):
                    orders_by_power.setdefault(power, []).append(read_order(line, situation, power))
        situation = with_kinds_ordered(situation, orders_by_power)
    battle = Battle(situation, layout_of_known_lines(orders, situation) or _read_one_by_one(orders, situation))
    after, dislodged = fight_out(battle)
    return Standing(tuple(after.values()), tuple([(unit, province_of_attacker(by, battle)) for unit, by in dislodged]))


def fight_out(battle: Battle) -> tuple[dict[int, Unit], list[tuple[Unit, int]]]:
    """Province number -> the unit there afterwards; and each dislodged unit with where its attacker came from."""
    after, dislodgements = arrive_and_dislodge(Solver(battle, plain_answers(battle)).arrivals(), battle)
    intern_units(after, dislodgements, battle)
    return after, dislodgements


def _read_one_by_one(orders: Lines, situation: Situation) -> Layout:
    """Lay out the orders line by line, for lines of which some are new, unreadable or second orders for a unit."""
    accepted: dict[int, PreparedOrder] = {}
    for power, lines in orders.items():
        if power not in situation.cache.lines:
            raise KeyError(power)
        for line in lines:
            with suppress(NotationError):
                prepared = prepare_line(line, read_order(line, situation, power), power, situation)
                if prepared is not None:
                    accept_first_legal(prepared, accepted, situation)
    return lay_out_accepted(accepted, situation)
