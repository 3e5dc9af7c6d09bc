"""What players write, remembered: the same few thousand lines are written in every game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from adjudication.board import Board
from adjudication.orders import Order
from adjudication.parser import Parser
from adjudication.scene import Scene
from adjudication.turns import PhaseKind
from adjudication.units import Unit

ENOUGH = 50_000
"""Lines remembered for a board before all are forgotten, so that nonsense cannot fill the memory."""
LONGEST = 80
"""Longer lines are read each time."""
MOVEMENT = PhaseKind.MOVEMENT

Reading: TypeAlias = tuple[Order | None, frozenset[str]]
"""An order, and the units that must stand there for it to be read so, as texts, whoever owns them."""
UNREAD: Reading = None, frozenset()


class Phrasebook:
    """`known`: line -> how it was read. What rests on a unit that was missing is not remembered.
    `shared`: the needs that many lines have in common, once for all."""

    __slots__ = ("known", "shared")

    def __init__(self) -> None:
        self.known: dict[str, Reading] = {}
        self.shared: dict[frozenset[str], frozenset[str]] = {}

    def read(self, text: str, scene: Scene, power: str) -> Order:
        memorable = is_memorable(scene)
        known, needs = self.known.get(text, UNREAD)
        if known is not None and memorable and needs <= scene.texts:
            return known
        parser = Parser(text, scene, power)
        order = parser.order()
        if memorable and len(text) <= LONGEST:
            self._remember(text, order, [unit for _, unit in parser.asked])
        return order

    def _remember(self, text: str, order: Order, asked: Sequence[Unit | None]) -> None:
        if all(asked):
            if len(self.known) >= ENOUGH:
                self.known.clear()
                self.shared.clear()
            needs = frozenset([unit.text for unit in asked if unit])
            self.known[text] = order, self.shared.setdefault(needs, needs)


def is_memorable(scene: Scene) -> bool:
    """Where units share a province, or say what they are, a line means what its writer and its turn make of it."""
    position, ruleset = scene.position, scene.ruleset
    if position.turn.kind is not MOVEMENT or position.dislodged:
        return False
    return not scene.table.camps and (ruleset.muster is None or ruleset.muster != position.turn)


@lru_cache(maxsize=64)
def phrasebook_of(board: Board) -> Phrasebook:
    return Phrasebook()


def read_order(text: str, scene: Scene, power: str = "") -> Order:
    """One order, written by `power`; whether it is lawful is another question. Raises NotationError."""
    return phrasebook_of(scene.board).read(text, scene, power)
