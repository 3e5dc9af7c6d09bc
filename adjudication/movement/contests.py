"""How strongly each province was held and attacked, for the pages that show it."""

from adjudication.movement.prepared import MOVES
from adjudication.movement.solver import Solver
from adjudication.resolution import Attack, Contest


def contests_of(solver: Solver) -> tuple[Contest, ...]:
    """One contest for every province that a unit moved to, sorted; camps count as the province around them."""
    around = solver.battle.bitboard.around
    goals = sorted(goal for goal in solver.battle.attackers if around[goal] == goal)
    return tuple(_contest(province, solver) for province in goals)


def _contest(province: int, solver: Solver) -> Contest:
    battle = solver.battle
    attacks = sorted((_attack(m, solver) for m in battle.attackers[province]), key=lambda a: a.unit)
    name = battle.bitboard.provinces[province]
    return Contest(name, battle.at.get(province), _holds(province, solver), tuple(attacks))


def _attack(mover: int, solver: Solver) -> Attack:
    strength = 0
    if solver.has_way(mover):
        strength = solver.attack_strength(mover, solver.stays_against(mover))
    return Attack(solver.battle.at[mover], strength, solver.prevent_strength(mover))


def _holds(province: int, solver: Solver) -> int:
    if province not in solver.battle.at:
        return 0
    if solver.battle.does[province] == MOVES:
        if solver.works(province):
            return 0
        stands = province in solver.battle.steadfast or solver.is_held_back(province)
        return solver.hold_strength(province) if stands else 1
    return solver.hold_strength(province)
