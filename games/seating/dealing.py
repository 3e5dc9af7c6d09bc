"""Assigning powers by preference, so that the sum of the places people get in their own lists is the smallest."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random


def cost(wishes: Sequence[str], power: str) -> int:
    """The place of a power in a list, from 1; all powers not in the list share the place after its end."""
    return (wishes.index(power) if power in wishes else len(wishes)) + 1


def deal(wishes: Mapping[int, Sequence[str]], powers: Sequence[str], chance: Random) -> dict[int, str]:
    """Person -> power. Each person has a list of powers, favourite first; there are no more people than powers.

    The sum of the places that people get in their own lists is the smallest possible. Of all ways to reach it, chance
    picks one, each equally likely.
    """
    people = sorted(wishes)

    @cache
    def best(dealt: int, free: frozenset[str]) -> tuple[int, int]:
        """The smallest sum for the people from this one on, and the number of ways to reach it."""
        if dealt == len(people):
            return 0, 1
        options = [
            (cost(wishes[people[dealt]], power) + total, ways)
            for power in free
            for total, ways in [best(dealt + 1, free - {power})]
        ]
        smallest = min(total for total, _ways in options)
        return smallest, sum(ways for total, ways in options if total == smallest)

    given: dict[int, str] = {}
    free = frozenset(powers)
    for dealt, who in enumerate(people):
        smallest, _ways = best(dealt, free)
        fitting = [
            (power, ways)
            for power in sorted(free)
            for total, ways in [best(dealt + 1, free - {power})]
            if cost(wishes[who], power) + total == smallest
        ]
        names, weights = zip(*fitting, strict=True)
        (given[who],) = chance.choices(names, weights)
        free -= {given[who]}
    return given
