"""Whole phases ordered with the keyboard alone, through the form beside the map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e.sheet import german_sheet, saved_text, set_up
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MOST_STOPS = 90
FOCUSED = """() => {
  const element = document.activeElement;
  return element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.innerText?.trim() ?? "";
}"""


def go_to(page: Page, name: str) -> None:
    """Press the tab key until the control that is called so has the focus."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == name:
            return
    raise AssertionError(f"The tab key never comes to {name}")


def choose(page: Page, name: str, *steps: str) -> None:
    """Go to a control and type the first letters of what is chosen, then on to what is asked next."""
    for count, step in enumerate(steps):
        label = f"{name}: {', '.join(steps[:count])}" if count else name
        go_to(page, label)
        page.keyboard.type(step)
        assert page.evaluate("document.activeElement.selectedOptions[0].label") == step


def save(page: Page) -> None:
    go_to(page, "Save")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status").filter(has_text="Saved at")).to_be_visible()


def test_orders_and_a_bid(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    choose(page, "German army in Berlin", "Support hold", "A Mun")
    choose(page, "German fleet in Hamburg", "Hold")
    choose(page, "German army in Munich", "Move", "Cze")
    choose(page, "Minor power", "Army in Austria")
    go_to(page, "One point more")
    page.keyboard.press("Enter")
    choose(page, "Its order", "Support move", "A Mun", "Cze")
    save(page)
    assert saved_text(game).splitlines() == [
        "A BER S A MUN",
        "F HAM H",
        "A MUN - CZE",
        "2: A AUS S A MUN - CZE",
    ]


def test_a_retreat(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "S1926M", {"FRANCE": "A BUR, A RHI", "GERMANY": "A MUN"})
    Story(game).order("FRANCE", "A Bur-Mun", "A Rhi S A Bur-Mun")
    Story(game).deadline()
    page = german_sheet(browsers, game)
    choose(page, "German army in Munich", "A Mun retreats to Ber")
    save(page)
    assert saved_text(game) == "A MUN - BER"


def test_a_build(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "W1926A", {"GERMANY": "A MUN"})
    page = german_sheet(browsers, game)
    choose(page, "Build in Hamburg", "Build F Ham")
    save(page)
    assert saved_text(game) == "BUILD F HAM"
