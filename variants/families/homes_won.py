"""The rules of the Balkan Battle family: a power wins its homes during the game, and most turns last a year.

The position remembers in `memory["homes"]`: power -> the homes it has won, in that order.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from adjudication.adjustments import HomeCentres
from adjudication.board import Board
from adjudication.control import MostCentres, Occupation
from adjudication.position import Position
from adjudication.resolution import Changed, Verdict, VerdictKind
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind, Season, Step
from variants.families.chosen_homes import home_won
from variants.standard.rules import rules as standard_rules

HOMES = 2
"""The most homes a power may have, including those it starts with (rules 3 and 5)."""

YEAR_TURN_AND_WINTER = (
    Step(Season.YEAR, PhaseKind.MOVEMENT),
    Step(Season.WINTER, PhaseKind.RETREAT, counts=True),
    Step(Season.WINTER, PhaseKind.ADJUSTMENT),
)
"""Rule 2; retreats and adjustments are two steps of one Winter (D1)."""


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The family's ruleset on any board; `facts` as in a variant.toml. The variant adds its calendar."""
    return replace(
        standard_rules(board, facts),
        builds=HomesWon(),
        control=FirstCentresAreHomes(),
        victory=CentresOrNobodyLeft(facts["victory"]["centres"]),
    )


def homes_of(power: str, position: Position, ruleset: Ruleset) -> tuple[str, ...]:
    """The places where a power may build: the homes it started with, then those it has won."""
    return (*ruleset.homes[power], *position.memory.get("homes", {}).get(power, ()))


def with_homes_won(before: Position, after: Position, ruleset: Ruleset) -> Changed:
    """`after`, with the new homes from centres taken since `before`.

    A power with fewer than two homes has one unit, so it never takes two centres at once. D2's alphabetical order is
    the order of `centres`, and never decides anything in a game.
    """
    homes_by_power: dict[str, list[str]] = {p: list(homes) for p, homes in after.memory.get("homes", {}).items()}
    notices = []
    for centre, power in after.centres.items():
        homes = (*ruleset.homes[power], *homes_by_power.get(power, ()))
        if before.centres.get(centre) != power and centre not in homes and len(homes) < HOMES:
            homes_by_power.setdefault(power, []).append(centre)
            notices.append(home_won(power, centre))
    if not notices:
        return after, ()
    return replace(after, memory={**after.memory, "homes": dict(sorted(homes_by_power.items()))}), tuple(notices)


@dataclass(frozen=True, slots=True)
class FirstCentresAreHomes(Occupation):
    """Centres change hands as usual; the first ones a power takes become its homes, for good (rules 3 and 5)."""

    def count_centres(self, position: Position, ruleset: Ruleset) -> Changed:
        # Without its arguments super() fails in a dataclass with slots.
        new_position, notices = Occupation.count_centres(self, position, ruleset)
        new_position, home_notices = with_homes_won(position, new_position, ruleset)
        return new_position, (*notices, *home_notices)


@dataclass(frozen=True, slots=True)
class HomesWon(HomeCentres):
    """A unit for each centre, built in empty homes, original or won, that the power controls."""

    def homes(self, power: str, situation: Situation) -> tuple[str, ...]:
        """If two powers share a home, only the one that controls it may build there (rule 5)."""
        return homes_of(power, situation.position, situation.ruleset)

    def most_homes(self, power: str, situation: Situation) -> int:
        return HOMES


@dataclass(frozen=True, slots=True)
class CentresOrNobodyLeft(MostCentres):
    """Enough centres win (rule 4). If no power has a unit or a centre, no one can win: a draw (D3)."""

    def verdict(self, position: Position, ruleset: Ruleset) -> Verdict | None:
        if not position.units and not position.dislodged and not position.centres:
            return Verdict(ruleset.powers, VerdictKind.NOBODY_LEFT)
        return MostCentres.verdict(self, position, ruleset)
