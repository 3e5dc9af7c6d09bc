"""Order lines read before, for units that are still in place: no line is parsed twice."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from adjudication.legality import unit_refusal
from adjudication.line_cache import LONGEST_REMEMBERED
from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.prepared import MOST_REMEMBERED, PreparedOrder
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.situation import Situation

Lines: TypeAlias = Mapping[str, Sequence[str]]
"""Power -> what it wrote."""


def laid_out(lines: Lines, situation: Situation) -> Layout | None:
    """The orders in these lines, if each was read before and still means the same: its unit is still there, and any
    unit it helps is of the same kind. None if any line must be read (again). KeyError for an unknown power."""
    if situation.leaderless:
        return None
    known = situation.cache.lines
    given: list[PreparedOrder] = []
    try:
        for power, written in lines.items():
            given += map(known[power].__getitem__, written)
        return lay_out(given, situation)
    except KeyError:
        if lines.keys() <= known.keys():
            return None
        raise


def prepare_line(line: str, order: Order, power: str, situation: Situation) -> PreparedOrder | None:
    """The prepared order for a line that was read as this order, kept for next time; None if the power has no unit to
    which it may give it."""
    unit = situation.unit_at(where(order))
    if unit is None or not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, situation):
        return None
    prepared, known = situation.prepared(order, unit), situation.cache.lines[power]
    if prepared.helped != NOWHERE:
        helped = situation.at.get(prepared.helped)
        if helped is None:
            return prepared
        prepared = prepared.read_of(helped.kind)
    if len(line) <= LONGEST_REMEMBERED:
        if len(known) >= MOST_REMEMBERED:
            known.clear()
        known[line] = prepared
    return prepared
