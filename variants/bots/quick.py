"""Quick plans: each unit goes where it is worth most, with some randomness, and units without a goal of their own help.

(After David Norman's DumbBot, on tables.) A plan takes about a millisecond. The search starts from such plans and uses
them to guess the others' plans; players who try out orders are shown them, too.
"""

from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.prepared import MOVES, PreparedOrder
from variants.bots.field import Bids, Choices, Field, Orders, Plan
from variants.bots.seeded_rng import SeededRng

RANDOM_PERCENT = 50
"""How much the worth of a place varies at random, in percent."""
GUARD = 500
"""What it is worth to stay in an own centre that others could enter."""
BID_CHANCE = 3
"""One of so many chances to bid is let pass."""


def quick_plan(field: Field, power: str, rng: SeededRng) -> Plan:
    """A plan for the power in a movement phase."""
    draft = _QuickDraft(field, power, rng)
    return Plan(draft.orders, draft.bids())


class _QuickDraft:
    """`claimed`: province -> the unit that will be there; `wish`: the worth of a place this time."""

    def __init__(self, field: Field, power: str, rng: SeededRng) -> None:
        self.field, self.power, self.rng = field, power, rng
        self.worth = field.worth(power)
        self.choices = field.choices(power)
        self.orders: Orders = {}
        self.claimed: dict[int, int] = {}
        self.pending: set[int] = set()
        for here in rng.shuffled(self.choices):
            self._give_order(here)
        # Let units that hold support the neighbour whose place is worth most and in doubt.
        for here, order in self.orders.items():
            if order is self.choices[here].hold:
                self.orders[here] = self._best_help(here) or order

    def _give_order(self, here: int) -> None:
        """Order this unit, after any units in its way. In a circle of such units, one claims its place."""
        if here in self.orders or here in self.pending:
            return
        self.pending.add(here)
        choices = self.choices[here]
        for order in sorted((choices.hold, *choices.moves), key=self._random_worth, reverse=True):
            goal = order.goal if order.action == MOVES else here
            if goal != here and goal in self.choices:
                self._give_order(goal)
            if goal not in self.claimed and not self._is_kept_by_own_unit(goal, here):
                self.claimed[goal] = here
                self.orders[here] = order
                return
            support = self._support_of_claim(goal, choices)
            if support is not None and self._is_contested(goal):
                self.claimed.setdefault(here, here)
                self.orders[here] = support
                return
        self.claimed[here] = here
        self.orders[here] = choices.hold

    def _is_kept_by_own_unit(self, goal: int, here: int) -> bool:
        """Does another of our units stay there, or has it not decided yet?"""
        return goal != here and goal in self.choices and (goal not in self.orders or self.orders[goal].action != MOVES)

    def _random_worth(self, order: PreparedOrder) -> int:
        """The worth of the unit's place after the order, varied at random."""
        percent = 100 + self.rng.below(2 * RANDOM_PERCENT + 1) - RANDOM_PERCENT
        worth = self.worth.places[order.moved.rank] * 4
        goal = order.goal if order.action == MOVES else order.here
        if goal in self.worth.gains:
            worth += self.worth.gains[goal] // (2 if self._is_guarded(goal) else 1)
        elif goal in self.worth.losses and self._is_contested(goal):
            worth += GUARD
        return worth * percent

    def _is_guarded(self, goal: int) -> bool:
        return goal in self.field.situation.at and goal not in self.choices

    def _is_contested(self, goal: int) -> bool:
        """Is another power's unit there, or could one move there?"""
        if self._is_guarded(goal):
            return True
        place = self.field.prospect.ground.place
        return goal not in place or self.field.prospect.threats(place[goal], self.power) > 0

    def _support_of_claim(self, goal: int, choices: Choices) -> PreparedOrder | None:
        claimant = self.claimed.get(goal)
        if claimant is None:
            return None
        return choices.supports.get((claimant, NOWHERE if claimant == goal else goal))

    def _best_help(self, here: int) -> PreparedOrder | None:
        offers = ((goal, self._support_of_claim(goal, self.choices[here])) for goal in self.claimed if goal != here)
        supports = [(goal, support) for goal, support in offers if support is not None and self._is_contested(goal)]
        if not supports:
            return None
        return max(supports, key=lambda entry: self._random_worth(self.orders[self.claimed[entry[0]]]))[1]

    def bids(self) -> Bids:
        """Points for minors' support of what is in doubt, more for what is worth more."""
        bids: Bids = {}
        points_left = self.field.points(self.power)
        if not points_left or not self.field.minors:
            return bids
        contested_goals = [goal for goal in self.claimed if self._is_contested(goal)]
        for goal in sorted(
            contested_goals, key=lambda goal: self._random_worth(self.orders[self.claimed[goal]]), reverse=True
        ):
            for minor, choices in self.field.minors.items():
                support = self._support_of_claim(goal, choices)
                if points_left and support is not None and minor not in bids and self.rng.below(BID_CHANCE):
                    points = 1 + self.rng.below(points_left)
                    bids[minor] = support, points
                    points_left -= points
        return bids
