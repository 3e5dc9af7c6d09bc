"""Formal Diplomacy: standard Diplomacy under declared war, neutrality and alliance."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudication.board import Board
from adjudication.civil_disorder import CivilDisorder
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.turns import Calendar, PhaseKind, Season, Step
from variants.formal.declarations import Declarations
from variants.formal.legality import FORMAL_LEGALITY
from variants.formal.stances import DeclaredRelations, NeutralLand
from variants.standard.rules import rules as standard_rules


@dataclass(frozen=True, slots=True, eq=False)
class HomeTerritory:
    """`lands`: province -> the power it belongs to at the start, and that power's home centres next to it. What is
    neither a supply centre nor named here is never owned (D8)."""

    lands: Mapping[str, tuple[str, tuple[str, ...]]]

    def owner(self, province: str, position: Position) -> str | None:
        """The first owner, unless another power holds more of its neighbouring home centres than it does: then the
        one that holds most, and no one if two tie (D7)."""
        if province not in self.lands:
            return position.centres.get(province)
        first, homes = self.lands[province]
        held = Counter(position.centres[home] for home in homes if home in position.centres)
        own = held.pop(first, 0)
        if own >= held.total():
            return first
        (most, count), *others = held.most_common()
        return None if others and others[0][1] == count else most


def home_territory(board: Board, facts: Mapping[str, Any]) -> HomeTerritory:
    """From the `powers` of variant.toml, each with its `homes` and `lands`."""
    return HomeTerritory(
        {
            land: (entry["id"], tuple(home for home in entry["homes"] if home in board.army[land]))
            for entry in facts["powers"]
            for land in entry["lands"]
        }
    )


@dataclass(frozen=True, slots=True)
class Silence(CivilDisorder):
    """A power that no one plays declares nothing (D1, D12)."""

    for_good = (*CivilDisorder.for_good, "silent")


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
