"""Balkan Battle for three: all start in Bulgaria, form units with their first order and win both homes in the game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudication.board import Board
from adjudication.control import centre_taken_notice
from adjudication.orders import Support
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.resolution import Changed, Notice
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import Calendar, Opening, PhaseKind, Season, Turn
from adjudication.units import Unit
from variants.families.homes_won import YEAR_TURN_AND_WINTER, HomesWon, with_homes_won
from variants.families.homes_won import rules as family_rules


def holds_unsupported(order: Support, unit: Unit, situation: Situation) -> OrderRefusal | None:
    """D6: no unit can be dislodged there, so none needs support to hold."""
    province = situation.board.around(order.supported)
    if order.supported in (province, unit.province) or order.destination is not None:
        return None
    return refuse(Reason.SHARES_THE_PROVINCE, place=province)


@dataclass(frozen=True, slots=True)
class LastOneTakesIt:
    """After a move, the first unit left alone in the province where all began takes it at once, whether or not centres
    are counted (rule 3). If it was in a camp, it leaves the camp."""

    def apply_custom(self, before: Position, after: Position, ruleset: Ruleset) -> Changed:
        all_notices: list[Notice] = []
        for province, camps in ruleset.board.camps.items():
            units_there = [unit for unit in after.units if unit.province in (province, *camps)]
            if len(units_there) == 1 and province not in after.centres:
                (alone,) = units_there
                there = replace(alone, location=province + alone.location.removeprefix(alone.province))
                units = tuple(there if each is alone else each for each in after.units)
                taken = replace(after, units=units, centres={**after.centres, province: there.power})
                after, notices = with_homes_won(after, taken, ruleset)
                all_notices += [centre_taken_notice(there, None), *notices]
        return after, tuple(all_notices)


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

    def centres_minus_units(self, power: str, position: Position) -> Mapping[str, int]:
        if position.turn.year <= LAST_YEAR_WITHOUT_A_CENTRE and not position.centres_of(power):
            return {}
        return HomesWon.centres_minus_units(self, power, position)


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The ruleset on a board with camps; `facts` as in a variant.toml."""
    family = family_rules(board, facts)
    legality = family.legality
    return replace(
        family,
        calendar=CALENDAR,
        legality=replace(
            legality, supports=(holds_unsupported, *legality.supports), by_board=legality.by_board | {holds_unsupported}
        ),
        builds=TimeForTheFirstCentre(),
        customs=(LastOneTakesIt(),),
        muster=SPRING_1899,
    )
