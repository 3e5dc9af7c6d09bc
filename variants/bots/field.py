"""A movement phase prepared for search: what each unit may do, and the outcome of everyone's plans.

All orders are prepared once, and then a plan is judged in some twenty microseconds.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from adjudication.auction import budget, order_with_most_points, without_destination_coast
from adjudication.movement.battle import Battle
from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.prepared import CONVOYS, MOVES, SUPPORTS_HOLD, PreparedOrder
from adjudication.options import LawfulOrders, UnitOptions
from adjudication.orders import Bid, Convoy, Hold, Move, OrderSheet, Support
from adjudication.quick_judge import fight_out
from adjudication.situation import Situation
from adjudication.units import Unit
from variants.bots.worth import Prospect, Worth

Orders: TypeAlias = dict[int, PreparedOrder]
"""Province number of a unit -> its order."""
Bids: TypeAlias = dict[int, tuple[PreparedOrder, int]]
"""Province number of a minor's unit -> the order bid for, and the points."""
Offers: TypeAlias = dict[int, dict[PreparedOrder, int]]
"""Province number of a minor's unit -> the points that are offered for each of its orders."""
Help: TypeAlias = tuple[int, int]
"""The province of the unit that is helped, and that of its destination; NOWHERE if it holds."""


class Plan(NamedTuple):
    """All of one power's orders and bids."""

    orders: Orders
    bids: Bids

    def with_changes(self, orders: Mapping[int, PreparedOrder], bids: Bids | None = None) -> Plan:
        """The same plan with some orders replaced, and with these bids if any are given."""
        return Plan({**self.orders, **orders}, self.bids if bids is None else bids)

    def fits(self, help_: PreparedOrder) -> bool:
        """Does the plan have the order that this is to help? A unit of another power is assumed to hold."""
        order = self.orders.get(help_.helped)
        if order is None or order.action != MOVES:
            return help_.action == SUPPORTS_HOLD
        return order.goal == help_.goal and (order.sails or help_.action != CONVOYS)


@dataclass(frozen=True, slots=True)
class Choices:
    """The orders that one unit may be given. `moves` are by land or by its own sailing, `voyages` by convoy."""

    unit: Unit
    hold: PreparedOrder
    moves: list[PreparedOrder] = field(default_factory=list)
    voyages: list[PreparedOrder] = field(default_factory=list)
    supports: dict[Help, PreparedOrder] = field(default_factory=dict)
    convoys: dict[Help, PreparedOrder] = field(default_factory=dict)


class World(NamedTuple):
    """One guess at the plans of all other powers. `offers`: minor power's unit -> order -> points; `winners`: minor
    power's unit -> the order that they buy, if any."""

    layout: Layout
    offers: Offers
    winners: dict[int, PreparedOrder]


class Field:
    """`reach`: power -> mask of the provinces that its units are in or could enter."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.prospect = Prospect(situation)
        self._choices: dict[str, dict[int, Choices]] = {}
        self._worths: dict[str, Worth] = {}
        self._options = LawfulOrders(situation)
        self.minors = dict(self._choices_of(self._options.for_bids()))
        self.reach = {power: self._reach(power) for power in self.prospect.powers}

    def choices(self, power: str) -> dict[int, Choices]:
        """Province number -> what the unit there may do, for every unit of the power that takes orders."""
        if power not in self._choices:
            self._choices[power] = dict(self._choices_of(self._options.of_power(power)))
        return self._choices[power]

    def worth(self, power: str) -> Worth:
        if power not in self._worths:
            self._worths[power] = Worth(power, self.prospect)
        return self._worths[power]

    def points(self, power: str) -> int:
        return budget(power, self.situation.position, self.situation.ruleset)

    def _choices_of(self, options: Iterable[UnitOptions]) -> Iterable[tuple[int, Choices]]:
        for option in options:
            assert option.unit is not None
            orders = [
                self.situation.prepared(it, option.unit) for it in option.orders if without_destination_coast(it) == it
            ]
            first, *more_orders = orders
            choices = Choices(option.unit, first)
            for prepared in more_orders:
                match prepared.order:
                    case Move(via=True):
                        choices.voyages.append(prepared)
                    case Move():
                        choices.moves.append(prepared)
                    case Support():
                        goal = prepared.goal if prepared.order.destination else NOWHERE
                        choices.supports[prepared.helped, goal] = prepared
                    case Convoy():
                        choices.convoys[prepared.helped, prepared.goal] = prepared
                    case _:
                        assert isinstance(prepared.order, Hold)
            yield orders[0].here, choices

    def _reach(self, power: str) -> int:
        mask = 0
        for here, choices in self.choices(power).items():
            mask |= 1 << here
            for move in (*choices.moves, *choices.voyages):
                mask |= 1 << move.goal
        return mask

    # What comes of plans.

    def world(self, plans: Iterable[Plan]) -> World:
        """The plans of all powers except one, combined."""
        plans = [*plans]
        offers = offers_in(plans)
        layout = lay_out([order for plan in plans for order in plan.orders.values()], self.situation)
        assert layout is not None
        return World(layout, offers, winning_orders(offers))

    def outcome(self, plan: Plan, world: World) -> tuple[dict[int, Unit], list[tuple[Unit, int]]]:
        """The outcome of the plan in this world, as from `fight_out`."""
        orders = [*plan.orders.values()]
        if plan.bids:
            orders += winning_orders_with(plan.bids, world.offers, world.winners).values()
        elif world.winners:
            orders += world.winners.values()
        layout = lay_out(orders, self.situation, world.layout)
        assert layout is not None
        return fight_out(Battle(self.situation, layout))

    def sheet(self, plan: Plan) -> OrderSheet:
        """The plan as an order sheet."""
        bids = (Bid(order.order, points) for order, points in plan.bids.values())
        return OrderSheet(tuple(each.order for _, each in sorted(plan.orders.items())), tuple(bids))


def offers_in(plans: Iterable[Plan]) -> Offers:
    """All bids of these plans combined."""
    offers: Offers = {}
    for plan in plans:
        for minor, (order, points) in plan.bids.items():
            sums = offers.setdefault(minor, {})
            sums[order] = sums.get(order, 0) + points
    return offers


def winning_orders_with(bids: Bids, offers: Offers, before: Mapping[int, PreparedOrder]) -> dict[int, PreparedOrder]:
    """Minor power's unit -> the order bought for it when these bids are added; `before`: without them."""
    winners = dict(before)
    for minor, (order, points) in bids.items():
        sums = dict(offers.get(minor, ()))
        sums[order] = sums.get(order, 0) + points
        best = order_with_most_points(sums)
        if best is None:
            winners.pop(minor, None)
        else:
            winners[minor] = best
    return winners


def winning_orders(offers: Mapping[int, Mapping[PreparedOrder, int]]) -> dict[int, PreparedOrder]:
    """Minor power's unit -> the order that was bought for it, if any."""
    winners = ((minor, order_with_most_points(there)) for minor, there in offers.items())
    return {minor: order for minor, order in winners if order is not None}
