"""All orders of one movement phase, laid out as numbers and matched with each other."""

from __future__ import annotations

from collections.abc import Mapping

from adjudication.board import province_of
from adjudication.movement.convoys import route_exists
from adjudication.movement.table import Table
from adjudication.orders import Convoy, Hold, Move, Order, Support
from adjudication.scene import Scene
from adjudication.units import UnitKind

EMPTY, HOLDS, MOVES, SUPPORTS_HOLD, SUPPORTS_MOVE, CONVOYS = range(6)

NOBODY: tuple[int, ...] = ()


class Battle:
    """Lists are indexed by province number.

    `power`: whose unit stands there, "" if none. `does`: what that unit is ordered to do.
    `goal`: where a move goes, or the province that a support or convoy is for; `arrival`: the exact
    location of a move. `helped`: the supported unit or the convoyed army. `by_convoy`: the move
    goes by sea. `attackers`: goal -> moves there. `move_supports`, `hold_supports`: unit -> those
    that support it. `convoyers`: army -> mask of the fleets that convoy it. `unmatched`: supports
    and convoys of something that was not ordered.
    """

    __slots__ = (
        "arrival",
        "attackers",
        "by_convoy",
        "convoyers",
        "does",
        "goal",
        "helped",
        "hold_supports",
        "move_supports",
        "movers",
        "power",
        "scene",
        "table",
        "unmatched",
    )

    def __init__(self, scene: Scene, orders: Mapping[str, Order]) -> None:
        """`orders`: province -> a lawful order for the unit there; a unit without one holds."""
        table = scene.table
        count = len(table.provinces)
        self.scene = scene
        self.table: Table = table
        self.power = [""] * count
        self.does = [EMPTY] * count
        self.goal = [-1] * count
        self.arrival = [-1] * count
        self.helped = [-1] * count
        self.by_convoy = [False] * count
        self.movers: list[int] = []
        self.attackers: dict[int, list[int]] = {}
        self.move_supports: dict[int, list[int]] = {}
        self.hold_supports: dict[int, list[int]] = {}
        self.convoyers: dict[int, int] = {}
        self.unmatched: set[int] = set()
        helpers = self._lay_out(orders)
        for here in helpers:
            self._match(here)
        if scene.ruleset.via_fallback:
            self._walk_where_no_convoy_is_ordered()

    def _lay_out(self, orders: Mapping[str, Order]) -> list[int]:
        """Fill the lists; the provinces of supports and convoys, which are still to be matched."""
        helpers = []
        number = self.table.number
        for province, unit in self.scene.units.items():
            here = number[province]
            order = orders.get(province)
            self.power[here] = unit.power
            if order is None or isinstance(order, Hold):
                self.does[here] = HOLDS
            elif isinstance(order, Move):
                self._lay_out_move(here, order, unit.kind)
            elif isinstance(order, Support | Convoy):
                self._lay_out_help(here, order)
                helpers.append(here)
        return helpers

    def _lay_out_move(self, here: int, order: Move, kind: UnitKind) -> None:
        arrival = self.table.number[order.destination]
        goal = self.table.base[arrival]
        self.does[here] = MOVES
        self.goal[here] = goal
        self.arrival[here] = arrival
        self.by_convoy[here] = order.via and kind is UnitKind.ARMY
        self.movers.append(here)
        self.attackers.setdefault(goal, []).append(here)

    def _lay_out_help(self, here: int, order: Support | Convoy) -> None:
        number = self.table.number
        if isinstance(order, Convoy):
            self.does[here] = CONVOYS
            self.helped[here] = number[order.army]
            self.goal[here] = number[order.destination]
            return
        self.helped[here] = number[order.supported]
        if order.destination is None:
            self.does[here] = SUPPORTS_HOLD
            self.goal[here] = self.helped[here]
        else:
            self.does[here] = SUPPORTS_MOVE
            self.arrival[here] = number[order.destination]
            self.goal[here] = number[province_of(order.destination)]

    def _match(self, here: int) -> None:
        helped = self.helped[here]
        if not self._matches(here, helped):
            self.unmatched.add(here)
        elif self.does[here] == SUPPORTS_HOLD:
            self.hold_supports.setdefault(helped, []).append(here)
        elif self.does[here] == SUPPORTS_MOVE:
            self.move_supports.setdefault(helped, []).append(here)
        else:
            self.convoyers[helped] = self.convoyers.get(helped, 0) | 1 << here
            # A convoy by an own fleet shows the intent to go by sea (DATC 4.A.3).
            if self.power[here] == self.power[helped]:
                self.by_convoy[helped] = True

    def _matches(self, here: int, helped: int) -> bool:
        if self.does[here] == SUPPORTS_HOLD:
            return self.does[helped] != MOVES
        if self.does[helped] != MOVES or self.goal[helped] != self.goal[here]:
            return False
        return self.does[here] == CONVOYS or self._coast_matches(here, helped)

    def _coast_matches(self, supporter: int, mover: int) -> bool:
        """A support that names a coast is for a move to that coast alone (DATC 4.B.4, 6.B.9)."""
        named = self.arrival[supporter]
        return named == self.goal[supporter] or named == self.arrival[mover]

    def _walk_where_no_convoy_is_ordered(self) -> None:
        for mover in self.movers:
            next_door = self.table.army[mover] >> self.goal[mover] & 1
            if self.by_convoy[mover] and next_door and not self.convoy_is_ordered(mover):
                self.by_convoy[mover] = False

    def convoy_is_ordered(self, mover: int) -> bool:
        """Do the fleets ordered to convoy this army make an unbroken chain?"""
        fleets = self.convoyers.get(mover, 0)
        return route_exists(self.table, mover, self.goal[mover], fleets)

    def head_to_head(self, mover: int) -> bool:
        """Does the unit at the goal move here, with no convoy to let them pass each other?"""
        goal = self.goal[mover]
        return (
            self.does[goal] == MOVES
            and self.goal[goal] == mover
            and not self.by_convoy[goal]
            and not self.by_convoy[mover]
        )

    def rivals(self, mover: int) -> list[int]:
        """The other moves to the same province."""
        return [other for other in self.attackers[self.goal[mover]] if other != mover]
