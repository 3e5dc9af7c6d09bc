"""A position written as `told_position` reads it."""

from collections.abc import Iterator, Mapping, Sequence

from adjudication.civil_disorder import disordered_powers
from adjudication.position import Position
from adjudication.situation import Situation
from adjudication.units import NEUTRAL, Unit
from variants.variant import Variant
from variants.words.orders import phase_words


def write_position(position: Position, variant: Variant) -> str:
    """The text that `read_position` reads as this position."""
    return "\n".join(_lines(position, variant)) + "\n"


def _lines(position: Position, variant: Variant) -> Iterator[str]:
    board, factions = variant.ruleset.board, variant.ruleset.control.factions(position)
    yield phase_words(position.turn)
    yield ""
    for power in variant.powers:
        yield f"{power.name}: {', '.join(unit_text(unit, variant) for unit in position.units_of(power.id)) or 'none'}"
    minors = position.units_of(NEUTRAL)
    if minors or variant.start.units_of(NEUTRAL):
        yield f"Minor powers: {', '.join(unit_text(unit, variant) for unit in minors) or 'none'}"
    yield ""
    yield "Centres:"
    for power in variant.powers:
        centres = position.centres_of(power.id)
        marks = (f"{board.name(centre)}{f' ({factions[centre]})' if factions else ''}" for centre in centres)
        yield f"{power.name}: {', '.join(marks) or 'none'}"
    homes: Mapping[str, Sequence[str]] = position.memory.get("homes", {})
    if homes:
        yield "Homes:"
    for power_id, own_homes in homes.items():
        yield f"{variant.power(power_id).name}: {', '.join(map(board.name, own_homes))}"
    yield from _special(position, variant)


def _special(position: Position, variant: Variant) -> Iterator[str]:
    """Lines that most positions don’t need."""
    board = variant.ruleset.board
    if position.dislodged:
        yield "Dislodged:"
    for each in position.dislodged:
        origin = f" from {board.name(each.attacker_from)}" if each.attacker_from else ""
        yield f"{variant.power(each.unit.power).name}: {unit_text(each.unit, variant)}{origin}"
    if position.contested:
        yield f"Contested: {', '.join(board.name(place) for place in sorted(position.contested))}"
    if powers := disordered_powers(position):
        yield f"In disorder: {', '.join(variant.power(power).name for power in powers)}"
    if position.relations:
        yield "Relations:"
    for pair, stance in position.relations.items():
        first, _, other = pair.partition(" ")
        yield f"{variant.power(first).name} and {variant.power(other).name}: {stance}"


def unit_text(unit: Unit, variant: Variant) -> str:
    return f"{unit.mark} {variant.ruleset.board.name(unit.location)}"


def blank_form(variant: Variant) -> str:
    """The start of the variant as a form to fill in, with examples of the other lines in comments."""
    power, board = variant.powers[0], variant.ruleset.board
    unit = unit_text(variant.start.units_of(power.id)[0], variant) if variant.start.units_of(power.id) else "A …"
    place = board.name(next(iter(board.provinces)))
    remarks = [
        f"# A position of {variant.title}. Lines that begin with # are not read.",
        "# First the turn, then a line of units for each power, then the supply centres of each power.",
        "# Names may be abbreviated. These lines are only for positions that need them:",
        *_remarks_on_homes(variant),
        "#   Dislodged:",
        f"#   {power.name}: {unit} from {place}",
        f"#   Contested: {place}",
        f"#   In disorder: {power.name}     (permanent civil disorder: no one will play this power)",
    ]
    return "\n".join([*remarks, "", write_position(variant.start, variant)])


def _remarks_on_homes(variant: Variant) -> Iterator[str]:
    """Comments on homes, for variants in which powers can win any."""
    rules, situation = variant.ruleset, Situation(variant.start, variant.ruleset)
    able = (it for it in variant.powers if rules.builds.most_homes(it.id, situation) > len(rules.homes[it.id]))
    power = next(able, None)
    if power is not None:
        yield "#   Homes:"
        yield f"#   {power.name}: {rules.board.name(rules.board.centres[0])}     (besides those it began with)"
