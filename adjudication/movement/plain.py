"""The moves that need no asking: most of them.

What is told here follows from the rules in `solver` without a single supposition, and so agrees with them:

- A move by land, alone, into an empty province succeeds: nothing resists it.
- Without a support a move has strength 1, and nobody who stays is beaten by that: it fails against a unit that
  stays, and against another such move to the same province. So does one half of a head-to-head battle.
- Of several moves by land into an empty province, where nobody attacks those who support them, the one with more
  supports than any other succeeds, if there is one.
- A move by land, alone, against a unit that was not ordered to move, where nobody attacks those who support the
  one or the other: the supports are all given, and their numbers decide.
- A move by land, alone, to where a unit leaves succeeds; and if that unit fails to leave it fails, unless it is
  supported. If nobody attacks those who support it, their number decides then: a unit that tried to leave cannot be
  supported to hold.

Whatever is by sea, disputed with supports, or depends on courtesy or a shared province is left to the solver.
"""

from __future__ import annotations

from collections.abc import Mapping

from adjudication.movement.battle import NOBODY, Battle, Group
from adjudication.movement.intents import EMPTY, MOVES


def plain_answers(battle: Battle) -> dict[int, bool]:
    """Mover -> does it succeed? Only for movers of whom that is plain."""
    does, by_convoy, supports = battle.does, battle.by_convoy, battle.move_supports
    answers: dict[int, bool] = {}
    behind: dict[int, int] = {}
    for goal, movers in _unconditional(battle).items():
        there, mover = does[goal], movers[0]
        if len(movers) > 1:
            _dispute(goal, movers, answers, battle)
        elif mover in by_convoy:
            continue
        elif there == EMPTY:
            answers[mover] = True
        elif there == MOVES and (battle.goal[goal] != mover or goal in by_convoy):
            behind[goal] = mover
        elif mover not in supports:
            answers[mover] = False
        elif there != MOVES and _are_uncut(mover, goal, battle):
            answers[mover] = _outnumbers(mover, goal, battle)
    _follow(behind, answers, battle)
    return answers


def _unconditional(battle: Battle) -> Mapping[int, Group]:
    if not (battle.courteous or battle.shared):
        return battle.attackers
    return {
        g: movers for g, movers in battle.attackers.items() if not any(map(battle.is_conditional, movers))
    }


def _dispute(goal: int, movers: Group, answers: dict[int, bool], battle: Battle) -> None:
    """Several moves to one province: all by land; with supports only where it is empty."""
    there, supports = battle.does[goal], battle.move_supports
    if not battle.by_convoy.isdisjoint(movers):
        return
    if supports.keys().isdisjoint(movers):
        if there != MOVES or battle.goal[goal] not in movers:
            answers.update(dict.fromkeys(movers, False))
    elif there == EMPTY and all(_are_unattacked(supports.get(mover, NOBODY), battle) for mover in movers):
        strengths = [len(supports.get(mover, NOBODY)) for mover in movers]
        most = max(strengths)
        alone = strengths.count(most) == 1
        for mover, strength in zip(movers, strengths, strict=True):
            answers[mover] = alone and strength == most


def _are_unattacked(supporters: Group, battle: Battle) -> bool:
    return battle.attackers.keys().isdisjoint(supporters)


def _are_uncut(mover: int, goal: int, battle: Battle) -> bool:
    """Is nobody attacked who supports the move, or the unit at the goal?"""
    helpers = battle.move_supports[mover] + battle.hold_supports.get(goal, NOBODY)
    return battle.attackers.keys().isdisjoint(helpers)


def _outnumbers(mover: int, goal: int, battle: Battle) -> bool:
    """Only those who may dislodge the unit there count against it (DATC 6.D.10 to 6.D.14)."""
    relations, position, defender = battle.scene.ruleset.relations, battle.scene.position, battle.side(goal)
    if not relations.may_dislodge(battle.side(mover), defender, position):
        return False
    helpers = battle.move_supports[mover]
    counted = [h for h in helpers if relations.may_help_dislodge(battle.side(h), defender, position)]
    return len(counted) > len(battle.hold_supports.get(goal, NOBODY))


def _follow(behind: dict[int, int], answers: dict[int, bool], battle: Battle) -> None:
    """`behind`: a moving unit -> the only other one that moves to where it stands."""
    known = [leader for leader in behind if leader in answers]
    while known:
        leader = known.pop()
        follower = behind[leader]
        if answers[leader] or follower not in battle.move_supports:
            answers[follower] = answers[leader]
        elif not battle.courteous and _are_uncut(follower, leader, battle):
            answers[follower] = _outnumbers(follower, leader, battle)
        else:
            continue
        if follower in behind:
            known.append(follower)
