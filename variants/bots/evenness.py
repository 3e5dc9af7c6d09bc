"""How even each board is, as measured by bots: what share each power gets when all are played alike."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from variants.variant import PowerInfo, Variant

EVEN, FAIRLY_EVEN, UNEVEN = 1.2, 2.0, 5.0
"""How many times as much as the others, on average, the best power gets at most on such a board."""


@cache
def _measured() -> Mapping[str, Mapping[str, int]]:
    return tomllib.loads(files("variants.bots").joinpath("evenness.toml").read_text())


def share_of(power: PowerInfo, variant: Variant) -> int | None:
    """Of 100, among easy bots; None for a board that was not measured."""
    return _measured().get(variant.slug, {}).get(power.id)


def best_power(variant: Variant) -> PowerInfo:
    """The power that does best, or the first."""
    return max(variant.powers, key=lambda power: share_of(power, variant) or 0)


def evenness(variant: Variant) -> str:
    """As in “Even” or “Easier for Italy”; "" if it was not measured."""
    best = best_power(variant)
    share = share_of(best, variant)
    if share is None:
        return ""
    others = (100 - share) / (len(variant.powers) - 1)
    if share <= FAIRLY_EVEN * others:
        return "Even" if share <= EVEN * others else "Fairly even"
    return f"{'Easier' if share <= UNEVEN * others else 'Much easier'} for {best.called}"
