"""What the powers have declared to each other, as everyone may read it."""

from adjudication.position import Position
from adjudication.relations import stance_of
from games.history.parts import RelationCell, RelationRow, RelationsView, StanceLine, StanceView
from variants.variant import PowerInfo, Variant

SYMBOLS = {"war": "×", "alliance": "+"}
OTHERWISE = "–"


def relations_of(position: Position, variant: Variant, mine: str | None = None) -> RelationsView | None:
    """A row for each power with its relation to every other one; None in variants without declarations.

    With `mine`, also this power's stances, apart from the one that all powers started with.
    """
    stances = variant.ruleset.relations.stances
    if not stances:
        return None
    return RelationsView(
        stances=tuple(StanceView(stance, _symbol(stance)) for stance in stances),
        powers=tuple(power.id for power in variant.powers),
        rows=tuple(_row(power, position, variant) for power in variant.powers),
        mine=_lines(mine, position, variant) if mine else (),
    )


def stance_towards(other: str, power: str, position: Position, variant: Variant) -> str:
    """A power's current stance towards another; "" in variants without declarations."""
    stances = variant.ruleset.relations.stances
    return stance_of(power, other, position, stances) if stances else ""


def _row(power: PowerInfo, position: Position, variant: Variant) -> RelationRow:
    cells = tuple(_cell(power, other, position, variant) for other in variant.powers)
    return RelationRow(power.id, power.name, power.letter, str(power.colour), cells)


def _cell(power: PowerInfo, other: PowerInfo, position: Position, variant: Variant) -> RelationCell:
    if power.id == other.id:
        return RelationCell(other.id, other.name, "", "")
    stance = stance_towards(other.id, power.id, position, variant)
    return RelationCell(other.id, other.name, stance, _symbol(stance))


def _lines(mine: str, position: Position, variant: Variant) -> tuple[StanceLine, ...]:
    """Powers without units and centres are left out."""
    living = {unit.power for unit in position.units} | set(position.centres.values())
    others = [power for power in variant.powers if power.id != mine and power.id in living]
    stances = variant.ruleset.relations.stances[1:]
    return tuple(
        StanceLine(
            stance,
            _symbol(stance),
            tuple(o.name for o in others if stance_towards(o.id, mine, position, variant) == stance),
        )
        for stance in stances
    )


def _symbol(stance: str) -> str:
    return SYMBOLS.get(stance, OTHERWISE)
