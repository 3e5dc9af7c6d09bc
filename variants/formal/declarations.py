"""Declarations: written in secret before a season's orders and opened together."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from adjudication.orders import Declare, Order
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.relations import pair, stance_of
from adjudication.resolution import Notice, NoticeKind, OrderOutcome, OrderResult, Settled
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from variants.formal.stances import NEUTRALITY, STANCES, WAR, settled

Papers = Mapping[tuple[str, str], str]
"""Writer and other power -> the declaration; no entry if there was none."""


def living(position: Position, ruleset: Ruleset) -> tuple[str, ...]:
    """The powers that have a unit or a supply centre, even those without a player."""
    there = {unit.power for unit in position.units} | set(position.centres.values())
    return tuple(power for power in ruleset.powers if power in there)


@dataclass(frozen=True, slots=True)
class Declarations:
    """Each power writes to each other one war, neutrality, alliance, or nothing, which changes nothing by itself.
    A power in civil disorder, or late, wrote nothing (D1)."""

    orders = (Declare,)

    def options(self, power: str, situation: Situation) -> tuple[tuple[str, tuple[Order, ...]], ...]:
        others = _others(power, situation)
        if not self.decides(power, situation):
            return ()
        return tuple((other, tuple(Declare(stance, other) for stance in STANCES)) for other in others)

    def refusal(self, order: Order, power: str, situation: Situation) -> OrderRefusal | None:
        assert isinstance(order, Declare)
        if order.stance not in STANCES:
            return refuse(Reason.NOT_DECLARED_SO, typed=order.stance)
        if order.power == power:
            return refuse(Reason.NOT_DECLARED_SO, case="itself")
        there = living(situation.position, situation.ruleset)
        gone = next((each for each in (power, order.power) if each not in there), None)
        if gone:
            return refuse(Reason.NOT_DECLARED_SO, case="gone", power=gone)
        return None

    def tally_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        assert isinstance(order, Declare)
        if all(earlier.power != order.power for earlier in accepted if isinstance(earlier, Declare)):
            return None
        return refuse(Reason.ORDERED_TWICE, case="declared", power=order.power)

    def decides(self, power: str, situation: Situation) -> bool:
        return power in living(situation.position, situation.ruleset) and bool(_others(power, situation))

    def missing(self, orders: Sequence[Order], power: str, situation: Situation) -> tuple[str, ...]:
        """Writing nothing asks for no change."""
        return ()

    def resolve(self, orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
        papers = {
            (power, order.power): order.stance
            for power, written in orders.items()
            for order in written
            if isinstance(order, Declare)
        }
        position = replace(situation.position, relations=dict(_relations(papers, situation)))
        outcomes = tuple(_outcome(one, other, papers, position) for one, other in sorted(papers))
        return Settled(position, outcomes, tuple(_news(situation.position, position, situation.ruleset)))


def _others(power: str, situation: Situation) -> tuple[str, ...]:
    return tuple(other for other in living(situation.position, situation.ruleset) if other != power)


def _relations(papers: Papers, situation: Situation) -> Iterator[tuple[str, str]]:
    """As stored: neutrality, the initial relation, is left out."""
    for one, other in combinations(situation.ruleset.powers, 2):
        now = stance_of(one, other, situation.position, STANCES)
        stance = settled(now, papers.get((one, other)), papers.get((other, one)))
        if stance != NEUTRALITY:
            yield pair(one, other), stance


def _outcome(one: str, other: str, papers: Papers, after: Position) -> OrderOutcome:
    """A paper succeeds if the two powers are what it says."""
    order, stance = Declare(papers[one, other], other), stance_of(one, other, after, STANCES)
    if order.stance == stance:
        return OrderOutcome(None, one, order, (OrderResult.SUCCEEDS,))
    facts = {"power": other, **_failure(papers.get((other, one)), stance)}
    return OrderOutcome(None, one, order, (OrderResult.FAILS,), Reason.TAKES_TWO, facts)


def _failure(answer: str | None, stance: str) -> dict[str, str]:
    if answer == WAR:
        return {"case": "war"}
    return {"case": "peace"} if stance == WAR else {}


def _news(before: Position, after: Position, ruleset: Ruleset) -> Iterator[Notice]:
    for one, other in combinations(ruleset.powers, 2):
        was, now = (stance_of(one, other, position, STANCES) for position in (before, after))
        if was != now:
            case = f"{was} ended" if now == NEUTRALITY else now
            yield Notice(NoticeKind.RELATION, None, None, {"case": case, "power": one, "other": other})
