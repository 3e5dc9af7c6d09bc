"""Balkan Battle for three: all start in Bulgaria, form units with their first order and win both homes in play."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudication.board import Board
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.turns import Calendar, Opening, PhaseKind, Season, Turn
from variants.balkan_three.sharing import LastOneTakesIt, among_those_who_share
from variants.families.homes_won import YEAR_TURN_AND_WINTER, HomesWon
from variants.families.homes_won import rules as family_rules

SPRING_1899 = Turn(1899, Season.SPRING, PhaseKind.MOVEMENT)
LAST_YEAR_WITHOUT_A_CENTRE = 1901
"""Until this Winter is over, a power keeps a unit that no centre supplies (D7)."""

CALENDAR = Calendar(
    YEAR_TURN_AND_WINTER,
    opening=(
        Opening(SPRING_1899),
        Opening(Turn(1899, Season.SPRING, PhaseKind.RETREAT)),
        Opening(Turn(1899, Season.FALL, PhaseKind.MOVEMENT)),
        Opening(Turn(1899, Season.FALL, PhaseKind.RETREAT), counts=True),
    ),
    begins=Turn(1901, Season.YEAR, PhaseKind.MOVEMENT),
)


@dataclass(frozen=True, slots=True)
class TimeForTheFirstCentre(HomesWon):
    """No power without a centre loses a unit before Winter 1902 (D7)."""

    def differences(self, power: str, position: Position) -> Mapping[str, int]:
        if position.turn.year <= LAST_YEAR_WITHOUT_A_CENTRE and not position.centres_of(power):
            return {}
        return HomesWon.differences(self, power, position)


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The ruleset on a board with camps; `facts` as in a variant.toml."""
    family = family_rules(board, facts)
    return replace(
        family,
        calendar=CALENDAR,
        legality=among_those_who_share(family.legality),
        builds=TimeForTheFirstCentre(),
        customs=(LastOneTakesIt(),),
        muster=SPRING_1899,
    )
