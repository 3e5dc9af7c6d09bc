"""Trial games: players give any legal orders, to try a variant's rules in every kind of phase."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

from adjudication.auction import budget
from adjudication.judge import adjudicate
from adjudication.legality import check_next
from adjudication.options import UnitOptions, bid_options, must_decide, order_options
from adjudication.orders import Bid, Order, OrderSheet
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation

Picked = TypeVar("Picked")


def play_phases(start: Position, ruleset: Ruleset, count: int) -> Iterator[tuple[Position, Public]]:
    """This many phases with results; when a game ends, another begins."""
    position, game = start, 0
    for _ in range(count):
        deciding = must_decide(position, ruleset)
        minors = bid_options(position, ruleset)
        sheets = {power: any_sheet(power, position, ruleset, minors, game) for power in deciding}
        public = adjudicate(position, sheets, ruleset).public
        yield position, public
        position, game = (start, game + 1) if public.verdict else (public.next, game)


def any_sheet(power: str, position: Position, ruleset: Ruleset, minors: Sequence[UnitOptions], game: int) -> OrderSheet:
    """Legal orders that depend only on the arguments; all points go to one order for one of `minors`."""
    situation, where = Situation(position, ruleset), (game, position.turn.code, power)
    orders: list[Order] = []
    for option in order_options(power, position, ruleset):
        order = picked(option.orders, *where, option.location)
        if check_next(order, orders, power, situation) is None:
            orders.append(order)
    points = budget(power, position, ruleset)
    if not minors or not points:
        return OrderSheet(tuple(orders))
    minor = picked(minors, *where, "minor")
    return OrderSheet(tuple(orders), (Bid(picked(minor.orders, *where, "bid"), points),))


def picked(choices: Sequence[Picked], *about: object) -> Picked:
    """One of them, always the same for the same arguments."""
    words = " ".join(map(str, about))
    number = int.from_bytes(hashlib.blake2b(words.encode(), digest_size=8).digest(), "big")
    return choices[number % len(choices)]
