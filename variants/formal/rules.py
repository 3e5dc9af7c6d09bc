"""Formal Diplomacy: standard Diplomacy under declared war, neutrality and alliance."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudication.board import Board
from adjudication.civil_disorder import CivilDisorder
from adjudication.ruleset import Ruleset
from adjudication.turns import Calendar, PhaseKind, Season, Step
from variants.formal.declarations import Declarations
from variants.formal.legality import FORMAL_LEGALITY
from variants.formal.stances import DeclaredRelations, NeutralLand
from variants.formal.territory import home_territory
from variants.standard.rules import rules as standard_rules


@dataclass(frozen=True, slots=True)
class Silence(CivilDisorder):
    """A power that no one plays declares nothing (D1, D12)."""

    for_good = (
        *CivilDisorder.for_good,
        "It declares nothing any more. Others can still declare war on it, or end their alliance with it. No one can "
        "make peace or an alliance with it, because that takes two.",
    )


YEAR = Calendar(
    (
        Step(Season.SPRING, PhaseKind.DECLARATION),
        Step(Season.SPRING, PhaseKind.MOVEMENT),
        Step(Season.SPRING, PhaseKind.RETREAT),
        Step(Season.FALL, PhaseKind.DECLARATION),
        Step(Season.FALL, PhaseKind.MOVEMENT),
        Step(Season.FALL, PhaseKind.RETREAT, counts=True),
        Step(Season.WINTER, PhaseKind.ADJUSTMENT),
    )
)


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The ruleset on any board; `facts` as for the standard game, and each power's `lands`."""
    return replace(
        standard_rules(board, facts),
        calendar=YEAR,
        relations=DeclaredRelations(),
        legality=FORMAL_LEGALITY,
        internment=NeutralLand(),
        territory=home_territory(board, facts),
        disorder=Silence(),
        special={PhaseKind.DECLARATION: Declarations()},
    )
