"""Lines of text as rows of a battle: a line that was written before is known again at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from adjudication.legality import unit_refusal
from adjudication.movement.intents import ENOUGH, Intent
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.table import NOWHERE
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.phrasebook import LONGEST
from adjudication.scene import Scene

Lines: TypeAlias = Mapping[str, Sequence[str]]
"""Power -> what it wrote."""


def laid_out(lines: Lines, scene: Scene) -> Layout | None:
    """The orders in these lines if each line was read before and means the same now: it is for the unit that stood
    there, and helps one of the same kind. None if any must be read (again). KeyError for an unknown power."""
    if scene.leaderless:
        return None
    pages = scene.ledger.pages
    given: list[Intent] = []
    try:
        for power, written in lines.items():
            given += map(pages[power].__getitem__, written)
        return lay_out(given, scene)
    except KeyError:
        if lines.keys() <= pages.keys():
            return None
        raise


def intent_of(line: str, order: Order, power: str, scene: Scene) -> Intent | None:
    """What a line comes to that was read as this order; None if the power may order no unit so. It is kept for next
    time."""
    unit = scene.unit_at(where(order))
    if unit is None or not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, scene):
        return None
    intent, page = scene.intent(order, unit), scene.ledger.pages[power]
    if intent.helped != NOWHERE:
        helped = scene.at.get(intent.helped)
        if helped is None:
            return intent
        intent = intent.read_of(helped.kind)
    if len(line) <= LONGEST:
        if len(page) >= ENOUGH:
            page.clear()
        page[line] = intent
    return intent
