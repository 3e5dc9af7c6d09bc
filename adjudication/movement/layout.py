"""The orders of one movement phase, laid out side by side as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from adjudication.legality import rule_refusal
from adjudication.movement.intents import ALWAYS, HOLDS, IF_BY_SEA, MOVES, Intent
from adjudication.movement.table import NOWHERE
from adjudication.scene import Scene

Group: TypeAlias = tuple[int, ...]


class Layout(NamedTuple):
    """`given`: what was laid out; `orders`: unit -> its lawful order. `does` and `goal`, by province number: what the
    unit there does, HOLDS without an order; where a move goes, or the province that a support or convoy is for.
    `movers`: the moving units; `sailing`: those of them that ask for a convoy. `attackers`: goal -> moves there.
    `helpers`: the supports and convoys. `unlawful`: those that a rule forbids."""

    given: Sequence[Intent]
    orders: dict[int, Intent]
    does: list[int]
    goal: list[int]
    movers: list[int]
    sailing: set[int]
    attackers: dict[int, Group]
    helpers: list[Intent]
    unlawful: list[Intent]


def lay_out(given: Sequence[Intent], scene: Scene) -> Layout | None:
    """None if one is not for the unit that stands there now, or was read when another kind of unit was helped by it, or
    comes second for its unit. Supports are taken for lawful here: they are if what they support was ordered, and by
    land. KeyError where nobody stands."""
    size, at = len(scene.table.provinces), scene.at
    does, goal = [HOLDS] * size, [NOWHERE] * size
    orders: dict[int, Intent] = {}
    attackers: dict[int, Group] = {}
    movers: list[int] = []
    helpers: list[Intent] = []
    laid = Layout(given, orders, does, goal, movers, set(), attackers, helpers, [])
    for intent in given:
        here = intent.here
        if at[here] is not intent.unit and at[here] != intent.unit:
            return None
        if intent.asks:
            helped = at.get(intent.helped)
            if intent.kind and intent.kind is not (helped and helped.kind):
                return None
            if intent.asks == ALWAYS and not _is_lawful(intent, laid, scene):
                continue
        orders[here] = intent
        does[here] = deed = intent.does
        goal[here] = target = intent.goal
        if deed == MOVES:
            movers.append(here)
            alone = intent.alone
            attackers[target] = attackers[target] + alone if target in attackers else alone
        elif deed != HOLDS:
            helpers.append(intent)
    _strike_supports(laid, scene)
    return laid if len(orders) + len(laid.unlawful) == len(given) else None


def _is_lawful(intent: Intent, laid: Layout, scene: Scene) -> bool:
    if rule_refusal(intent, scene):
        laid.unlawful.append(intent)
        return False
    if intent.sails:
        laid.sailing.add(intent.here)
    return True


def _strike_supports(laid: Layout, scene: Scene) -> None:
    """For armies that sail: the supporter may be needed for the convoy itself."""
    for intent in tuple(laid.helpers) if laid.sailing else ():
        if intent.asks == IF_BY_SEA and intent.helped in laid.sailing and rule_refusal(intent, scene):
            laid.unlawful.append(intent)
            laid.helpers.remove(intent)
            del laid.orders[intent.here]
            laid.does[intent.here], laid.goal[intent.here] = HOLDS, NOWHERE
