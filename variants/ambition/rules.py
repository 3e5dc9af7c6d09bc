"""The rules of Ambition & Empire (Jeff Kase and Baron Powell): Diplomacy Points, leagues of faith and chosen homes."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adjudication.board import Board
from adjudication.ruleset import Ruleset
from variants.families.chosen_homes import ChosenHomes
from variants.families.diplomacy_points import rules as family_rules
from variants.families.leagues import leagues_of, with_leagues


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The ruleset; `facts`: those of the family, and `chosen_homes`, `later_homes` and `leagues`."""
    family = family_rules(board, facts)
    homes = ChosenHomes(
        most=dict.fromkeys(facts["chosen_homes"]["powers"], facts["chosen_homes"]["most"]),
        later={power: tuple(centres) for power, centres in facts["later_homes"].items()},
    )
    return replace(
        family,
        builds=homes,
        customs=(*family.customs, homes),
        legality=with_leagues(family.legality, leagues_of(facts["leagues"])),
    )
