"""A long round of all engines: `LONG_ROUND=taps ./run test tests/e2e/engines_everywhere.py -n 0`."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from tests.browsers import visitor
from tests.cast import PLAYERS
from tests.e2e.engines import Engine
from tests.e2e.test_engines import (
    ACROSS,
    DESK,
    PHONE,
    PRESS_BUTTON,
    SHOW_MAP,
    STILL,
    engine,
    grid,
    open_sheet,
    order,
    sign_in,
    started,
)
from tests.e2e.test_pages_everywhere import pages_of, played
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

__all__ = ["engine", "started"]

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

TURNED = (844, 390)
SMALL_DESK = (720, 450)
"""What a desk of 1440 × 900 leaves at a browser zoom of 200 %."""
WRONG = """
const wrong = [];
const { scrollWidth } = document.scrollingElement;
if (scrollWidth > innerWidth) wrong.push(`${scrollWidth} pixels wide in a window of ${innerWidth}`);
if (document.querySelector("script[type=module]") && !document.documentElement.classList.contains("js"))
  wrong.push("scripts do not run");
if (document.querySelector(".board-view > .board") && !document.querySelector(".can-zoom"))
  wrong.push("the map does not move");
for (const { name, responseStatus } of performance.getEntriesByType("resource"))
  if (responseStatus >= 400) wrong.push(`${responseStatus} ${name}`);
for (const image of document.images)
  if (image.complete && !image.naturalWidth && image.loading !== "lazy") wrong.push(`no picture ${image.src}`);
for (const link of document.querySelectorAll("link[rel=stylesheet]"))
  if (!link.sheet) wrong.push(`no style ${link.href}`);
return wrong;
"""


@pytest.mark.parametrize("size", [PHONE, DESK, TURNED, SMALL_DESK, (480, 300)])
def test_the_whole_grid_in_every_view(engine: Engine, live_server: Any, size: tuple[int, int]) -> None:
    sheet = sign_in(engine, running_game(), "BRITAIN", live_server.url)
    engine.resize(*size)
    open_sheet(engine, sheet)
    wrong = {"opening": grid(engine, seen=0.3), "chosen": grid(engine, "EDI")}
    engine.run(PRESS_BUTTON, "Whole map")
    wrong["whole"] = grid(engine, seen=0.3)
    for _ in range(2):
        engine.run(PRESS_BUTTON, "Zoom in")
    wrong["enlarged"] = grid(engine, seen=0.3)
    engine.drag(*engine.run(ACROSS))
    wrong["dragged"] = grid(engine, seen=0.3)
    engine.run("scrollBy({ top: 40, behavior: 'instant' })")
    wrong["scrolled"] = grid(engine, seen=0.3)
    engine.run("document.documentElement.dir = 'rtl'")
    wrong["right to left"] = grid(engine, seen=0.3)
    engine.run("document.documentElement.dir = ''")
    if size == DESK:
        engine.run(SHOW_MAP)
        engine.press(".zoom-bar__full")
        engine.until("return document.fullscreenElement !== null")
        wrong["full screen"] = grid(engine, seen=0.3)
    assert {view: found for view, found in wrong.items() if found} == {}


def test_a_phone_that_is_turned_keeps_the_grid(engine: Engine, live_server: Any) -> None:
    sheet = sign_in(engine, running_game(), "BRITAIN", live_server.url)
    engine.resize(*PHONE)
    open_sheet(engine, sheet)
    for size in (TURNED, PHONE, DESK, PHONE):
        engine.resize(*size)
        engine.run(SHOW_MAP)
        assert grid(engine, seen=0.3) == [], size


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_two_turns_by_taps_alone_are_the_turns_that_are_played(
    engine: Engine, live_server: Any, size: tuple[int, int]
) -> None:
    game = running_game(variant="standard")
    sheet = sign_in(engine, game, "ENGLAND", live_server.url)
    engine.resize(*size)
    turns = [
        ((("LON", "NTH"), ("EDI", "NWG"), ("LVP", "YOR")), ["F EDI - NWG", "A LVP - YOR", "F LON - NTH"]),
        (
            (("YOR", "NWY"), ("NTH", "Convoy", "YOR"), ("NWG", "Support move", "YOR")),
            ["F NTH C A YOR - NWY", "F NWG S A YOR - NWY", "A YOR - NWY VIA"],
        ),
    ]
    for taps, wanted in turns:
        open_sheet(engine, sheet)
        for unit, *steps in taps:
            order(engine, unit, *steps)
        engine.press("[data-save]")
        engine.until("return document.querySelector('.entry-bar').textContent.includes('Orders saved')")
        text = Story(game).seen_by(occupancy_of(game, "ENGLAND").user.username).order_sheet
        assert text is not None
        assert sorted(text.text.splitlines()) == sorted(wanted)
        Story(game).deadline()
    units = open_phase(game).position
    assert "NWY" in str(units)


def test_all_pages_of_a_player(engine: Engine, live_server: Any) -> None:
    game = played()
    pages = pages_of(PLAYERS[0], game)
    del pages["games:board"]  # stands in frames of other sites, with a map that does not move
    assert len(pages) > 25
    engine.go(f"{live_server.url}{reverse('games:offline')}")
    engine.sign_in(visitor(PLAYERS[0]))
    wrong = []
    for size in (PHONE, DESK):
        engine.resize(*size)
        for path in pages.values():
            engine.go(f"{live_server.url}{path}")
            engine.run(STILL)
            wrong += [f"{path} at {size[0]}: {each}" for each in engine.run(WRONG)]
    assert not wrong, "\n".join(wrong)
