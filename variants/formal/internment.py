"""Internment: a neutral power disbands the units on its land."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from adjudication.position import Position
from adjudication.resolution import Changed, Notice, OrderOutcome, OrderResult
from adjudication.ruleset import Ruleset
from adjudication.turns import PhaseKind
from adjudication.units import Unit
from adjudication.words import power_words, unit_words
from variants.formal.stances import are_neutral

VICTORS = "victors"
"""In the memory between a movement phase and its retreats: provinces in which an enemy was beaten on neutral land."""


def offended(unit: Unit, position: Position, ruleset: Ruleset) -> str | None:
    """The neutral power whose land the unit is on."""
    owner = ruleset.territory.owner(unit.province, position)
    return owner if owner and are_neutral(unit.power, owner, position) else None


@dataclass(frozen=True, slots=True)
class Victors:
    """D10: a unit that has just beaten an enemy on neutral land may be there."""

    def keep(self, before: Position, after: Position, outcomes: Sequence[OrderOutcome], ruleset: Ruleset) -> Position:
        if before.turn.kind is not PhaseKind.MOVEMENT:
            return after
        beaten = {o.unit.province for o in outcomes if o.unit and _is_beaten(o)}
        there = [unit for unit in after.units if unit.province in beaten]
        victors = sorted(unit.province for unit in there if offended(unit, after, ruleset))
        return replace(after, memory={**after.memory, VICTORS: victors}) if victors else after


def _is_beaten(outcome: OrderOutcome) -> bool:
    return OrderResult.DISLODGED in outcome.results or OrderResult.DESTROYED in outcome.results


@dataclass(frozen=True, slots=True)
class Internment:
    """D9: once, after the retreats, by the relations in force in the movement phase."""

    def settle(self, before: Position, after: Position, ruleset: Ruleset) -> Changed:
        if before.turn.kind is not PhaseKind.RETREAT:
            return after, ()
        spared = after.memory.get(VICTORS, ())
        staying, notices = [], []
        for unit in after.units:
            owner = None if unit.province in spared else offended(unit, after, ruleset)
            if owner:
                notices.append(_interned(unit, owner, ruleset))
            else:
                staying.append(unit)
        memory = {name: value for name, value in after.memory.items() if name != VICTORS}
        return replace(after, units=tuple(staying), memory=memory), tuple(notices)


def _interned(unit: Unit, owner: str, ruleset: Ruleset) -> Notice:
    theirs = f"{power_words(unit.power)}'s {unit_words(unit, ruleset.board)}"
    sentence = f"{power_words(owner)} interned {theirs}, which was on its neutral land. It is disbanded."
    return Notice("interned", unit.power, unit.province, sentence)
