"""What stands where once the moves are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.movement.solver import Solver
from adjudication.position import Dislodged
from adjudication.retreats import retreats_of
from adjudication.units import Unit


@dataclass(frozen=True, slots=True)
class Aftermath:
    """`arrivals`: goal -> the unit that moves there. `dislodged` holds every dislodged unit, also
    those without a retreat; `contested` are the provinces left empty by a stand-off."""

    arrivals: Mapping[int, int]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    contested: frozenset[str]


def aftermath(solver: Solver, *, with_stand_offs: bool = True) -> Aftermath:
    """Without stand-offs, `contested` is told only if somebody has to retreat."""
    arrivals, battle = solver.arrivals(), solver.battle
    name, movers = battle.table.provinces, battle.movers
    left = dict(battle.scene.units)
    for mover in arrivals.values():
        del left[name[mover]]
    beaten = [(left.pop(name[goal]), by) for goal, by in arrivals.items() if name[goal] in left]
    standing = [*left.values(), *[movers[mover] for mover in arrivals.values()]]
    if not (beaten or with_stand_offs):
        return Aftermath(arrivals, tuple(standing), (), frozenset())
    province = battle.table.province
    occupied = frozenset([province[unit.location] for unit in standing])
    contested = _contested(occupied, solver)
    dislodged = [_dislodged(unit, by, occupied, contested, solver) for unit, by in beaten]
    return Aftermath(arrivals, tuple(standing), tuple(dislodged), contested)


def _contested(occupied: frozenset[str], solver: Solver) -> frozenset[str]:
    """Where a move failed that kept others out (DATC 6.H.9: a head-to-head loser does not)."""
    battle, names = solver.battle, solver.battle.table.provinces
    empty = [
        (mover, names[goal])
        for goal, m in battle.attackers.items()
        for mover in m
        if names[goal] not in occupied
    ]
    return frozenset(goal for mover, goal in empty if solver.prevent_strength(mover) > 0)


def _dislodged(
    unit: Unit, by: int, occupied: frozenset[str], contested: frozenset[str], solver: Solver
) -> Dislodged:
    battle = solver.battle
    origin = None if battle.by_convoy[by] else battle.table.provinces[by]
    board = battle.scene.board
    return Dislodged(unit, origin, retreats_of(unit, origin, occupied, contested, board))
