"""Unsaved choices survive a reload, on this device, for this user, until they are saved."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.kernel.queries import phase_head
from games.mastering.services.repair import roll_back
from tests.cast import CAROL, person
from tests.e2e import acts
from tests.e2e.map import POINT, SETTLED, bar, show_map
from tests.e2e.sheet import MUNICH, german_sheet, mistakes_of, saved_text, sheet_text
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

RESTORED = "Your unsaved orders have been restored."
LAST_TAP = "button => { button.click(); location.reload(); }"
KEPT = "Object.keys(localStorage).filter(name => name.startsWith('sheet '))"


def written(page: Page) -> Page:
    """A move and a bid chosen, nothing saved; the page can be left without a prompt."""
    page.on("dialog", lambda dialog: dialog.accept())
    acts.choose(page, MUNICH, "Move", "Cze")
    acts.bid(page, 0, "AUS", "2", "Support move", "A Mun", "Cze")
    return page


def test_a_draft_outlives_a_reload_and_is_drawn_again(browsers: Browsers) -> None:
    game = running_game()
    page = written(german_sheet(browsers, game))
    page.reload()
    expect(page.get_by_text(RESTORED)).to_be_visible()
    expect(sheet_text(page)).to_have_value("A Mun–Cze\n2: A Aus S A Mun–Cze")
    expect(page.locator("[data-left]")).to_have_text("1")
    expect(page.locator(".orders .order.move")).to_have_attribute("data-target", "CZE")
    expect(page.locator(".state--saved")).to_contain_text("Changed, not saved")
    expect(page.locator("#state-complete")).to_contain_text("Still open: A Ber, F Ham.")
    assert saved_text(game) == ""


def test_an_order_that_is_tapped_as_the_page_goes_is_kept(browsers: Browsers) -> None:
    """The order lists follow the map only once the map has been painted, or when the page is left."""
    page = german_sheet(browsers, running_game())
    page.on("dialog", lambda dialog: dialog.accept())
    show_map(page)
    at = page.evaluate(POINT, "MUN")
    page.mouse.click(at["x"], at["y"])
    with page.expect_navigation():
        bar(page).get_by_role("button", name="Hold", exact=True).evaluate(LAST_TAP)
    expect(page.get_by_text(RESTORED)).to_be_visible()
    expect(sheet_text(page)).to_have_value("A Mun holds")


def test_a_draft_can_be_discarded(browsers: Browsers) -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Ber H")
    page = written(german_sheet(browsers, game))
    page.reload()
    page.get_by_role("button", name="Discard them").click()
    expect(sheet_text(page)).to_have_value("A Ber H")
    expect(page.locator(".state--saved")).to_contain_text("These orders count at the deadline.")
    page.reload()
    expect(page.locator("[name=order-BER]")).to_have_value("A BER H")
    expect(page.get_by_text(RESTORED)).to_have_count(0)
    assert page.evaluate(KEPT) == []


def test_typed_text_that_nobody_can_read_is_kept_too(browsers: Browsers) -> None:
    page = written(german_sheet(browsers, running_game()))
    page.get_by_label("All orders as text").press_sequentially("\nA Ber-Atl")
    typed = sheet_text(page).input_value()
    page.reload()
    expect(page.get_by_text(RESTORED)).to_be_visible()
    expect(sheet_text(page)).to_have_value(typed)
    expect(mistakes_of(page)).to_contain_text("Line 3, “A Ber-Atl”: An army cannot enter")
    page.get_by_role("button", name="Discard them").click()
    expect(mistakes_of(page)).to_have_count(0)


def test_what_is_saved_is_no_draft_any_more(browsers: Browsers) -> None:
    game = running_game()
    page = written(german_sheet(browsers, game))
    acts.save(page)
    assert page.evaluate(KEPT) == []
    page.reload()
    expect(page.locator("[name=order-MUN]")).to_have_value("A MUN - CZE")
    expect(page.get_by_text(RESTORED)).to_have_count(0)


def test_a_page_that_is_left_before_the_connection_is_back_loses_nothing(browsers: Browsers) -> None:
    game = running_game()
    page = written(german_sheet(browsers, game))
    sheet = page.url
    page.context.set_offline(True)
    page.get_by_role("button", name="Save orders", exact=True).last.click()
    expect(page.get_by_role("alert").filter(has_text="Not saved yet")).to_be_visible()
    page.goto("about:blank")
    page.context.set_offline(False)
    page.goto(sheet)
    restored, arrived = page.get_by_text(RESTORED), page.get_by_text("These orders count")
    expect(restored.or_(arrived).first).to_be_visible()  # the last try may have gone out just before the page was left
    expect(sheet_text(page)).to_have_value("A Mun–Cze\n2: A Aus S A Mun–Cze")
    if restored.is_visible():
        acts.save(page)
    assert saved_text(game) == "A MUN - CZE\n2: A AUS S A MUN - CZE"


def test_a_draft_ends_with_its_phase(browsers: Browsers) -> None:
    game = running_game()
    page = written(german_sheet(browsers, game))
    Story(game).deadline()
    page.reload()
    expect(page.locator(".picker").first).to_be_attached()
    expect(page.get_by_text(RESTORED)).to_have_count(0)
    expect(sheet_text(page)).to_have_value("")
    assert page.evaluate(KEPT) == []


def test_a_draft_for_a_phase_that_was_opened_again_says_so(browsers: Browsers) -> None:
    game = running_game()
    page = written(german_sheet(browsers, game))
    Story(game).deadline()
    seen = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=0, seen=seen, reason="A holiday.")
    page.reload()
    expect(page.get_by_text(RESTORED)).to_contain_text("has reopened this phase since you wrote these orders")
    expect(sheet_text(page)).to_have_value("A Mun–Cze\n2: A Aus S A Mun–Cze")


def test_a_draft_is_shown_to_nobody_else_on_the_same_device(browsers: Browsers) -> None:
    game = running_game()
    page = written(german_sheet(browsers, game))
    kept = page.evaluate("({...localStorage})")
    other = browsers.of(occupancy_of(game, "FRANCE").user.username)
    other.goto("/")
    other.evaluate("kept => Object.assign(localStorage, kept)", kept)
    other.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    expect(other.locator(".picker").first).to_be_attached()
    expect(other.get_by_text(RESTORED)).to_have_count(0)
    expect(sheet_text(other)).to_have_value("")


def test_a_save_before_the_scripts_have_come_loses_nothing_typed(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    page.route("**/*sheet*.js", lambda route: route.abort())
    page.reload()
    page.get_by_label("All orders as text").fill("A Mun-Cze\n2: A Aus S A Mun-Cze")
    page.get_by_role("button", name="Save orders", exact=True).last.click()
    expect(page.get_by_text("Orders saved.")).to_be_visible()
    assert saved_text(game).splitlines() == ["A Mun-Cze", "2: A Aus S A Mun-Cze"]
    page.get_by_label("All orders as text").fill("A Mun-Atlantis")
    page.get_by_role("button", name="Save orders", exact=True).last.click()
    expect(mistakes_of(page)).to_contain_text("Atlantis")
    expect(sheet_text(page)).to_have_value("A Mun-Atlantis")


@pytest.mark.parametrize("answer", ["to reading", "to saving"])
def test_a_button_that_is_pressed_as_an_answer_comes_is_pressed(browsers: Browsers, answer: str) -> None:
    """The answer brings another form, and the map other buttons: a tap whose button has gone was lost."""
    page = german_sheet(browsers, running_game())
    show_map(page)
    held: list[Route] = []
    page.route(re.compile("/orders/"), lambda route: held.append(route))  # noqa: PLW0108 - playwright marks its arguments
    sheet_text(page).fill("A Mun - cze by convoy" if answer == "to reading" else "A Mun-Cze\nA Ber - Sil")
    sheet_text(page).dispatch_event("change")
    if answer == "to saving":
        page.locator("[data-save]").click()
    at = page.evaluate(POINT, "HAM")
    page.mouse.click(at["x"], at["y"])
    hold = bar(page).get_by_role("button", name="Hold", exact=True)
    box = hold.bounding_box()
    assert box
    acts.comes_to(page, lambda: len(held) > 0, wanted=True)
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    with page.expect_response(re.compile("/orders/")):
        held[-1].continue_()
    page.evaluate(SETTLED)
    page.mouse.up()
    expect(page.locator("[name=order-HAM]")).to_have_value("F HAM H")
