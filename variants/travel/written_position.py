"""A position written as `told_position` reads it."""

from collections.abc import Iterator

from adjudication.position import Position
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit
from variants.variant import Variant


def phase_title(turn: Turn) -> str:
    """As in "Fall 1901, Movement"."""
    return f"{turn.title}, {turn.kind_title}"


def write_position(position: Position, variant: Variant) -> str:
    """The text that `read_position` reads as this position; with no word about permanent civil disorder, which is in
    the units and centres already."""
    return "\n".join(_lines(position, variant)) + "\n"


def _lines(position: Position, variant: Variant) -> Iterator[str]:
    board, factions = variant.ruleset.board, variant.ruleset.control.factions(position)
    yield phase_title(position.turn)
    yield ""
    for power in variant.powers:
        yield f"{power.name}: {', '.join(unit_text(unit, variant) for unit in position.units_of(power.id)) or 'none'}"
    if minors := position.units_of(NEUTRAL):
        yield f"Minor powers: {', '.join(unit_text(unit, variant) for unit in minors)}"
    yield ""
    yield "Centres:"
    for power in variant.powers:
        centres = position.centres_of(power.id)
        marks = (f"{board.name(centre)}{f' ({factions[centre]})' if factions else ''}" for centre in centres)
        yield f"{power.name}: {', '.join(marks) or 'none'}"
    yield from _special(position, variant)


def _special(position: Position, variant: Variant) -> Iterator[str]:
    """What most positions don’t have."""
    board = variant.ruleset.board
    if position.dislodged:
        yield "Dislodged:"
    for each in position.dislodged:
        origin = f" from {board.name(each.attacker_from)}" if each.attacker_from else ""
        yield f"{variant.power(each.unit.power).name}: {unit_text(each.unit, variant)}{origin}"
    if position.contested:
        yield f"Contested: {', '.join(board.name(place) for place in sorted(position.contested))}"
    if position.relations:
        yield "Relations:"
    for two, stance in position.relations.items():
        one, _, other = two.partition(" ")
        yield f"{variant.power(one).name} and {variant.power(other).name}: {stance}"


def unit_text(unit: Unit, variant: Variant) -> str:
    return f"{unit.mark} {variant.ruleset.board.name(unit.location)}"
