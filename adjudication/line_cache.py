"""Caches of lines that were read before: players write the same few thousand lines in every game."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias

from adjudication.board import Board
from adjudication.errors import NotationError
from adjudication.legality import unit_refusal
from adjudication.line_words import check_line_length
from adjudication.movement.bitboard import NOWHERE
from adjudication.movement.layout import Layout, lay_out
from adjudication.movement.prepared import MOST_REMEMBERED, PreparedOrder
from adjudication.orders import MOVEMENT_ORDERS, Order, location_of
from adjudication.parser import Parser
from adjudication.reasons import Misreading
from adjudication.situation import Situation
from adjudication.turns import PhaseKind

LONGEST_REMEMBERED = 80
"""Longer lines are read every time."""
MOVEMENT = PhaseKind.MOVEMENT
LineReading: TypeAlias = tuple[Order | None, frozenset[str]]
"""An order, and the units that must be on the board for it to be read so, as text without their owners."""
NOT_READ_YET: LineReading = None, frozenset()


class LineCache:
    """`orders`: line -> how it was read. A reading that depends on a missing unit is not remembered. `shared` keeps one
    copy of the needs that many lines have in common."""

    __slots__ = ("orders", "shared")

    def __init__(self) -> None:
        self.orders: dict[str, LineReading] = {}
        self.shared: dict[frozenset[str], frozenset[str]] = {}

    def read(self, text: str, situation: Situation, power: str) -> list[Order]:
        """The orders of one line, at least one. A line with several orders is not remembered. Raises NotationError."""
        memorable = may_be_remembered(situation)
        known_order, needs = self.orders.get(text, NOT_READ_YET)
        if known_order is not None and memorable and needs <= situation.unit_texts:
            return [known_order]
        check_line_length(text)
        parser = Parser(text, situation, power)
        orders = parser.orders()
        texts = [unit.text if unit else None for _, unit in parser.depends_on]
        if memorable and len(text) <= LONGEST_REMEMBERED and len(orders) == 1 and None not in texts:
            if len(self.orders) >= MOST_REMEMBERED:
                self.orders.clear()
                self.shared.clear()
            needs = frozenset(filter(None, texts))
            self.orders[text] = orders[0], self.shared.setdefault(needs, needs)
        return orders


def may_be_remembered(situation: Situation) -> bool:
    """False if units share a province or get their kinds from orders: a line's meaning depends on both then."""
    position = situation.position
    if position.turn.kind is not MOVEMENT or position.dislodged:
        return False
    return not (situation.bitboard.camps or situation.is_muster)


@lru_cache(maxsize=64)
def line_cache_of(board: Board) -> LineCache:
    return LineCache()


def read_order(text: str, situation: Situation, power: str = "") -> Order:
    """One order, written by `power`; its legality is not checked. Raises NotationError."""
    first, *more_orders = line_cache_of(situation.board).read(text, situation, power)
    if more_orders:
        raise NotationError(Misreading.SEVERAL_ORDERS, count=1 + len(more_orders))
    return first


Lines: TypeAlias = Mapping[str, Sequence[str]]
"""Power -> what it wrote."""


def layout_of_known_lines(lines: Lines, situation: Situation) -> Layout | None:
    """The orders in these lines, if each line was read before and still means the same: its unit is still there, and
    any unit it helps is of the same kind. None if a line must be read (again). Raises KeyError for an unknown power."""
    if situation.leaderless:
        return None
    prepared_by_power = situation.cache.lines
    orders: list[PreparedOrder] = []
    try:
        for power, lines_of_power in lines.items():
            orders += map(prepared_by_power[power].__getitem__, lines_of_power)
        return lay_out(orders, situation)
    except KeyError:
        if lines.keys() <= prepared_by_power.keys():
            return None
        raise


def prepare_line(line: str, order: Order, power: str, situation: Situation) -> PreparedOrder | None:
    """The prepared order for a line that was read as this order, kept for next time; None if the power has no unit to
    which it may give that order."""
    unit = situation.unit_at(location_of(order))
    if unit is None or not isinstance(order, MOVEMENT_ORDERS) or unit_refusal(order, power, situation):
        return None
    prepared, prepared_lines = situation.prepared(order, unit), situation.cache.lines[power]
    if prepared.helped != NOWHERE:
        helped_unit = situation.at.get(prepared.helped)
        if helped_unit is None:
            return prepared
        prepared = prepared.as_read_with(helped_unit.kind)
    if len(line) <= LONGEST_REMEMBERED:
        if len(prepared_lines) >= MOST_REMEMBERED:
            prepared_lines.clear()
        prepared_lines[line] = prepared
    return prepared
