"""Factions: which are rivals, and how rivals refuse to help each other."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from adjudication.civil_disorder import NO_PROVINCES, CivilDisorder, disorder_notice
from adjudication.orders import Support
from adjudication.position import Position
from adjudication.reasons import Facts, OrderRefusal, Reason, refuse
from adjudication.resolution import Changed
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit

RIVAL: Mapping[str, str] = {"C": "D", "D": "C"}
"""Communists and democrats; the imperialist armies have no rival."""


def home_factions(facts: Mapping[str, Any]) -> dict[str, str]:
    """Home centre -> the letter of the faction that it supplies. `facts` as in variant.toml: `factions` by letter, and
    each power's home centres listed under the adjective of their faction."""
    return {
        centre: letter
        for entry in facts["powers"]
        for letter, adjective in facts["factions"].items()
        for centre in entry.get(adjective, ())
    }


def homes_of(entry: Mapping[str, Any], facts: Mapping[str, Any]) -> tuple[str, ...]:
    """All home centres of one power, sorted; the imperial ones are homes of the Germans (rules 2, 6)."""
    return tuple(sorted(centre for adjective in facts["factions"].values() for centre in entry.get(adjective, ())))


def rivals_do_not_support_each_other(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """A faction's armies cannot support those of its rival (rule 7)."""
    supported_unit = situation.unit_at(order.supported)
    if supported_unit is None or supported_unit.faction != RIVAL.get(unit.faction):
        return None
    return refuse(Reason.RIVAL_FACTIONS, faction=unit.faction, wrong=supported_unit.faction, helped=supported_unit)


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

    permanent_effects = (*CivilDisorder.permanent_effects, "placed")
    refusal_facts: ClassVar[Facts] = {"case": "imbalance", "count": TOO_MANY}

    def leaderless(self, position: Position) -> frozenset[str]:
        if position.turn.kind is not PhaseKind.MOVEMENT:
            return NO_PROVINCES
        factions = in_disorder(position)
        return frozenset(unit.province for unit in position.units if (unit.power, unit.faction) in factions)

    def put_in_civil_disorder(self, power: str, position: Position, ruleset: Ruleset) -> Changed:
        new_position, _ = CivilDisorder.put_in_civil_disorder(self, power, position, ruleset)
        return new_position, (disorder_notice(power, case="armies"),)
