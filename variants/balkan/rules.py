"""Balkan Battle for two: one turn a year, and each power wins a second home during the game."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from adjudication.board import Board
from adjudication.ruleset import Ruleset
from adjudication.turns import Calendar
from variants.families.homes_won import YEAR_TURN_AND_WINTER
from variants.families.homes_won import rules as family_rules


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The ruleset on any board; `facts` as in a variant.toml."""
    return replace(family_rules(board, facts), calendar=Calendar(YEAR_TURN_AND_WINTER))
