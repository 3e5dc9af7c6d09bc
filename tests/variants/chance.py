"""A player who orders at random, whole games among such players, and documents with mistakes."""

from collections.abc import Iterator
from random import Random
from typing import Any

from adjudication.auction import bid_refusal, overspending_refusal
from adjudication.judge import adjudicate
from adjudication.legality import next_order_refusal
from adjudication.notation import read_sheet, write_sheet
from adjudication.options import bid_options, must_decide, order_options
from adjudication.orders import Bid, Hold, Order, OrderSheet
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation

FORGETFUL = 0.05
"""How often a unit is left without an order."""


def any_sheet(power: str, position: Position, ruleset: Ruleset, chance: Random) -> OrderSheet:
    """Random lawful orders from all that are offered; written as text, they read back the same."""
    situation = Situation(position, ruleset)
    orders: list[Order] = []
    for option in order_options(power, position, ruleset):
        order = chance.choice(option.orders)
        if chance.random() > FORGETFUL and next_order_refusal(order, orders, power, situation) is None:
            orders.append(order)
    sheet = OrderSheet(tuple(orders), tuple(_any_bids(power, position, ruleset, chance)))
    assert read_sheet(write_sheet(sheet, position), power, position, ruleset).sheet == sheet
    return sheet


def _any_bids(power: str, position: Position, ruleset: Ruleset, chance: Random) -> Iterator[Bid]:
    situation, spent = Situation(position, ruleset), 0
    offered = [order for option in bid_options(position, ruleset) for order in option.orders]
    for order in chance.sample(offered, min(len(offered), 3)):
        bid = Bid(order, chance.randint(1, 2))
        if not isinstance(order, Hold) and not overspending_refusal(spent + bid.points, power, situation):
            assert bid_refusal(bid, situation) is None
            spent += bid.points
            yield bid


def whole_game(start: Position, ruleset: Ruleset, seed: int, years: int) -> Iterator[tuple[Position, Public]]:
    """Each phase with its result, until someone wins or that many years have passed."""
    chance, position = Random(seed), start
    while position.turn.year < start.turn.year + years:
        deciding = must_decide(position, ruleset)
        sheets = {power: any_sheet(power, position, ruleset, chance) for power in deciding}
        public = adjudicate(position, sheets, ruleset).public
        yield position, public
        if public.verdict:
            return
        position = public.next


JUNK: tuple[Any, ...] = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "A",
    "A PAR",
    "\ud800",
    "S1901M",
    [],
    [None],
    {},
    {"FRANCE": None},
    {"": [[]]},
)


def mutated(value: Any, chance: Random) -> Any:
    """The same document with some of its parts replaced, left out or doubled."""
    if chance.random() < 0.06:
        return chance.choice(JUNK)
    if isinstance(value, dict):
        return {chance.choice((key, key, key, key.lower(), "x")): mutated(each, chance) for key, each in value.items()}
    if isinstance(value, list):
        return [mutated(each, chance) for each in value for _ in range(chance.choice((0, 1, 1, 1, 1, 2)))]
    return value


ODD: tuple[Any, ...] = (
    None,
    [],
    {},
    0,
    -1,
    10**14,
    1.5,
    True,
    "",
    "x" * 5_000,
    "ATLANTIS",
    [[]],
    [1],
    {"FRANCE": None},
)


def one_changed(document: Any, chance: Random) -> Any:
    """The document with one of its values replaced by one of another kind or written in small letters, or left out."""
    parent, key = chance.choice(list(_places(document)))
    old = parent[key]
    match chance.randrange(6):
        case 0 if isinstance(old, str):
            parent[key] = old.lower()
        case 1 if isinstance(old, dict):
            parent[key] = {name.lower(): value for name, value in old.items()}
        case 2:
            del parent[key]
        case _:
            parent[key] = chance.choice(ODD)
    return document


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every value within, as what it is in and its key."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        yield value, key
        yield from _places(each)
