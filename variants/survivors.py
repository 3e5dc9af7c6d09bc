"""The powers left in a game, and the draw between them after the last year."""

from collections.abc import Collection

from adjudication.civil_disorder import playable_powers
from adjudication.position import Position
from adjudication.resolution import Verdict, VerdictKind
from variants.variant import Variant
from variants.words.english import listed


def survivors(position: Position, variant: Variant) -> tuple[str, ...]:
    """The powers that may still be played and have a centre or a unit, even a dislodged one (D13)."""
    playing = playable_powers(position, variant.ruleset)
    powers_with_units = {unit.power for unit in position.units} | {it.unit.power for it in position.dislodged}
    powers_with_units |= set(position.centres.values())
    return tuple(power.id for power in variant.powers if power.id in powers_with_units and power.id in playing)


def listed_powers(powers: Collection[str], variant: Variant) -> str:
    """These powers within a sentence, in the variant's order, as in "Britain, France and the Soviet Union"."""
    return listed([power.called for power in variant.powers if power.id in powers])


def verdict_after_last_year(position: Position, variant: Variant, last_year: int | None) -> Verdict | None:
    """The draw between the powers that still have units, if the next turn is after the last year of the game."""
    if last_year is None or position.turn.year <= last_year:
        return None
    powers = tuple([power for power in survivors(position, variant) if position.units_of(power)])
    if not powers:
        return Verdict((), VerdictKind.LAST_YEAR, {"case": "none", "year": last_year})
    if len(powers) == 1:
        return Verdict(powers, VerdictKind.LAST_YEAR, {"case": "one", "powers": powers, "year": last_year})
    return Verdict(powers, VerdictKind.LAST_YEAR, {"powers": powers, "year": last_year})
