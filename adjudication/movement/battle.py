"""All orders of one movement phase, laid out as numbers and matched with each other."""

from __future__ import annotations

from collections.abc import Iterable

from adjudication.movement.convoys import route_exists
from adjudication.movement.intents import (
    CONVOYS,
    EMPTY,
    HOLDS,
    MOVES,
    NOWHERE,
    SUPPORTS_HOLD,
    Facts,
)
from adjudication.movement.table import Table
from adjudication.scene import Scene
from adjudication.units import Unit

NOBODY: tuple[int, ...] = ()


class Battle:
    """Lists are indexed by province number.

    `does`: what the unit there is ordered to do.
    `goal`: where a move goes, or the province that a support or convoy is for; `arrival`: the exact
    location of a move. `helped`: the supported unit or the convoyed army. `by_convoy`: the move
    goes by sea. `movers`: moving unit -> the same where it goes. `attackers`: goal -> moves there.
    `move_supports`, `hold_supports`: unit -> those that support it. `convoyers`: army -> mask of the
    fleets that convoy it. `unmatched`: supports and convoys of something that was not ordered.
    `shared`: province -> the camps within it where a unit stands. `courteous`: moves that count only if the
    unit at the goal leaves; if it stays they are holds, and may be supported as such.
    """

    __slots__ = (
        "arrival",
        "attackers",
        "by_convoy",
        "convoyers",
        "courteous",
        "does",
        "goal",
        "helped",
        "hold_supports",
        "move_supports",
        "movers",
        "scene",
        "shared",
        "table",
        "unmatched",
    )

    def __init__(self, scene: Scene, orders: Iterable[Facts]) -> None:
        """`orders`: lawful ones, as numbers, one for a unit; a unit without one holds."""
        table = scene.table
        count = len(table.provinces)
        self.scene = scene
        self.table: Table = table
        self.does = [EMPTY] * count
        self.goal = [NOWHERE] * count
        self.arrival = [NOWHERE] * count
        self.helped = [NOWHERE] * count
        self.by_convoy = [False] * count
        self.movers: dict[int, Unit] = {}
        self.attackers: dict[int, list[int]] = {}
        self.move_supports: dict[int, list[int]] = {}
        self.hold_supports: dict[int, list[int]] = {}
        self.convoyers: dict[int, int] = {}
        self.unmatched: set[int] = set()
        self.shared: dict[int, list[int]] = {}
        self.courteous: set[int] = set()
        self._match(self._lay_out(orders))
        if scene.ruleset.via_fallback:
            self._walk_where_no_convoy_is_ordered()
        if table.camps:
            self._share()
        if scene.ruleset.relations.knows_courtesy:
            self._give_way()

    def _lay_out(self, orders: Iterable[Facts]) -> list[int]:
        """Fill the lists; the provinces of supports and convoys, which are still to be matched."""
        does, goal, arrival = self.does, self.goal, self.arrival
        movers, attackers, helpers = self.movers, self.attackers, []
        for here in map(self.table.number.__getitem__, self.scene.units):
            does[here] = HOLDS
        for here, deed, target, landing, helped, sails, moved in orders:
            does[here] = deed
            goal[here] = target
            arrival[here] = landing
            if moved is not None:
                movers[here] = moved
                if sails:
                    self.by_convoy[here] = True
                if target in attackers:
                    attackers[target].append(here)
                else:
                    attackers[target] = [here]
            elif deed != HOLDS:
                self.helped[here] = helped
                helpers.append(here)
        return helpers

    def _match(self, helpers: list[int]) -> None:
        """Supports and convoys with what they are for."""
        does, goal, arrival = self.does, self.goal, self.arrival
        for here in helpers:
            helped, deed = self.helped[here], does[here]
            if deed == SUPPORTS_HOLD:
                if does[helped] != MOVES:
                    self.hold_supports.setdefault(helped, []).append(here)
                    continue
            elif does[helped] == MOVES and goal[helped] == goal[here]:
                if deed == CONVOYS:
                    self._match_convoy(here, helped)
                    continue
                # A support that names a coast is for a move to that coast alone (DATC 4.B.4, 6.B.9).
                if arrival[here] in (goal[here], arrival[helped]):
                    self.move_supports.setdefault(helped, []).append(here)
                    continue
            self.unmatched.add(here)

    def _match_convoy(self, fleet: int, army: int) -> None:
        self.convoyers[army] = self.convoyers.get(army, 0) | 1 << fleet
        # A convoy by an own fleet shows the intent to go by sea (DATC 4.A.3).
        if self.side(fleet) == self.side(army):
            self.by_convoy[army] = True

    def _walk_where_no_convoy_is_ordered(self) -> None:
        for mover in [mover for mover in self.movers if self.by_convoy[mover]]:
            next_door = self.table.army[mover] >> self.goal[mover] & 1
            if next_door and not self.convoy_is_ordered(mover):
                self.by_convoy[mover] = False

    def _share(self) -> None:
        """An attack on a shared province is one on everybody in it."""
        for province, camps in self.table.camps.items():
            self.shared[province] = [camp for camp in camps if self.does[camp] != EMPTY]
            for camp in self.shared[province]:
                if province in self.attackers:
                    self.attackers[camp] = list(self.attackers[province])

    def _give_way(self) -> None:
        relations, position = self.scene.ruleset.relations, self.scene.position
        for mover in self.movers:
            goal = self.goal[mover]
            if self.does[goal] != EMPTY and relations.gives_way(self.side(mover), self.side(goal), position):
                self.courteous.add(mover)
        self._support_those_who_may_have_to_hold()

    def _support_those_who_may_have_to_hold(self) -> None:
        for here in sorted(self.unmatched):
            if self.does[here] == SUPPORTS_HOLD and self.helped[here] in self.courteous:
                self.unmatched.remove(here)
                self.hold_supports.setdefault(self.helped[here], []).append(here)

    def side(self, here: int) -> str:
        """For whom the unit there fights (`Unit.side`)."""
        return self.scene.units[self.table.provinces[here]].side

    def is_conditional(self, mover: int) -> bool:
        """Does it depend on others whether this move has a way at all?"""
        return self.by_convoy[mover] or mover in self.courteous or bool(self.shared.get(self.goal[mover]))

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
            and not self.by_convoy[goal]
            and not self.by_convoy[mover]
        )

    def rivals(self, mover: int) -> list[int]:
        """The other moves to the same province."""
        return [other for other in self.attackers[self.goal[mover]] if other != mover]
