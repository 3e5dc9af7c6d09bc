"""The small changes that a search tries: one order, or several orders and bids that belong together."""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple

from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.convoys import route_exists
from adjudication.movement.prepared import MOVES, PreparedOrder
from variants.bots.field import Bids, Choices, Field, Orders, Plan, World

MOST_FLEETS = 3
"""The longest chain of fleets that is tried for a convoy."""


class PlanChange(NamedTuple):
    """Orders that belong together, and all bids after the change (None if they stay the same)."""

    orders: Orders
    bids: Bids | None = None


def possible_changes(field: Field, power: str, plan: Plan, world: World) -> list[PlanChange]:
    """All changes to the plan that may be worth trying. Supports for others follow what these do in that world."""
    return [*_Changes(field, power, plan, world).all()]


class _Changes:
    """`contested`: mask of the provinces that others are in or could enter."""

    def __init__(self, field: Field, power: str, plan: Plan, world: World) -> None:
        self.field, self.plan, self.world = field, plan, world
        self.choices = field.choices(power)
        self.points = field.points(power)
        self.contested = 0
        for other, reach in field.reach.items():
            if other != power:
                self.contested |= reach
        for here in field.situation.at:
            if here not in self.choices:
                self.contested |= 1 << here

    def all(self) -> Iterator[PlanChange]:
        for here, choices in self.choices.items():
            yield from self._single_orders(here, choices)
            yield from self._orders_with_supports(here, choices)
            for move in choices.moves:
                # A move to a place where one of our units stays, and another order for that unit to leave.
                if self._own_unit_stays(move.goal):
                    for other in self.choices[move.goal].moves:
                        if other.goal != here:
                            yield PlanChange({here: move, move.goal: other})
            for voyage in choices.voyages:
                yield from self._by_sea(here, voyage)
        if self.points:
            yield from self._changes_of_bids()

    def _is_contested(self, province: int) -> bool:
        return bool(self.contested >> province & 1)

    def _own_unit_stays(self, here: int) -> bool:
        return here in self.choices and self.plan.orders[here].action != MOVES

    def _single_orders(self, here: int, choices: Choices) -> Iterator[PlanChange]:
        now = self.plan.orders[here]
        for order in (choices.hold, *choices.moves):
            if order is not now and not (order.action == MOVES and self._own_unit_stays(order.goal)):
                yield PlanChange({here: order})
        for (helped, goal), support in choices.supports.items():
            if support is not now and self._is_what_it_does(helped, goal):
                yield PlanChange({here: support})

    def _is_what_it_does(self, helped: int, goal: int) -> bool:
        """Is this what the unit does, in the plan or in the world?"""
        order = self.plan.orders.get(helped) or self.world.layout.orders.get(helped)
        if order is None or order.action != MOVES:
            return goal == NOWHERE
        return order.goal == goal

    def _orders_with_supports(self, here: int, choices: Choices) -> Iterator[PlanChange]:
        """An order with one or two supports, if others could get in the way."""
        for order in (choices.hold, *choices.moves):
            moves = order.action == MOVES
            place = order.goal if moves else here
            if not self._is_contested(place) or (moves and self._own_unit_stays(place)):
                continue
            helpers = self._supporters(here, place if moves else NOWHERE)
            for helper, support in helpers:
                yield PlanChange({here: order, helper: support})
            if moves and place in self.field.situation.at:
                for pair in combinations(helpers, 2):
                    yield PlanChange({here: order, **dict(pair)})

    def _supporters(self, here: int, goal: int) -> list[tuple[int, PreparedOrder]]:
        pairs = ((other, choices.supports.get((here, goal))) for other, choices in self.choices.items())
        return [(other, support) for other, support in pairs if support is not None]

    def _by_sea(self, here: int, voyage: PreparedOrder) -> Iterator[PlanChange]:
        """A move by convoy with the fleets that it needs: only one if one is enough."""
        if self._own_unit_stays(voyage.goal):
            return
        board = self.field.situation.bitboard
        key = (here, voyage.goal)
        fleets = {fleet: choices.convoys[key] for fleet, choices in self.choices.items() if key in choices.convoys}
        enough = [fleet for fleet in fleets if route_exists(board, here, voyage.goal, 1 << fleet)]
        for fleet in enough:
            yield PlanChange({here: voyage, fleet: fleets[fleet]})
        chain = sum(1 << fleet for fleet in fleets)
        if not enough and len(fleets) <= MOST_FLEETS and route_exists(board, here, voyage.goal, chain):
            yield PlanChange({here: voyage, **fleets})

    def _changes_of_bids(self) -> Iterator[PlanChange]:
        """Bids for the support of a present or possible order, with fewer points for others; or one bid less."""
        for minor in self.plan.bids:
            yield PlanChange({}, {other: bid for other, bid in self.plan.bids.items() if other != minor})
        for here, choices in self.choices.items():
            for order in (choices.hold, *choices.moves):
                moves = order.action == MOVES
                place = order.goal if moves else here
                if self._is_contested(place) and not (moves and self._own_unit_stays(place)):
                    yield from self._bought_supports(here, order, place if moves else NOWHERE)

    def _bought_supports(self, here: int, order: PreparedOrder, goal: int) -> Iterator[PlanChange]:
        current_order = self.plan.orders[here]
        keeps = current_order.action != MOVES and goal == NOWHERE  # an order to support may be supported as it is
        orders = {} if keeps or current_order is order else {here: order}
        for minor, choices in self.field.minors.items():
            support = choices.supports.get((here, goal))
            if support is not None and minor != goal:
                for points in range(1, self.points + 1):
                    yield PlanChange(orders, self._bids_with(minor, support, points))

    def _bids_with(self, minor: int, support: PreparedOrder, points: int) -> Bids:
        """The bids including this one. The others keep their points as far as the points last."""
        bids, points_left = {minor: (support, points)}, self.points - points
        for other, (order, offer) in self.plan.bids.items():
            if other != minor and points_left:
                bids[other] = order, min(offer, points_left)
                points_left -= min(offer, points_left)
        return bids
