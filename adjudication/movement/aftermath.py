"""What stands where once the moves are made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, cast

from adjudication.movement.battle import Battle
from adjudication.movement.intents import MOVED
from adjudication.movement.solver import Solver
from adjudication.position import Dislodged
from adjudication.retreats import lawful_retreats, retreats_of
from adjudication.units import Unit

NOWHERE_CONTESTED: frozenset[str] = frozenset()


class Aftermath(NamedTuple):
    """`arrivals`: goal -> the unit that moves there. `dislodged` holds every dislodged unit, also
    those without a retreat; `contested` are the provinces left empty by a stand-off."""

    arrivals: Mapping[int, int]
    units: Sequence[Unit]
    dislodged: Sequence[Dislodged]
    contested: frozenset[str]


def aftermath(solver: Solver) -> Aftermath:
    arrivals = solver.arrivals()
    standing, beaten = stand_or_fall(arrivals, solver.battle)
    contested = _contested(arrivals, standing, solver)
    if not beaten:
        return Aftermath(arrivals, standing, (), contested)
    occupied = _occupied(standing, solver.battle)
    dislodged = [_dislodged(unit, by, occupied, contested, solver) for unit, by in beaten]
    return Aftermath(arrivals, standing, dislodged, contested)


def stand_or_fall(arrivals: Mapping[int, int], battle: Battle) -> tuple[list[Unit], list[tuple[Unit, int]]]:
    """The units on the board after the moves, and the dislodged ones, each with who dislodged it."""
    left, orders = battle.scene.at.copy(), battle.orders
    for mover in arrivals.values():
        del left[mover]
    beaten = [(left.pop(goal), by) for goal, by in arrivals.items() if goal in left]
    moved = cast("list[Unit]", [orders[mover][MOVED] for mover in arrivals.values()])
    return [*left.values(), *moved], beaten


def _occupied(standing: Iterable[Unit], battle: Battle) -> frozenset[str]:
    """A province that units share is occupied as well."""
    provinces = frozenset([unit.province for unit in standing])
    if not battle.shared:
        return provinces
    within = {battle.scene.board.provinces[province].within for province in provinces}
    return provinces | within - {""}


def _contested(arrivals: Mapping[int, int], standing: Sequence[Unit], solver: Solver) -> frozenset[str]:
    """The provinces left empty where a move failed that kept others out."""
    battle, names = solver.battle, solver.battle.table.provinces
    empty = [goal for goal in battle.attackers.keys() - arrivals.keys() if solver.is_left(goal)]
    if not empty:
        return NOWHERE_CONTESTED
    if battle.shared:
        occupied, around = _occupied(standing, battle), battle.table.around
        empty = [goal for goal in empty if names[goal] not in occupied and around[goal] == goal]
    fought = [names[goal] for goal in empty if any(map(solver.keeps_out, battle.attackers[goal]))]
    return frozenset(fought)


def _dislodged(
    unit: Unit, by: int, occupied: frozenset[str], contested: frozenset[str], solver: Solver
) -> Dislodged:
    origin, scene = came_from(by, solver.battle), solver.battle.scene
    open_to_it = retreats_of(unit, origin, occupied, contested, scene.board)
    return Dislodged(unit, origin, lawful_retreats(unit, open_to_it, scene))


def came_from(attacker: int, battle: Battle) -> str | None:
    """The province that is closed to retreats for it; none after a convoy (DATC 4.A.5)."""
    return None if attacker in battle.by_convoy else battle.table.provinces[battle.table.around[attacker]]
