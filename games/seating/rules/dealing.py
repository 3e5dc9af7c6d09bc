"""Dealing powers: the cheapest assignment, and how much a power costs each person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from random import Random


def place_in_wishes(wishes: Sequence[str], power: str) -> int:
    """The place of a power in a list, from 1. All powers that are not in the list share the next place."""
    return (wishes.index(power) if power in wishes else len(wishes)) + 1


def costs_by_wishes(wishes: Mapping[int, Sequence[str]], powers: Sequence[str]) -> dict[int, dict[str, int]]:
    """Person -> power -> its place in the person's list, in which the favourite is first."""
    return {who: {power: place_in_wishes(of_one, power) for power in powers} for who, of_one in wishes.items()}


def costs_by_repeats(
    wishes: Mapping[int, Sequence[str]], powers: Sequence[str], had: Mapping[int, Mapping[str, int]]
) -> dict[int, dict[str, int]]:
    """Costs for the fewest repeats, then the best places. `had`: person -> power -> how often they had it."""
    weight = len(powers) ** 2 + 1
    return {
        who: {power: had.get(who, {}).get(power, 0) ** 2 * weight + place for power, place in places.items()}
        for who, places in costs_by_wishes(wishes, powers).items()
    }


def deal(costs: Mapping[int, Mapping[str, int]], chance: Random) -> dict[int, str]:
    """Person -> power, from what each power costs each person. All have the same powers, at least as many as people.

    The total cost is the lowest possible. Of all ways to reach it, one is picked at random, each equally likely.
    """
    people = sorted(costs)

    @cache
    def best(dealt: int, free: frozenset[str]) -> tuple[int, int]:
        """The smallest sum for the people from `dealt` on, and the number of ways to reach it."""
        if dealt == len(people):
            return 0, 1
        options = [
            (costs[people[dealt]][power] + total, ways)
            for power in free
            for total, ways in [best(dealt + 1, free - {power})]
        ]
        smallest = min(total for total, _ways in options)
        return smallest, sum(ways for total, ways in options if total == smallest)

    given: dict[int, str] = {}
    free = frozenset[str]().union(*costs.values())
    for dealt, who in enumerate(people):
        smallest, _ways = best(dealt, free)
        fitting = [
            (power, ways)
            for power in sorted(free)
            for total, ways in [best(dealt + 1, free - {power})]
            if costs[who][power] + total == smallest
        ]
        names, weights = zip(*fitting, strict=True)
        (given[who],) = chance.choices(names, weights)
        free -= {given[who]}
    return given
