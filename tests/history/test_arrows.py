"""Orders are drawn by the server, and by the page while they are being chosen: both look the same."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from itertools import chain
from random import Random
from typing import TYPE_CHECKING, Any
from xml.etree import ElementTree as ET

import pytest
from django.conf import settings

from adjudication.notation import write_order
from adjudication.options import bid_options, must_decide, order_options
from adjudication.orders import Bid, OrderSheet
from tests.variants.chance import any_sheet, whole_game
from variants.maps import arrows_of, draw_svg, drawing_of, marks_placed_by, with_marks_placed
from variants.registry import offered
from variants.words.orders import pretty_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from adjudication.position import Position
    from variants.variant import Variant

NODE = shutil.which("node")
YEARS, SEED = 2, 7
KINDS = {"hold", "move", "retreat", "support-hold", "support-move", "convoy", "disband", "build"}
LAYERS = ("orders", "verdicts")


def everything(power: str, position: Position, variant: Variant) -> OrderSheet:
    """Everything a power can order and bid for at the same time."""
    own, bids = order_options(power, position, variant.ruleset), bid_options(position, variant.ruleset)
    offered = chain.from_iterable(option.orders for option in bids)
    return OrderSheet(
        tuple(chain.from_iterable(option.orders for option in own)),
        tuple(Bid(order, number % 3 + 1) for number, order in enumerate(offered)),
    )


def sheets(variant: Variant) -> Iterator[tuple[Position, str, OrderSheet]]:
    """For every phase of several years: all that one power could write, and what two could plausibly save."""
    chance = Random(SEED)
    for position, _ in whole_game(variant.start, variant.ruleset, SEED, YEARS):
        one, *others = must_decide(position, variant.ruleset)
        yield position, one, everything(one, position, variant)
        for power in (one, *others[:1]):
            yield position, power, any_sheet(power, position, variant.ruleset, chance)


def served(position: Position, power: str, sheet: OrderSheet, variant: Variant) -> ET.Element:
    """The map of an order page with these orders saved, with at most one unit built in each place."""
    drawing = drawing_of(position, variant)
    orders = {getattr(order, "location", order): order for order in sheet.orders}
    placed = marks_placed_by(OrderSheet(tuple(orders.values())), power, position, variant)
    units = with_marks_placed(drawing.units, placed)
    svg = draw_svg(
        variant.slug, replace(drawing, units=units, arrows=arrows_of(sheet, position, variant.ruleset.board))
    )
    return ET.fromstring(svg.replace(' xmlns="http://www.w3.org/2000/svg"', ""))  # noqa: S314 - our own text


def known(board: ET.Element, position: Position, sheet: OrderSheet, variant: Variant) -> dict[str, Any]:
    """What the page has: its map and the chosen orders."""
    chosen = [(order, 0) for order in sheet.orders] + [(bid.order, bid.points) for bid in sheet.bids]
    return {
        "places": board.get("data-places"),
        "lands": {shape.get("data-province"): shape.get("data-colour") for shape in board.iter("path")},
        "tokens": [
            {
                "location": unit.get("data-unit"),
                "colour": unit.get("data-colour"),
                "dislodged": "dislodged" in unit.get("class", ""),
            }
            for unit in board.iterfind("g[@class='units']/g")
            if "placed" not in unit.get("class", "")
        ],
        "orders": [
            (write_order(order, position), pretty_order(order, position, variant.ruleset.board), points)
            for order, points in chosen
        ],
    }


def drawn_by_pages(scenes: list[dict[str, Any]]) -> list[dict[str, list[str]]]:
    """The layers that the page's scripts draw, as text."""
    if NODE is None:
        pytest.skip("There is no Node here to run the scripts of a page.")
    done = subprocess.run(
        [NODE, "tests/js/draw.js"],
        check=True,
        cwd=settings.BASE_DIR,
        input=json.dumps(scenes),
        stdout=subprocess.PIPE,
        text=True,
    )
    layers: list[dict[str, list[str]]] = json.loads(done.stdout)
    return layers


def canonical(shapes: Iterable[ET.Element | str]) -> list[str]:
    """Normalised, whatever order the attributes are in."""
    texts = (shape if isinstance(shape, str) else ET.tostring(shape, encoding="unicode") for shape in shapes)
    return [ET.canonicalize(text) for text in texts]


def test_a_page_draws_every_order_that_is_chosen_as_the_server_draws_it_when_it_is_saved() -> None:
    boards, scenes = [], []
    for variant in offered():
        for position, power, sheet in sheets(variant):
            boards.append(served(position, power, sheet, variant))
            scenes.append(known(boards[-1], position, sheet, variant))
    pages = drawn_by_pages(scenes)
    kinds, different = set(), []
    for board, page in zip(boards, pages, strict=True):
        for layer in LAYERS:
            by_server, by_page = canonical(board.iterfind(f"g[@class='{layer}']/g")), canonical(page[layer])
            different += [pair for pair in zip(by_server, by_page, strict=True) if len(set(pair)) > 1]
        kinds |= {order.get("data-order") for order in board.iterfind("g[@class='orders']/g")}
    assert different == []
    assert kinds == KINDS
