"""Lines of text that were read before: what each comes to is known again at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from adjudication.legality import unit_refusal
from adjudication.line_cache import LONGEST_REMEMBERED
from adjudication.movement.intents import MOST_REMEMBERED, Intent
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.table import NOWHERE
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.scene import Scene

Lines: TypeAlias = Mapping[str, Sequence[str]]
"""Power -> what it wrote."""


def laid_out(lines: Lines, scene: Scene) -> Layout | None:
    """The orders in these lines if each line was read before and means the same now: it is for the unit that stood
    there, and helps one of the same kind. None if any must be read (again). KeyError for an unknown power."""
    if scene.leaderless:
        return None
    known = scene.cache.lines
    given: list[Intent] = []
    try:
        for power, written in lines.items():
            given += map(known[power].__getitem__, written)
        return lay_out(given, scene)
    except KeyError:
        if lines.keys() <= known.keys():
            return None
        raise


def intent_of(line: str, order: Order, power: str, scene: Scene) -> Intent | None:
    """What a line comes to that was read as this order; None if the power may order no unit so. It is kept for next
    time."""
    unit = scene.unit_at(where(order))
    if unit is None or not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, scene):
        return None
    intent, known = scene.intent(order, unit), scene.cache.lines[power]
    if intent.helped != NOWHERE:
        helped = scene.at.get(intent.helped)
        if helped is None:
            return intent
        intent = intent.read_of(helped.kind)
    if len(line) <= LONGEST_REMEMBERED:
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        known[line] = intent
    return intent
