"""The orders of one movement phase, laid out side by side as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from adjudication.legality import rule_refusal
from adjudication.movement.intents import (
    ALONE,
    ALWAYS,
    ASKS,
    DEED,
    GOAL,
    HERE,
    HOLDS,
    IF_BY_SEA,
    INTENT,
    KIND,
    MOVES,
    UNIT,
    Row,
)
from adjudication.movement.table import NOWHERE
from adjudication.scene import Scene

Group: TypeAlias = tuple[int, ...]


class Layout(NamedTuple):
    """`rows`: what was laid out; `orders`: unit -> its lawful order. `does` and `goal`, by province number: what the
    unit there does, HOLDS without an order; where a move goes, or the province that a support or convoy is for.
    `movers`: the moving units; `sailing`: those of them that ask for a convoy. `attackers`: goal -> moves there.
    `helpers`: the supports and convoys. `unlawful`: the rows that a rule forbids."""

    rows: Sequence[Row]
    orders: dict[int, Row]
    does: list[int]
    goal: list[int]
    movers: list[int]
    sailing: set[int]
    attackers: dict[int, Group]
    helpers: list[Row]
    unlawful: list[Row]


def lay_out(rows: Sequence[Row], scene: Scene) -> Layout | None:
    """None if one is not for the unit that stands there now, or was read when another kind of unit was helped by it, or
    comes second for its unit. Supports are taken for lawful here: they are if what they support was ordered, and by
    land."""
    size, at = len(scene.table.provinces), scene.at
    does, goal = [HOLDS] * size, [NOWHERE] * size
    laid = Layout(rows, {}, does, goal, [], set(), {}, [], [])
    orders, movers, attackers, helpers = laid.orders, laid.movers, laid.attackers, laid.helpers
    for row in rows:
        here = row[HERE]
        if at.get(here) is not row[UNIT] and at.get(here) != row[UNIT]:
            return None
        if row[ASKS]:
            helped = at.get(row[INTENT].helped)
            if row[KIND] and row[KIND] is not (helped and helped.kind):
                return None
            if row[ASKS] == ALWAYS and not _is_lawful(row, laid, scene):
                continue
        orders[here] = row
        does[here] = deed = row[DEED]
        goal[here] = target = row[GOAL]
        if deed == MOVES:
            movers.append(here)
            attackers[target] = attackers[target] + row[ALONE] if target in attackers else row[ALONE]
        elif deed != HOLDS:
            helpers.append(row)
    _strike_supports(laid, scene)
    return laid if len(orders) + len(laid.unlawful) == len(rows) else None


def _is_lawful(row: Row, laid: Layout, scene: Scene) -> bool:
    if rule_refusal(row[INTENT], scene):
        laid.unlawful.append(row)
        return False
    if row[INTENT].sails:
        laid.sailing.add(row[HERE])
    return True


def _strike_supports(laid: Layout, scene: Scene) -> None:
    """For armies that sail: the supporter may be needed for the convoy itself."""
    for row in tuple(laid.helpers) if laid.sailing else ():
        here, intent = row[HERE], row[INTENT]
        if row[ASKS] == IF_BY_SEA and intent.helped in laid.sailing and rule_refusal(intent, scene):
            laid.unlawful.append(row)
            laid.helpers.remove(row)
            del laid.orders[here]
            laid.does[here], laid.goal[here] = HOLDS, NOWHERE
