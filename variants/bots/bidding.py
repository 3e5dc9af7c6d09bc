"""Mixed bids: a plan's bids are drawn at random, so that a rival who always outbids it in one place gains little.

Our own bids and a rival's are the rows and columns of a game. Regret matching finds how often to choose each row
(Sergiu Hart and Andreu Mas-Colell): each is played in proportion to what it would have gained so far.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from operator import mul
from typing import TYPE_CHECKING, NamedTuple

from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.prepared import MOVES
from variants.bots.field import Bids, Field, Plan, World, winning_orders
from variants.bots.seeded_rng import SeededRng

if TYPE_CHECKING:
    from variants.bots.search import Climb

ROUNDS = 200
SCALE = 10_000
MOST_ROWS = 6
RIVALRY = 30
"""How likely a rival is to bid against this power, in percent; otherwise all bid as the worlds say."""


class Guesses(NamedTuple):
    """The orders that the others might write, as one power guesses them: power -> plans. `scattered`: the percentage of
    these plans whose bids are not the best that were found."""

    field: Field
    power: str
    plans: Mapping[str, Sequence[Plan]]
    scattered: int
    rng: SeededRng

    def draw_plans(self) -> list[Plan]:
        """One random plan for each power."""
        return [self._scatter_bids_at_times(power, self.rng.one_of(plans)) for power, plans in self.plans.items()]

    def _scatter_bids_at_times(self, power: str, plan: Plan) -> Plan:
        """At times, bids drawn from all that could help the plan: nobody else knows which bids a power chooses."""
        if not (self.field.minors and self.field.points(power) and self.rng.below(100) < self.scattered):
            return plan
        choices = [*_useful_bids(self.field, power, plan)]
        return plan.with_changes({}, self.rng.one_of(choices)) if choices else plan


def with_mixed_bids(climb: Climb, plan: Plan) -> Plan:
    """The plan with bids drawn from the best mixture of bids that would help it. Points are free: none are left where
    a bid could help."""
    bids = {minor: bid for minor, bid in plan.bids.items() if plan.fits(bid[0])}
    spare_points = climb.field.points(climb.power) - sum(points for _, points in bids.values())
    if bids:
        minor = max(bids, key=lambda minor: bids[minor][1])
        bids[minor] = bids[minor][0], bids[minor][1] + spare_points
    plan = plan.with_changes({}, bids)
    candidates = _useful_bids(climb.field, climb.power, plan)
    scored = [(climb.value(plan.with_changes({}, bids), climb.worlds), bids) for bids in candidates]
    scored.sort(key=lambda entry: entry[0], reverse=True)
    rows: list[Bids] = [*filter(None, [plan.bids]), *(bids for _, bids in scored if bids != plan.bids)][:MOST_ROWS]
    if not rows:
        return plan
    # The worlds as they are, and worlds in which a rival pays all it can for one of the minor powers to hold.
    field = climb.field
    rival_points = max((field.points(other) for other in field.prospect.powers if other != climb.power), default=0)
    minors = sorted({minor for row in rows for minor in row})
    columns = [
        climb.worlds,
        *([_world_with_a_rival(world, minor, rival_points, field) for world in climb.worlds] for minor in minors),
    ]
    payoffs = [[climb.value(plan.with_changes({}, row), worlds) for worlds in columns] for row in rows]
    weights = mixture(payoffs)
    return plan.with_changes({}, rows[bisect_right([*accumulate(weights)], climb.rng.below(sum(weights)))])


def _useful_bids(field: Field, power: str, plan: Plan) -> Iterator[Bids]:
    """All points for the support of one of the plan's orders, or some of them if another is supported too."""
    points = field.points(power)
    supports = [
        (minor, support)
        for minor, choices in field.minors.items()
        for here, order in plan.orders.items()
        for support in [choices.supports.get((here, order.goal if order.action == MOVES else NOWHERE))]
        if support is not None
    ]
    for number, (minor, support) in enumerate(supports):
        yield {minor: (support, points)}
        for other, second in supports[number + 1 :] if points > 1 else ():
            if other != minor:
                yield {minor: (support, points - 1), other: (second, 1)}


def _world_with_a_rival(world: World, minor: int, points: int, field: Field) -> World:
    """The world in which a rival bids this much for that minor power's unit to hold."""
    hold, there = field.minors[minor].hold, world.offers.get(minor, {})
    offers = {**world.offers, minor: {**there, hold: there.get(hold, 0) + points}}
    return world._replace(offers=offers, winners=winning_orders(offers))


def mixture(payoffs: Sequence[Sequence[int]]) -> list[int]:
    """How often to choose each row, as whole numbers. `payoffs`: row -> its payoff against each column. The first
    column is the usual one; sometimes a rival chooses among all of them."""
    columns = [*zip(*payoffs, strict=True)]
    regrets, rival_regrets, totals = [0] * len(payoffs), [0] * len(columns), [0] * len(payoffs)
    for _ in range(ROUNDS):
        shares, rival = _shares(regrets), _shares(rival_regrets)
        totals = [total + share for total, share in zip(totals, shares, strict=True)]
        costs = [_average(shares, column) for column in columns]
        gains = [((100 - RIVALRY) * row[0] + RIVALRY * _average(rival, row)) // 100 for row in payoffs]
        gain, cost = _average(shares, gains), _average(rival, costs)
        regrets = [regret + each - gain for regret, each in zip(regrets, gains, strict=True)]
        rival_regrets = [regret + cost - each for regret, each in zip(rival_regrets, costs, strict=True)]
    return totals


def _shares(regrets: Sequence[int]) -> list[int]:
    """Shares in proportion to the regrets, adding up to about SCALE; equal shares if there are no regrets."""
    positives = [max(0, regret) for regret in regrets]
    total = sum(positives)
    return [SCALE * regret // total for regret in positives] if total else [SCALE // len(regrets)] * len(regrets)


def _average(shares: Sequence[int], values: Sequence[int]) -> int:
    average: int = sum(map(mul, shares, values)) // sum(shares)
    return average
