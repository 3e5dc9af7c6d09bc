"""The search for a movement phase: the best plan against guesses at the others' plans.

The others' plans are guessed first and combined into worlds. Powers that can meet this one get plans that they might
find by a search of their own or, if few positions may be judged, quick plans that are improved once. Then the search
climbs: it tries every small change in all worlds, either of a single order or of several that belong together, and
keeps a change that makes the plan worth more. When a climb finds nothing more, it begins again from the next quick
plan.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from adjudication.movement.convoys import route_exists
from adjudication.movement.prepared import CONVOYS, SUPPORTS_HOLD, SUPPORTS_MOVE
from variants.bots.bidding import Guesses, with_mixed_bids
from variants.bots.changes import possible_changes
from variants.bots.field import Field, Plan, World
from variants.bots.quick import quick_plan
from variants.bots.seeded_rng import SeededRng

FIRST_LOOK = 4
"""A change is dropped if it is worse in the first so many worlds."""


class Effort(NamedTuple):
    """How much is tried: `positions`: how many are judged in all; `worlds`: guesses at the others' plans; `drafts`:
    quick plans to begin with; `others`: the percentage of positions spent on the others' plans; `plans`: how many are
    searched for each of them."""

    positions: int
    worlds: int
    drafts: int
    others: int
    plans: int = 4

    def of(self, percent: int, units: int = 0) -> Effort:
        """The effort with this percentage of positions, and with no more worlds than they allow; with fewer positions
        where many units make each one expensive."""
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
    """The best plan that the search finds. The same arguments give the same plan."""
    rng = SeededRng("search", seed, power)
    guesses = guesses_at_others(field, power, rng, effort)
    climb, best = _search(guesses, effort)
    plan = _without_idle_orders(best.plan, field, power)
    return with_mixed_bids(climb, plan) if field.points(power) and field.minors else plan


def _without_idle_orders(plan: Plan, field: Field, power: str) -> Plan:
    """The plan without voyages that its own fleets don't make possible, and then without supports and convoys of its
    own orders that it doesn't give: they changed nothing in any trial. A later change took what they need."""
    choices = field.choices(power)
    for here, order in plan.orders.items():
        if order.sails:
            fleets = (
                it.here for it in plan.orders.values() if it.action == CONVOYS and it.helped == here and plan.fits(it)
            )
            if not route_exists(field.situation.bitboard, here, order.goal, sum(1 << fleet for fleet in fleets)):
                plan = plan.with_changes({here: choices[here].hold})
    for here, order in plan.orders.items():
        if order.action in HELPS and order.helped in plan.orders and not plan.fits(order):
            supports = [it for it in choices[here].supports.values() if it.helped in plan.orders and plan.fits(it)]
            plan = plan.with_changes({here: supports[0] if supports else choices[here].hold})
    return plan


def hoped_worth(field: Field, power: str, rng: SeededRng, effort: Effort) -> int:
    """The worth of the plan that a search finds, in all worlds together, in thousandths of a supply centre."""
    return sum(_search(guesses_at_others(field, power, rng, effort), effort)[1].scores)


def _search(guesses: Guesses, effort: Effort) -> tuple[Climb, Scored]:
    field, power, rng = guesses.field, guesses.power, guesses.rng
    worlds = [field.world(guesses.draw_plans()) for _ in range(effort.worlds)]
    climb = Climb(field, power, worlds, effort.positions * (100 - effort.others) // 100, rng)
    return climb, climb.climb_from_best([quick_plan(field, power, rng) for _ in range(effort.drafts)], MOST_PASSES)


def guesses_at_others(field: Field, power: str, rng: SeededRng, effort: Effort) -> Guesses:
    """Guesses at the others' plans, with more effort for powers that can meet this one."""
    other_powers = [other for other in field.prospect.powers if other != power and field.choices(other)]
    plans = {other: [quick_plan(field, other, rng) for _ in range(effort.worlds)] for other in other_powers}
    rivals = [other for other in other_powers if field.reach[other] & field.reach[power]]
    each = effort.positions * effort.others // 100 // max(1, len(rivals))
    if each // effort.plans >= LEAST_TO_SEARCH:
        plans |= {other: _plans_searched_for(field, other, each, effort.plans, rng) for other in rivals}
        scatter = FORESEEN
    else:
        own_plans = [quick_plan(field, power, rng) for _ in range(effort.worlds)]
        plans |= {other: _improved_plans(field, other, {**plans, power: own_plans}, each, rng) for other in rivals}
        scatter = UNFORESEEN
    return Guesses(field, power, plans, scatter, rng)


def _plans_searched_for(field: Field, power: str, positions: int, number: int, rng: SeededRng) -> list[Plan]:
    """Plans that the power might find by searching, and a quick one: not everyone sees the best plan."""
    effort = Effort(positions // number, worlds=FIRST_LOOK, drafts=FIRST_LOOK, others=40)
    plans = [best_plan(field, power, rng.below(1 << 30), effort) for _ in range(number)]
    return [*plans, quick_plan(field, power, rng)]


def _improved_plans(
    field: Field, power: str, plans: Mapping[str, Sequence[Plan]], positions: int, rng: SeededRng
) -> list[Plan]:
    """The power's plans, most improved as far as its share of the positions allows: not everyone sees the best plan."""
    drafts = plans[power]
    worlds = [
        field.world([plans[other][number] for other in plans if other != power])
        for number in range(min(FIRST_LOOK, len(drafts)))
    ]
    share = positions // len(drafts)
    return [
        Climb(field, power, worlds, share, rng).climb_from_best([draft], 1).plan if number % KEPT_AS_DRAFTED else draft
        for number, draft in enumerate(drafts)
    ]


class Scored(NamedTuple):
    """A plan, and what it is worth in each world."""

    plan: Plan
    scores: list[int]


def _total_score(plan: Scored) -> int:
    return sum(plan.scores)


class Climb:
    """A climb of one power's plan in some worlds. `left`: how many positions may still be judged."""

    def __init__(self, field: Field, power: str, worlds: Sequence[World], positions: int, rng: SeededRng) -> None:
        self.field, self.power, self.worlds, self.left, self.rng = field, power, worlds, positions, rng
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
            next_best = self._best_after_every_change(best)
            if next_best is best or self.left <= 0:
                return next_best
            best = next_best
        return best

    def value(self, plan: Plan, worlds: Sequence[World]) -> int:
        """The worth of the plan in these worlds together."""
        return sum(self._score_in(plan, world) for world in worlds)

    def _score_in(self, plan: Plan, world: World) -> int:
        self.left -= 1
        return self.worth.of(*self.field.outcome(plan, world))

    def _best_after_every_change(self, best: Scored) -> Scored:
        """The best plan after every change has been tried once."""
        look = self.rng.shuffled(range(len(self.worlds)))
        for change in self.rng.shuffled(possible_changes(self.field, self.power, best.plan, self.worlds[0])):
            if self.left <= 0:
                break
            candidate = best.plan.with_changes(change.orders, change.bids)
            scores = self._scores_if_better(candidate, best.scores, look)
            if scores is not None:
                best = Scored(candidate, scores)
        return best

    def _scores_if_better(self, plan: Plan, scores: Sequence[int], look: Sequence[int]) -> list[int] | None:
        """The plan's scores if they are better than these; None, often early, if the first `look` says no."""
        new_scores, gain = [*scores], 0
        for count, number in enumerate(look, start=1):
            new_scores[number] = self._score_in(plan, self.worlds[number])
            gain += new_scores[number] - scores[number]
            if count == FIRST_LOOK and gain <= 0:
                return None
        return new_scores if gain > 0 else None
