"""The lawful orders of one movement phase, laid out as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from adjudication.legality import rule_refusal
from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.prepared import ASK_ALWAYS, ASK_IF_BY_SEA, HOLDS, MOVES, PreparedOrder
from adjudication.situation import Situation

UnitNumbers: TypeAlias = tuple[int, ...]


class Layout(NamedTuple):
    """`given` are the orders laid out; `orders`: unit -> its lawful order. By province number, `action` is that of the
    unit there (HOLDS without an order), and `goal` the destination of its move, or the province that its support or
    convoy is for. `movers` are the moving units, `sailing` those that ask for a convoy. `attackers`: goal -> moves
    there. `helpers` are the supports and convoys, `unlawful` the orders that a rule forbids."""

    given: Sequence[PreparedOrder]
    orders: dict[int, PreparedOrder]
    action: list[int]
    goal: list[int]
    movers: list[int]
    sailing: set[int]
    attackers: dict[int, UnitNumbers]
    helpers: list[PreparedOrder]
    unlawful: list[PreparedOrder]

    def copy_to_extend(self, given: Sequence[PreparedOrder]) -> Layout:
        """A copy to which these orders are about to be added."""
        return Layout(
            [*self.given, *given],
            self.orders.copy(),
            self.action.copy(),
            self.goal.copy(),
            self.movers.copy(),
            self.sailing.copy(),
            self.attackers.copy(),
            self.helpers.copy(),
            self.unlawful.copy(),
        )


def lay_out(given: Sequence[PreparedOrder], situation: Situation, upon: Layout | None = None) -> Layout | None:
    """The orders laid out. None if an order is not for the unit that is there now, was read when the unit it helps was
    of another kind, or is a second order for its unit. Supports are assumed lawful, as they are if the supported order
    was given and goes by land. KeyError if an order's province is empty. `upon`: orders laid out before, left
    unchanged."""
    at = situation.at
    laid = upon.copy_to_extend(given) if upon else _blank_layout(given, len(situation.bitboard.provinces))
    _, orders, action, goal, movers, _, attackers, helpers, _ = laid
    before = len(orders) + len(laid.unlawful)
    for prepared in given:
        here = prepared.here
        if at[here] is not prepared.unit and at[here] != prepared.unit:
            return None
        if prepared.asks:
            helped = at.get(prepared.helped)
            if prepared.kind and prepared.kind is not (helped and helped.kind):
                return None
            if prepared.asks == ASK_ALWAYS and not _is_lawful(prepared, laid, situation):
                continue
        orders[here] = prepared
        action[here] = chosen = prepared.action
        goal[here] = target = prepared.goal
        if chosen == MOVES:
            movers.append(here)
            singleton = prepared.singleton
            attackers[target] = attackers[target] + singleton if target in attackers else singleton
        elif chosen != HOLDS:
            helpers.append(prepared)
    _strike_supports(laid, situation)
    return laid if len(orders) + len(laid.unlawful) == before + len(given) else None


def _blank_layout(given: Sequence[PreparedOrder], size: int) -> Layout:
    return Layout(given, {}, [HOLDS] * size, [NOWHERE] * size, [], set(), {}, [], [])


def _is_lawful(prepared: PreparedOrder, laid: Layout, situation: Situation) -> bool:
    if rule_refusal(prepared, situation):
        laid.unlawful.append(prepared)
        return False
    if prepared.sails:
        laid.sailing.add(prepared.here)
    return True


def _strike_supports(laid: Layout, situation: Situation) -> None:
    """Mark supports for an army that sails as unlawful if the convoy itself needs the supporter."""
    for prepared in tuple(laid.helpers) if laid.sailing else ():
        if prepared.asks == ASK_IF_BY_SEA and prepared.helped in laid.sailing and rule_refusal(prepared, situation):
            laid.unlawful.append(prepared)
            laid.helpers.remove(prepared)
            del laid.orders[prepared.here]
            laid.action[prepared.here], laid.goal[prepared.here] = HOLDS, NOWHERE
