"""Watches the database constantly: what is open, and how long it is overdue while everything is up."""

from __future__ import annotations

import random
import threading
import time
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import DatabaseError, connection

from adjudication.notation import write_order
from adjudication.options import order_options
from adjudication.turns import PhaseKind
from games.deadlines.queries import LATE_SECONDS
from games.kernel import clock, codec
from games.kernel.models import Game, Phase, Status

if TYPE_CHECKING:
    from datetime import datetime

    from adjudication.position import Position

LOOK_EVERY = 0.5
ORDERED = frozenset({PhaseKind.MOVEMENT, PhaseKind.RETREAT})


@dataclass(frozen=True, slots=True)
class Seen:
    """A game as it was a moment ago. `orders`: power -> the orders that each of its units may get."""

    pk: int
    slug: str
    status: str
    phase: int
    ordinal: int
    orders: dict[str, tuple[tuple[str, ...], ...]]

    def some_orders(self, power: str, chance: random.Random) -> str:
        return "\n".join(chance.choice(unit) for unit in self.orders[power])


class Eye:
    """`up` says whether everything is running; only then does overdue time count."""

    def __init__(self) -> None:
        self.up = False
        self.games: dict[int, Seen] = {}
        self.overdue: dict[int, float] = defaultdict(float)
        self.known: dict[int, dict[str, tuple[tuple[str, ...], ...]]] = {}
        self.stopped = threading.Event()
        self.thread = threading.Thread(target=self._watch, daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        self.stopped.set()
        self.thread.join()

    @property
    def longest(self) -> float:
        """The longest time, in seconds, that any phase was overdue while everything was running."""
        return max(self.overdue.values(), default=0.0)

    @property
    def late(self) -> list[int]:
        return [phase for phase, seconds in self.overdue.items() if seconds > LATE_SECONDS]

    def _watch(self) -> None:
        while not self.stopped.wait(LOOK_EVERY):
            began, up = time.monotonic(), self.up
            try:
                due = self._look()
            except DatabaseError:
                connection.close()
                continue
            if up and self.up:
                for phase in due:
                    self.overdue[phase] += LOOK_EVERY + time.monotonic() - began
        connection.close()

    def _look(self) -> list[int]:
        """Note what is open; return the phases that are due."""
        rows = Phase.objects.filter(closed__isnull=True).values_list(
            "pk", "ordinal", "deadline", "game_id", "game__slug", "game__status"
        )
        now, seen, due = clock.now(), {}, []
        for phase, ordinal, deadline, game, slug, status in rows:
            seen[game] = Seen(game, slug, status, phase, ordinal, self._orders(phase))
            if status == Status.RUNNING and is_over(deadline, now):
                due.append(phase)
        self.games = seen
        self.known = {one.phase: one.orders for one in seen.values()}
        return due

    def _orders(self, phase: int) -> dict[str, tuple[tuple[str, ...], ...]]:
        if phase not in self.known:
            row = Phase.objects.select_related("game").get(pk=phase)
            return orders_of(codec.position_of(row), row.game)
        return self.known[phase]


def is_over(deadline: datetime | None, now: datetime) -> bool:
    return deadline is not None and deadline <= now


def orders_of(position: Position, game: Game) -> dict[str, tuple[tuple[str, ...], ...]]:
    """The orders that each unit may get; nothing if one order may forbid another."""
    rules = codec.variant_of(game).ruleset
    if position.turn.kind not in ORDERED:
        return dict.fromkeys(rules.powers, ())
    return {
        power: tuple(
            tuple(write_order(order, position) for order in unit.orders)
            for unit in order_options(power, position, rules)
            if unit.orders
        )
        for power in rules.powers
    }
