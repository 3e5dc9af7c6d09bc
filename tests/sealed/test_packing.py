"""What a slot holds: the largest lawful orders of any variant, and about as much again for orders of the same phase
that depend on its result."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adjudication.judge import adjudicate
from adjudication.notation import write_sheet
from adjudication.options import UnitOptions, bid_options, order_options
from adjudication.orders import Bid, Convoy, Declare, Move, Order, OrderSheet, Support
from adjudication.turns import PhaseKind
from adjudication.units import NEUTRAL, Unit, UnitKind, neighbours
from games.sealed.crypto import LARGEST_BODY, fresh_salt
from games.sealed.packing import pack_body, unpack_body
from games.sealed.store import Body
from variants.registry import find, offered, teaching
from variants.words.orders import pretty_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from adjudication.position import Position
    from variants.variant import Variant

EVERY = pytest.mark.parametrize("variant", [*offered(), *teaching()], ids=lambda variant: variant.slug)
MOST_UNITS = 34
USUAL_UNITS = 17
"""As many as a power can have in a standard game that it has not won."""

MOST_BIDS = 3
COASTS = ("", "/NC", "/SC", "/EC", "/WC")
SEEDS = range(4)


def body(lines: str, typed: str | None = None) -> dict[str, Any]:
    typed = lines if typed is None else typed
    facts = {
        "saved": True,
        "at": "2026-11-23T03:00:00+00:00",
        "salt": fresh_salt(),
        "ready": False,
        "waited_for": False,
        "by_gm": False,
    }
    return {**facts, "typed": typed, "lines": lines}


def size(lines: str, typed: str | None = None) -> int:
    data = pack_body(body(lines, typed))
    assert unpack_body(data)["lines"] == lines
    return len(data)


def crowded(variant: Variant, units: int, chance: Random) -> tuple[str, Position]:
    """A movement phase in which one power has so many units, spread at random, and every centre."""
    start, board = variant.start, variant.ruleset.board
    while start.turn.kind is not PhaseKind.MOVEMENT:
        start = adjudicate(start, {}, variant.ruleset).public.next
    power, minors = variant.powers[0].id, start.units_of(NEUTRAL)
    factions = sorted({unit.faction for unit in start.units_of(power)}) or [""]
    free = sorted(set(board.provinces) - {unit.province for unit in minors})
    sites = [
        [(kind, place + coast) for kind in UnitKind for coast in COASTS if neighbours(kind, place + coast, board)]
        for place in free
    ]
    places = [site for site in sites if site]
    chosen = chance.sample(places, min(units, len(places)))
    own = [Unit(power, *chance.choice(site), chance.choice(factions)) for site in chosen]
    return power, replace(start, units=(*minors, *own), centres=dict.fromkeys(board.centres, power))


def wordy(options: UnitOptions, chance: Random) -> Order:
    """An order with three places, if there is one: at random, so that nothing repeats."""
    longest = [it for it in options.orders if isinstance(it, Convoy) or (isinstance(it, Support) and it.destination)]
    return chance.choice(longest or options.orders)


def largest(variant: Variant, units: int, seed: int) -> tuple[Position, Sequence[UnitOptions], OrderSheet]:
    """What can be ordered in such a position, and the longest orders and bids."""
    chance = Random(seed)
    power, position = crowded(variant, units, chance)
    options = order_options(power, position, variant.ruleset)
    orders = tuple(wordy(it, chance) for it in options)
    bids = tuple(Bid(wordy(it, chance), 1) for it in bid_options(position, variant.ruleset)[:MOST_BIDS])
    return position, options, OrderSheet(orders, bids)


@EVERY
def test_the_largest_lawful_orders_fit_and_conditional_ones_for_every_unit_besides(variant: Variant) -> None:
    for seed in SEEDS:
        position, options, sheet = largest(variant, MOST_UNITS, seed)
        lines = write_sheet(sheet, position)
        assert size(lines) <= LARGEST_BODY * 0.6
        assert size("\n".join((lines, *conditional(variant, options, Random(seed))))) <= LARGEST_BODY


def conditional(variant: Variant, options: Iterable[UnitOptions], chance: Random) -> Iterable[str]:
    """Three places for each unit to retreat to, the best first, and as many builds as a power has homes."""
    for it in options:
        goals = sorted({order.destination for order in it.orders if isinstance(order, Move)})
        yield f"IF {it.location} DISLODGED: {', '.join(chance.sample(goals, min(3, len(goals))))}"
    centres = sorted(variant.ruleset.board.centres)
    homes = max(map(len, variant.ruleset.homes.values()))
    built = (f"{chance.choice('AF')} {centre}" for centre in chance.sample(centres, homes))
    yield f"BUILDS: {', '.join(built)}"


@EVERY
def test_usual_numbers_of_units_fit_in_the_words_of_players_too(variant: Variant) -> None:
    for seed in SEEDS:
        position, _, sheet = largest(variant, USUAL_UNITS, seed)
        spoken = "\n".join(pretty_order(order, position, variant.ruleset.board) for order in sheet.orders)
        assert size(write_sheet(sheet, position), spoken) <= LARGEST_BODY


def test_as_many_declarations_as_there_can_be_fit() -> None:
    variant = find("formal-diplomacy")
    powers = [power.id for power in variant.powers]
    papers = [Declare(stance, power) for stance in ("war", "neutrality", "alliance") for power in powers]
    assert size(write_sheet(OrderSheet(tuple(papers)), variant.start)) <= LARGEST_BODY / 2


def test_typed_text_takes_room_only_where_it_differs() -> None:
    lines = "A MUN - BOH\nF KIE - HOL\nA BER S A MUN - BOH"
    alone = size(lines)
    assert size(lines, f"{lines}\n# or not?") <= alone + 20
    assert size("") <= 40


@given(st.text(st.characters(exclude_categories=["Cs"])), st.tuples(*[st.booleans()] * 4))
def test_what_was_typed_comes_back_as_it_was(typed: str, facts: tuple[bool, ...]) -> None:
    for lines in ("", "A MUN - BOH\n2: A AUS S A MUN - BOH VIA"):
        whole = {**body(lines, typed), **dict(zip(("saved", "ready", "waited_for", "by_gm"), facts, strict=True))}
        assert unpack_body(pack_body(whole) + bytes(9)) == whole
        assert Body(**unpack_body(pack_body(whole))) == Body(**whole)


def test_a_blank_sheet_comes_back_blank() -> None:
    blank = {
        "saved": False,
        "typed": "",
        "lines": "",
        "at": "",
        "salt": "",
        "ready": False,
        "waited_for": False,
        "by_gm": False,
    }
    assert unpack_body(pack_body(blank) + bytes(9)) == blank
