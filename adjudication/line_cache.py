"""A cache of parsed lines: players write the same few thousand lines in every game."""

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from adjudication.board import Board
from adjudication.movement.prepared import MOST_REMEMBERED
from adjudication.orders import Order
from adjudication.parser import Parser
from adjudication.place_names import check_line
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import Unit

LONGEST_REMEMBERED = 80
"""Longer lines are read every time."""
MOVEMENT = PhaseKind.MOVEMENT
LineReading: TypeAlias = tuple[Order | None, frozenset[str]]
"""An order, and the units that must be on the board for it to be read so, as text without their owners."""
UNREAD: LineReading = None, frozenset()


class LineCache:
    """`known`: line -> how it was read. A reading that depends on a missing unit is not remembered. `shared` keeps one
    copy of the needs that many lines have in common."""

    __slots__ = ("known", "shared")

    def __init__(self) -> None:
        self.known: dict[str, LineReading] = {}
        self.shared: dict[frozenset[str], frozenset[str]] = {}

    def read(self, text: str, situation: Situation, power: str) -> Order:
        memorable = is_memorable(situation)
        known, needs = self.known.get(text, UNREAD)
        if known is not None and memorable and needs <= situation.texts:
            return known
        check_line(text)
        parser = Parser(text, situation, power)
        order = parser.order()
        if memorable and len(text) <= LONGEST_REMEMBERED:
            self._remember(text, order, [unit for _, unit in parser.asked])
        return order

    def _remember(self, text: str, order: Order, asked: Sequence[Unit | None]) -> None:
        if all(asked):
            if len(self.known) >= MOST_REMEMBERED:
                self.known.clear()
                self.shared.clear()
            needs = frozenset([unit.text for unit in asked if unit])
            self.known[text] = order, self.shared.setdefault(needs, needs)


def is_memorable(situation: Situation) -> bool:
    """Not if units share a province or say what they are: then a line's meaning depends on its writer and turn."""
    position = situation.position
    if position.turn.kind is not MOVEMENT or position.dislodged:
        return False
    return not (situation.bitboard.camps or situation.is_muster)


@lru_cache(maxsize=64)
def line_cache_of(board: Board) -> LineCache:
    return LineCache()


def read_order(text: str, situation: Situation, power: str = "") -> Order:
    """One order, written by `power`; its legality is not checked. Raises NotationError."""
    return line_cache_of(situation.board).read(text, situation, power)
