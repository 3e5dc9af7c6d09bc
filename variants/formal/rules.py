"""Formal Diplomacy: standard Diplomacy under declared war, neutrality and alliance."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from adjudication.board import Board
from adjudication.civil_disorder import CivilDisorder
from adjudication.orders import Declare, Order
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason, refuse
from adjudication.relations import relation_key, stance_of
from adjudication.resolution import Notice, NoticeKind, OrderOutcome, OrderResult, Settled
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import Calendar, PhaseKind, Season, Step
from variants.formal.legality import FORMAL_LEGALITY
from variants.formal.stances import NEUTRALITY, STANCES, WAR, DeclaredRelations, NeutralLand, stance_after
from variants.standard.rules import rules as standard_rules

Papers = Mapping[tuple[str, str], str]
"""Writer and other power -> the declaration; no entry if there was none."""


def living_powers(position: Position, ruleset: Ruleset) -> tuple[str, ...]:
    """The powers that have a unit or a supply centre, even those without a player."""
    living = {unit.power for unit in position.units} | set(position.centres.values())
    return tuple(power for power in ruleset.powers if power in living)


@dataclass(frozen=True, slots=True)
class Declarations:
    """Each power writes to each other power: war, neutrality, alliance, or nothing, which changes nothing by itself. A
    power that is in civil disorder or late has written nothing (D1)."""

    orders = (Declare,)

    def options(self, power: str, situation: Situation) -> tuple[tuple[str, tuple[Order, ...]], ...]:
        others = _other_living_powers(power, situation)
        if not self.has_a_choice(power, situation):
            return ()
        return tuple((other, tuple(Declare(stance, other) for stance in STANCES)) for other in others)

    def refusal(self, order: Order, power: str, situation: Situation) -> OrderRefusal | None:
        assert isinstance(order, Declare)
        if order.stance not in STANCES:
            return refuse(Reason.NOT_DECLARED_SO, typed=order.stance)
        if order.power == power:
            return refuse(Reason.NOT_DECLARED_SO, case="itself")
        living = living_powers(situation.position, situation.ruleset)
        eliminated = next((each for each in (power, order.power) if each not in living), None)
        if eliminated:
            return refuse(Reason.NOT_DECLARED_SO, case="gone", power=eliminated)
        return None

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        assert isinstance(order, Declare)
        if all(earlier.power != order.power for earlier in accepted if isinstance(earlier, Declare)):
            return None
        return refuse(Reason.ORDERED_TWICE, case="declared", power=order.power)

    def has_a_choice(self, power: str, situation: Situation) -> bool:
        return power in living_powers(situation.position, situation.ruleset) and bool(
            _other_living_powers(power, situation)
        )

    def unfinished(self, orders: Sequence[Order], power: str, situation: Situation) -> tuple[str, ...]:
        """Nothing: a power doesn't have to declare anything."""
        return ()

    def resolve(self, orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
        papers = {
            (power, order.power): order.stance
            for power, written in orders.items()
            for order in written
            if isinstance(order, Declare)
        }
        position = replace(situation.position, relations=dict(_relations(papers, situation)))
        outcomes = tuple(_outcome_of_paper(one, other, papers, position) for one, other in sorted(papers))
        return Settled(position, outcomes, tuple(_relation_notices(situation.position, position, situation.ruleset)))


def _other_living_powers(power: str, situation: Situation) -> tuple[str, ...]:
    return tuple(other for other in living_powers(situation.position, situation.ruleset) if other != power)


def _relations(papers: Papers, situation: Situation) -> Iterator[tuple[str, str]]:
    """The new relations as they are stored: neutrality, the initial relation, is left out."""
    for one, other in combinations(situation.ruleset.powers, 2):
        now = stance_of(one, other, situation.position, STANCES)
        stance = stance_after(now, papers.get((one, other)), papers.get((other, one)))
        if stance != NEUTRALITY:
            yield relation_key(one, other), stance


def _outcome_of_paper(one: str, other: str, papers: Papers, after: Position) -> OrderOutcome:
    """The outcome of a declaration: it succeeds if the two powers now have the relation that it names."""
    order, stance = Declare(papers[one, other], other), stance_of(one, other, after, STANCES)
    if order.stance == stance:
        return OrderOutcome(None, one, order, (OrderResult.SUCCEEDS,))
    facts = {"power": other, **_case_of_failure(papers.get((other, one)), stance)}
    return OrderOutcome(None, one, order, (OrderResult.FAILS,), Reason.TAKES_TWO, facts)


def _case_of_failure(answer: str | None, stance: str) -> dict[str, str]:
    if answer == WAR:
        return {"case": "war"}
    return {"case": "peace"} if stance == WAR else {}


def _relation_notices(before: Position, after: Position, ruleset: Ruleset) -> Iterator[Notice]:
    for one, other in combinations(ruleset.powers, 2):
        was, now = (stance_of(one, other, position, STANCES) for position in (before, after))
        if was != now:
            case = f"{was} ended" if now == NEUTRALITY else now
            yield Notice(NoticeKind.RELATION, None, None, {"case": case, "power": one, "other": other})


@dataclass(frozen=True, slots=True, eq=False)
class HomeTerritory:
    """`lands`: province -> the power it belongs to at the start, and that power's home centres next to it. Land that is
    neither a supply centre nor listed here is never owned (D8)."""

    lands: Mapping[str, tuple[str, tuple[str, ...]]]

    def owner(self, province: str, position: Position) -> str | None:
        """The first owner, unless another power holds more of its neighbouring home centres: then the power that holds
        most, or None if two are tied (D7)."""
        if province not in self.lands:
            return position.centres.get(province)
        first, homes = self.lands[province]
        counts = Counter(position.centres[home] for home in homes if home in position.centres)
        own = counts.pop(first, 0)
        if own >= counts.total():
            return first
        (most, count), *others = counts.most_common()
        return None if others and others[0][1] == count else most


def home_territory(board: Board, facts: Mapping[str, Any]) -> HomeTerritory:
    """The territory from the `powers` of variant.toml, each with its `homes` and `lands`."""
    return HomeTerritory(
        {
            land: (entry["id"], tuple(home for home in entry["homes"] if home in board.army[land]))
            for entry in facts["powers"]
            for land in entry["lands"]
        }
    )


@dataclass(frozen=True, slots=True)
class Silence(CivilDisorder):
    """A power that nobody plays declares nothing (D1, D12)."""

    permanent_effects = (*CivilDisorder.permanent_effects, "silent")


YEAR = Calendar(
    (
        Step(Season.SPRING, PhaseKind.DECLARATION),
        Step(Season.SPRING, PhaseKind.MOVEMENT),
        Step(Season.SPRING, PhaseKind.RETREAT),
        Step(Season.FALL, PhaseKind.DECLARATION),
        Step(Season.FALL, PhaseKind.MOVEMENT),
        Step(Season.FALL, PhaseKind.RETREAT, counts=True),
        Step(Season.WINTER, PhaseKind.ADJUSTMENT),
    )
)


def rules(board: Board, facts: Mapping[str, Any]) -> Ruleset:
    """The ruleset on any board; `facts` as for the standard game, and each power's `lands`."""
    return replace(
        standard_rules(board, facts),
        calendar=YEAR,
        relations=DeclaredRelations(),
        legality=FORMAL_LEGALITY,
        internment=NeutralLand(),
        territory=home_territory(board, facts),
        disorder=Silence(),
        special={PhaseKind.DECLARATION: Declarations()},
    )
