"""Which positions the rules can lead to, as far as their units and supply centres tell."""

from collections.abc import Iterator

from adjudication.civil_disorder import seceded
from adjudication.english import listed
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL
from adjudication.words import power_words


def impossible(position: Position, ruleset: Ruleset) -> str:
    """Why the rules cannot lead to this position, in a sentence; "" if nothing speaks against it."""
    return next(_reasons(position, ruleset), "")


def most_units(position: Position, ruleset: Ruleset) -> int:
    """No more units are ever on the board, with those dislodged.

    A unit stands for a supply centre. Only a power in permanent civil disorder that has just taken centres leaves a
    minor power's army in them, while the units of their former owners are still there: at most one for each of its own
    units, and so for every second centre.
    """
    centres = len(ruleset.board.centres)
    return centres + centres // 2 if seceded(position) else centres


def _reasons(position: Position, ruleset: Ruleset) -> Iterator[str]:
    name, gone, most = ruleset.board.name, seceded(position), most_units(position, ruleset)
    count = len(position.units) + len(position.dislodged)
    if count > most:
        yield f"There are {count} units, but there can be at most {most}: this board has so many supply centres."
    for unit in position.units:
        owner = position.centres.get(unit.province) if unit.power == NEUTRAL else None
        if owner:
            yield f"A minor power’s unit is in {name(unit.province)}, which belongs to {power_words(owner)}."
    for power in gone:
        left, _ = ruleset.disorder.secede(power, position, ruleset)
        lost = sorted({*map(str, position.units_of(power))} - {*map(str, left.units_of(power))})
        if lost:
            yield f"{power_words(power)} is in permanent civil disorder and has no units, but there is {listed(lost)}."
    if not gone:  # disorder removes units, and puts minor powers in empty centres
        occupied = position.occupied()
        for place in sorted(position.contested & occupied.keys()):
            yield f"{name(place)} is contested, but has a unit: only a province left empty by a stand-off is contested."
        for beaten in position.dislodged:
            if beaten.unit.province not in occupied:
                yield f"{beaten.unit} is dislodged, but no unit is in {name(beaten.unit.province)} in its place."
