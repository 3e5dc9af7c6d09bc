"""The results of most moves, which are clear before the solver asks anything.

They all follow from the rules in `solver` without a single supposition, and so agree with them:

- A lone move by land into an empty province succeeds: nothing resists it.
- A move without support has strength 1, so it fails against a unit that stays, in a head-to-head battle, and against
  another such move to the same province.
- A support that is not attacked is given. It is cut if a unit that may cut it attacks by land from anywhere but the
  province that the support is for. An attack from that province alone cuts it only by dislodging its unit, which is
  left to the solver.
- Of several moves by land into an empty province, all of whose supports are plainly given or cut, the one with the most
  supports succeeds unless there is a tie.
- For a lone move by land against a unit that was not ordered to move, the numbers of supports decide, if those on both
  sides are plainly given or cut.
- A lone move by land to a province that its unit leaves succeeds. If that unit fails to leave, an unsupported move
  fails; for a supported one the number of supports decides, since a unit that tried to leave cannot be supported to
  hold.

The rest is left to the solver: moves by sea, sorties, and battles that depend on courtesy, on a shared province or on a
support in doubt.
"""

from collections.abc import Mapping, Sequence

from adjudication.movement.battle import NO_UNITS, Battle
from adjudication.movement.layout import UnitNumbers
from adjudication.movement.prepared import MOVES


def plain_answers(battle: Battle) -> dict[int, bool]:
    """Province -> whether its move plainly succeeds or, for an attacked support, whether it is plainly given."""
    at, action, by_convoy, supports = battle.at, battle.action, battle.by_convoy, battle.move_supports
    answers: dict[int, bool] = {}
    followers: dict[int, int] = {}
    for goal, movers in _unconditional_attackers(battle).items():
        mover = movers[0]
        if len(movers) > 1:
            _answer_disputed_goal(goal, movers, answers, battle)
        elif mover in by_convoy:
            continue
        elif goal not in at:
            answers[mover] = True
        elif action[goal] == MOVES and (battle.goal[goal] != mover or goal in by_convoy):
            followers[goal] = mover
        elif mover not in supports:
            answers[mover] = False
        elif action[goal] != MOVES:
            _answer_attack(mover, goal, answers, battle)
    _answer_followers(followers, answers, battle)
    return answers


def _unconditional_attackers(battle: Battle) -> Mapping[int, UnitNumbers]:
    if not (battle.courteous or battle.shared or battle.sorties):
        return battle.attackers
    return {g: movers for g, movers in battle.attackers.items() if not any(map(battle.is_conditional, movers))}


def _answer_disputed_goal(goal: int, movers: UnitNumbers, answers: dict[int, bool], battle: Battle) -> None:
    """Answer several moves to one province, if all are by land and, with supports, only if it is empty."""
    supports = battle.move_supports
    if not battle.by_convoy.isdisjoint(movers):
        return
    if supports.keys().isdisjoint(movers):
        if battle.action[goal] != MOVES or battle.goal[goal] not in movers:
            answers.update(dict.fromkeys(movers, False))
    elif goal not in battle.at:
        counts = [_count_given(supports.get(mover, NO_UNITS), answers, battle) for mover in movers]
        strengths = [count for count in counts if count is not None]
        if len(strengths) == len(movers):
            best_strength = max(strengths)
            singleton = strengths.count(best_strength) == 1
            for mover, strength in zip(movers, strengths, strict=True):
                answers[mover] = singleton and strength == best_strength


def _answer_attack(mover: int, goal: int, answers: dict[int, bool], battle: Battle) -> None:
    """Answer a supported move against a unit that stays. Only powers that may dislodge it count (6.D.10 to 6.D.14)."""
    relations, position, units = (battle.situation.ruleset.relations, battle.situation.position, battle.situation.at)
    defender, may_help = units[goal].side, relations.may_help_dislodge
    if not relations.may_dislodge(units[mover].side, defender, position):
        answers[mover] = False
        return
    helpers = [h for h in battle.move_supports[mover] if may_help(units[h].side, defender, position)]
    attack = _count_given(helpers, answers, battle)
    defence = _count_given(battle.hold_supports[goal], answers, battle) if goal in battle.hold_supports else 0
    if attack is not None and defence is not None:
        answers[mover] = attack > defence


def _count_given(supporters: Sequence[int], answers: dict[int, bool], battle: Battle) -> int | None:
    """How many of the supports are given; None if that is not clear yet."""
    count = 0
    for supporter in supporters:
        if supporter not in battle.attackers:
            count += 1
        elif supporter in answers:
            count += answers[supporter]
        else:
            is_given = _is_given(supporter, battle)
            if is_given is None:
                return None
            answers[supporter] = is_given
            count += is_given
    return count


def _is_given(supporter: int, battle: Battle) -> bool | None:
    """Is this attacked support given? None if that is not clear yet."""
    situation = battle.situation
    may_cut, units = situation.ruleset.relations.may_cut, situation.at
    is_given: bool | None = True
    for attacker in battle.attackers[supporter]:
        if not may_cut(units[attacker].side, units[supporter].side, situation.position):
            continue
        conditional = attacker in battle.by_convoy or battle.courteous
        if not conditional and not battle.is_from_the_target(attacker, supporter):
            return False
        is_given = None
    return is_given


def _answer_followers(followers: dict[int, int], answers: dict[int, bool], battle: Battle) -> None:
    """Answer lone moves after a leaving unit. `followers`: moving unit -> the only unit that moves to its province."""
    answered_leaders = [leader for leader in followers if leader in answers]
    while answered_leaders:
        leader = answered_leaders.pop()
        follower = followers[leader]
        if answers[leader] or follower not in battle.move_supports:
            answers[follower] = answers[leader]
        elif not battle.courteous:
            _answer_attack(follower, leader, answers, battle)
        if follower in answers and follower in followers:
            answered_leaders.append(follower)
