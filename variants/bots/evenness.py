"""How even each board is, as measured by bots: the share that each power gets when all bots play equally well."""

import tomllib
from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from importlib.resources import files

from variants.variant import PowerInfo, Variant

AT_MOST_EVEN, AT_MOST_FAIRLY, AT_MOST_EASIER = 1.2, 2.0, 5.0
"""How many times as much as the others, on average, the best power gets at most on such a board."""


class Evenness(StrEnum):
    """How even a board is, or how much easier it is for the best power."""

    EVEN = "even"
    FAIRLY = "fairly even"
    EASIER = "easier"
    MUCH_EASIER = "much easier"


@cache
def _measurements() -> Mapping[str, Mapping[str, int]]:
    return tomllib.loads(files("variants.bots").joinpath("evenness.toml").read_text())


def share_of(power: PowerInfo, variant: Variant) -> int | None:
    """The power's percentage among easy bots; None for a board that was not measured."""
    return _measurements().get(variant.ref, {}).get(power.id)


def best_power(variant: Variant) -> PowerInfo:
    """The power that does best; the first one if the board was not measured."""
    return max(variant.powers, key=lambda power: share_of(power, variant) or 0)


def evenness(variant: Variant) -> Evenness | None:
    """How even the board is; None if it was not measured."""
    share = share_of(best_power(variant), variant)
    if share is None:
        return None
    mean_of_others = (100 - share) / (len(variant.powers) - 1)
    if share <= AT_MOST_FAIRLY * mean_of_others:
        return Evenness.EVEN if share <= AT_MOST_EVEN * mean_of_others else Evenness.FAIRLY
    return Evenness.EASIER if share <= AT_MOST_EASIER * mean_of_others else Evenness.MUCH_EASIER
