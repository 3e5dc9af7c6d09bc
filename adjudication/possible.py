"""Which positions the rules can lead to, as far as their units and supply centres tell."""

from collections.abc import Iterator

from adjudication.board import Board
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
    count, most = len(position.units) + len(position.dislodged), most_units(position, ruleset)
    if count > most:
        yield f"There are {count} units, but there can be at most {most}: this board has so many supply centres."
    yield from _minors_taken(position, ruleset.board)
    if seceded(position):  # then units have gone, and minor powers may have come to empty centres
        yield from _disbanded(position, ruleset)
    else:
        yield from _left_alone(position, ruleset.board)


def _minors_taken(position: Position, board: Board) -> Iterator[str]:
    for unit in position.units:
        if unit.power == NEUTRAL and unit.province in position.centres:
            owner = power_words(position.centres[unit.province])
            yield f"A minor power’s unit is in {board.name(unit.province)}, which belongs to {owner}."


def _disbanded(position: Position, ruleset: Ruleset) -> Iterator[str]:
    for power in seceded(position):
        left, _ = ruleset.disorder.secede(power, position, ruleset)
        lost = sorted({*map(str, position.units_of(power))} - {*map(str, left.units_of(power))})
        if lost:
            yield f"{power_words(power)} is in permanent civil disorder and has no units, but there is {listed(lost)}."


def _left_alone(position: Position, board: Board) -> Iterator[str]:
    occupied = position.occupied()
    for place in sorted(position.contested & occupied.keys()):
        yield f"{board.name(place)} is contested, but has a unit: only an empty province can be contested."
    for beaten in position.dislodged:
        if beaten.unit.province not in occupied:
            yield f"{beaten.unit} is dislodged, but no unit is in {board.name(beaten.unit.province)} in its place."
