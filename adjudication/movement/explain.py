"""What became of each order, and because of whom."""

from __future__ import annotations

from collections.abc import Mapping

from adjudication.movement.aftermath import Aftermath
from adjudication.movement.battle import Battle
from adjudication.movement.intents import CONVOYS, HOLDS, MOVES, SUPPORTS_HOLD
from adjudication.movement.solver import Solver
from adjudication.movement.table import bits
from adjudication.orders import Hold, Order
from adjudication.position import Dislodged
from adjudication.reasons import Reason, Refusal
from adjudication.resolution import OrderOutcome, Result, refusal_word
from adjudication.units import NEUTRAL, Unit
from adjudication.words import listed, order_words, place, unit_in

Account = tuple[Result, Reason | None, str]
"""What became of an order: the word, the rule if it came to nothing, and the sentence."""


class Explainer:
    """Speaks about one solved battle. `orders`: province -> the order as given, lawful or not;
    `refusals`: province -> why that order was not lawful."""

    __slots__ = ("arrivals", "battle", "beaten", "board", "orders", "refusals", "scene", "solver")

    def __init__(
        self,
        solver: Solver,
        after: Aftermath,
        orders: Mapping[str, Order],
        refusals: Mapping[str, Refusal],
    ) -> None:
        self.solver = solver
        self.battle: Battle = solver.battle
        self.scene = self.battle.scene
        self.board = self.scene.board
        self.arrivals = after.arrivals
        self.beaten: dict[str, Dislodged] = {d.unit.province: d for d in after.dislodged}
        self.orders = orders
        self.refusals = refusals

    def outcomes(self) -> list[OrderOutcome]:
        return [self._outcome(province, unit) for province, unit in self.scene.units.items()]

    def _outcome(self, province: str, unit: Unit) -> OrderOutcome:
        here = self.battle.table.number[province]
        order = self.orders.get(province) or Hold(unit.location)
        word, reason, sentence = self._account(province, here)
        if province not in self.beaten:
            return OrderOutcome(unit, unit.power, order, (word,), reason, sentence)
        fate, why, lament = self._fate(here, self.beaten[province])
        results = (fate,) if word is Result.STANDS else (word, fate)
        origin = self.battle.table.provinces[self.arrivals[here]]
        said = " ".join(filter(None, (sentence, lament)))
        return OrderOutcome(unit, unit.power, order, results, reason or why, said, origin)

    def _account(self, province: str, here: int) -> Account:
        refusal = self.refusals.get(province)
        if refusal:
            return refusal_word(refusal.reason), refusal.reason, refusal.sentence
        does = self.battle.does[here]
        if does == HOLDS:
            return Result.STANDS, None, ""
        if does == MOVES:
            return self._move(here)
        return self._convoy(here) if does == CONVOYS else self._support(here)

    def _fate(self, here: int, beaten: Dislodged) -> Account:
        by = f"Dislodged by {self._order(self.arrivals[here])}"
        if beaten.unit.power == NEUTRAL:
            sentence = f"{by}, and disbanded as every minor power's unit is."
            return Result.DESTROYED, Reason.MINOR_DISBANDED, sentence
        if not beaten.retreats:
            return Result.DESTROYED, Reason.DESTROYED, f"{by}, with nowhere to retreat."
        return Result.DISLODGED, Reason.DISLODGED, f"{by}."

    # Words.

    def _order(self, here: int) -> str:
        province = self.battle.table.provinces[here]
        unit = self.scene.units[province]
        order = self.orders.get(province) or Hold(unit.location)
        return order_words(order, self.scene.units, self.board)

    def _unit(self, here: int) -> str:
        return unit_in(self.battle.table.provinces[here], self.scene.units, self.board)

    def _place(self, here: int) -> str:
        return place(self.battle.table.provinces[here], self.board)

    # Supports and convoys.

    def _support(self, here: int) -> Account:
        if here in self.battle.unmatched:
            return Result.INVALID, Reason.UNMATCHED_SUPPORT, self._unmatched_support(here)
        cutter = self.solver.cut_by(here)
        if cutter is None:
            return Result.GIVEN, None, ""
        if self.arrivals.get(here) == cutter and cutter == self.battle.goal[here]:
            return Result.CUT, Reason.SUPPORTER_DISLODGED, "Support cut."
        return Result.CUT, Reason.SUPPORT_CUT, f"Support cut by {self._order(cutter)}."

    def _unmatched_support(self, here: int) -> str:
        helped = self._unit(self.battle.helped[here])
        if self.battle.does[here] == SUPPORTS_HOLD:
            return f"{helped} was ordered to move, so it could not be supported to hold."
        number = self.battle.arrival[here]
        goal = place(self.battle.table.locations[number], self.board)
        return f"{helped}–{goal} was not ordered, so the support came to nothing."

    def _convoy(self, here: int) -> Account:
        battle = self.battle
        if here in battle.unmatched:
            army, goal = self._unit(battle.helped[here]), self._place(battle.goal[here])
            sentence = f"{army}–{goal} was not ordered, so the convoy came to nothing."
            return Result.INVALID, Reason.UNMATCHED_CONVOY, sentence
        if here in self.arrivals:
            return Result.DISRUPTED, Reason.CONVOY_DISRUPTED, ""
        if here in self.solver.disrupted:
            sentence = "The convoy would decide its own fate, so it is disrupted."
            return Result.DISRUPTED, Reason.CONVOY_PARADOX, sentence
        return Result.AVAILABLE, None, ""

    # Moves.

    def _move(self, mover: int) -> Account:
        if self.solver.works(mover):
            return Result.SUCCEEDS, None, ""
        if self.battle.by_convoy[mover] and not self.battle.convoy_is_ordered(mover):
            return Result.INVALID, Reason.NO_CONVOY_ORDERED, self._no_convoy(mover)
        reason, sentence = self._failure(mover)
        return Result.FAILS, reason, sentence

    def _no_convoy(self, mover: int) -> str:
        start, goal = self._place(mover), self._place(self.battle.goal[mover])
        return f"No unbroken convoy from {start} to {goal} was ordered."

    def _failure(self, mover: int) -> tuple[Reason, str]:
        if not self.solver.has_path(mover):
            return self._broken_convoy(mover)
        stays = self.solver.stays_against(mover)
        attack = self.solver.attack_strength(mover, stays)
        if stays and attack <= self.solver.resistance(mover):
            return self._held_off(mover, attack)
        return self._bounced(mover, attack)

    def _broken_convoy(self, mover: int) -> tuple[Reason, str]:
        lost = [f for f in bits(self.battle.convoyers[mover]) if not self.solver.works(f)]
        fallen = [fleet for fleet in lost if fleet in self.arrivals]
        if not fallen:
            fleets = listed([self._unit(fleet) for fleet in lost])
            sentence = f"The convoy by {fleets} would decide its own fate, so it is disrupted."
            return Reason.CONVOY_PARADOX, sentence
        fleets = listed([f"{self._unit(f)}, dislodged by {self._order(self.arrivals[f])}" for f in fallen])
        return Reason.CONVOY_DISRUPTED, f"The convoy needed {fleets}."

    def _held_off(self, mover: int, attack: int) -> tuple[Reason, str]:
        goal = self.battle.goal[mover]
        resistance = self.solver.resistance(mover)
        if attack == 0:
            sentence = f"{self._unit(goal)} stays, and its own power does not dislodge it."
            return Reason.OWN_UNIT_THERE, sentence
        odds = f"{attack} against {resistance}{self._discounted(mover, attack)}"
        if self.battle.head_to_head(mover):
            return Reason.HEAD_TO_HEAD, f"Met {self._order(goal)} head to head: {odds}."
        return Reason.HELD_OFF, f"{self._place(goal)} was held: {odds}."

    def _discounted(self, mover: int, attack: int) -> str:
        if self.solver.move_strength(mover) == attack:
            return ""
        return ", as no support counts against the supporter's own power"

    def _bounced(self, mover: int, attack: int) -> tuple[Reason, str]:
        strengths = [(self.solver.prevent_strength(r), -r) for r in self.battle.rivals(mover)]
        strength, rival = max(strengths)
        sentence = f"Bounced with {self._order(-rival)}: {attack} against {strength}."
        return Reason.BOUNCED, sentence
