"""Dealing powers: the cheapest assignment, and how much a power costs each person."""

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
    wishes: Mapping[int, Sequence[str]], powers: Sequence[str], times_had: Mapping[int, Mapping[str, int]]
) -> dict[int, dict[str, int]]:
    """Costs for the fewest repeats, then the best places. `times_had`: person -> power -> how often they had it."""
    weight = len(powers) ** 2 + 1
    return {
        who: {power: times_had.get(who, {}).get(power, 0) ** 2 * weight + place for power, place in places.items()}
        for who, places in costs_by_wishes(wishes, powers).items()
    }


def deal(costs: Mapping[int, Mapping[str, int]], random: Random) -> dict[int, str]:
    """Person -> power, from what each power costs each person. All have the same powers, at least as many as people.

    The total cost is the lowest possible. Of all ways to reach it, one is picked at random, each equally likely.
    """
    people = sorted(costs)

    @cache
    def best(count: int, free_powers: frozenset[str]) -> tuple[int, int]:
        """The smallest sum for the people from `count` on, and the number of ways to reach it."""
        if count == len(people):
            return 0, 1
        options = [
            (costs[people[count]][power] + total, ways)
            for power in free_powers
            for total, ways in [best(count + 1, free_powers - {power})]
        ]
        smallest = min(total for total, _ways in options)
        return smallest, sum(ways for total, ways in options if total == smallest)

    power_by_person: dict[int, str] = {}
    free_powers = frozenset[str]().union(*costs.values())
    for index, who in enumerate(people):
        smallest, _ways = best(index, free_powers)
        best_powers = [
            (power, ways)
            for power in sorted(free_powers)
            for total, ways in [best(index + 1, free_powers - {power})]
            if costs[who][power] + total == smallest
        ]
        names, weights = zip(*best_powers, strict=True)
        (power_by_person[who],) = random.choices(names, weights)
        free_powers -= {power_by_person[who]}
    return power_by_person
