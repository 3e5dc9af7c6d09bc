"""Dividing items into groups of fixed sizes: the search for a cheap arrangement, by swapping pairs of items."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeAlias

Swap: TypeAlias = tuple[int, int]
KICK = 2
"""Swaps by chance before another descent."""


@dataclass(frozen=True, slots=True)
class Costs:
    """What an arrangement costs. Items and groups are numbered from 0.

    `between`: item -> item -> the cost of both in one group, symmetric, 0 with itself. `alone`: item -> group -> the
    item's own cost in that group. `levels`: item -> a number to be balanced. `imbalance`: group -> the sum of its
    levels -> the cost.
    """

    between: Sequence[Sequence[int]]
    alone: Sequence[Sequence[int]]
    levels: Sequence[int]
    imbalance: Sequence[Sequence[int]]


@dataclass(frozen=True, slots=True)
class Stop:
    """When to stop, without a clock, so that every machine finds the same: at the optimum, if it is known; or after
    this many kicks without success, or looks, from one start. No swap may cost `limit` or more."""

    optimum: int
    patience: int
    most_looks: int
    limit: int


class Arrangement:
    """`total` is what it costs; `looks` is the number of swaps whose difference has been computed."""

    def __init__(self, costs: Costs, groups: Sequence[Sequence[int]]) -> None:
        self.costs, self.groups = costs, [list(group) for group in groups]
        self.place = [0] * len(costs.levels)
        for number, group in enumerate(groups):
            for item in group:
                self.place[item] = number
        self._in_group = [self._costs_in_groups(item) for item in range(len(self.place))]
        self._levels = [sum(costs.levels[item] for item in group) for group in groups]
        self.looks = 0
        self.total = self.recounted()

    def _costs_in_groups(self, item: int) -> list[int]:
        """What the item costs, or would cost, in each group with the items that are there now."""
        between = self.costs.between[item]
        met = (sum(between[other] for other in group) for group in self.groups)
        return [cost + more for cost, more in zip(self.costs.alone[item], met, strict=True)]

    def recounted(self) -> int:
        """The total, computed anew."""
        costs = self.costs
        own_costs = sum(costs.alone[item][place] for item, place in enumerate(self.place))
        pair_costs = sum(costs.between[one][other] for group in self.groups for one in group for other in group) // 2
        levels = [sum(costs.levels[item] for item in group) for group in self.groups]
        return own_costs + pair_costs + sum(row[level] for row, level in zip(costs.imbalance, levels, strict=True))

    def difference(self, item: int, other: int) -> int:
        """How much the total changes if two items of different groups are swapped. Takes constant time."""
        self.looks += 1
        here, there = self.place[item], self.place[other]
        own, others = self._in_group[item], self._in_group[other]
        change = own[there] - own[here] + others[here] - others[there] - 2 * self.costs.between[item][other]
        if rise := self.costs.levels[other] - self.costs.levels[item]:
            level, other_level = self._levels[here], self._levels[there]
            row, other_row = self.costs.imbalance[here], self.costs.imbalance[there]
            change += row[level + rise] - row[level] + other_row[other_level - rise] - other_row[other_level]
        return change

    def swap(self, one: int, other: int) -> None:
        """Swap two items of different groups."""
        self.total += self.difference(one, other)
        here, there = self.place[one], self.place[other]
        own_costs, other_costs = self.costs.between[one], self.costs.between[other]
        for item, costs in enumerate(self._in_group):
            if cost_change := other_costs[item] - own_costs[item]:
                costs[here] += cost_change
                costs[there] -= cost_change
        level_change = self.costs.levels[other] - self.costs.levels[one]
        self._levels[here] += level_change
        self._levels[there] -= level_change
        self.groups[here][self.groups[here].index(one)] = other
        self.groups[there][self.groups[there].index(other)] = one
        self.place[one], self.place[other] = there, here

    def descend(self, changed_groups: set[int]) -> list[Swap]:
        """Make the best swap of each changed group in turn, until none lowers the total; return the swaps."""
        swaps_made: list[Swap] = []
        while changed_groups:
            group = min(changed_groups)
            swap = self._best_swap(group)
            if swap is None:
                changed_groups.remove(group)
                continue
            changed_groups.add(self.place[swap[1]])
            self.swap(*swap)
            swaps_made.append(swap)
        return swaps_made

    def _best_swap(self, group: int) -> Swap | None:
        others = [item for item, place in enumerate(self.place) if place != group]
        swaps = ((self.difference(one, other), one, other) for one in self.groups[group] for other in others)
        change, one, other = min(swaps, default=(0, 0, 0))
        return (one, other) if change < 0 else None

    def kick(self, random: Random, times: int, limit: int) -> list[Swap]:
        """Make random swaps, each of which costs less than the limit, and return them."""
        swaps_made: list[Swap] = []
        for _ in range(times):
            one, other = random.sample(range(len(self.place)), 2)
            if self.place[one] != self.place[other] and self.difference(one, other) < limit:
                self.swap(one, other)
                swaps_made.append((one, other))
        return swaps_made

    def undo(self, swaps_made: Sequence[Swap]) -> None:
        for one, other in reversed(swaps_made):
            self.swap(one, other)


def fewest(costs: Costs, starts: Iterable[Sequence[Sequence[int]]], random: Random, stop: Stop) -> list[list[int]]:
    """The groups of the cheapest arrangement found. From each start, swaps lower the total as far as they can. Then
    random swaps and more such swaps follow, and are undone if the total has risen."""
    best: Arrangement | None = None
    for groups in starts:
        arrangement = Arrangement(costs, groups)
        arrangement.descend(set(range(len(groups))))
        _improve(arrangement, random, stop)
        best = arrangement if best is None or arrangement.total < best.total else best
        if best.total <= stop.optimum:
            break
    assert best is not None
    return best.groups


def _improve(arrangement: Arrangement, random: Random, stop: Stop) -> None:
    failures = 0
    while arrangement.total > stop.optimum and failures < stop.patience and arrangement.looks < stop.most_looks:
        total_before = arrangement.total
        swaps_made = arrangement.kick(random, KICK, stop.limit)
        swaps_made += arrangement.descend({arrangement.place[item] for swap in swaps_made for item in swap})
        if arrangement.total > total_before:
            arrangement.undo(swaps_made)
        failures = failures + 1 if arrangement.total >= total_before else 0
