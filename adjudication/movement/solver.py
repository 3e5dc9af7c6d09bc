"""The solver: which moves succeed, which supports are given, and which convoys hold.

Each province holds one unit with one order, so the question "does this order succeed?" has one answer per province. The
answers depend on each other. They are found by asking; where a question leads back to itself, both answers are tried.
If only one of them is consistent, it is the answer; if not, the questions form a circle, which is ended by
`answers_ending_circle`. (The method is Lucas Kruijswijk's, from "The Math of Adjudication".)
"""

from collections.abc import Sequence

from adjudication.movement.battle import NO_UNITS, Battle
from adjudication.movement.bitboard import bits
from adjudication.movement.convoys import route_exists
from adjudication.movement.prepared import CONVOYS, MOVES

NO_SUPPOSITION = 1_000
"""Deeper than any supposition."""


def answers_ending_circle(circle: Sequence[int], action: Sequence[int]) -> dict[int, bool]:
    """Answers that end the circle: province -> does its order succeed?

    A circle with a convoy is a paradox: by the Szykman rule its convoys are disrupted (DATC 4.A.2). In a circle without
    one, units follow each other round: they all move (DATC 6.C).
    """
    convoys = [fleet for fleet in circle if action[fleet] == CONVOYS]
    if convoys:
        return dict.fromkeys(convoys, False)
    return {mover: True for mover in circle if action[mover] == MOVES}


