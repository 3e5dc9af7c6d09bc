"""What players write, remembered: the same few thousand lines are written in every game."""

from __future__ import annotations

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

Asked: TypeAlias = tuple[tuple[str, Unit | None], ...]
"""The provinces whose unit the reading depended on, each with that unit."""


class Phrasebook:
    """Line -> its order, and the units on which that reading rests."""

    __slots__ = ("known",)

    def __init__(self) -> None:
        self.known: dict[str, tuple[Order, Asked]] = {}

    def read(self, text: str, scene: Scene) -> Order:
        """Raises NotationError."""
        position = scene.position
        memorable = position.turn.kind is PhaseKind.MOVEMENT and not position.dislodged
        known = self.known.get(text)
        if known is not None and memorable and _same(known[1], scene):
            return known[0]
        parser = Parser(text, scene)
        order = parser.order()
        if memorable and len(text) <= LONGEST:
            self._remember(text, order, tuple(parser.asked))
        return order

    def _remember(self, text: str, order: Order, asked: Asked) -> None:
        if len(self.known) >= ENOUGH:
            self.known.clear()
        self.known[text] = (order, asked)


def _same(asked: Asked, scene: Scene) -> bool:
    """Do units of the same kinds and factions lie in the same places, whoever owns them?"""
    for province, unit in asked:
        there = scene.units.get(province)
        if there is unit:
            continue
        if there is None or unit is None or there.kind is not unit.kind or there.location != unit.location:
            return False
        if there.faction != unit.faction:
            return False
    return True


@lru_cache(maxsize=64)
def phrasebook_of(board: Board) -> Phrasebook:
    return Phrasebook()


def read_order(text: str, scene: Scene) -> Order:
    """One order; whether it is lawful is another question. Raises NotationError."""
    return phrasebook_of(scene.board).read(text, scene)
