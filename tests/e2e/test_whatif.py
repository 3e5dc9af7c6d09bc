"""Trying out orders in a browser: from the order page and back, and nothing counts until it is saved there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e import acts
from tests.e2e.map import PHONE, bar, order, press, show_map, tap
from tests.e2e.sheet import BERLIN, MUNICH, german_sheet, saved_text
from tests.factories import occupancy_of, running_game

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_a_draft_is_tried_changed_and_taken_back_unsaved(browsers: Browsers) -> None:
    game = running_game()
    sheet = german_sheet(browsers, game)
    acts.choose(sheet, MUNICH, "Move", "Cze")
    with sheet.expect_popup() as opened:
        sheet.get_by_role("button", name="Try out orders").click()
    page = opened.value
    expect(page.get_by_label(MUNICH)).to_have_value("A MUN - CZE")
    page.get_by_label(BERLIN).select_option("A BER S A MUN - CZE")
    page.get_by_label("Bids").first.fill("1: A Aus S A Mun-Cze")
    page.get_by_role("button", name="Show result").click()
    expect(page.get_by_role("heading", name="What would happen")).to_be_focused()
    expect(page.locator(".board .order.move[data-unit=MUN]:not(.failed)")).to_have_count(1)
    page.get_by_role("button", name="Use these orders").click()
    page.wait_for_url(f"**{reverse('games:orders', kwargs={'slug': game.slug})}")
    expect(page.locator("select[name=order-BER]")).to_have_value("A BER S A MUN - CZE")
    expect(page.locator(".state--saved")).to_contain_text("Not saved yet")
    assert saved_text(game) == ""


def test_orders_of_every_power_and_their_bids_are_tapped_and_stay_in_step_with_the_form(browsers: Browsers) -> None:
    game = running_game()
    page = browsers.of(occupancy_of(game, "GERMANY").user.username, **PHONE)
    page.goto(reverse("games:whatif", kwargs={"slug": game.slug}))
    show_map(page)
    order(page, "MUN", "Move", "CZE")
    order(page, "PAR", "Move", "BUR")
    munich, paris = (page.locator(f"select[name='{name}']") for name in ("GERMANY:order-MUN", "FRANCE:order-PAR"))
    expect(munich).to_have_value("A MUN - CZE")
    expect(paris).to_have_value("A PAR - BUR")
    page.get_by_label("Bid as").select_option("Italy")
    order(page, "AUS", "Support move", "MUN")
    press(page, "One point more")
    guessed = page.locator("[name='ITALY:bids']")
    expect(guessed).to_have_value("2: A Aus S A Mun–Cze")
    expect(page.locator("[name='GERMANY:bids']")).to_have_value("")
    expect(page.locator("#board .verdicts .bid text")).to_have_text("2")
    guessed.fill("1: a aus s a mun - cze\nanything")
    expect(page.locator("#board .verdicts .bid text")).to_have_text("1")
    show_map(page)
    press(page, "Close")
    press(page, "Undo")
    expect(guessed).to_have_value("2: A Aus S A Mun–Cze")
    show_map(page)
    tap(page, "PAR")
    press(page, "Remove order")
    expect(paris).to_have_value("")
    expect(bar(page).locator("[data-choice]")).to_have_count(0)
    page.get_by_role("button", name="Use these orders").tap()
    page.wait_for_url(f"**{reverse('games:orders', kwargs={'slug': game.slug})}")
    expect(page.locator("select[name=order-MUN]")).to_have_value("A MUN - CZE")
    assert saved_text(game) == ""


def test_bids_are_chosen_for_every_power_as_on_the_order_page(browsers: Browsers) -> None:
    game = running_game()
    page = browsers.of(occupancy_of(game, "GERMANY").user.username)
    page.goto(reverse("games:whatif", kwargs={"slug": game.slug}))
    side = page.locator("[data-side=Italy]")
    side.locator("summary").click()
    side.get_by_role("button", name="Add a bid").click()
    minor, order = side.get_by_label("Minor power"), side.get_by_label("Its order")
    expect(minor).to_be_focused()
    expect(order.locator("option")).to_have_count(1)
    minor.select_option("AUS")
    order.select_option(label="A Aus S A Mun–Cze")
    lines, drawn = page.locator("[name='ITALY:bids']"), page.locator("#board .verdicts .bid text")
    expect(lines).to_have_value("1: A Aus S A Mun–Cze")
    side.get_by_role("button", name="One point more").click()
    expect(lines).to_have_value("2: A Aus S A Mun–Cze")
    expect(drawn).to_have_text("2")
    side.get_by_role("textbox", name="Points").fill("3")
    expect(lines).to_have_value("3: A Aus S A Mun–Cze")
    minor.select_option("NET")
    expect(lines).to_have_value("")
    order.select_option(label="F Net holds")
    expect(lines).to_have_value("3: F Net holds")
    side.get_by_role("button", name="Remove this bid").click()
    expect(lines).to_have_value("")
    expect(minor).to_have_count(0)
    expect(side.get_by_role("button", name="Add a bid")).to_be_focused()
    assert page.evaluate("document.activeElement.closest('details').dataset.side") == "Italy"


def test_a_guest_goes_on_from_phase_to_phase_without_scripts(browsers: Browsers) -> None:
    game = running_game()
    page = browsers.of(java_script_enabled=False)
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    page.get_by_role("link", name="Try out orders").click()
    page.locator("summary", has_text="France").click()
    page.get_by_label("French army in Paris").select_option("A PAR - BUR")
    page.get_by_role("button", name="Show result").click()
    page.get_by_role("button", name="Continue from here").click()
    expect(page.get_by_role("heading", name="Try out orders: Fall 1926, movement")).to_be_visible()
    page.locator("summary", has_text="France").click()
    expect(page.get_by_label("French army in Burgundy")).to_be_visible()
    page.get_by_role("link", name="Back to the game’s own position").click()
    expect(page.get_by_role("heading", name="Try out orders: Spring 1926, movement")).to_be_visible()


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without scripts"])
def test_what_was_only_typed_is_tried_as_well(browsers: Browsers, *, scripts: bool) -> None:
    sheet = german_sheet(browsers, running_game(), java_script_enabled=scripts)
    sheet.locator("#sheet-text").fill("A Mun-Cze\n1: A Aus S A Mun-Cze")
    with sheet.expect_popup() as opened:
        sheet.get_by_role("button", name="Try out orders").click()
    page = opened.value
    expect(page.get_by_label(MUNICH)).to_have_value("A MUN - CZE")
    expect(page.get_by_label("Bids").first).to_have_value("1: A Aus S A Mun–Cze")
    assert "A Mun-Cze" in sheet.locator("#sheet-text").input_value()
