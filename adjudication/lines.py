"""Lines of text as rows of a battle: a line that was written before is known again at a glance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias, cast

from adjudication.legality import unit_refusal
from adjudication.movement.intents import ALWAYS, ASKS, ENOUGH, HELPED, HERE, KIND, UNIT, Row
from adjudication.movement.table import NOWHERE
from adjudication.orders import MOVEMENT_ORDERS, Order, where
from adjudication.phrasebook import LONGEST
from adjudication.scene import Scene

Lines: TypeAlias = Mapping[str, Sequence[str]]
"""Power -> what it wrote."""


class Laid(NamedTuple):
    """`rows`: province -> the order of its unit; `doubtful`: those of them whose rules are still to be asked."""

    rows: dict[int, Row]
    doubtful: list[Row]


def laid_out(lines: Lines, scene: Scene) -> Laid | None:
    """The orders in these lines if each line was read before and means the same now: it is for the unit that stood
    there, and helps one of the same kind. None if any must be read (again). KeyError for an unknown power."""
    rows: dict[int, Row] = {}
    doubtful: list[Row] = []
    units, pages = scene.at, scene.ledger.pages
    if scene.leaderless:
        return None
    for power, written in lines.items():
        page = pages[power]
        for line in written:
            row = page.get(line)
            if row is None or units.get(here := row[HERE]) is not row[UNIT] or here in rows:
                return None
            if row[ASKS]:
                helped = units.get(row[HELPED])
                if row[KIND] is not (helped and helped.kind):
                    return None
                if row[ASKS] == ALWAYS:
                    doubtful.append(row)
            rows[here] = row
    return Laid(rows, doubtful)


def row_of(line: str, order: Order, power: str, scene: Scene) -> Row | None:
    """The row of a line that was read as this order; None if the power may order no unit so. It is kept for next
    time."""
    unit = scene.unit_at(where(order))
    if unit is None or not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, scene):
        return None
    row, page = scene.intent(order, unit).row, scene.ledger.pages[power]
    if row[HELPED] != NOWHERE:
        helped = scene.at.get(row[HELPED])
        if helped is None:
            return row
        row = cast("Row", (*row[:KIND], helped.kind, *row[KIND + 1 :]))
    if len(line) <= LONGEST:
        if len(page) >= ENOUGH:
            page.clear()
        page[line] = row
    return row
