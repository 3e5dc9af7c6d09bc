"""The order page in a browser: choices and text in step, points counted, nothing lost, and all without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e import acts
from tests.e2e.sheet import BERLIN, MUNICH, german_sheet, mistakes_of, saved_text, sheet_text
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def look(page: Page) -> None:
    """Ask for news at once, as a page does when its user returns to it."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def scripts_run(page: Page) -> None:
    expect(page.locator("#board .can-zoom")).to_be_attached()


def test_choices_rewrite_the_text_and_the_text_sets_the_choices(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game())
    acts.choose(page, MUNICH, "Move", "Cze")
    acts.bid(page, 0, "AUS", "2", "Support move", "A Mun", "Cze")
    expect(sheet_text(page)).to_have_value("A Mun–Cze\n2: A Aus S A Mun–Cze")
    acts.write(page, "A Ber H\n1: A Bel S F Ham-Net")
    page.get_by_role("button", name="Use this text").click()
    expect(page.locator(f'[data-level="0"][aria-label="{BERLIN}"]')).to_have_value("Hold")
    expect(page.locator(f'[data-level="0"][aria-label="{MUNICH}"]')).to_have_value("")
    expect(page.locator("[data-minor]").first).to_have_value("BEL")
    expect(page.locator("[data-left]")).to_have_text("2")
    expect(page.locator("[data-state=saved]")).to_contain_text("Not saved yet")


def test_a_choice_keeps_the_lines_that_could_not_be_read_and_they_cannot_be_saved_away(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.write(page, "A Mun-Atlantis")
    page.get_by_role("button", name="Use this text").click()
    expect(mistakes_of(page)).to_contain_text("Atlantis")
    acts.choose(page, BERLIN, "Hold")
    expect(sheet_text(page)).to_have_value(re.compile(r"\nA Mun-Atlantis$"))
    page.get_by_role("button", name="Save orders", exact=True).last.click()
    expect(page.get_by_role("heading", name="Not saved: 1 mistake")).to_be_visible()
    expect(sheet_text(page)).to_have_value(re.compile(r"\nA Mun-Atlantis$"))
    assert saved_text(game) == ""


def test_overspending_is_said_at_once_and_refused(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.bid(page, 0, "AUS", "3", "Hold")
    page.get_by_role("button", name="One point more").first.click()
    expect(page.get_by_text("You have 3 points but bid 4. Bid 1 less.")).to_be_visible()
    page.get_by_role("button", name="Save orders", exact=True).last.click()
    expect(mistakes_of(page)).to_contain_text("You have 3 points and bid 4")
    expect(page.locator("[data-bid-points]").first).to_have_value("4")
    assert saved_text(game) == ""


def test_signing_out_takes_the_sheet_from_every_tab_and_keeps_nothing_of_it(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game())
    acts.choose(page, BERLIN, "Hold")
    other = page.context.new_page()
    other.goto("/")
    other.get_by_role("button", name="Sign out").click()
    expect(other.get_by_role("link", name="Sign in")).to_be_visible()
    expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
    assert page.evaluate("Object.keys(localStorage).filter(name => name.startsWith('sheet '))") == []


def test_a_phase_that_ends_while_somebody_types_takes_nothing_away(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.write(page, "A Mun-Cze")
    Story(game).deadline()
    look(page)
    expect(page.get_by_role("alert")).to_contain_text("The phase has just ended.")
    expect(sheet_text(page)).to_have_value("A Mun-Cze")


def test_a_phase_that_ends_under_a_page_with_nothing_unsaved_shows_its_result(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.write(page, "A Mun-Cze")
    acts.save(page)
    Story(game).deadline()
    look(page)
    expect(page.locator("#mine")).to_contain_text("Germany, Spring 1926")
    expect(page.locator(".mine")).to_contain_text("A Mun–Cze")


def test_an_open_game_page_shows_the_next_position_by_itself(browsers: Browsers) -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze")
    page = browsers.of()
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    expect(page.locator('[data-unit="MUN"]')).to_have_count(1)
    Story(game).deadline()
    look(page)
    expect(page.get_by_role("heading", name="Spring 1926")).to_be_visible()
    expect(page.locator(".game-head__turn")).to_contain_text("Fall 1926")


def test_the_history_is_stepped_with_the_arrow_keys(browsers: Browsers) -> None:
    game = running_game()
    Story(game).deadline()
    page = browsers.of()
    page.goto(reverse("games:game", kwargs={"slug": game.slug}))
    scripts_run(page)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(f"{browsers.address}{reverse('games:phase', kwargs={'slug': game.slug, 'ordinal': 0})}")
    scripts_run(page)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(f"{browsers.address}{reverse('games:game', kwargs={'slug': game.slug})}")


def test_the_theme_is_switched_and_kept(browsers: Browsers) -> None:
    page = browsers.of(color_scheme="light")
    page.goto("/")
    page.get_by_role("button", name="Light or dark theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/variants/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_the_focus_stays_where_it_is_when_the_text_has_been_read(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game())
    sheet_text(page).fill("A Mun-Cze")
    with page.expect_response("**/orders/read/"):
        page.keyboard.press("Tab")
    expect(page.get_by_label(MUNICH, exact=True)).to_have_value("Move")
    expect(page.get_by_role("button", name="Use this text")).to_be_focused()
