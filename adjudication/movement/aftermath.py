"""What stands where once the moves are made."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.movement.battle import MOVES
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


def aftermath(solver: Solver) -> Aftermath:
    battle, arrivals = solver.battle, solver.arrivals()
    table, units = battle.table, battle.scene.units
    standing: list[Unit] = []
    beaten: list[tuple[Unit, int]] = []
    for province, unit in units.items():
        here = table.number[province]
        if battle.does[here] == MOVES and solver.works(here):
            arrival = table.locations[battle.arrival[here]]
            standing.append(Unit(unit.power, unit.kind, arrival))
        elif here in arrivals:
            beaten.append((unit, arrivals[here]))
        else:
            standing.append(unit)
    occupied = frozenset(unit.province for unit in standing)
    contested = _contested(solver) - occupied
    dislodged = (_dislodged(unit, by, occupied, contested, solver) for unit, by in beaten)
    return Aftermath(arrivals, tuple(standing), tuple(dislodged), contested)


def _contested(solver: Solver) -> frozenset[str]:
    """Where a move failed that kept others out (DATC 6.H.9: a head-to-head loser does not)."""
    battle = solver.battle
    return frozenset(
        battle.table.provinces[battle.goal[mover]]
        for mover in battle.movers
        if not solver.works(mover) and solver.prevent_strength(mover) > 0
    )


def _dislodged(
    unit: Unit, by: int, occupied: frozenset[str], contested: frozenset[str], solver: Solver
) -> Dislodged:
    battle = solver.battle
    origin = None if battle.by_convoy[by] else battle.table.provinces[by]
    board = battle.scene.board
    return Dislodged(unit, origin, retreats_of(unit, origin, occupied, contested, board))
