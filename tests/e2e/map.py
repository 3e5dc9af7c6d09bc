"""Touching maps: where places are on the screen, and taps on them.

A browser turns a tap into a click in its own time, so each tap waits until the page has received the click.
"""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.sync_api import Locator, Page

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

POINT = """async name => {
  const { zoomOf } = await import("/static/js/board.js");
  const map = document.querySelector("#board .board");
  const places = map.dataset.places.split(";").map(line => line.split(" "));
  const [, x, y] = places.find(([place]) => place === name);
  const at = zoomOf(document.querySelector("#board .board-view")).onScreen({ x: Number(x), y: Number(y) });
  const seen = document.elementFromPoint(at.x, at.y)?.closest("#board .board-view");
  return { x: at.x, y: at.y, seen: Boolean(seen) };
}"""
SETTLED = """() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"""
CLICKS = """() => {
  const { dataset } = document.documentElement;
  if (!dataset.clicks) {
    dataset.clicks = "0";
    addEventListener("click", () => setTimeout(() => { dataset.clicks = Number(dataset.clicks) + 1; }), true);
  }
  return Number(dataset.clicks);
}"""


@contextmanager
def heard(page: Page) -> Iterator[None]:
    """Wait until the tap inside has become a click and the page has handled it."""
    clicks = page.evaluate(CLICKS)
    yield
    expect(page.locator(f'html[data-clicks="{clicks + 1}"]')).to_be_attached()


def show_map(page: Page) -> None:
    """Scroll the map to the top of the window, as players do before ordering on it."""
    expect(page.locator(".takes-orders")).to_be_attached()
    page.locator("#board").evaluate("box => box.scrollIntoView({ block: 'start', behavior: 'instant' })")
    page.evaluate(SETTLED)


def tap(page: Page, *places: str) -> None:
    """Tap these places in turn, showing the whole map if one is out of sight."""
    for place in places:
        at = page.evaluate(POINT, place)
        if not at["seen"]:
            show_whole(page)
            at = page.evaluate(POINT, place)
        assert at["seen"], f"{place} is not in sight"
        with heard(page):
            page.touchscreen.tap(at["x"], at["y"])


def show_whole(page: Page, *, by_touch: bool = True) -> None:
    button = page.get_by_role("button", name="Whole map")
    if by_touch:
        button.tap()
    else:
        button.click()
    expect(page.locator("#board .board-view")).to_have_class(re.compile(r"\bis-whole\b"))


def bar(page: Page) -> Locator:
    """Below the map: what it asks for, and all that is not a place."""
    return page.locator(".entry-bar")


def press(page: Page, name: str) -> None:
    """A button of the bar, with a finger; nothing is scrolled for it."""
    button = bar(page).get_by_role("button", name=name, exact=True)
    expect(button).to_be_in_viewport()
    with heard(page):
        finger(page, button)


def finger(page: Page, button: Locator) -> None:
    box = button.bounding_box()
    assert box
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def order(page: Page, place: str, kind: str, *places: str) -> None:
    """Tap a unit, what it does, and where; a move needs no button."""
    tap(page, place)
    if kind not in ("Move", "Retreat"):
        press(page, kind)
    tap(page, *places)


def save_by_map(page: Page) -> None:
    finger(page, page.locator("[data-save]"))
    expect(bar(page)).to_contain_text("Orders saved")
