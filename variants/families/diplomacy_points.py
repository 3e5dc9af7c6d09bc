"""The rules of the Diplomacy Points family, where they differ from standard Diplomacy.

Players bid a few points a turn for the orders of armed minor powers. An abandoned power falls apart into new
minor powers. Colonial centres are not homes, so nothing is built there.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adjudication.auction import DiplomacyPoints
from adjudication.board import Board
from adjudication.civil_disorder import Independence
from adjudication.neutrals import ArmedMinors, SortieRule
from adjudication.orders import Support
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.units import NEUTRAL, Unit
from variants.standard.rules import rules as standard_rules


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The family's ruleset on any board; `facts` as in a variant.toml with `diplomacy_points`. Its `minors` may say
    `convoys = true`, and `sorties` with one of the values of `SortieRule`."""
    standard, minors = standard_rules(board, facts), facts["minors"]
    sorties = SortieRule(minors["sorties"]) if "sorties" in minors else None
    legality = standard.legality
    if sorties is SortieRule.HOLDS:
        legality = replace(legality, supports=(*legality.supports, sortie_is_alone))
    return replace(
        standard,
        neutrals=ArmedMinors(sorties, minors.get("convoys", False)),
        legality=legality,
        auction=DiplomacyPoints(most=facts["diplomacy_points"]["most_per_turn"]),
        disorder=Independence(from_homes=True),
    )


def sortie_is_alone(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """If a unit that makes a sortie counts as holding, nobody can support the sortie itself."""
    supported_unit = situation.unit_at(order.supported)
    if order.destination is None or supported_unit is None or supported_unit.power != NEUTRAL:
        return None
    return refuse(Reason.SORTIE, case="alone", place=supported_unit.province)
