"""All orders of one movement phase, laid out as numbers and matched with each other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from adjudication.movement.convoys import route_exists
from adjudication.movement.intents import (
    ALONE,
    ARRIVAL,
    CONVOYS,
    DEED,
    EMPTY,
    GOAL,
    HELPED,
    HERE,
    HOLDS,
    MOVES,
    SAILS,
    SUPPORTS_HOLD,
    Row,
)
from adjudication.movement.table import NOWHERE, Table
from adjudication.scene import Scene

Group: TypeAlias = tuple[int, ...]
NOBODY: Group = ()


class Battle:
    """`does` and `goal` are indexed by province number: what the unit there is ordered to do; where a move goes, or
    the province that a support or convoy is for.

    `orders`: ordered unit -> its order as numbers. `movers`: the moving units; `by_convoy`: those of them that go by
    sea. `attackers`: goal -> moves there. `move_supports`, `hold_supports`: unit -> those that support it.
    `convoyers`: army -> mask of the fleets that convoy it. `unmatched`: supports and convoys of something that was not
    ordered. `shared`: province -> the camps within it where a unit stands. `courteous`: moves that count only if the
    unit at the goal leaves; if it stays they are holds, and may be supported as such.
    """

    __slots__ = (
        "attackers",
        "by_convoy",
        "convoyers",
        "courteous",
        "does",
        "goal",
        "hold_supports",
        "move_supports",
        "movers",
        "orders",
        "scene",
        "shared",
        "table",
        "unmatched",
    )

    def __init__(self, scene: Scene, orders: Mapping[int, Row]) -> None:
        """`orders`: the lawful ones; a unit without one holds."""
        self.scene = scene
        self.table: Table = scene.table
        self.does = scene.idle.copy()
        self.goal = [NOWHERE] * len(self.does)
        self.orders = orders
        self.movers: list[int] = []
        self.by_convoy: set[int] = set()
        self.attackers: dict[int, Group] = {}
        self.move_supports: dict[int, Group] = {}
        self.hold_supports: dict[int, Group] = {}
        self.convoyers: dict[int, int] = {}
        self.unmatched: set[int] = set()
        self.shared: dict[int, list[int]] = {}
        self.courteous: set[int] = set()
        self._match(self._lay_out())
        if self.by_convoy and scene.ruleset.via_fallback:
            self._walk_where_no_convoy_is_ordered()
        if scene.table.camps:
            self._share()
        if scene.ruleset.relations.knows_courtesy:
            self._give_way()

    def _lay_out(self) -> list[Row]:
        """Fill the lists; the supports and convoys, which are still to be matched."""
        does, goal, movers, attackers, helpers = self.does, self.goal, self.movers, self.attackers, []
        for here, row in self.orders.items():
            does[here] = deed = row[DEED]
            goal[here] = target = row[GOAL]
            if deed == MOVES:
                movers.append(here)
                if row[SAILS]:
                    self.by_convoy.add(here)
                alone = row[ALONE]
                attackers[target] = attackers[target] + alone if target in attackers else alone
            elif deed != HOLDS:
                helpers.append(row)
        return helpers

    def _match(self, helpers: list[Row]) -> None:
        """Supports and convoys with what they are for."""
        does, goal, holds, moves = self.does, self.goal, self.hold_supports, self.move_supports
        for row in helpers:
            deed, target, helped = row[DEED], row[GOAL], row[HELPED]
            if deed == SUPPORTS_HOLD:
                if does[helped] >= HOLDS:
                    holds[helped] = holds.get(helped, NOBODY) + row[ALONE]
                    continue
            elif does[helped] == MOVES and goal[helped] == target:
                if deed == CONVOYS:
                    self._match_convoy(row[HERE], helped)
                    continue
                # A support that names a coast is for a move to that coast alone (DATC 4.B.4, 6.B.9).
                if row[ARRIVAL] == target or row[ARRIVAL] == self.arrival(helped):
                    moves[helped] = moves.get(helped, NOBODY) + row[ALONE]
                    continue
            self.unmatched.add(row[HERE])

    def arrival(self, here: int) -> int:
        """The exact location to which that unit moves, or supports a move."""
        return self.orders[here][ARRIVAL]

    def helped(self, here: int) -> int:
        """The unit that is supported or convoyed by the one there."""
        return self.orders[here][HELPED]

    def _match_convoy(self, fleet: int, army: int) -> None:
        self.convoyers[army] = self.convoyers.get(army, 0) | 1 << fleet
        # A convoy by an own fleet shows the intent to go by sea (DATC 4.A.3).
        if self.side(fleet) == self.side(army):
            self.by_convoy.add(army)

    def _walk_where_no_convoy_is_ordered(self) -> None:
        for mover in tuple(self.by_convoy):
            next_door = self.table.army[mover] >> self.goal[mover] & 1
            if next_door and not self.convoy_is_ordered(mover):
                self.by_convoy.discard(mover)

    def _share(self) -> None:
        """An attack on a shared province is one on everybody in it."""
        for province, camps in self.table.camps.items():
            self.shared[province] = [camp for camp in camps if self.does[camp] != EMPTY]
            for camp in self.shared[province]:
                if province in self.attackers:
                    self.attackers[camp] = self.attackers[province]

    def _give_way(self) -> None:
        relations, position = self.scene.ruleset.relations, self.scene.position
        for mover in self.movers:
            goal = self.goal[mover]
            if self.does[goal] != EMPTY and relations.gives_way(self.side(mover), self.side(goal), position):
                self.courteous.add(mover)
        self._support_those_who_may_have_to_hold()

    def _support_those_who_may_have_to_hold(self) -> None:
        for here in sorted(self.unmatched):
            if self.does[here] == SUPPORTS_HOLD and self.helped(here) in self.courteous:
                self.unmatched.remove(here)
                self._support_to_hold(here)

    def _support_to_hold(self, here: int) -> None:
        helped = self.helped(here)
        self.hold_supports[helped] = (*self.hold_supports.get(helped, NOBODY), here)

    def side(self, here: int) -> str:
        """For whom the unit there fights (`Unit.side`)."""
        return self.scene.at[here].side

    def is_conditional(self, mover: int) -> bool:
        """Does it depend on others whether this move has a way at all?"""
        return mover in self.by_convoy or mover in self.courteous or bool(self.shared.get(self.goal[mover]))

    def convoy_is_ordered(self, mover: int) -> bool:
        """Do the fleets ordered to convoy this army make an unbroken chain?"""
        fleets = self.convoyers.get(mover, 0)
        return route_exists(self.table, mover, self.goal[mover], fleets)

    def head_to_head(self, mover: int) -> bool:
        """Does the unit at the goal move here, with no convoy to let them pass each other?"""
        goal = self.goal[mover]
        return (
            self.does[goal] == MOVES
            and self.goal[goal] == self.table.around[mover]
            and goal not in self.by_convoy
            and mover not in self.by_convoy
        )

    def rivals(self, mover: int) -> list[int]:
        """The other moves to the same province."""
        return [other for other in self.attackers[self.goal[mover]] if other != mover]
