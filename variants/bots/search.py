"""The search for a movement phase: the best plan against guesses at the others' plans.

The others' plans are guessed first and combined into worlds: each that this power can meet is given plans that it might
search for itself, or, where few positions may be judged, quick plans that are improved once. The own plan is then
climbed to: every small change is tried in all worlds, a single order or several that belong together, and kept if the
plan is worth more by it. A climb that has come to its end begins again from the next quick plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from adjudication.movement.prepared import CONVOYS, SUPPORTS_HOLD, SUPPORTS_MOVE, PreparedOrder
from variants.bots.bidding import Guesses, with_mixed_bids, with_promising_bids
from variants.bots.changes import possible_changes
from variants.bots.field import Choices, Field, Plan, World
from variants.bots.quick import quick_plan
from variants.bots.whims import Whims

FIRST_LOOK = 4
"""A change is dropped if it is worse in the first so many worlds."""


class Effort(NamedTuple):
    """How much is tried: `positions` judged in all; `worlds`, guesses at the others' plans; `drafts`, quick plans to
    begin with; `others`: the percentage of positions spent on the others' plans; `plans` searched for each of them."""

    positions: int
    worlds: int
    drafts: int
    others: int
    plans: int = 4

    def of(self, percent: int, units: int = 0) -> Effort:
        """The same with so many percent of the positions, and no more worlds than they are good for; with fewer where
        many units make each position dear."""
        positions = self.positions * percent * MANY_UNITS // (100 * max(MANY_UNITS, units))
        return self._replace(positions=max(1, positions), worlds=min(self.worlds, max(FIRST_LOOK, positions // 400)))


MANY_UNITS = 34
"""More units on the board than these cost positions."""
MOST_PASSES = 6
LEAST_TO_SEARCH = 700
"""Fewer positions than these are too few to search for another's plan."""
FORESEEN, UNFORESEEN = 20, 75
"""How many guesses in 100 have other bids than the best: where plans are searched for, and where they are not."""
HELPS = (SUPPORTS_HOLD, SUPPORTS_MOVE, CONVOYS)
KEPT_AS_DRAFTED = 4
"""One of so many plans of others stays as it is."""


def best_plan(field: Field, power: str, seed: int, effort: Effort) -> Plan:
    """The plan that the search arrives at. The same for the same arguments."""
    whims = Whims("search", seed, power)
    guesses = guesses_at_others(field, power, whims, effort)
    climb, best = _search(guesses, effort)
    plan = _without_idle_help(best.plan, field.choices(power))
    return with_promising_bids(with_mixed_bids(climb, plan), guesses) if field.points(power) and field.minors else plan


def _without_idle_help(plan: Plan, choices: Mapping[int, Choices]) -> Plan:
    """The plan without supports and convoys of own orders that it does not give: they changed nothing where it was
    tried."""
    for here, order in plan.orders.items():
        if order.does in HELPS and order.helped in plan.orders and not plan.fits(order):
            plan = plan.with_changes({here: next(_supports_of_own_orders(plan, choices[here]), choices[here].hold)})
    return plan


def _supports_of_own_orders(plan: Plan, choices: Choices) -> Iterator[PreparedOrder]:
    """The supports that a unit could give to the plan's own orders."""
    return (order for order in choices.supports.values() if order.helped in plan.orders and plan.fits(order))


def hoped_worth(field: Field, power: str, whims: Whims, effort: Effort) -> int:
    """What such a plan is worth in all worlds together, in thousandths of a supply centre."""
    return sum(_search(guesses_at_others(field, power, whims, effort), effort)[1].scores)


def _search(guesses: Guesses, effort: Effort) -> tuple[Climb, Scored]:
    field, power, whims = guesses.field, guesses.power, guesses.whims
    worlds = [field.world(guesses.draw_plans()) for _ in range(effort.worlds)]
    climb = Climb(field, power, worlds, effort.positions * (100 - effort.others) // 100, whims)
    return climb, climb.climb_from_best([quick_plan(field, power, whims) for _ in range(effort.drafts)], MOST_PASSES)


def guesses_at_others(field: Field, power: str, whims: Whims, effort: Effort) -> Guesses:
    """Plans of the others. Those who can meet this power are taken more seriously."""
    others = [other for other in field.prospect.powers if other != power and field.choices(other)]
    plans = {other: [quick_plan(field, other, whims) for _ in range(effort.worlds)] for other in others}
    near = [other for other in others if field.reach[other] & field.reach[power]]
    each = effort.positions * effort.others // 100 // max(1, len(near))
    if each // effort.plans >= LEAST_TO_SEARCH:
        plans |= {other: _plans_searched_for(field, other, each, effort.plans, whims) for other in near}
        scattered = FORESEEN
    else:
        own = [quick_plan(field, power, whims) for _ in range(effort.worlds)]
        plans |= {other: _improved_plans(field, other, {**plans, power: own}, each, whims) for other in near}
        scattered = UNFORESEEN
    return Guesses(field, power, plans, scattered, whims)


def _plans_searched_for(field: Field, power: str, positions: int, number: int, whims: Whims) -> list[Plan]:
    """So many plans that the power might find, and a quick one: not everyone sees what would be better."""
    effort = Effort(positions // number, worlds=FIRST_LOOK, drafts=FIRST_LOOK, others=40)
    plans = [best_plan(field, power, whims.below(1 << 30), effort) for _ in range(number)]
    return [*plans, quick_plan(field, power, whims)]


def _improved_plans(
    field: Field, power: str, plans: Mapping[str, Sequence[Plan]], positions: int, whims: Whims
) -> list[Plan]:
    """The power's plans, most of them improved as far as its share of the positions goes: not everyone sees what would
    be better."""
    own = plans[power]
    worlds = [
        field.world([plans[other][number] for other in plans if other != power])
        for number in range(min(FIRST_LOOK, len(own)))
    ]
    share = positions // len(own)
    return [
        Climb(field, power, worlds, share, whims).climb_from_best([draft], 1).plan
        if number % KEPT_AS_DRAFTED
        else draft
        for number, draft in enumerate(own)
    ]


class Scored(NamedTuple):
    """A plan, and what it is worth in each world."""

    plan: Plan
    scores: list[int]


def _total_score(one: Scored) -> int:
    return sum(one.scores)


class Climb:
    """A climb of one power's plan in some worlds. `left`: how many positions may still be judged."""

    def __init__(self, field: Field, power: str, worlds: Sequence[World], positions: int, whims: Whims) -> None:
        self.field, self.power, self.worlds, self.left, self.whims = field, power, worlds, positions, whims
        self.worth = field.worth(power)

    def climb_from_best(self, drafts: Sequence[Plan], passes: int) -> Scored:
        """The best of these plans, improved until nothing helps or no positions are left."""
        scored = [Scored(draft, [self._score_in(draft, world) for world in self.worlds]) for draft in drafts]
        scored.sort(key=_total_score, reverse=True)
        best = self._climb(scored[0], passes)
        for draft in scored[1:]:
            if self.left <= 0:
                break
            best = max(best, self._climb(draft, passes), key=_total_score)
        return best

    def _climb(self, best: Scored, passes: int) -> Scored:
        for _ in range(passes):
            better = self._best_after_every_change(best)
            if better is best or self.left <= 0:
                return better
            best = better
        return best

    def value(self, plan: Plan, worlds: Sequence[World]) -> int:
        """What the plan is worth in these worlds together."""
        return sum(self._score_in(plan, world) for world in worlds)

    def _score_in(self, plan: Plan, world: World) -> int:
        self.left -= 1
        return self.worth.of(*self.field.outcome(plan, world))

    def _best_after_every_change(self, best: Scored) -> Scored:
        """The best plan after every change has been tried once."""
        look = self.whims.shuffled(range(len(self.worlds)))
        for change in self.whims.shuffled(possible_changes(self.field, self.power, best.plan, self.worlds[0])):
            if self.left <= 0:
                break
            candidate = best.plan.with_changes(change.orders, change.bids)
            scores = self._scores_if_better(candidate, best.scores, look)
            if scores is not None:
                best = Scored(candidate, scores)
        return best

    def _scores_if_better(self, plan: Plan, scores: Sequence[int], look: Sequence[int]) -> list[int] | None:
        """The plan's scores if it is better than one with these; given up early if the first look says no."""
        new_scores, ahead = [*scores], 0
        for looked, number in enumerate(look, start=1):
            new_scores[number] = self._score_in(plan, self.worlds[number])
            ahead += new_scores[number] - scores[number]
            if looked == FIRST_LOOK and ahead <= 0:
                return None
        return new_scores if ahead > 0 else None
