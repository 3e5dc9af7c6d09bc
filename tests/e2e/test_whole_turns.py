"""A whole turn with orders, a bid, a retreat and a build: by keyboard alone, by touch on a phone, and without
scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.e2e import acts
from tests.e2e.map import PHONE, order, press, save_by_map, show_map, tap
from tests.e2e.sheet import HAMBURG, MUNICH, attack_munich, besieged, german_sheet, saved_text
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ORDERED, RETREATED, BUILT = "A MUN - BUR\n2: A AUS H", "A MUN - BER", "BUILD F HAM"
NEXT = "My orders"
MOST_STOPS = 90
TYPING_FORGOTTEN_MS = 1_100
"""After this, letters typed in a list start a new search."""
FOCUSED = """() => {
  const element = document.activeElement;
  return element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.innerText?.trim() ?? "";
}"""
CHOSEN = "document.activeElement.selectedOptions[0].label"
IS_SEEN = """() => {
  const element = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(element);
  const { x, y, width, height } = element.getBoundingClientRect();
  const isOutlined = element.matches(":focus-visible") && outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  return isOutlined && element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""


def go_to(page: Page, name: str) -> None:
    """Press the tab key until the control of this name has the focus, and check that it has."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate(FOCUSED) == name:
            assert page.evaluate(IS_SEEN), f"{name} has the focus and does not show it, or lies under something else"
            return
    raise AssertionError(f"The tab key never comes to {name}")


def choose(page: Page, name: str, *steps: str) -> None:
    """Go to a control and type the first letters of the choice, then continue to the next one."""
    for count, step in enumerate(steps):
        go_to(page, f"{name}: {', '.join(steps[:count])}" if count else name)
        page.keyboard.type(step)
        if page.evaluate(CHOSEN) != step:
            page.wait_for_timeout(TYPING_FORGOTTEN_MS)
            page.keyboard.type(step)
        assert page.evaluate(CHOSEN) == step


def enter(page: Page, name: str) -> None:
    go_to(page, name)
    page.keyboard.press("Enter")


def open_next(page: Page) -> None:
    with page.expect_navigation():
        enter(page, NEXT)


def save(page: Page) -> None:
    enter(page, "Save orders")
    expect(page.get_by_role("status").filter(has_text="Orders saved").first).to_be_visible()


def next_phase(page: Page, game: Game) -> None:
    """The deadline comes, and the result takes the place of the open page."""
    Story(game).deadline()
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#mine")).to_be_visible()


def test_by_keys_alone(browsers: Browsers) -> None:
    game = besieged()
    page = german_sheet(browsers, game)
    choose(page, MUNICH, "Move", "Bur")
    choose(page, "Minor power", "Army in Austria")
    go_to(page, "One point more")
    page.keyboard.press("Enter")
    choose(page, "Its order", "Hold")
    save(page)
    assert saved_text(game) == ORDERED
    attack_munich(game)
    next_phase(page, game)
    open_next(page)
    choose(page, MUNICH, "A Mun retreats to Ber")
    save(page)
    assert saved_text(game) == RETREATED
    next_phase(page, game)
    open_next(page)
    choose(page, "Build in Hamburg", "Build F Ham")
    save(page)
    assert saved_text(game) == BUILT
    next_phase(page, game)
    open_next(page)
    expect(page.get_by_label(HAMBURG)).to_be_visible()


def test_by_fingers_on_the_map_of_a_phone(browsers: Browsers) -> None:
    game = besieged()
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    order(page, "MUN", "Move", "BUR")
    tap(page, "AUS")
    press(page, "Hold")
    press(page, "One point more")
    press(page, "Close")
    expect(page.locator("#state-complete")).to_contain_text("Complete")
    save_by_map(page)
    assert saved_text(game) == ORDERED
    attack_munich(game)
    show_next(page, game)
    order(page, "MUN", "Retreat", "BER")
    expect(page.locator(".orders .order.retreat")).to_have_attribute("data-target", "BER")
    save_by_map(page)
    assert saved_text(game) == RETREATED
    show_next(page, game)
    tap(page, "HAM")
    press(page, "Build F Ham")
    expect(page.locator(".orders .order.build")).to_have_attribute("data-unit", "HAM")
    save_by_map(page)
    assert saved_text(game) == BUILT
    show_next(page, game)
    expect(page.locator('#board .unit[data-unit="HAM"] title')).to_have_text(HAMBURG)


def show_next(page: Page, game: Game) -> None:
    next_phase(page, game)
    with page.expect_navigation():
        page.get_by_role("link", name=NEXT).first.tap()
    show_map(page)


def test_without_scripts(browsers: Browsers) -> None:
    game = besieged()
    page = german_sheet(browsers, game, java_script_enabled=False)
    page.get_by_label(MUNICH).select_option("A MUN - BUR")
    bid = page.locator("[data-bid]").first
    bid.get_by_label("Minor power").select_option("AUS")
    bid.get_by_label("Points").fill("2")
    bid.get_by_role("button", name="Show its orders").click()
    bid.get_by_label("Its order").select_option("A AUS H")
    acts.save(page)
    assert saved_text(game) == ORDERED
    attack_munich(game)
    Story(game).deadline()
    page.reload()
    page.get_by_label(MUNICH).select_option("A MUN - BER")
    acts.save(page)
    assert saved_text(game) == RETREATED
    Story(game).deadline()
    page.reload()
    page.get_by_label("Build in Hamburg").select_option("BUILD F HAM")
    acts.save(page)
    assert saved_text(game) == BUILT
    Story(game).deadline()
    page.reload()
    expect(page.get_by_label(HAMBURG)).to_be_visible()
