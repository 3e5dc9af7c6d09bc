"""An order under the pointer, in a list or on the map, is highlighted in both."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e import acts
from tests.e2e.map import PHONE, SETTLED
from tests.e2e.sheet import MUNICH, german_sheet
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ON_LINE = """async line => {
  const { zoomOf } = await import("/static/js/board.js");
  const at = zoomOf(line.closest(".board-view")).onScreen(line.getPointAtLength(line.getTotalLength() * 0.4));
  return [at.x, at.y];
}"""


def judged(browsers: Browsers, **options: Any) -> Page:
    """A phase in which an army bounced and another moved."""
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Bur", "A Ber-Sil")
    Story(game).order("FRANCE", "A Par-Bur", "A Mar S A Par-Bur")
    Story(game).deadline()
    page = browsers.of(**(options or {"viewport": {"width": 1440, "height": 900}}))
    page.goto(reverse("games:phase", kwargs={"slug": game.slug, "ordinal": 0}))
    expect(page.locator("#board .can-zoom")).to_be_attached()
    page.evaluate(SETTLED)
    return page


def lit(page: Page) -> Locator:
    return page.locator("#board .orders .order.is-lit")


def test_an_order_in_the_list_lights_its_arrow_and_says_what_came_of_it(browsers: Browsers) -> None:
    page = judged(browsers)
    expect(lit(page)).to_have_count(0)
    page.locator('[data-given="A MUN - BUR"]').hover()
    expect(lit(page)).to_have_count(1)
    expect(lit(page)).to_have_attribute("data-unit", "MUN")
    expect(page.locator("#board .verdicts .order.is-lit .cross")).to_have_count(1)
    expect(page.locator(".map-says")).to_contain_text("Bounced with A Par–Bur")
    page.get_by_role("heading", level=1).hover()
    expect(lit(page)).to_have_count(0)
    expect(page.locator(".map-says")).to_be_hidden()


def test_a_tapped_order_brings_the_map_with_its_arrow_into_sight(browsers: Browsers) -> None:
    page = judged(browsers, **PHONE)
    page.get_by_role("heading", name="Share and print").scroll_into_view_if_needed()
    page.locator('[data-given="A BER - SIL"]').tap()
    expect(lit(page)).to_have_attribute("data-unit", "BER")
    expect(page.locator("#board .board-view")).to_be_in_viewport(ratio=0.9)


def test_an_arrow_lights_its_line_in_the_list(browsers: Browsers) -> None:
    page = judged(browsers)
    line = page.locator('.orders .order.move[data-unit="BER"] .line')
    page.mouse.move(*line.evaluate(ON_LINE))
    expect(page.locator(".is-pointed")).to_have_count(1)
    expect(page.locator(".is-pointed")).to_have_attribute("data-given", "A BER - SIL")
    expect(lit(page)).to_have_attribute("data-unit", "BER")


def test_the_list_is_walked_with_the_arrow_keys(browsers: Browsers) -> None:
    page = judged(browsers)
    page.locator('[data-given="A MUN - BUR"]').focus()
    expect(lit(page)).to_have_attribute("data-unit", "MUN")
    page.keyboard.press("ArrowDown")
    expect(page.locator('[data-given="A BER - SIL"]')).to_be_focused()
    expect(lit(page)).to_have_attribute("data-unit", "BER")


def test_a_row_of_the_sheet_lights_what_it_orders(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game())
    acts.choose(page, MUNICH, "Move", "Cze")
    page.locator("[name=order-BER]").locator("xpath=ancestor::*[@data-row]").hover()
    expect(lit(page)).to_have_count(0)
    page.locator("[name=order-MUN]").locator("xpath=ancestor::*[@data-row]").hover()
    expect(lit(page)).to_have_attribute("data-target", "CZE")


def test_owners_are_told_apart_without_colours(browsers: Browsers) -> None:
    page = judged(browsers)
    marks = page.locator("#board .board-view .owner")
    assert {mark.text_content() for mark in marks.all()} == {"B", "F", "G", "I", "P", "S", "T"}
    fill = page.locator('#board [data-province="MUN"][data-colour]').first.evaluate(
        "shape => getComputedStyle(shape).fill"
    )
    assert "#own-3" in fill
    expect(page.locator("#board .board-view #own-3 .weave")).to_have_count(1)
    expect(page.locator(".legend .swatch").first).to_have_text("B")
