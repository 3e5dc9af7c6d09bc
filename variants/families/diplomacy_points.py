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
from adjudication.neutrals import ArmedMinors
from adjudication.ruleset import Ruleset
from variants.standard.rules import rules as standard_rules


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The family's ruleset on any board; `facts` as in a variant.toml with `diplomacy_points`."""
    return replace(
        standard_rules(board, facts),
        neutrals=ArmedMinors(),
        auction=DiplomacyPoints(most=facts["diplomacy_points"]["most_per_turn"]),
        disorder=Independence(from_homes=True),
    )