class Solver:
    """The answers about one battle, by province number: `answers`, and those `supposed`, each with the depth of the
    supposition it rests on (the outermost, if there are several). Suppositions nest: `depth` counts those now open.
    `resting` lists answers that rest on a supposition about another province. `low` is the outermost supposition used
    by the current evaluation. `disrupted` are the fleets whose convoy a paradox has stopped. `hindered`: does any
    move's way depend on fleets, courtesy or camps? The other attributes are the battle's."""

    __slots__ = (
        "action",
        "answers",
        "at",
        "attackers",
        "battle",
        "by_convoy",
        "depth",
        "disrupted",
        "goal",
        "hindered",
        "low",
        "move_supports",
        "resting",
        "sorties",
        "supposed",
    )

    def __init__(self, battle: Battle, answers: dict[int, bool] | None = None) -> None:
        """`answers`: answers that are already clear; more will be added to them."""
        self.battle = battle
        self.hindered = bool(battle.by_convoy or battle.courteous or battle.shared)
        self.at = battle.at
        self.action = battle.action
        self.goal = battle.goal
        self.by_convoy = battle.by_convoy
        self.attackers = battle.attackers
        self.move_supports = battle.move_supports
        self.sorties = battle.sorties
        self.answers: dict[int, bool] = {} if answers is None else answers
        self.supposed: dict[int, tuple[bool, int]] = {}
        self.resting: list[int] = []
        self.depth = 0
        self.low = NO_SUPPOSITION
        self.disrupted: set[int] = set()

    def arrivals(self) -> dict[int, int]:
        """Goal -> the unit that moves there, for every move that succeeds."""
        goal, answers = self.goal, self.answers
        return {goal[it]: it for it in self.battle.movers if (answers[it] if it in answers else self._ask(it))}

    # The method of asking.

    def succeeds(self, here: int) -> bool:
        """Does the move succeed, is the support given, or does the convoy hold?"""
        if here in self.answers:
            return self.answers[here]
        if here not in self.supposed:
            return self._ask(here)
        answer, depth = self.supposed[here]
        self.low = min(self.low, depth)
        return answer

    def _ask(self, here: int) -> bool:
        outer, before, depth = self.low, len(self.resting), self.depth
        self.low = NO_SUPPOSITION
        self.depth = depth + 1
        self.supposed[here] = False, depth
        if_so = if_not = self.evaluate(here)
        if self.low == NO_SUPPOSITION:
            self.depth, self.low = depth, outer
            return self._conclude(here, if_not)
        if self.low == depth:
            self._forget_resting(before)
            self.supposed[here] = True, depth
            if_so = self.evaluate(here)
        self.depth = depth
        low, self.low = self.low, outer
        if low < depth:
            # The answer rests on a supposition: the question behind that will ask again.
            self.supposed[here] = if_so, low
            self.resting.append(here)
            self.low = min(self.low, low)
            return if_so
        if low == NO_SUPPOSITION and if_so == if_not:
            return self._conclude(here, if_so)
        circle = [*self.resting[before:], here]
        self._forget_resting(before)
        del self.supposed[here]
        if if_so == if_not:
            return self._conclude(here, if_so)
        for each, answer in answers_ending_circle(circle, self.action).items():
            self._conclude(each, answer)
            if self.action[each] == CONVOYS:
                self.disrupted.add(each)
        return self.succeeds(here)

    def _forget_resting(self, before: int) -> None:
        for here in self.resting[before:]:
            del self.supposed[here]
        del self.resting[before:]

    def _conclude(self, here: int, answer: bool) -> bool:
        self.answers[here] = answer
        self.supposed.pop(here, None)
        return answer

    def evaluate(self, here: int) -> bool:
        """The answer for one province, given the answers for the others."""
        action = self.action[here]
        if action == MOVES:
            return self._move_succeeds(here)
        if action == CONVOYS:
            if here in self.disrupted:
                return False
            return not any(self.succeeds(mover) for mover in self.attackers.get(here, NO_UNITS))
        return self.move_that_cuts(here) is None

    # The rules.

    def _move_succeeds(self, mover: int) -> bool:
        """Does the move succeed? It needs a way, and more strength than the unit that stays at the goal and than every
        other move there. A sortie never arrives."""
        if mover in self.sorties:
            return False
        if self.hindered and not self.has_way(mover):
            return False
        stays, is_supported = self.stays_against(mover), mover in self.move_supports
        if stays and not is_supported:
            return False
        attack = self.attack_strength(mover, stays) if is_supported else 1
        if stays and attack <= self.resistance(mover):
            return False
        rivals = self.attackers[self.goal[mover]]
        return len(rivals) == 1 or self._outdoes_all(mover, attack, rivals)

    def has_way(self, mover: int) -> bool:
        """Is there a path, and no unit staying at the goal that the move gives way to or shares the province with?"""
        if not self.hindered:
            return True
        if not self.is_an_attack(mover):
            return False
        camps = self.battle.shared.get(self.goal[mover])
        return not camps or not any(self._stays_in_camp(camp, mover) for camp in camps)

    def is_an_attack(self, mover: int) -> bool:
        """Is the move an attack at all? Without a path, or as a hold, it cuts no support. Against units that share a
        province it can cut support even if it cannot enter."""
        if mover in self.by_convoy and not self.has_path(mover):
            return False
        return not self.is_held_back(mover)

    def is_held_back(self, mover: int) -> bool:
        """Does the move count as a hold, because a unit that it gives way to stays?"""
        return mover in self.battle.courteous and self.stays_against(mover)

    def _stays_in_camp(self, camp: int, mover: int) -> bool:
        """Does the unit in this camp stay? It does if it moves to the attacker's camp: they cannot pass each other."""
        if self.action[camp] != MOVES or (self.goal[camp] == mover and self.battle.is_head_to_head(camp)):
            return True
        return not self.succeeds(camp)

    def has_path(self, mover: int) -> bool:
        """Is there a path? By land always; by sea if undislodged fleets link the shores (DATC 4.A.1: any route)."""
        battle = self.battle
        if mover not in self.by_convoy:
            return True
        if not battle.convoy_is_ordered(mover):
            return False
        ordered_fleets, goal = battle.convoyers[mover], battle.goal[mover]
        # The fleets that certainly stay: not attacked, and not disrupted by a paradox.
        doubtful_fleets = (f for f in bits(ordered_fleets) if f in self.attackers or f in self.disrupted)
        safe_fleets = ordered_fleets & ~sum(1 << fleet for fleet in doubtful_fleets)
        if route_exists(battle.bitboard, mover, goal, safe_fleets):
            return True
        for fleet in bits(ordered_fleets & ~safe_fleets):
            if self.succeeds(fleet):
                safe_fleets |= 1 << fleet
                if route_exists(battle.bitboard, mover, goal, safe_fleets):
                    return True
        return False

    def stays_against(self, mover: int) -> bool:
        """Does a unit at the goal stay, or meet this move head to head?"""
        goal = self.goal[mover]
        if self.action[goal] != MOVES:
            return goal in self.at
        return self.battle.is_head_to_head(mover) or not self.succeeds(goal)

    def attack_strength(self, mover: int, stays: bool) -> int:
        """The strength of the move and its supports. Against a unit that stays, only powers that may dislodge it count
        (DATC 6.D.10 to 6.D.14)."""
        if not stays:
            return self.move_strength(mover)
        if not self.may_dislodge(mover):
            return 0
        supports = self.move_supports.get(mover)
        if not supports:
            return 1
        side, situation = self.battle.side_of, self.battle.situation
        may_help, defender = situation.ruleset.relations.may_help_dislodge, side(self.goal[mover])
        return self._with_supports([s for s in supports if may_help(side(s), defender, situation.position)])

    def may_dislodge(self, mover: int) -> bool:
        """Do the two powers' relations allow the move to dislodge the unit at the goal?"""
        situation, units = self.battle.situation, self.at
        attacker, defender = units[mover].side, units[self.goal[mover]].side
        return situation.ruleset.relations.may_dislodge(attacker, defender, situation.position)

    def resistance(self, mover: int) -> int:
        """The strength of the unit that stays at the goal: in a head-to-head battle its own move with all its supports;
        1 if it tried to go elsewhere; otherwise, and in a steadfast sortie, 1 plus its supports to hold."""
        goal = self.goal[mover]
        if self.action[goal] != MOVES or goal in self.battle.steadfast or self.is_held_back(goal):
            return self.hold_strength(goal)
        return self.move_strength(goal) if self.battle.is_head_to_head(mover) else 1

    def hold_strength(self, here: int) -> int:
        return self._with_supports(self.battle.hold_supports.get(here, NO_UNITS))

    def move_strength(self, mover: int) -> int:
        """The strength of the move with every support for it, from any power (DATC 6.E.6)."""
        return self._with_supports(self.move_supports.get(mover, NO_UNITS))

    def _with_supports(self, supporters: Sequence[int]) -> int:
        """1 for the unit plus its supports. A support that is not attacked always counts."""
        strength = 1
        for supporter in supporters:
            if supporter not in self.attackers or self.succeeds(supporter):
                strength += 1
        return strength

    def prevent_strength(self, mover: int) -> int:
        """The strength that keeps others out of the goal: 0 without a way, or if the unit from the goal has won a
        head-to-head battle against this unit."""
        return self.move_strength(mover) if self.keeps_others_out(mover) else 0

    def keeps_others_out(self, mover: int) -> bool:
        """Does the move keep others out of the goal? The loser of a head-to-head battle does not (DATC 6.H.9)."""
        if not self.has_way(mover):
            return False
        return not (self.battle.is_head_to_head(mover) and self.succeeds(self.goal[mover]))

    def _outdoes_all(self, mover: int, attack: int, rivals: Sequence[int]) -> bool:
        """Is the attack stronger than all rivals? Rivals that are too weak even with all their supports are skipped."""
        for rival in rivals:
            if rival == mover or 1 + len(self.move_supports.get(rival, NO_UNITS)) < attack:
                continue
            if self.prevent_strength(rival) >= attack:
                return False
        return True

    def move_that_cuts(self, supporter: int) -> int | None:
        """The move that cuts this support: any attack on the supporter, but one from the province that the support is
        for only if it dislodges the supporter (DATC 6.D.2, 6.D.15 to 6.D.17)."""
        side, situation = self.battle.side_of, self.battle.situation
        for mover in self.attackers.get(supporter, NO_UNITS):
            if not situation.ruleset.relations.may_cut(side(mover), side(supporter), situation.position):
                continue
            against_it = self.battle.is_from_the_target(mover, supporter)
            if self.succeeds(mover) if against_it else self.is_an_attack(mover):
                return mover
        return None
