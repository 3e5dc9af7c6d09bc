"""Civil disorder within a power: a faction that its rival outnumbers takes no orders."""

from collections import Counter
from dataclasses import dataclass

from adjudication.civil_disorder import NO_PROVINCES, CivilDisorder
from adjudication.position import Position
from adjudication.resolution import Changed, Notice
from adjudication.ruleset import Ruleset
from adjudication.turns import PhaseKind
from adjudication.words import power_words
from variants.dual_empire.factions import RIVAL

TOO_MANY = 3
"""How many more armies than its rival a faction must have (rule 8)."""


def in_disorder(position: Position) -> frozenset[tuple[str, str]]:
    """The powers and factions that have armies, but too few against their rivals (rule 8)."""
    counts = Counter((unit.power, unit.faction) for unit in position.units)
    return frozenset(
        (power, faction)
        for (power, faction), count in counts.items()
        if faction in RIVAL and counts[power, RIVAL[faction]] - count >= TOO_MANY
    )


@dataclass(frozen=True, slots=True)
class Imbalance(CivilDisorder):
    """Rule 8, tested on the position in which a movement turn begins (D6)."""

    for_good = (
        *CivilDisorder.for_good,
        "If this is declared before its first armies are placed, the rules place them.",
    )
    why = f"its power’s rival faction has at least {TOO_MANY} armies more"

    def leaderless(self, position: Position) -> frozenset[str]:
        if position.turn.kind is not PhaseKind.MOVEMENT:
            return NO_PROVINCES
        beaten = in_disorder(position)
        return frozenset(unit.province for unit in position.units if (unit.power, unit.faction) in beaten)

    def secede(self, power: str, position: Position, ruleset: Ruleset) -> Changed:
        left, _ = CivilDisorder.secede(self, power, position, ruleset)
        sentence = f"The {power_words(power)} are in civil disorder for good; their armies hold."
        return left, (Notice("civil disorder", power, None, sentence),)
