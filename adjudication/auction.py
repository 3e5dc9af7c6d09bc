"""The sealed auction: bids become at most one order for each neutral unit.

Only the sums decide, not who bids (D6). A hold is published in the same way whether it won, resulted from a tie or had
no bids at all.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from adjudication.board import province_of
from adjudication.civil_disorder import playable_powers
from adjudication.legality import order_refusal
from adjudication.orders import MOVEMENT_ORDERS, Bid, Order, Support, location_of
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL

Bought = TypeVar("Bought")
"""An order, in whatever form."""


class BidOutcome(Enum):
    """What became of the order that a bid was for."""

    WON, TIED, LOST = "won", "tied", "lost"


@dataclass(frozen=True, slots=True)
class NoAuction:
    """No bids are made."""

    def income(self, power: str, position: Position) -> int:
        return 0


@dataclass(frozen=True, slots=True)
class DiplomacyPoints:
    """One point for each centre controlled at the start of a movement phase, up to `most`."""

    most: int = 3

    def income(self, power: str, position: Position) -> int:
        return min(self.most, [*position.centres.values()].count(power))


def budget(power: str, position: Position, ruleset: Ruleset) -> int:
    """The points a power may spend in this phase; 0 if there is no auction."""
    if position.turn.kind is not PhaseKind.MOVEMENT or power not in playable_powers(position, ruleset):
        return 0
    return ruleset.auction.income(power, position)


def award_orders(bids: Iterable[Bid], situation: Situation) -> tuple[Order, ...]:
    """The order that each neutral unit gets, by location; `bids` are those that count. Amounts are not revealed."""
    winners = {unit: order_with_most_points(points) for unit, points in _points_by_order(bids).items()}
    neutrals = situation.position.units_of(NEUTRAL)
    return tuple(winners.get(unit.province) or situation.hold_of(unit).order for unit in neutrals)


def outcomes_of_bids(bids: Sequence[Bid]) -> tuple[BidOutcome, ...]:
    """What became of each bid's order, for the bids that count."""
    sums = _points_by_order(bids)
    return tuple(
        _outcome_of_bid(without_destination_coast(bid.order), sums[province_of(location_of(bid.order))]) for bid in bids
    )


def why_bids_do_not_count(bids: Iterable[Bid], power: str, situation: Situation) -> tuple[Reason | None, ...]:
    """For each bid, why it does not count; None if it does.

    Dropped bids are still spent (D5), and overspending forfeits everything (D8).
    """
    bids = tuple(bids)
    points_spent = sum(max(0, bid.points) for bid in bids)
    if points_spent > budget(power, situation.position, situation.ruleset):
        return (Reason.OVERSPENT,) * len(bids)
    refusals = (bid_refusal(bid, situation) for bid in bids)
    return tuple(refusal.reason if refusal else None for refusal in refusals)


def bid_refusal(bid: Bid, situation: Situation) -> OrderRefusal | None:
    """Why this bid can never count; None if it is allowed (D4, D5)."""
    if bid.points < 1:
        return refuse(Reason.NO_POINTS)
    if not isinstance(bid.order, MOVEMENT_ORDERS):
        return refuse(Reason.WRONG_PHASE, case="bid")
    unit = situation.unit_at(location_of(bid.order))
    if unit is not None and unit.power != NEUTRAL:
        return refuse(Reason.NOT_A_MINOR, place=location_of(bid.order))
    return order_refusal(bid.order, NEUTRAL, situation)


def overspending_refusal(points: int, power: str, situation: Situation) -> OrderRefusal | None:
    """Why a power cannot spend this much; None if it can."""
    income = budget(power, situation.position, situation.ruleset)
    if points <= income:
        return None
    if not income:
        return refuse(Reason.NO_AUCTION)
    return refuse(Reason.OVERSPENT, count=income, spent=points)


def without_destination_coast(order: Order) -> Order:
    """The order without the part that makes no difference: a destination's coast (D7)."""
    if isinstance(order, Support) and order.destination is not None:
        return Support(order.location, order.supported, province_of(order.destination))
    return order


def is_order_of(bid: Bid, given: Order | None) -> bool:
    """Is this order, which the unit was given, the one that the bid is for?"""
    return given == without_destination_coast(bid.order)


def _points_by_order(bids: Iterable[Bid]) -> dict[str, dict[Order, int]]:
    """By province, the points that all bids together offer for each order."""
    sums: dict[str, dict[Order, int]] = {}
    for bid in bids:
        order = without_destination_coast(bid.order)
        points_by_order = sums.setdefault(province_of(location_of(order)), {})
        points_by_order[order] = points_by_order.get(order, 0) + bid.points
    return sums


def _outcome_of_bid(order: Order, sums: Mapping[Order, int]) -> BidOutcome:
    if sums[order] < max(sums.values()):
        return BidOutcome.LOST
    return BidOutcome.WON if order_with_most_points(sums) is not None else BidOutcome.TIED


def order_with_most_points(sums: Mapping[Bought, int]) -> Bought | None:
    """The order with more points than any other; None for a tie."""
    best = max(sums.values())
    leaders = [order for order in sums if sums[order] == best]
    return leaders[0] if len(leaders) == 1 else None
