"""What stands where once the moves are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.movement.battle import Battle
from adjudication.movement.solver import Solver
from adjudication.position import Dislodged
from adjudication.retreats import lawful_retreats, retreats_of
from adjudication.units import Unit


@dataclass(frozen=True, slots=True)
class Aftermath:
    """`arrivals`: goal -> the unit that moves there. `dislodged` holds every dislodged unit, also
    those without a retreat; `contested` are the provinces left empty by a stand-off."""

    arrivals: Mapping[int, int]
    units: tuple[Unit, ...]
    dislodged: tuple[Dislodged, ...]
    contested: frozenset[str]


def aftermath(solver: Solver) -> Aftermath:
    arrivals = solver.arrivals()
    standing, beaten = stand_or_fall(arrivals, solver.battle)
    province = solver.battle.table.province
    occupied = _occupied(frozenset([province[unit.location] for unit in standing]), solver.battle)
    contested = _contested(occupied, solver)
    dislodged = [_dislodged(unit, by, occupied, contested, solver) for unit, by in beaten]
    return Aftermath(arrivals, tuple(standing), tuple(dislodged), contested)


def stand_or_fall(arrivals: Mapping[int, int], battle: Battle) -> tuple[list[Unit], list[tuple[Unit, int]]]:
    """The units on the board after the moves, and the dislodged ones, each with who dislodged it."""
    name, movers = battle.table.provinces, battle.movers
    left = dict(battle.scene.units)
    for mover in arrivals.values():
        del left[name[mover]]
    beaten = [(left.pop(name[goal]), by) for goal, by in arrivals.items() if name[goal] in left]
    return [*left.values(), *[movers[mover] for mover in arrivals.values()]], beaten


def _occupied(provinces: frozenset[str], battle: Battle) -> frozenset[str]:
    """A province that units share is occupied as well."""
    if not battle.shared:
        return provinces
    within = {battle.scene.board.provinces[province].within for province in provinces}
    return provinces | within - {""}


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
    origin, scene = came_from(by, solver.battle), solver.battle.scene
    open_to_it = retreats_of(unit, origin, occupied, contested, scene.board)
    return Dislodged(unit, origin, lawful_retreats(unit, open_to_it, scene))


def came_from(attacker: int, battle: Battle) -> str | None:
    """The province that is closed to retreats for it; none after a convoy (DATC 4.A.5)."""
    return None if battle.by_convoy[attacker] else battle.table.provinces[attacker]
