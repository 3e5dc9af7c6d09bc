"""The result of each order in a movement phase, and the unit that caused it.

The reason and the rule are set at once. The facts are found when they are first read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from adjudication.movement.after_moves import AfterMoves
from adjudication.movement.battle import NO_UNITS, Battle
from adjudication.movement.bitboard import bits
from adjudication.movement.prepared import CONVOYS, HOLDS, MOVES, SUPPORTS_HOLD, PreparedOrder
from adjudication.movement.solver import Solver
from adjudication.orders import Declare, Hold, Order, Waive
from adjudication.position import Dislodged
from adjudication.reasons import NO_FACTS, Facts, Fallen, GivenOrder, OrderRefusal, Reason, given_order
from adjudication.resolution import OrderOutcome, OrderResult, result_of_refusal
from adjudication.units import NEUTRAL, Unit

_POWER_AND_PLACE = attrgetter("power_and_place")
Dislodgement = tuple[tuple[OrderResult, ...], Reason]
"""The words for a dislodged unit, and the rule."""
DISLODGED: Dislodgement = (OrderResult.DISLODGED,), Reason.DISLODGED
DESTROYED: Dislodgement = (OrderResult.DESTROYED,), Reason.DESTROYED
MINOR_DISBANDED: Dislodgement = (OrderResult.DESTROYED,), Reason.MINOR_DISBANDED
DISORDER_DISBANDED: Dislodgement = (OrderResult.DESTROYED,), Reason.DISORDER_DISBANDED


class Explanation(NamedTuple):
    """Why an order failed: the result, the rule, and the function that finds the facts."""

    results: tuple[OrderResult, ...]
    reason: Reason
    facts: Callable[[Explainer, int], Facts]


class Explainer:
    """Explains one solved battle. `orders`: province -> the lawful order of its unit; `refused`: province -> an
    unlawful order, and why. `dislodged`: province -> the unit dislodged there."""

    __slots__ = ("arrivals", "battle", "dislodged", "orders", "refused", "situation", "solver")

    def __init__(self, solver: Solver, after: AfterMoves, refused: Mapping[int, tuple[Order, OrderRefusal]]) -> None:
        self.solver = solver
        self.battle: Battle = solver.battle
        self.situation = self.battle.situation
        self.arrivals = after.arrivals
        self.dislodged = after.dislodged
        self.orders = self.battle.orders
        self.refused = refused

    def outcomes(self) -> list[OrderOutcome]:
        """The outcome of each unit, by power and location. Most orders succeed and need no explanation."""
        cached_holds, orders = self.situation.cache.holds, [*self.orders.values()]
        orders += [  # the holds of the units without a valid order
            cached_holds.get(unit.rank) or self.situation.hold_of(unit)
            for here, unit in self.battle.at.items()
            if here not in self.orders
        ]
        explanations = self._explanations()
        orders.sort(key=_POWER_AND_PLACE)
        return [
            self._outcome_of_failed(each, explanations[each.here])
            if each.here in explanations
            else each.outcome_of_success
            for each in orders
        ]

    def _outcome_of_failed(self, prepared: PreparedOrder, explanation: Explanation | None) -> OrderOutcome:
        here, unit = prepared.here, prepared.unit
        if here in self.refused:
            return self._outcome_of_refused(here, unit)
        if here in self.dislodged:
            return self._outcome_of_dislodged(prepared, explanation)
        assert explanation is not None
        results, reason, facts = explanation
        return OrderOutcome(unit, unit.power, prepared.order, results, reason, partial(facts, self, here))

    def _outcome_of_refused(self, here: int, unit: Unit) -> OrderOutcome:
        order, refusal = self.refused[here]
        results: tuple[OrderResult, ...] = (result_of_refusal(refusal.reason),)
        if here not in self.dislodged:
            return OrderOutcome(unit, unit.power, order, results, refusal.reason, refusal.facts)
        fate, why = self._dislodgement(self.dislodged[here])
        all_facts = partial(self._facts_of_dislodged, here, refusal.facts, why)
        return OrderOutcome(
            unit, unit.power, order, results + fate, refusal.reason, all_facts, self._origin_of_attacker(here)
        )

    def _outcome_of_dislodged(self, prepared: PreparedOrder, explanation: Explanation | None) -> OrderOutcome:
        here, unit = prepared.here, prepared.unit
        results, reason, facts = explanation or (prepared.outcome_of_success.results, None, Explainer._no_facts)
        fate, why = self._dislodgement(self.dislodged[here])
        all_facts = lambda: self._facts_of_dislodged(here, facts(self, here), why)  # noqa: E731
        all_results = fate if results[0] is OrderResult.STANDS else results + fate
        return OrderOutcome(
            unit, unit.power, prepared.order, all_results, reason or why, all_facts, self._origin_of_attacker(here)
        )

    def _origin_of_attacker(self, here: int) -> str:
        """The province that the attacker came from."""
        bitboard = self.battle.bitboard
        return bitboard.provinces[bitboard.around[self.arrivals[here]]]

    # Words and rules.

    def _explanations(self) -> dict[int, Explanation | None]:
        """An explanation for every order that failed. None for an unlawful order, and for an order that succeeded
        although its unit was dislodged."""
        battle, answers = self.battle, self.solver.answers
        explanations: dict[int, Explanation | None] = {**dict.fromkeys(self.dislodged), **dict.fromkeys(self.refused)}
        for mover in battle.movers:
            if not answers[mover]:
                explanations[mover] = SORTIE if mover in battle.sorties else self._failure_of_move(mover)
        for here in battle.attackers:
            if battle.action[here] > HOLDS and (explanation := self._failure_under_attack(here)):
                explanations[here] = explanation
        for here in battle.unmatched:
            explanations[here] = UNMATCHED_CONVOY if battle.action[here] == CONVOYS else UNMATCHED_SUPPORT
        for helped in battle.courteous:
            if not self.solver.is_held_back(helped):
                supporters = battle.hold_supports.get(helped, NO_UNITS)
                explanations.update(dict.fromkeys(supporters, UNMATCHED_SUPPORT))
        return explanations

    def _failure_under_attack(self, here: int) -> Explanation | None:
        """Why a support or convoy that was attacked failed; None if it did not."""
        if self.battle.action[here] == CONVOYS:
            if here in self.arrivals:
                return DISRUPTED
            return DISRUPTED_BY_A_PARADOX if here in self.solver.disrupted else None
        if self.solver.answers.get(here):
            return None
        cutter = self.solver.move_that_cuts(here)
        if cutter is None:
            return None
        if self.battle.is_from_the_target(cutter, here) and self.arrivals.get(here) == cutter:
            return CUT_BY_DISLODGING
        return CUT

    def _failure_of_move(self, mover: int) -> Explanation:
        """Why a move failed: it was not possible, or it lost its battle."""
        solver, battle = self.solver, self.battle
        if solver.hindered:
            impossible = self._reason_why_impossible(mover)
            if impossible:
                return impossible
        goal = battle.goal[mover]
        if goal not in battle.at:
            return BOUNCED
        is_leaving = battle.action[goal] == MOVES
        head_to_head = is_leaving and battle.is_head_to_head(mover)
        if is_leaving and not head_to_head and solver.answers[goal]:
            return BOUNCED
        if not solver.may_dislodge(mover):
            return OWN_UNIT_THERE if battle.side_of(mover) == battle.side_of(goal) else ALLY_THERE
        if mover in battle.move_supports:
            attack = solver.attack_strength(mover, stays=True)
            if attack > 1 and attack > solver.resistance(mover):
                return BOUNCED
        return HEAD_TO_HEAD if head_to_head else HELD_OFF

    def _reason_why_impossible(self, mover: int) -> Explanation | None:
        """Why a move was not possible; None if it was."""
        if mover in self.battle.by_convoy:
            if not self.battle.convoy_is_ordered(mover):
                return NO_CONVOY_ORDERED
            if not self.solver.has_path(mover):
                dislodged_fleets = [f for f in self._lost_fleets(mover) if f in self.arrivals]
                return WAY_LOST if dislodged_fleets else WAY_LOST_TO_A_PARADOX
        if not self.solver.has_way(mover):
            return GAVE_WAY if self.solver.is_held_back(mover) else SHARED_PROVINCE
        return None

    def _dislodgement(self, dislodged: Dislodged) -> Dislodgement:
        if dislodged.unit.power == NEUTRAL:
            return MINOR_DISBANDED
        if self.situation.is_leaderless(dislodged.unit):
            return DISORDER_DISBANDED
        return DISLODGED if dislodged.retreats else DESTROYED

    def _lost_fleets(self, mover: int) -> list[int]:
        return [f for f in bits(self.battle.convoyers[mover]) if not self.solver.succeeds(f)]

    # Facts.

    def _facts_of_dislodged(self, here: int, own_facts: Facts, fate: Reason) -> Facts:
        return {**own_facts, "dislodged_by": self._given_order(self.arrivals[here]), "fate": fate.value}

    def _given_order(self, here: int) -> GivenOrder:
        unit = self.situation.at[here]
        prepared = self.orders.get(here)
        order = self.refused[here][0] if here in self.refused else prepared.order if prepared else Hold(unit.location)
        assert not isinstance(order, Waive | Declare)
        return given_order(unit, order, self.situation.units)

    def _province_name(self, here: int) -> str:
        return self.battle.bitboard.provinces[here]

    def _facts_of_goal(self, mover: int) -> Facts:
        return {"place": self._province_name(self.battle.goal[mover])}

    def _facts_of_unit_at_goal(self, mover: int) -> Facts:
        return {"unit": self.situation.at[self.battle.goal[mover]]}

    def _facts_of_cut(self, here: int) -> Facts:
        cutter = self.solver.move_that_cuts(here)
        assert cutter is not None
        return {"by": self._given_order(cutter)}

    def _facts_of_unmatched_support(self, here: int) -> Facts:
        helped_unit = self.situation.at.get(self.battle.unit_helped(here))
        if helped_unit is None:
            return {"place": self._province_name(self.battle.unit_helped(here))}
        if self.battle.action[here] == SUPPORTS_HOLD:
            return {"unit": helped_unit}
        return {"unit": helped_unit, "goal": self.battle.bitboard.locations[self.battle.arrival(here)]}

    def _facts_of_unmatched_convoy(self, here: int) -> Facts:
        army = self.situation.at[self.battle.unit_helped(here)]
        return {"unit": army, "goal": self._province_name(self.battle.goal[here])}

    def _facts_of_missing_convoy(self, mover: int) -> Facts:
        return {"here": self._province_name(mover), "there": self._province_name(self.battle.goal[mover])}

    def _facts_of_lost_fleets(self, mover: int) -> Facts:
        lost_fleets = [(self.situation.at[fleet], self.arrivals.get(fleet)) for fleet in self._lost_fleets(mover)]
        return {"fallen": tuple([Fallen(fleet, self._given_order(by)) for fleet, by in lost_fleets if by is not None])}

    def _facts_of_paradox(self, mover: int) -> Facts:
        return {"units": tuple([self.situation.at[fleet] for fleet in self._lost_fleets(mover)])}

    def _facts_of_own_unit(self, mover: int) -> Facts:
        return {**self._facts_of_unit_at_goal(mover), "own": self._word_for_own(mover)}

    def _word_for_own(self, mover: int) -> str:
        return "faction" if self.situation.at[self.battle.goal[mover]].faction else "power"

    def _facts_of_ally(self, mover: int) -> Facts:
        return {**self._facts_of_unit_at_goal(mover), "power": self.situation.at[mover].power}

    def _facts_of_odds(self, mover: int) -> Facts:
        attack = self.solver.attack_strength(mover, stays=True)
        odds = {"attack": attack, "against": self.solver.resistance(mover), **self._facts_of_discounted(mover, attack)}
        if self.battle.is_head_to_head(mover):
            return {"by": self._given_order(self.battle.goal[mover]), **odds}
        return {**self._facts_of_goal(mover), **odds}

    def _facts_of_discounted(self, mover: int, attack: int) -> Facts:
        """The powers whose own support did not count, if any."""
        if self.solver.move_strength(mover) == attack:
            return NO_FACTS
        side, position = self.battle.side_of, self.situation.position
        defender, may_help = side(self.battle.goal[mover]), self.situation.ruleset.relations.may_help_dislodge
        helpers = {side(here) for here in self.battle.move_supports.get(mover, ())} - {defender}
        friends = {} if all(may_help(helper, defender, position) for helper in helpers) else {"ally": "ally"}
        return {"own": self._word_for_own(mover), **friends}

    def _facts_of_bounce(self, mover: int) -> Facts:
        attack = self.solver.attack_strength(mover, self.solver.stays_against(mover))
        strength, rival = max((self.solver.prevent_strength(r), -r) for r in self.battle.rival_moves(mover))
        return {"by": self._given_order(-rival), "attack": attack, "against": strength}

    def _no_facts(self, _here: int) -> Facts:
        """No facts: the unit was dislodged, and the outcome of that names the attacker."""
        return NO_FACTS


_FAILS, _CUT, _DISRUPTED, _INVALID = (
    (OrderResult.FAILS,),
    (OrderResult.CUT,),
    (OrderResult.DISRUPTED,),
    (OrderResult.INVALID,),
)
BOUNCED = Explanation(_FAILS, Reason.BOUNCED, Explainer._facts_of_bounce)
SORTIE = Explanation(_FAILS, Reason.SORTIE, Explainer._facts_of_goal)
HELD_OFF = Explanation(_FAILS, Reason.HELD_OFF, Explainer._facts_of_odds)
HEAD_TO_HEAD = Explanation(_FAILS, Reason.HEAD_TO_HEAD, Explainer._facts_of_odds)
OWN_UNIT_THERE = Explanation(_FAILS, Reason.OWN_UNIT_THERE, Explainer._facts_of_own_unit)
ALLY_THERE = Explanation(_FAILS, Reason.ALLY_THERE, Explainer._facts_of_ally)
GAVE_WAY = Explanation(_FAILS, Reason.GAVE_WAY, Explainer._facts_of_unit_at_goal)
SHARED_PROVINCE = Explanation(_FAILS, Reason.SHARED_PROVINCE, Explainer._facts_of_goal)
WAY_LOST = Explanation(_FAILS, Reason.CONVOY_DISRUPTED, Explainer._facts_of_lost_fleets)
WAY_LOST_TO_A_PARADOX = Explanation(_FAILS, Reason.CONVOY_PARADOX, Explainer._facts_of_paradox)
DISRUPTED = Explanation(_DISRUPTED, Reason.CONVOY_DISRUPTED, Explainer._no_facts)
DISRUPTED_BY_A_PARADOX = Explanation(_DISRUPTED, Reason.CONVOY_PARADOX, Explainer._no_facts)
CUT = Explanation(_CUT, Reason.SUPPORT_CUT, Explainer._facts_of_cut)
CUT_BY_DISLODGING = Explanation(_CUT, Reason.SUPPORTER_DISLODGED, Explainer._no_facts)
UNMATCHED_SUPPORT = Explanation(_INVALID, Reason.UNMATCHED_SUPPORT, Explainer._facts_of_unmatched_support)
UNMATCHED_CONVOY = Explanation(_INVALID, Reason.UNMATCHED_CONVOY, Explainer._facts_of_unmatched_convoy)
NO_CONVOY_ORDERED = Explanation(_INVALID, Reason.NO_CONVOY_ORDERED, Explainer._facts_of_missing_convoy)
