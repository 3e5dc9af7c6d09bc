"""What happened to one's own units is seen at once: words, arrows, and once the moves themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.map import PHONE, SETTLED
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}
COUNTING = """() => {
  window.travelled = 0;
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    window.travelled += 1;
    return animate.apply(this, how);
  };
}"""
BOXES = """() => [...document.querySelectorAll("#main *")].filter((box) =>
  ["auto", "scroll"].includes(getComputedStyle(box).overflowY) && box.scrollHeight > box.clientHeight + 1
).map((box) => box.className)"""


def bounced() -> Game:
    """Germany's army moved to Silesia, and another bounced."""
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Bur", "A Ber-Sil")
    Story(game).order("FRANCE", "A Par-Bur", "A Mar S A Par-Bur")
    Story(game).deadline()
    return game


def shown(browsers: Browsers, game: Game, **options: Any) -> Page:
    page = browsers.of(occupancy_of(game, "GERMANY").user.username, **options)
    page.add_init_script(f"({COUNTING})()")
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    expect(page.locator("#board .can-zoom")).to_be_attached()
    page.evaluate(SETTLED)
    return page


@pytest.mark.parametrize("window", [PHONE, DESK], ids=["phone", "desk"])
def test_the_next_task_the_result_and_the_arrows_are_in_sight_at_once(
    window: dict[str, Any], browsers: Browsers
) -> None:
    page = shown(browsers, bounced(), **window)
    expect(page.locator("#next-now")).to_contain_text("Enter your orders by")
    expect(page.get_by_role("region", name="Germany, Spring 1926")).to_contain_text("Bounced with A Par–Bur")
    for part in ("#next-now", ".mine"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    for unit in ("BER", "MUN"):
        expect(page.locator(f'#board .orders .order.move[data-unit="{unit}"]')).to_be_in_viewport(ratio=1)
    assert page.evaluate(BOXES) == []


def test_units_move_once_and_again_when_asked(browsers: Browsers) -> None:
    game = bounced()
    page = shown(browsers, game, **DESK)
    units = page.locator("#board .orders > .move").count()
    assert page.evaluate("window.travelled") == units > 1
    page.get_by_role("button", name="Show the moves again").click()
    assert page.evaluate("window.travelled") == 2 * units
    page.reload()
    expect(page.locator("#board .can-zoom")).to_be_attached()
    assert page.evaluate("window.travelled") == 0
    Story(game).deadline()
    page.reload()
    expect(page.locator("#board .can-zoom")).to_be_attached()
    expect(page.get_by_role("region", name="Germany, Fall 1926")).to_be_visible()


def test_readers_who_want_no_motion_see_the_arrows_alone(browsers: Browsers) -> None:
    page = shown(browsers, bounced(), reduced_motion="reduce", **DESK)
    assert page.evaluate("window.travelled") == 0
    expect(page.locator("#board .orders > .move").first).to_be_visible()
    expect(page.get_by_role("button", name="Show the moves again")).to_be_hidden()


def test_without_scripts_the_result_is_there_and_nothing_that_needs_them(browsers: Browsers) -> None:
    game = bounced()
    page = browsers.of(occupancy_of(game, "GERMANY").user.username, java_script_enabled=False, **DESK)
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    expect(page.locator(".mine")).to_contain_text("Bounced with A Par–Bur")
    expect(page.get_by_role("button", name="Show the moves again")).to_be_hidden()
