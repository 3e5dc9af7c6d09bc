"""The board after the moves: where each unit is, which units are dislodged, and how strongly each province was held and
attacked, for the pages that show this."""

from collections.abc import Collection, Container, Iterable, Mapping
from typing import NamedTuple

from adjudication.movement.battle import Battle
from adjudication.movement.prepared import MOVES
from adjudication.movement.solver import Solver
from adjudication.position import Dislodged
from adjudication.resolution import Attack, Contest, Notice
from adjudication.retreats import lawful_retreats, retreats_left_by_board
from adjudication.units import Unit


class AfterMoves(NamedTuple):
    """`arrivals`: goal -> the unit that moves there. `units`: province -> the unit there. `dislodged`: by province,
    every dislodged unit, even those without a retreat; `contested`: the provinces left empty by a stand-off.
    `interned`: notices about units that are no longer in `units` because they had to leave the board."""

    arrivals: Mapping[int, int]
    units: Mapping[int, Unit]
    dislodged: Mapping[int, Dislodged]
    contested: frozenset[str]
    interned: tuple[Notice, ...]


def after_moves(solver: Solver) -> AfterMoves:
    arrivals, battle = solver.arrivals(), solver.battle
    after, dislodgements = arrive_and_dislodge(arrivals, battle)
    closed_provinces = _closed_provinces(after, battle)
    contested_goals = [
        goal
        for goal, movers in battle.attackers.items()
        if goal not in closed_provinces and any(map(solver.keeps_others_out, movers))
    ]
    names = battle.bitboard.provinces
    contested_names = frozenset([names[goal] for goal in contested_goals])
    notices = intern_units(after, dislodgements, battle)
    if not dislodgements:
        return AfterMoves(arrivals, after, {}, contested_names, notices)
    closed_provinces = {*_closed_provinces(after, battle), *contested_goals}
    goal = battle.goal
    dislodged_units = {goal[by]: _dislodged_unit(unit, by, closed_provinces, battle) for unit, by in dislodgements}
    return AfterMoves(arrivals, after, dislodged_units, contested_names, notices)


def arrive_and_dislodge(arrivals: Mapping[int, int], battle: Battle) -> tuple[dict[int, Unit], list[tuple[Unit, int]]]:
    """Province -> the unit there after the moves; and the dislodged units, each with the unit that dislodged it."""
    after, orders = battle.at.copy(), battle.orders
    for mover in arrivals.values():
        del after[mover]
    dislodgements = [(after[goal], by) for goal, by in arrivals.items() if goal in after]
    for goal, mover in arrivals.items():
        after[goal] = orders[mover].moved
    return after, dislodgements


def intern_units(after: dict[int, Unit], attacks: Iterable[tuple[Unit, int]], battle: Battle) -> tuple[Notice, ...]:
    """Remove units that the rules intern from `after`, with notices. One that has just dislodged another is spared."""
    situation = battle.situation
    internment = situation.ruleset.internment
    if internment is None:
        return ()
    entered_provinces = {battle.goal[by] for _, by in attacks}
    notices: list[Notice] = []
    for here in sorted(after.keys() - entered_provinces):
        notice = internment.notice(after[here], situation.position, situation.ruleset)
        if notice:
            del after[here]
            notices.append(notice)
    return tuple(notices)


def _closed_provinces(after: Mapping[int, Unit], battle: Battle) -> Collection[int]:
    """The provinces closed to retreats. One that units share is occupied too, and its camps can't be entered."""
    if not battle.shared:
        return after
    around = battle.bitboard.around
    return {*after, *[around[here] for here in after], *[here for here, a in enumerate(around) if a != here]}


def _dislodged_unit(unit: Unit, by: int, closed_provinces: Container[int], battle: Battle) -> Dislodged:
    origin, situation = province_of_attacker(by, battle), battle.situation
    open_to_it = retreats_left_by_board(unit, origin, closed_provinces, battle.bitboard)
    return Dislodged(unit, origin, lawful_retreats(unit, open_to_it, situation))


def province_of_attacker(attacker: int, battle: Battle) -> str | None:
    """The province that the dislodged unit cannot retreat to; None after a convoy (DATC 4.A.5)."""
    board = battle.bitboard
    return None if attacker in battle.by_convoy else board.provinces[board.around[attacker]]


def contests_of(solver: Solver) -> tuple[Contest, ...]:
    """The contest in every province that a unit moved to, sorted. Camps count as the province around them."""
    battle, contests = solver.battle, list[Contest]()
    names, around = battle.bitboard.provinces, battle.bitboard.around
    for goal in sorted(goal for goal in battle.attackers if around[goal] == goal):
        attacks = sorted((_attack_of(m, solver) for m in battle.attackers[goal]), key=lambda a: a.unit)
        contests.append(Contest(names[goal], battle.at.get(goal), _strength_of_holder(goal, solver), tuple(attacks)))
    return tuple(contests)


def _attack_of(mover: int, solver: Solver) -> Attack:
    has_way = solver.has_way(mover)
    strength = solver.attack_strength(mover, solver.stays_against(mover)) if has_way else 0
    return Attack(solver.battle.at[mover], strength, solver.prevent_strength(mover))


def _strength_of_holder(province: int, solver: Solver) -> int:
    moves = solver.battle.action[province] == MOVES
    if province not in solver.battle.at or (moves and solver.succeeds(province)):
        return 0
    is_staying = not moves or province in solver.battle.steadfast or solver.is_held_back(province)
    return solver.hold_strength(province) if is_staying else 1
