"""The search for a movement phase: the best plan against guesses at the others' plans.

The others' quick plans are improved once, each against quick plans of everyone, and combined into worlds. The own plan
is then climbed to: every small change is tried in all worlds, a single order or several that belong together, and kept
if the plan is worth more by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from variants.bots.bidding import mixed
from variants.bots.changes import changes
from variants.bots.field import Field, Plan, World
from variants.bots.quick import quick_plan
from variants.bots.whims import Whims

FIRST_LOOK = 4
"""A change is dropped if it is worse in the first so many worlds."""


class Effort(NamedTuple):
    """How much is tried: `positions` judged in all; `worlds`, guesses at the others' plans; `drafts`, quick plans to
    begin with; `others`: the percentage of positions spent on the others' plans."""

    positions: int
    worlds: int
    drafts: int
    others: int

    def of(self, percent: int) -> Effort:
        """The same with so many percent of the positions, and no more worlds than they are good for."""
        positions = max(1, self.positions * percent // 100)
        return self._replace(positions=positions, worlds=min(self.worlds, max(FIRST_LOOK, positions // 400)))


MOST_PASSES = 6
UNMOVED = 4
"""One of so many plans of others stays as it is."""


def best_plan(field: Field, power: str, seed: int, effort: Effort) -> Plan:
    """The plan that the search arrives at. The same for the same arguments."""
    climb, best = _searched(field, power, Whims("search", seed, power), effort)
    return mixed(climb, best.plan) if field.points(power) and field.minors else best.plan


def hopes(field: Field, power: str, whims: Whims, effort: Effort) -> int:
    """What such a plan is worth in all worlds together, in thousandths of a supply centre."""
    return sum(_searched(field, power, whims, effort)[1].scores)


def _searched(field: Field, power: str, whims: Whims, effort: Effort) -> tuple[Climb, Scored]:
    worlds = _worlds(field, power, whims, effort)
    climb = Climb(field, power, worlds, effort.positions * (100 - effort.others) // 100, whims)
    return climb, climb.from_best([quick_plan(field, power, whims) for _ in range(effort.drafts)], MOST_PASSES)


def _worlds(field: Field, power: str, whims: Whims, effort: Effort) -> list[World]:
    """Combinations of plans of the others. Those who can meet this power are taken more seriously."""
    others = [other for other in field.prospect.powers if other != power and field.choices(other)]
    plans = {other: [quick_plan(field, other, whims) for _ in range(effort.worlds)] for other in others}
    near = [other for other in others if field.reach[other] & field.reach[power]]
    if near:
        own = [quick_plan(field, power, whims) for _ in range(effort.worlds)]
        each = effort.positions * effort.others // 100 // len(near)
        better = {other: _improved(field, other, {**plans, power: own}, each, whims) for other in near}
        plans |= better
    return [field.world([plans[other][number] for other in others]) for number in range(effort.worlds)]


def _improved(
    field: Field, power: str, plans: Mapping[str, Sequence[Plan]], positions: int, whims: Whims
) -> list[Plan]:
    """The power's plans, most of them improved as far as its share of the positions goes: not everyone sees what would
    be better."""
    own = plans[power]
    worlds = [
        field.world([plans[other][number] for other in plans if other != power])
        for number in range(min(FIRST_LOOK, len(own)))
    ]
    each = positions // len(own)
    return [
        Climb(field, power, worlds, each, whims).from_best([draft], 1).plan if number % UNMOVED else draft
        for number, draft in enumerate(own)
    ]


class Scored(NamedTuple):
    """A plan, and what it is worth in each world."""

    plan: Plan
    scores: list[int]


class Climb:
    """A climb of one power's plan in some worlds. `left`: how many positions may still be judged."""

    def __init__(self, field: Field, power: str, worlds: Sequence[World], positions: int, whims: Whims) -> None:
        self.field, self.power, self.worlds, self.left, self.whims = field, power, worlds, positions, whims
        self.worth = field.worth(power)

    def from_best(self, drafts: Sequence[Plan], passes: int) -> Scored:
        """The best of these plans, improved until nothing helps or no positions are left."""
        scored = [Scored(draft, [self._score(draft, world) for world in self.worlds]) for draft in drafts]
        best = max(scored, key=lambda one: sum(one.scores))
        for _ in range(passes):
            better = self._passed(best)
            if better is best or self.left <= 0:
                return better
            best = better
        return best

    def value(self, plan: Plan, worlds: Sequence[World]) -> int:
        """What the plan is worth in these worlds together."""
        return sum(self._score(plan, world) for world in worlds)

    def _score(self, plan: Plan, world: World) -> int:
        self.left -= 1
        return self.worth.of(*self.field.outcome(plan, world))

    def _passed(self, best: Scored) -> Scored:
        """The best plan after every change has been tried once."""
        look = self.whims.shuffled(range(len(self.worlds)))
        for change in self.whims.shuffled(changes(self.field, self.power, best.plan, self.worlds[0])):
            if self.left <= 0:
                break
            candidate = best.plan.changed(change.orders, change.bids)
            scores = self._compared(candidate, best.scores, look)
            if scores is not None:
                best = Scored(candidate, scores)
        return best

    def _compared(self, plan: Plan, scores: Sequence[int], look: Sequence[int]) -> list[int] | None:
        """The plan's scores if it is better than one with these; given up early if the first look says no."""
        found, ahead = [*scores], 0
        for looked, number in enumerate(look, start=1):
            found[number] = self._score(plan, self.worlds[number])
            ahead += found[number] - scores[number]
            if looked == FIRST_LOOK and ahead <= 0:
                return None
        return found if ahead > 0 else None
