"""The board after the moves: where each unit is, and which units are dislodged."""

from collections.abc import Collection, Container, Mapping
from typing import NamedTuple

from adjudication.movement.battle import Battle
from adjudication.movement.solver import Solver
from adjudication.position import Dislodged
from adjudication.retreats import lawful_retreats, retreats_of
from adjudication.units import Unit

NOWHERE_CONTESTED: frozenset[str] = frozenset()
NOBODY_BEATEN: Mapping[int, Dislodged] = {}


class AfterMoves(NamedTuple):
    """`arrivals`: goal -> the unit that moves there. `units`: province -> the unit there. `dislodged`: by province,
    every dislodged unit, even those without a retreat; `contested`: the provinces left empty by a stand-off."""

    arrivals: Mapping[int, int]
    units: Mapping[int, Unit]
    dislodged: Mapping[int, Dislodged]
    contested: frozenset[str]


def after_moves(solver: Solver) -> AfterMoves:
    arrivals, battle = solver.arrivals(), solver.battle
    after, beaten = stand_or_fall(arrivals, battle)
    closed = _occupied(after, battle)
    contested = [
        goal for goal, movers in battle.attackers.items() if goal not in closed and any(map(solver.keeps_out, movers))
    ]
    names = battle.bitboard.provinces
    fought = frozenset([names[goal] for goal in contested]) if contested else NOWHERE_CONTESTED
    if not beaten:
        return AfterMoves(arrivals, after, NOBODY_BEATEN, fought)
    closed = {*closed, *contested}
    goal = battle.goal
    return AfterMoves(arrivals, after, {goal[by]: _dislodged(unit, by, closed, battle) for unit, by in beaten}, fought)


def stand_or_fall(arrivals: Mapping[int, int], battle: Battle) -> tuple[dict[int, Unit], list[tuple[Unit, int]]]:
    """Province -> the unit there after the moves; and the dislodged units, each with the unit that dislodged it."""
    after, orders = battle.at.copy(), battle.orders
    for mover in arrivals.values():
        del after[mover]
    beaten = [(after[goal], by) for goal, by in arrivals.items() if goal in after]
    for goal, mover in arrivals.items():
        after[goal] = orders[mover].moved
    return after, beaten


def _occupied(after: Mapping[int, Unit], battle: Battle) -> Collection[int]:
    """A province that units share is occupied too, and no unit can go to one of its camps."""
    if not battle.shared:
        return after
    around = battle.bitboard.around
    return {*after, *[around[here] for here in after], *[here for here, a in enumerate(around) if a != here]}


def _dislodged(unit: Unit, by: int, closed: Container[int], battle: Battle) -> Dislodged:
    origin, situation = came_from(by, battle), battle.situation
    open_to_it = retreats_of(unit, origin, closed, battle.bitboard)
    return Dislodged(unit, origin, lawful_retreats(unit, open_to_it, situation))


def came_from(attacker: int, battle: Battle) -> str | None:
    """The province that the dislodged unit cannot retreat to; None after a convoy (DATC 4.A.5)."""
    board = battle.bitboard
    return None if attacker in battle.by_convoy else board.provinces[board.around[attacker]]
