"""What became of each order, and because of whom.

The word and the rule are told at once; the sentence is put together when somebody reads it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from operator import attrgetter

from adjudication.movement.aftermath import Aftermath
from adjudication.movement.battle import NOBODY, Battle
from adjudication.movement.intents import CONVOYS, FINE, MOVES, SUPPORTS_HOLD, SUPPORTS_MOVE, Intent
from adjudication.movement.solver import Solver
from adjudication.movement.table import bits
from adjudication.orders import Hold, Order
from adjudication.position import Dislodged
from adjudication.reasons import Reason, Refusal
from adjudication.resolution import OrderOutcome, Result, refusal_word
from adjudication.units import NEUTRAL, Unit
from adjudication.words import listed, order_words, owner_of_shared, place, power_words, unit_in

_BY_STEAD = attrgetter("stead")

Account = tuple[Result, Reason | None]
"""What became of an order: the word, and the rule if it came to nothing."""


_FATES: Mapping[Reason, str] = {
    Reason.MINOR_DISBANDED: ", and disbanded as every minor power's unit is.",
    Reason.DISORDER_DISBANDED: ", and disbanded as it takes no orders.",
    Reason.DESTROYED: ", with nowhere to retreat.",
}


class Explainer:
    """Speaks about one solved battle. `intents`: province -> the lawful order of its unit; `refused`:
    province -> an order that was not lawful, and why. `beaten`: province -> the unit dislodged there."""

    __slots__ = ("arrivals", "battle", "beaten", "board", "intents", "refused", "scene", "solver")

    def __init__(
        self,
        solver: Solver,
        after: Aftermath,
        intents: Mapping[int, Intent],
        refused: Mapping[int, tuple[Order, Refusal]],
    ) -> None:
        self.solver = solver
        self.battle: Battle = solver.battle
        self.scene = self.battle.scene
        self.board = self.scene.board
        self.arrivals = after.arrivals
        number = self.battle.table.number
        self.beaten: dict[int, Dislodged] = {number[d.unit.province]: d for d in after.dislodged}
        self.intents = intents
        self.refused = refused

    def outcomes(self) -> list[OrderOutcome]:
        """One for each unit, by power and location; most orders work out."""
        ordered, holds, scene = self.intents.get, self.scene.ledger.holds.get, self.scene
        intents = [ordered(here) or holds(u.rank) or scene.holding(u) for here, u in scene.at.items()]
        intents.sort(key=_BY_STEAD)
        disturbed = self._disturbed()
        return [i.fine if i.here not in disturbed else self._outcome(i) for i in intents]

    def _disturbed(self) -> set[int]:
        """Where something may have gone wrong."""
        battle, solver = self.battle, self.solver
        disturbed = {*battle.movers, *battle.attackers}.difference(self.arrivals.values())
        disturbed.update(battle.unmatched, solver.disrupted, self.refused)
        for mover in battle.courteous:
            disturbed.update(battle.hold_supports.get(mover, NOBODY))
        return disturbed

    def _outcome(self, intent: Intent) -> OrderOutcome:
        here, unit = intent.here, intent.unit
        if here in self.refused:
            return self._outcome_of_refused(here, unit)
        word, reason = self._account(here)
        if here in self.beaten:
            return self._outcome_of_beaten(here, unit, intent.order, (word, reason))
        if reason is None:
            return intent.fine
        told = partial(self._sentence, here, reason)
        return OrderOutcome(unit, unit.power, intent.order, (word,), reason, told)

    def _outcome_of_refused(self, here: int, unit: Unit) -> OrderOutcome:
        order, refusal = self.refused[here]
        word = refusal_word(refusal.reason)
        if here in self.beaten:
            return self._outcome_of_beaten(here, unit, order, (word, refusal.reason))
        return OrderOutcome(unit, unit.power, order, (word,), refusal.reason, refusal.sentence)

    def _outcome_of_beaten(self, here: int, unit: Unit, order: Order, account: Account) -> OrderOutcome:
        (word, reason), (fate, why) = account, self._fate(self.beaten[here])
        results = (fate,) if word is Result.STANDS else (word, fate)
        told = partial(self._lament, here, reason, why)
        table = self.battle.table
        origin = table.provinces[table.around[self.arrivals[here]]]
        return OrderOutcome(unit, unit.power, order, results, reason or why, told, origin)

    # Words and rules.

    def _account(self, here: int) -> Account:
        does = self.battle.does[here]
        if does == MOVES:
            return self._move(here)
        battle = self.battle
        if here in battle.unmatched or (battle.courteous and self._was_for_one_that_left(here)):
            return Result.INVALID, Reason.UNMATCHED_CONVOY if does == CONVOYS else Reason.UNMATCHED_SUPPORT
        if does == CONVOYS:
            return self._convoy(here)
        if here in self.battle.attackers and does in (SUPPORTS_HOLD, SUPPORTS_MOVE):
            return self._support(here)
        return FINE[does], None

    def _was_for_one_that_left(self, here: int) -> bool:
        """A support for a unit in case that its move counts as a hold."""
        if self.battle.does[here] != SUPPORTS_HOLD:
            return False
        helped = self.battle.helped(here)
        return helped in self.battle.courteous and not self.solver.is_held_back(helped)

    def _support(self, here: int) -> Account:
        cutter = self.solver.cut_by(here)
        if cutter is None:
            return Result.GIVEN, None
        if self.arrivals.get(here) == cutter and cutter == self.battle.goal[here]:
            return Result.CUT, Reason.SUPPORTER_DISLODGED
        return Result.CUT, Reason.SUPPORT_CUT

    def _convoy(self, here: int) -> Account:
        if here in self.arrivals:
            return Result.DISRUPTED, Reason.CONVOY_DISRUPTED
        if here in self.solver.disrupted:
            return Result.DISRUPTED, Reason.CONVOY_PARADOX
        return Result.AVAILABLE, None

    def _move(self, mover: int) -> Account:
        if self.arrivals.get(self.battle.goal[mover]) == mover:
            return Result.SUCCEEDS, None
        return (self.solver.hindered and self._without_way(mover)) or (Result.FAILS, self._lost_battle(mover))

    def _without_way(self, mover: int) -> Account | None:
        """None if it had a way."""
        if mover in self.battle.by_convoy:
            if not self.battle.convoy_is_ordered(mover):
                return Result.INVALID, Reason.NO_CONVOY_ORDERED
            if not self.solver.has_path(mover):
                fallen = [f for f in self._lost_fleets(mover) if f in self.arrivals]
                return Result.FAILS, Reason.CONVOY_DISRUPTED if fallen else Reason.CONVOY_PARADOX
        if not self.solver.has_way(mover):
            courteous = self.solver.is_held_back(mover)
            return Result.FAILS, Reason.GAVE_WAY if courteous else Reason.SHARED_PROVINCE
        return None

    def _lost_battle(self, mover: int) -> Reason:
        if not self.solver.stays_against(mover):
            return Reason.BOUNCED
        attack = self.solver.attack_strength(mover, stays=True)
        if attack > 1 and attack > self.solver.resistance(mover):
            return Reason.BOUNCED
        if attack == 0:
            side = self.battle.side
            return (
                Reason.OWN_UNIT_THERE if side(mover) == side(self.battle.goal[mover]) else Reason.ALLY_THERE
            )
        return Reason.HEAD_TO_HEAD if self.battle.head_to_head(mover) else Reason.HELD_OFF

    def _fate(self, beaten: Dislodged) -> Account:
        if beaten.unit.power == NEUTRAL:
            return Result.DESTROYED, Reason.MINOR_DISBANDED
        if self.scene.is_leaderless(beaten.unit):
            return Result.DESTROYED, Reason.DISORDER_DISBANDED
        if not beaten.retreats:
            return Result.DESTROYED, Reason.DESTROYED
        return Result.DISLODGED, Reason.DISLODGED

    def _lost_fleets(self, mover: int) -> list[int]:
        return [f for f in bits(self.battle.convoyers[mover]) if not self.solver.works(f)]

    # Sentences.

    def _sentence(self, here: int, reason: Reason) -> str:
        return _SENTENCES[reason](self, here)

    def _lament(self, here: int, reason: Reason | None, why: Reason | None) -> str:
        by = f"Dislodged by {self._order(self.arrivals[here])}{_FATES.get(why or Reason.DISLODGED, '.')}"
        if here in self.refused:
            return f"{self.refused[here][1].sentence} {by}"
        return " ".join(filter(None, (self._sentence(here, reason) if reason else "", by)))

    def _order(self, here: int) -> str:
        province = self.battle.table.provinces[here]
        if here in self.refused:
            order = self.refused[here][0]
        else:
            order = self.intents[here].order if here in self.intents else Hold(self.scene.at[here].location)
        words = order_words(order, self.scene.units, self.board)
        return owner_of_shared(province, self.scene.units, self.board) + words

    def _unit(self, here: int) -> str:
        province, units = self.battle.table.provinces[here], self.scene.units
        return owner_of_shared(province, units, self.board) + unit_in(province, units, self.board)

    def _place(self, here: int) -> str:
        return place(self.battle.table.provinces[here], self.board)

    def _support_cut(self, here: int) -> str:
        cutter = self.solver.cut_by(here)
        assert cutter is not None
        return f"Support cut by {self._order(cutter)}."

    def _unmatched_support(self, here: int) -> str:
        helped = self._unit(self.battle.helped(here))
        if self.battle.does[here] == SUPPORTS_HOLD:
            return f"{helped} was ordered to move, so it could not be supported to hold."
        number = self.battle.arrival(here)
        goal = place(self.battle.table.locations[number], self.board)
        return f"{helped}–{goal} was not ordered, so the support came to nothing."

    def _unmatched_convoy(self, here: int) -> str:
        army, goal = self._unit(self.battle.helped(here)), self._place(self.battle.goal[here])
        return f"{army}–{goal} was not ordered, so the convoy came to nothing."

    def _no_convoy(self, mover: int) -> str:
        start, goal = self._place(mover), self._place(self.battle.goal[mover])
        return f"No unbroken convoy from {start} to {goal} was ordered."

    def _convoy_disrupted(self, here: int) -> str:
        """Of the army; the dislodged fleet itself is told by whom it was beaten."""
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
        return f"{self._unit(goal)} stays, and its own {self._kin(goal)} does not dislodge it."

    def _kin(self, here: int) -> str:
        return "faction" if self.scene.at[here].faction else "power"

    def _ally_there(self, mover: int) -> str:
        power = power_words(self.scene.at[mover].power)
        return f"{self._unit(self.battle.goal[mover])} stays, and {power} may not dislodge it."

    def _gave_way(self, mover: int) -> str:
        return f"{self._unit(self.battle.goal[mover])} did not leave, so the move counted as a hold."

    def _shared(self, mover: int) -> str:
        return f"Not everybody had left {self._place(self.battle.goal[mover])}, so nobody else could enter."

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
        return f", as no support counts against the supporter's own {kin}{friends}"

    def _discounts_an_ally(self, mover: int) -> bool:
        side, position = self.battle.side, self.scene.position
        defender, may_help = side(self.battle.goal[mover]), self.scene.ruleset.relations.may_help_dislodge
        helpers = {side(here) for here in self.battle.move_supports.get(mover, ())} - {defender}
        return not all(may_help(helper, defender, position) for helper in helpers)

    def _bounced(self, mover: int) -> str:
        attack = self.solver.attack_strength(mover, self.solver.stays_against(mover))
        strengths = [(self.solver.prevent_strength(r), -r) for r in self.battle.rivals(mover)]
        strength, rival = max(strengths)
        return f"Bounced with {self._order(-rival)}: {attack} against {strength}."


_SENTENCES: Mapping[Reason, Callable[[Explainer, int], str]] = {
    Reason.UNMATCHED_SUPPORT: Explainer._unmatched_support,
    Reason.UNMATCHED_CONVOY: Explainer._unmatched_convoy,
    Reason.SUPPORT_CUT: Explainer._support_cut,
    Reason.SUPPORTER_DISLODGED: lambda _explainer, _here: "Support cut.",
    Reason.NO_CONVOY_ORDERED: Explainer._no_convoy,
    Reason.CONVOY_DISRUPTED: Explainer._convoy_disrupted,
    Reason.CONVOY_PARADOX: Explainer._convoy_paradox,
    Reason.BOUNCED: Explainer._bounced,
    Reason.OWN_UNIT_THERE: Explainer._own_unit_there,
    Reason.ALLY_THERE: Explainer._ally_there,
    Reason.GAVE_WAY: Explainer._gave_way,
    Reason.SHARED_PROVINCE: Explainer._shared,
    Reason.HEAD_TO_HEAD: Explainer._held_off,
    Reason.HELD_OFF: Explainer._held_off,
}
