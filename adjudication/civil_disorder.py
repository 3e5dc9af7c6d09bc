"""Civil disorder: powers without a player, for one phase or for good."""

from collections.abc import Container, Iterable
from dataclasses import dataclass, replace
from typing import ClassVar

from adjudication.board import Board, province_of, steps_from
from adjudication.position import Position
from adjudication.reasons import NO_FACTS, Facts
from adjudication.resolution import Changed, Notice, NoticeKind
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL, Unit, UnitKind

NO_PROVINCES: frozenset[str] = frozenset()
UNREACHABLE = 10_000
"""The distance of a unit from which no centre can be reached."""


def disordered_powers(position: Position) -> tuple[str, ...]:
    """The powers in permanent civil disorder, sorted."""
    return tuple(position.memory.get("disordered", ()))


def playable_powers(position: Position, ruleset: Ruleset) -> tuple[str, ...]:
    """The powers that can still be played: those not in permanent civil disorder."""
    lost_powers = disordered_powers(position)
    return tuple([power for power in ruleset.powers if power not in lost_powers]) if lost_powers else ruleset.powers


def steps_to_nearest(goals: Iterable[str], board: Board) -> dict[str, int]:
    """Province -> steps to the nearest goal. Armies and fleets may use every border (2023; DATC 6.J.3 to 6.J.12)."""

    def adjacent_provinces(here: str) -> set[str]:
        by_sea = (board.fleet.get(place, ()) for place in board.fleet_locations(here))
        return {province_of(there) for places in by_sea for there in places} | set(board.army.get(here, ()))

    return steps_from(goals, adjacent_provinces)


@dataclass(frozen=True, slots=True)
class CivilDisorder:
    """Units hold; the units farthest from the power's centres (with `from_homes`, from its homes) are removed. A power
    in permanent civil disorder keeps its units, which hold."""

    from_homes: bool = False
    refusal_facts: ClassVar[Facts] = NO_FACTS
    permanent_effects: ClassVar[tuple[str, ...]] = ("hold", "builds nothing", "keeps centres")

    def removals(self, power: str, count: int, position: Position, ruleset: Ruleset) -> tuple[Unit, ...]:
        """The units to remove: farthest first, fleets before armies, then by the full name of the province."""
        goals = ruleset.homes[power] if self.from_homes else position.centres_of(power)
        steps = steps_to_nearest(goals, ruleset.board)

        def removal_rank(unit: Unit) -> tuple[int, bool, str]:
            name = ruleset.board.name(unit.province)
            return (-steps.get(unit.province, UNREACHABLE), unit.kind is UnitKind.ARMY, name)

        return tuple(sorted(position.units_of(power), key=removal_rank)[:count])

    def leaderless(self, position: Position) -> frozenset[str]:
        return NO_PROVINCES

    def put_in_civil_disorder(self, power: str, position: Position, ruleset: Ruleset) -> Changed:
        return with_disordered_power(power, position), (disorder_notice(power),)


@dataclass(frozen=True, slots=True)
class Independence(CivilDisorder):
    """A power in permanent civil disorder loses its units, and its empty centres become minor powers."""

    permanent_effects = ("disbanded", "minors", "later minors")

    def put_in_civil_disorder(self, power: str, position: Position, ruleset: Ruleset) -> Changed:
        """The position without the power's units, in which its empty centres are minor powers (rule "Permanent civil
        disorder"), and notices of it. Centres occupied by other powers' units wait for the next count."""
        without_units = replace(
            with_disordered_power(power, position),
            units=tuple(u for u in position.units if u.power != power),
            dislodged=tuple(d for d in position.dislodged if d.unit.power != power),
        )
        position, notices = turn_centres_into_minors([power], without_units)
        return position, (disorder_notice(power, case="disbanded"), *notices)


def disorder_notice(power: str, **case: str) -> Notice:
    return Notice(NoticeKind.CIVIL_DISORDER, power, None, {"power": power, **case})


def with_disordered_power(power: str, position: Position) -> Position:
    powers = sorted({*disordered_powers(position), power})
    return replace(position, memory={**position.memory, "disordered": powers})


def turn_centres_into_minors(powers: Container[str], position: Position) -> Changed:
    """Turn the empty centres of these powers into minor powers, each with an army. No unit may retreat there now."""
    units = position.units_by_province()
    new_minors = [c for c, owner in position.centres.items() if owner in powers and c not in units]
    if not new_minors:
        return position, ()
    minors = {**position.memory.get("minors", {}), **dict.fromkeys(new_minors, "A")}
    new_position = replace(
        position,
        units=(*position.units, *(Unit(NEUTRAL, UnitKind.ARMY, centre) for centre in new_minors)),
        dislodged=tuple(
            each._replace(retreats=tuple(there for there in each.retreats if province_of(there) not in new_minors))
            for each in position.dislodged
        ),
        centres={c: owner for c, owner in position.centres.items() if c not in new_minors},
        memory={**position.memory, "minors": dict(sorted(minors.items()))},
    )
    return new_position, tuple(Notice(NoticeKind.NEW_MINOR, None, centre, {"place": centre}) for centre in new_minors)
