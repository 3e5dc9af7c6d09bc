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

    def copy_to_extend(self, orders: Sequence[PreparedOrder]) -> Layout:
        """A copy to which these orders are about to be added."""
        return Layout(
            [*self.given, *orders],
            self.orders.copy(),
            self.action.copy(),
            self.goal.copy(),
            self.movers.copy(),
            self.sailing.copy(),
            self.attackers.copy(),
            self.helpers.copy(),
            self.unlawful.copy(),
        )


def lay_out(given: Sequence[PreparedOrder], situation: Situation, base: Layout | None = None) -> Layout | None:
    """The orders laid out. None if an order is not for the unit that is there now, was read when the unit it helps was
    of another kind, or is a second order for its unit. Supports are assumed lawful, as they are if the supported order
    was given and goes by land. Raises KeyError if an order's province is empty. `base`: orders laid out before, left
    unchanged."""
    at = situation.at
    layout = base.copy_to_extend(given) if base else _blank_layout(given, len(situation.bitboard.provinces))
    _, orders, action, goal, movers, _, attackers, helpers, _ = layout
    before = len(orders) + len(layout.unlawful)
    for prepared in given:
        here = prepared.here
        if at[here] is not prepared.unit and at[here] != prepared.unit:
            return None
        if prepared.asks:
            helped_unit = at.get(prepared.helped)
            if prepared.kind and prepared.kind is not (helped_unit and helped_unit.kind):
                return None
            if prepared.asks == ASK_ALWAYS and not _is_lawful(prepared, layout, situation):
                continue
        orders[here] = prepared
        action[here] = own_action = prepared.action
        goal[here] = target = prepared.goal
        if own_action == MOVES:
            movers.append(here)
            singleton = prepared.singleton
            attackers[target] = attackers[target] + singleton if target in attackers else singleton
        elif own_action != HOLDS:
            helpers.append(prepared)
    _strike_supports(layout, situation)
    return layout if len(orders) + len(layout.unlawful) == before + len(given) else None


def _blank_layout(orders: Sequence[PreparedOrder], size: int) -> Layout:
    return Layout(orders, {}, [HOLDS] * size, [NOWHERE] * size, [], set(), {}, [], [])


def _is_lawful(prepared: PreparedOrder, layout: Layout, situation: Situation) -> bool:
    if rule_refusal(prepared, situation):
        layout.unlawful.append(prepared)
        return False
    if prepared.sails:
        layout.sailing.add(prepared.here)
    return True


def _strike_supports(layout: Layout, situation: Situation) -> None:
    """Mark supports for an army that sails as unlawful if the convoy itself needs the supporter."""
    for prepared in tuple(layout.helpers) if layout.sailing else ():
        if prepared.asks == ASK_IF_BY_SEA and prepared.helped in layout.sailing and rule_refusal(prepared, situation):
            layout.unlawful.append(prepared)
            layout.helpers.remove(prepared)
            del layout.orders[prepared.here]
            layout.action[prepared.here], layout.goal[prepared.here] = HOLDS, NOWHERE
