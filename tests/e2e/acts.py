"""Players' actions on the pages, through the visible controls."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.e2e.people import PATIENCE_MS

if TYPE_CHECKING:
    from collections.abc import Callable

    from playwright.sync_api import Locator, Page

NAMES = {"GERMANY": "Germany", "ITALY": "Italy", "TURKEY": "Turkey"}


def create_game(page: Page, name: str) -> str:
    """Open the form from the navigation and create a game whose game master doesn't play; return its slug."""
    page.goto("/games/")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="New game").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("Custom").check()
    for group in ("The game master’s part", "Powers, bots and the start"):
        page.locator("summary", has_text=group).click()
    page.get_by_label("I only run the game").check()
    page.get_by_label("Start as soon as the game is full").check()
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(name)
    return page.url.rstrip("/").rsplit("/", 1)[-1]


def join(page: Page, game: str, power: str) -> None:
    """Find the game in the lobby and join as this power."""
    page.goto("/games/?show=open")
    page.get_by_role("link", name=f"Join {game}").click()
    # The radio button itself is drawn by its label.
    page.locator("label.pick", has_text=NAMES[power]).click()
    page.get_by_role("button", name="Take a seat").click()
    expect(page.get_by_text(f"you are {NAMES[power]}", exact=False)).to_be_visible()


def choose(place: Page | Locator, name: str, *steps: str) -> None:
    """Choose an order step by step, as the page offers it: "Move", "Cze"."""
    for count, step in enumerate(steps):
        label = f"{name}: {', '.join(steps[:count])}" if count else name
        place.locator(f'[data-level][aria-label="{label}"]').select_option(step)


def bid(page: Page, row: int, minor: str, points: str, *steps: str) -> None:
    """Fill the row of bids with this index, counted from 0."""
    line = page.locator("[data-bid]").nth(row)
    line.get_by_label("Minor power").select_option(minor)
    choose(line, "Its order", *steps)
    line.get_by_label("Points", exact=True).fill(points)


def write(page: Page, text: str) -> None:
    """Replace the text, once the page's scripts watch it."""
    expect(page.locator(".picker").first).to_be_attached()
    page.get_by_label("All orders as text").fill(text)


def save(page: Page, button: str = "Save orders") -> None:
    """Save, and see that it was: on the same page or, without scripts, on the next."""
    with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/orders/")):
        page.get_by_role("button", name=button, exact=True).last.click()
    expect(page.get_by_role("status").filter(has_text="Orders saved").first).to_be_visible()


def comes_to(page: Page, look: Callable[[], object], wanted: object) -> None:
    """Retry until the value is as expected, where no locator can wait for it."""
    end = time.monotonic() + PATIENCE_MS / 1_000
    while (seen := look()) != wanted and time.monotonic() < end:
        page.wait_for_timeout(50)
    assert seen == wanted
