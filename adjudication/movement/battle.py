"""The orders of one movement phase, with each support and convoy matched to the order that it is for."""

from collections.abc import Sequence

from adjudication.movement.bitboard import Bitboard
from adjudication.movement.convoys import route_exists
from adjudication.movement.layout import Layout, UnitNumbers
from adjudication.movement.prepared import CONVOYS, HOLDS, MOVES, SUPPORTS_HOLD, PreparedOrder
from adjudication.neutrals import SortieRule
from adjudication.situation import Situation
from adjudication.units import NEUTRAL

NO_UNITS: UnitNumbers = ()


class Battle:
    """`orders`, `action`, `goal` and `movers` are those of the layout; `by_convoy` are the moves by sea. `attackers`:
    goal -> moves there. `move_supports`, `hold_supports`: unit -> its supporters. `convoyers`: army -> mask of the
    fleets that convoy it. `unmatched`: supports and convoys for orders that were not given. `shared`: province -> the
    occupied camps within it. `courteous`: moves that count only if the unit at the goal leaves; if it stays, they are
    holds and may be supported as such. `sorties`: moves that never arrive; `steadfast`: those of them whose units may
    be supported to hold.
    """

    __slots__ = (
        "action",
        "at",
        "attackers",
        "bitboard",
        "by_convoy",
        "convoyers",
        "courteous",
        "goal",
        "hold_supports",
        "move_supports",
        "movers",
        "orders",
        "shared",
        "situation",
        "sorties",
        "steadfast",
        "unmatched",
    )

    def __init__(self, situation: Situation, layout: Layout) -> None:
        """Set up the battle. A unit without an order holds."""
        self.situation = situation
        self.bitboard: Bitboard = situation.bitboard
        self.at = situation.at
        self.orders = layout.orders
        self.action = layout.action
        self.goal = layout.goal
        self.movers = layout.movers
        self.by_convoy = layout.sailing.copy()
        self.attackers = layout.attackers
        self.move_supports: dict[int, UnitNumbers] = {}
        self.hold_supports: dict[int, UnitNumbers] = {}
        self.convoyers: dict[int, int] = {}
        self.unmatched: set[int] = set()
        self.shared: dict[int, list[int]] = {}
        self.courteous: set[int] = set()
        self.sorties: set[int] = set()
        self.steadfast: set[int] = set()
        self._match_helpers(layout.helpers)
        if self.by_convoy and situation.ruleset.via_fallback:
            for mover in tuple(self.by_convoy):
                next_door = self.bitboard.army[mover] >> self.goal[mover] & 1
                if next_door and not self.convoy_is_ordered(mover):
                    self.by_convoy.discard(mover)
        if self.bitboard.camps:
            self._spread_attacks_on_shared_provinces()
        if situation.ruleset.relations.knows_courtesy:
            self._find_courteous_moves()
        if situation.ruleset.neutrals.sorties:
            self.sorties = {mover for mover in self.movers if self.at[mover].power == NEUTRAL}
            if situation.ruleset.neutrals.sorties is SortieRule.HOLDS:
                self.steadfast = self.sorties
                self._support_to_hold(self.steadfast)

    def _match_helpers(self, helpers: list[PreparedOrder]) -> None:
        """Match supports and convoys with the orders that they are for."""
        action, goal, holds, moves = self.action, self.goal, self.hold_supports, self.move_supports
        for prepared in helpers:
            helped = prepared.helped
            if prepared.action == SUPPORTS_HOLD:
                if action[helped] >= HOLDS and helped in self.at:
                    holds[helped] = holds.get(helped, NO_UNITS) + prepared.singleton
                    continue
            elif action[helped] == MOVES and goal[helped] == prepared.goal:
                if prepared.action == CONVOYS:
                    self.convoyers[helped] = self.convoyers.get(helped, 0) | 1 << prepared.here
                    # A convoy by a fleet of the same power shows the intent to go by sea (DATC 4.A.3).
                    if self.side_of(prepared.here) == self.side_of(helped):
                        self.by_convoy.add(helped)
                    continue
                # A support that names a coast counts only for a move to that coast (DATC 4.B.4, 6.B.9).
                if prepared.arrival == prepared.goal or prepared.arrival == self.arrival(helped):
                    moves[helped] = moves.get(helped, NO_UNITS) + prepared.singleton
                    continue
            self.unmatched.add(prepared.here)

    def strike_orders(self, units: Sequence[int]) -> None:
        """Let these units hold: the orders that they were to support or convoy were not, and could not be, given."""
        self.orders = {here: each for here, each in self.orders.items() if here not in units}
        self.unmatched.difference_update(units)

    def arrival(self, here: int) -> int:
        """The exact location to which the unit here moves or supports a move."""
        return self.orders[here].arrival

    def unit_helped(self, here: int) -> int:
        """The unit that the unit here supports or convoys."""
        return self.orders[here].helped

    def _spread_attacks_on_shared_provinces(self) -> None:
        """Count an attack on a shared province as an attack on every unit in it."""
        self.attackers = self.attackers.copy()
        for province, camps in self.bitboard.camps.items():
            self.shared[province] = [camp for camp in camps if camp in self.at]
            for camp in self.shared[province]:
                if province in self.attackers:
                    self.attackers[camp] = self.attackers[province]

    def _find_courteous_moves(self) -> None:
        relations, position = self.situation.ruleset.relations, self.situation.position
        for mover in self.movers:
            goal = self.goal[mover]
            if goal in self.at and relations.gives_way(self.side_of(mover), self.side_of(goal), position):
                self.courteous.add(mover)
        self._support_to_hold(self.courteous)

    def _support_to_hold(self, movers: set[int]) -> None:
        """Let these moving units be supported to hold as well."""
        for here in sorted(self.unmatched):
            helped = self.unit_helped(here)
            if self.action[here] == SUPPORTS_HOLD and helped in movers:
                self.unmatched.remove(here)
                self.hold_supports[helped] = (*self.hold_supports.get(helped, NO_UNITS), here)

    def side_of(self, here: int) -> str:
        """The side of the unit there (`Unit.side`)."""
        return self.at[here].side

    def is_conditional(self, mover: int) -> bool:
        """Does it depend on other units whether this move is possible at all?"""
        return (
            mover in self.by_convoy
            or mover in self.courteous
            or mover in self.sorties
            or bool(self.shared.get(self.goal[mover]))
        )

    def convoy_is_ordered(self, mover: int) -> bool:
        """Do the fleets ordered to convoy this army form an unbroken chain?"""
        fleets = self.convoyers.get(mover, 0)
        return route_exists(self.bitboard, mover, self.goal[mover], fleets)

    def is_from_the_target(self, mover: int, supporter: int) -> bool:
        """Does the move come from the province that the support is aimed at? All units that share a province count."""
        around = self.bitboard.around
        return around[mover] == around[self.goal[supporter]]

    def is_head_to_head(self, mover: int) -> bool:
        """Does the unit at the goal move here, with no convoy to let them pass each other?"""
        goal = self.goal[mover]
        return (
            self.action[goal] == MOVES
            and self.goal[goal] == self.bitboard.around[mover]
            and goal not in self.by_convoy
            and mover not in self.by_convoy
        )

    def rival_moves(self, mover: int) -> list[int]:
        """The other moves to the same province."""
        return [other for other in self.attackers[self.goal[mover]] if other != mover]
