"""Internment: a neutral power disbands the units on its land."""

from dataclasses import dataclass

from adjudication.position import Position
from adjudication.resolution import Notice
from adjudication.ruleset import Ruleset
from adjudication.units import Unit
from adjudication.words import power_words, unit_words
from variants.formal.stances import are_neutral


@dataclass(frozen=True, slots=True)
class NeutralLand:
    """D9: at the end of the movement phase, by the relations in force in it. A unit that has just beaten an enemy there
    is spared until the next one (D10)."""

    def notice(self, unit: Unit, position: Position, ruleset: Ruleset) -> Notice | None:
        owner = ruleset.territory.owner(unit.province, position)
        if not owner or not are_neutral(unit.power, owner, position):
            return None
        theirs = f"{power_words(unit.power)}'s {unit_words(unit, ruleset.board)}"
        sentence = f"{power_words(owner)} interned {theirs}, which was on its neutral land. It is disbanded."
        return Notice("interned", unit.power, unit.province, sentence)
