"""Which positions the rules can lead to, as far as units and supply centres show."""

from collections.abc import Iterator
from typing import NamedTuple

from adjudication.civil_disorder import disordered_powers
from adjudication.position import Position
from adjudication.reasons import Coded, Facts
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL


class Impossible(Coded):
    """Why no game can come to a position."""

    TOO_MANY_UNITS = "too many units", "Rules: supply", "count most"
    MINOR_IN_A_TAKEN_CENTRE = "minor in a taken centre", "Minor Powers", "place owner"
    UNITS_OF_A_POWER_THAT_IS_GONE = "units of a power that is gone", "Rules: civil disorder", "power units"
    CONTESTED_WITH_A_UNIT = "contested with a unit", "DATC 6.H.6", "place"
    DISLODGED_BY_NO_ONE = "dislodged by no one", "Rules: dislodgement", "unit place"


class Objection(NamedTuple):
    reason: Impossible
    facts: Facts


def objection_to(position: Position, ruleset: Ruleset, *, crowded: bool = False) -> Objection | None:
    """Why the rules cannot lead to this position; None if none is found. `crowded`: if any number of units is right."""
    return next(_objections(position, ruleset, crowded=crowded), None)


def most_units(position: Position, ruleset: Ruleset) -> int:
    """The highest number of units that can be on the board, including dislodged ones.

    There is one unit for each supply centre. Only a power in permanent civil disorder that has just taken centres
    leaves a minor power's army in them while the units of their former owners are still there: at most one for each of
    its own units, and so for every second centre.
    """
    centres = len(ruleset.board.centres)
    return centres + centres // 2 if disordered_powers(position) else centres


def _objections(position: Position, ruleset: Ruleset, *, crowded: bool) -> Iterator[Objection]:
    count, limit = len(position.units) + len(position.dislodged), most_units(position, ruleset)
    if count > limit and not crowded:
        yield Objection(Impossible.TOO_MANY_UNITS, {"count": count, "most": limit})
    for unit in position.units:
        if unit.power == NEUTRAL and unit.province in position.centres:
            owner = position.centres[unit.province]
            yield Objection(Impossible.MINOR_IN_A_TAKEN_CENTRE, {"place": unit.province, "owner": owner})
    for power in disordered_powers(position):
        new_position, _ = ruleset.disorder.put_in_civil_disorder(power, position, ruleset)
        lost_units = tuple(sorted({*position.units_of(power)} - {*new_position.units_of(power)}, key=str))
        if lost_units:
            yield Objection(Impossible.UNITS_OF_A_POWER_THAT_IS_GONE, {"power": power, "units": lost_units})
    if not disordered_powers(position):  # or units have gone, and minor powers may have come to empty centres
        yield from _impossible_stand_offs_and_dislodgements(position)


def _impossible_stand_offs_and_dislodgements(position: Position) -> Iterator[Objection]:
    units = position.units_by_province()
    for place in sorted(position.contested & units.keys()):
        yield Objection(Impossible.CONTESTED_WITH_A_UNIT, {"place": place})
    for dislodged in position.dislodged:
        if dislodged.unit.province not in units:
            yield Objection(Impossible.DISLODGED_BY_NO_ONE, {"unit": dislodged.unit, "place": dislodged.unit.province})
