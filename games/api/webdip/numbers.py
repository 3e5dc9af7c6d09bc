"""Which variants can be told in the numbers of this form."""

from functools import cache

from adjudication.turns import PhaseKind, Season, Turn
from variants.registry import ALL
from variants.travel.webdip import COUNTRIES, FIRST_YEAR, KINDS, TERRITORIES
from variants.variant import Variant


@cache
def spoken() -> frozenset[str]:
    """The slugs of the variants that these numbers can tell: their powers, places and phases, and no points."""
    return frozenset(variant.slug for variant in ALL if _can_be_told(variant))


def _can_be_told(variant: Variant) -> bool:
    rules = variant.ruleset
    told = {step.kind for step in rules.calendar.steps}
    return (
        {power.id for power in variant.powers} == set(COUNTRIES)
        and set(rules.board.locations) == set(TERRITORIES)
        and variant.start.turn == Turn(FIRST_YEAR, Season.SPRING, PhaseKind.MOVEMENT)
        and told == set(KINDS)
    )
