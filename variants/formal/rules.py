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

DeclaredStances = Mapping[tuple[str, str], str]
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
        living = living_powers(situation.position, situation.ruleset)
        other_powers = [other for other in living if other != power and power in living]
        return tuple((other, tuple(Declare(stance, other) for stance in STANCES)) for other in other_powers)

    def refusal(self, order: Order, power: str, situation: Situation) -> OrderRefusal | None:
        assert isinstance(order, Declare)
        if order.stance not in STANCES:
            return refuse(Reason.NOT_DECLARED_SO, typed=order.stance)
        if order.power == power:
            return refuse(Reason.NOT_DECLARED_SO, case="itself")
        living = living_powers(situation.position, situation.ruleset)
        eliminated_power = next((each for each in (power, order.power) if each not in living), None)
        if eliminated_power:
            return refuse(Reason.NOT_DECLARED_SO, case="gone", power=eliminated_power)
        return None

    def surplus_refusal(
        self, order: Order, accepted: Sequence[Order], power: str, situation: Situation
    ) -> OrderRefusal | None:
        assert isinstance(order, Declare)
        if all(earlier.power != order.power for earlier in accepted if isinstance(earlier, Declare)):
            return None
        return refuse(Reason.ORDERED_TWICE, case="declared", power=order.power)

    def has_a_choice(self, power: str, situation: Situation) -> bool:
        return bool(self.options(power, situation))

    def unfinished(self, orders: Sequence[Order], power: str, situation: Situation) -> tuple[str, ...]:
        """Nothing: a power doesn't have to declare anything."""
        return ()

    def resolve(self, orders: Mapping[str, Sequence[Order]], situation: Situation) -> Settled:
        declarations = {
            (power, order.power): order.stance
            for power, own_orders in orders.items()
            for order in own_orders
            if isinstance(order, Declare)
        }
        position = replace(situation.position, relations=dict(_relations(declarations, situation)))
        outcomes = tuple(_outcome_of_declaration(*pair, declarations, position) for pair in sorted(declarations))
        return Settled(position, outcomes, tuple(_relation_notices(situation.position, position, situation.ruleset)))


def _relations(declarations: DeclaredStances, situation: Situation) -> Iterator[tuple[str, str]]:
    """The new relations as they are stored: neutrality, the initial relation, is left out."""
    for power, other in combinations(situation.ruleset.powers, 2):
        now = stance_of(power, other, situation.position, STANCES)
        stance = stance_after(now, declarations.get((power, other)), declarations.get((other, power)))
        if stance != NEUTRALITY:
            yield relation_key(power, other), stance


def _outcome_of_declaration(power: str, other: str, declarations: DeclaredStances, after: Position) -> OrderOutcome:
    """The outcome of a declaration: it succeeds if the two powers now have the relation that it names."""
    order, stance = Declare(declarations[power, other], other), stance_of(power, other, after, STANCES)
    if order.stance == stance:
        return OrderOutcome(None, power, order, (OrderResult.SUCCEEDS,))
    case = "war" if declarations.get((other, power)) == WAR else "peace" if stance == WAR else None
    facts = {"power": other, **({"case": case} if case else {})}
    return OrderOutcome(None, power, order, (OrderResult.FAILS,), Reason.TAKES_TWO, facts)


def _relation_notices(before: Position, after: Position, ruleset: Ruleset) -> Iterator[Notice]:
    for power, other in combinations(ruleset.powers, 2):
        old_stance, now = (stance_of(power, other, position, STANCES) for position in (before, after))
        if old_stance != now:
            case = f"{old_stance} ended" if now == NEUTRALITY else now
            yield Notice(NoticeKind.RELATION, None, None, {"case": case, "power": power, "other": other})


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
        own_count = counts.pop(first, 0)
        if own_count >= counts.total():
            return first
        (leader, count), *rivals = counts.most_common()
        return None if rivals and rivals[0][1] == count else leader


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
        territory=HomeTerritory(
            {
                land: (entry["id"], tuple(home for home in entry["homes"] if home in board.army[land]))
                for entry in facts["powers"]
                for land in entry["lands"]
            }
        ),
        disorder=Silence(),
        special={PhaseKind.DECLARATION: Declarations()},
    )
