"""Dealing powers to people by their wishes: the sum of places in the wish lists is as small as can be."""

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random


def cost(wishes: Sequence[str], power: str) -> int:
    """The place of a power in a list, from 1; all that are not in the list come after it, at the same place."""
    return (wishes.index(power) if power in wishes else len(wishes)) + 1


def deal(wishes: Mapping[int, Sequence[str]], powers: Sequence[str], chance: Random) -> dict[int, str]:
    """Person -> power. Each person has a list of powers, the dearest first; no more people than powers.

    The sum of the places that people get of their own lists is the smallest possible; of all ways to reach it
    chance takes one, each as likely as the others.
    """
    people = sorted(wishes)

    @cache
    def best(dealt: int, free: frozenset[str]) -> tuple[int, int]:
        """The smallest sum for the people from this one on, and in how many ways it can be reached."""
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
