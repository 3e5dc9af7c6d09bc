"""Factions: which of them are rivals, and what rivals will not do for each other."""

from collections.abc import Mapping
from typing import Any

from adjudication.orders import Support
from adjudication.reasons import OrderRefusal, Reason
from adjudication.situation import Situation
from adjudication.units import Unit
from adjudication.words import unit_words

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
    """Rule 7."""
    supported = situation.unit_at(order.supported)
    if supported is None or supported.faction != RIVAL.get(unit.faction):
        return None
    adjective = situation.ruleset.factions[unit.faction].capitalize()
    other = situation.ruleset.factions[supported.faction]
    sentence = f"{adjective} armies cannot support {other} ones such as {unit_words(supported, situation.board)}."
    return OrderRefusal(Reason.RIVAL_FACTIONS, sentence)
