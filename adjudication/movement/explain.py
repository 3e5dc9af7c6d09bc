"""The result of each order in a movement phase, and the unit that caused it.

The word and the rule are set at once; the sentence is built when it is first read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter
from typing import NamedTuple

from adjudication.english import listed
from adjudication.movement.after_moves import AfterMoves
from adjudication.movement.battle import NO_UNITS, Battle
from adjudication.movement.bitboard import bits
from adjudication.movement.prepared import CONVOYS, HOLDS, MOVES, SUPPORTS_HOLD, PreparedOrder
from adjudication.movement.solver import Solver
from adjudication.orders import Hold, Order
from adjudication.position import Dislodged
from adjudication.reasons import OrderRefusal, Reason
from adjudication.resolution import OrderOutcome, OrderResult, refusal_word
from adjudication.units import NEUTRAL, Unit
from adjudication.words import order_words, owner_of_shared, place, power_words, unit_in

_BY_STEAD = attrgetter("stead")
_STANDS = OrderResult.STANDS
Dislodgement = tuple[tuple[OrderResult, ...], Reason]
"""The words for a dislodged unit, and the rule."""
DISLODGED: Dislodgement = (OrderResult.DISLODGED,), Reason.DISLODGED
DESTROYED: Dislodgement = (OrderResult.DESTROYED,), Reason.DESTROYED
MINOR_DISBANDED: Dislodgement = (OrderResult.DESTROYED,), Reason.MINOR_DISBANDED
DISORDER_DISBANDED: Dislodgement = (OrderResult.DESTROYED,), Reason.DISORDER_DISBANDED
_FATES: Mapping[Reason, str] = {
    Reason.DISLODGED: ".",
    Reason.MINOR_DISBANDED: ", and disbanded because it belongs to a minor power.",
    Reason.DISORDER_DISBANDED: ", and disbanded because it takes no orders.",
    Reason.DESTROYED: ", with nowhere to retreat.",
}


class Explanation(NamedTuple):
    """Why an order failed: the words, the rule, and the function that builds the sentence."""

    results: tuple[OrderResult, ...]
    reason: Reason
    told: Callable[[Explainer, int], str]


class Explainer:
    """Explains one solved battle. `orders`: province -> the lawful order of its unit; `refused`: province -> an
    unlawful order, and why. `beaten`: province -> the unit dislodged there."""

    __slots__ = ("arrivals", "battle", "beaten", "board", "orders", "refused", "situation", "solver")

    def __init__(self, solver: Solver, after: AfterMoves, refused: Mapping[int, tuple[Order, OrderRefusal]]) -> None:
        self.solver = solver
        self.battle: Battle = solver.battle
        self.situation = self.battle.situation
        self.board = self.situation.board
        self.arrivals = after.arrivals
        self.beaten = after.dislodged
        self.orders = self.battle.orders
        self.refused = refused

    def outcomes(self) -> list[OrderOutcome]:
        """One for each unit, by power and location. Most orders succeed and need no explanation."""
        explanations, orders = self._explanations(), [*self.orders.values(), *self._holding()]
        orders.sort(key=_BY_STEAD)
        return [
            self._outcome(each, explanations[each.here]) if each.here in explanations else each.fine for each in orders
        ]

    def _holding(self) -> list[PreparedOrder]:
        """The units without a valid order."""
        orders, situation, known = self.orders, self.situation, self.situation.cache.holds
        return [
            known.get(unit.rank) or situation.holding(unit)
            for here, unit in self.battle.at.items()
            if here not in orders
        ]

    def _outcome(self, prepared: PreparedOrder, explanation: Explanation | None) -> OrderOutcome:
        here, unit = prepared.here, prepared.unit
        if here in self.refused:
            return self._outcome_of_refused(here, unit)
        if here in self.beaten:
            return self._outcome_of_beaten(prepared, explanation)
        assert explanation is not None
        results, reason, told = explanation
        return OrderOutcome(unit, unit.power, prepared.order, results, reason, partial(told, self, here))

    def _outcome_of_refused(self, here: int, unit: Unit) -> OrderOutcome:
        order, refusal = self.refused[here]
        results: tuple[OrderResult, ...] = (refusal_word(refusal.reason),)
        if here not in self.beaten:
            return OrderOutcome(unit, unit.power, order, results, refusal.reason, refusal.sentence)
        fate, why = self._fate(self.beaten[here])
        told = partial(self._lament, here, lambda _explainer, _here: refusal.sentence, why)
        return OrderOutcome(unit, unit.power, order, results + fate, refusal.reason, told, self._origin(here))

    def _outcome_of_beaten(self, prepared: PreparedOrder, explanation: Explanation | None) -> OrderOutcome:
        here, unit = prepared.here, prepared.unit
        results, reason, sentence = explanation or (prepared.fine.results, None, None)
        fate, why = self._fate(self.beaten[here])
        told = partial(self._lament, here, sentence, why)
        together = fate if results[0] is _STANDS else results + fate
        return OrderOutcome(unit, unit.power, prepared.order, together, reason or why, told, self._origin(here))

    def _origin(self, here: int) -> str:
        """The province that the attacker came from."""
        bitboard = self.battle.bitboard
        return bitboard.provinces[bitboard.around[self.arrivals[here]]]

    # Words and rules.

    def _explanations(self) -> dict[int, Explanation | None]:
        """One for every order that failed. None for an unlawful order, and for one that succeeded though its unit was
        dislodged."""
        battle, known = self.battle, self.solver.known
        explanations: dict[int, Explanation | None] = {**dict.fromkeys(self.beaten), **dict.fromkeys(self.refused)}
        for mover in battle.movers:
            if not known[mover]:
                explanations[mover] = SORTIE if mover in battle.sorties else self._failure(mover)
        for here in battle.attackers:
            if battle.does[here] > HOLDS and (explanation := self._disturbance(here)):
                explanations[here] = explanation
        for here in battle.unmatched:
            explanations[here] = UNMATCHED_CONVOY if battle.does[here] == CONVOYS else UNMATCHED_SUPPORT
        for helped in battle.courteous:
            if not self.solver.is_held_back(helped):
                supporters = battle.hold_supports.get(helped, NO_UNITS)
                explanations.update(dict.fromkeys(supporters, UNMATCHED_SUPPORT))
        return explanations

    def _disturbance(self, here: int) -> Explanation | None:
        """Why a support or convoy that was attacked failed; None if it did not."""
        if self.battle.does[here] == CONVOYS:
            return self._convoy(here)
        if self.solver.known.get(here):
            return None
        cutter = self.solver.cut_by(here)
        if cutter is None:
            return None
        if self.battle.is_from_the_target(cutter, here) and self.arrivals.get(here) == cutter:
            return CUT_BY_DISLODGING
        return CUT

    def _convoy(self, here: int) -> Explanation | None:
        if here in self.arrivals:
            return DISRUPTED
        return DISRUPTED_BY_A_PARADOX if here in self.solver.disrupted else None

    def _failure(self, mover: int) -> Explanation:
        """Why a move failed: it had no way, or lost its battle."""
        solver, battle = self.solver, self.battle
        if solver.hindered:
            without_way = self._without_way(mover)
            if without_way:
                return without_way
        goal = battle.goal[mover]
        if goal not in battle.at:
            return BOUNCED
        leaving = battle.does[goal] == MOVES
        head_to_head = leaving and battle.head_to_head(mover)
        if leaving and not head_to_head and solver.known[goal]:
            return BOUNCED
        if not solver.may_dislodge(mover):
            return OWN_UNIT_THERE if battle.side(mover) == battle.side(goal) else ALLY_THERE
        if mover in battle.move_supports:
            attack = solver.attack_strength(mover, stays=True)
            if attack > 1 and attack > solver.resistance(mover):
                return BOUNCED
        return HEAD_TO_HEAD if head_to_head else HELD_OFF

    def _without_way(self, mover: int) -> Explanation | None:
        """None if it had a way."""
        if mover in self.battle.by_convoy:
            if not self.battle.convoy_is_ordered(mover):
                return NO_CONVOY_ORDERED
            if not self.solver.has_path(mover):
                fallen = [f for f in self._lost_fleets(mover) if f in self.arrivals]
                return WAY_LOST if fallen else WAY_LOST_TO_A_PARADOX
        if not self.solver.has_way(mover):
            return GAVE_WAY if self.solver.is_held_back(mover) else SHARED_PROVINCE
        return None

    def _fate(self, beaten: Dislodged) -> Dislodgement:
        if beaten.unit.power == NEUTRAL:
            return MINOR_DISBANDED
        if self.situation.is_leaderless(beaten.unit):
            return DISORDER_DISBANDED
        return DISLODGED if beaten.retreats else DESTROYED

    def _lost_fleets(self, mover: int) -> list[int]:
        return [f for f in bits(self.battle.convoyers[mover]) if not self.solver.works(f)]

    # Sentences.

    def _lament(self, here: int, told: Callable[[Explainer, int], str] | None, why: Reason) -> str:
        by = f"Dislodged by {self._order(self.arrivals[here])}{_FATES[why]}"
        return " ".join(filter(None, (told(self, here) if told else "", by)))

    def _order(self, here: int) -> str:
        province = self.battle.bitboard.provinces[here]
        if here in self.refused:
            order = self.refused[here][0]
        else:
            given = self.orders.get(here)
            order = given.order if given else Hold(self.situation.at[here].location)
        words = order_words(order, self.situation.units, self.board)
        return owner_of_shared(province, self.situation.units, self.board) + words

    def _unit(self, here: int) -> str:
        province, units = self.battle.bitboard.provinces[here], self.situation.units
        return owner_of_shared(province, units, self.board) + unit_in(province, units, self.board)

    def _place(self, here: int) -> str:
        return place(self.battle.bitboard.provinces[here], self.board)

    def _support_cut(self, here: int) -> str:
        cutter = self.solver.cut_by(here)
        assert cutter is not None
        return f"Support cut by {self._order(cutter)}."

    def _unmatched_support(self, here: int) -> str:
        helped = self._unit(self.battle.helped(here))
        if self.battle.helped(here) not in self.battle.at:
            return f"There is no unit in {helped}, so the support had no effect."
        if self.battle.does[here] == SUPPORTS_HOLD:
            return f"{helped} was ordered to move, so it could not be supported to hold."
        number = self.battle.arrival(here)
        goal = place(self.battle.bitboard.locations[number], self.board)
        return f"{helped}–{goal} was not ordered, so the support had no effect."

    def _unmatched_convoy(self, here: int) -> str:
        army, goal = self._unit(self.battle.helped(here)), self._place(self.battle.goal[here])
        return f"{army}–{goal} was not ordered, so the convoy had no effect."

    def _no_convoy(self, mover: int) -> str:
        start, goal = self._place(mover), self._place(self.battle.goal[mover])
        return f"No unbroken convoy from {start} to {goal} was ordered."

    def _convoy_disrupted(self, here: int) -> str:
        """The army's sentence; the dislodged fleet's own outcome names its attacker."""
        if self.battle.does[here] == CONVOYS:
            return ""
        fallen = [fleet for fleet in self._lost_fleets(here) if fleet in self.arrivals]
        fleets = [f"{self._unit(f)}, dislodged by {self._order(self.arrivals[f])}" for f in fallen]
        return f"The convoy needed {listed(fleets)}."

    def _convoy_paradox(self, here: int) -> str:
        if self.battle.does[here] == CONVOYS:
            return "The convoy would decide its own fate, so it is disrupted."
        fleets = listed([self._unit(fleet) for fleet in self._lost_fleets(here)])
        return f"The convoy by {fleets} would decide its own fate, so it is disrupted."

    def _own_unit_there(self, mover: int) -> str:
        goal = self.battle.goal[mover]
        return f"{self._unit(goal)} stays, and its own {self._kin(goal)} cannot dislodge it."

    def _kin(self, here: int) -> str:
        return "faction" if self.situation.at[here].faction else "power"

    def _ally_there(self, mover: int) -> str:
        power = power_words(self.situation.at[mover].power)
        return f"{self._unit(self.battle.goal[mover])} stays, and {power} cannot dislodge it."

    def _gave_way(self, mover: int) -> str:
        return f"{self._unit(self.battle.goal[mover])} did not leave, so the move was treated as a hold."

    def _shared(self, mover: int) -> str:
        return f"Not every unit left {self._place(self.battle.goal[mover])}, so no other unit could enter."

    def _sortie(self, mover: int) -> str:
        return f"A sortie to {self._place(self.battle.goal[mover])}: the unit stays where it is."

    def _held_off(self, mover: int) -> str:
        goal = self.battle.goal[mover]
        attack = self.solver.attack_strength(mover, stays=True)
        odds = f"{attack} against {self.solver.resistance(mover)}{self._discounted(mover, attack)}"
        if self.battle.head_to_head(mover):
            return f"Met {self._order(goal)} head to head: {odds}."
        return f"{self._place(goal)} was held: {odds}."

    def _discounted(self, mover: int, attack: int) -> str:
        if self.solver.move_strength(mover) == attack:
            return ""
        friends = " or its ally" if self._discounts_an_ally(mover) else ""
        kin = self._kin(self.battle.goal[mover])
        return f", because support does not count against the supporter’s own {kin}{friends}"

    def _discounts_an_ally(self, mover: int) -> bool:
        side, position = self.battle.side, self.situation.position
        defender, may_help = side(self.battle.goal[mover]), self.situation.ruleset.relations.may_help_dislodge
        helpers = {side(here) for here in self.battle.move_supports.get(mover, ())} - {defender}
        return not all(may_help(helper, defender, position) for helper in helpers)

    def _bounced(self, mover: int) -> str:
        attack = self.solver.attack_strength(mover, self.solver.stays_against(mover))
        strengths = [(self.solver.prevent_strength(r), -r) for r in self.battle.rivals(mover)]
        strength, rival = max(strengths)
        return f"Bounced with {self._order(-rival)}: {attack} against {strength}."


def _supporter_fell(_explainer: Explainer, _here: int) -> str:
    """A separate sentence names the attacker."""
    return "Support cut."


_FAILS, _CUT, _DISRUPTED, _INVALID = (
    (OrderResult.FAILS,),
    (OrderResult.CUT,),
    (OrderResult.DISRUPTED,),
    (OrderResult.INVALID,),
)
BOUNCED = Explanation(_FAILS, Reason.BOUNCED, Explainer._bounced)
SORTIE = Explanation(_FAILS, Reason.SORTIE, Explainer._sortie)
HELD_OFF = Explanation(_FAILS, Reason.HELD_OFF, Explainer._held_off)
HEAD_TO_HEAD = Explanation(_FAILS, Reason.HEAD_TO_HEAD, Explainer._held_off)
OWN_UNIT_THERE = Explanation(_FAILS, Reason.OWN_UNIT_THERE, Explainer._own_unit_there)
ALLY_THERE = Explanation(_FAILS, Reason.ALLY_THERE, Explainer._ally_there)
GAVE_WAY = Explanation(_FAILS, Reason.GAVE_WAY, Explainer._gave_way)
SHARED_PROVINCE = Explanation(_FAILS, Reason.SHARED_PROVINCE, Explainer._shared)
WAY_LOST = Explanation(_FAILS, Reason.CONVOY_DISRUPTED, Explainer._convoy_disrupted)
WAY_LOST_TO_A_PARADOX = Explanation(_FAILS, Reason.CONVOY_PARADOX, Explainer._convoy_paradox)
DISRUPTED = Explanation(_DISRUPTED, Reason.CONVOY_DISRUPTED, Explainer._convoy_disrupted)
DISRUPTED_BY_A_PARADOX = Explanation(_DISRUPTED, Reason.CONVOY_PARADOX, Explainer._convoy_paradox)
CUT = Explanation(_CUT, Reason.SUPPORT_CUT, Explainer._support_cut)
CUT_BY_DISLODGING = Explanation(_CUT, Reason.SUPPORTER_DISLODGED, _supporter_fell)
UNMATCHED_SUPPORT = Explanation(_INVALID, Reason.UNMATCHED_SUPPORT, Explainer._unmatched_support)
UNMATCHED_CONVOY = Explanation(_INVALID, Reason.UNMATCHED_CONVOY, Explainer._unmatched_convoy)
NO_CONVOY_ORDERED = Explanation(_INVALID, Reason.NO_CONVOY_ORDERED, Explainer._no_convoy)
