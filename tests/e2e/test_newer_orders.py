"""Two devices have the order page open: what one has saved is never lost to the other, and both are told in time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e import acts
from tests.e2e.sheet import BERLIN, HAMBURG, MUNICH, german_sheet, mistakes_of, saved_text, sheet_text
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEPT = "Object.keys(localStorage).filter(name => name.startsWith('sheet '))"


def come_back(page: Page) -> None:
    """As when its user returns to it."""
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")


def told_newer(page: Page) -> Locator:
    return page.get_by_role("alert").filter(has_text="Other orders have been saved for this seat since you opened")


def press_save(page: Page) -> None:
    page.get_by_role("button", name="Save orders", exact=True).last.click()


def test_an_older_page_says_so_when_it_is_seen_again_and_its_save_asks_what_should_count(browsers: Browsers) -> None:
    game = running_game()
    desktop, phone = german_sheet(browsers, game), german_sheet(browsers, game)
    acts.choose(phone, MUNICH, "Move", "Cze")
    acts.save(phone)
    come_back(phone)
    expect(told_newer(phone)).to_have_count(0)
    come_back(desktop)
    expect(told_newer(desktop)).to_be_visible()
    acts.choose(desktop, BERLIN, "Hold")
    acts.choose(desktop, MUNICH, "Hold")
    press_save(desktop)
    expect(desktop.get_by_role("alert")).to_contain_text("Not saved yet: other orders have been saved")
    assert len(desktop.evaluate(KEPT)) == 1, "nothing is lost if its user leaves now"
    munich = desktop.get_by_role("group", name=MUNICH)
    expect(munich.get_by_label("A Mun–Cze")).to_be_checked()
    desktop.get_by_role("button", name="Save both together").click()
    expect(sheet_text(desktop)).to_have_value("A Ber holds\nA Mun–Cze")
    expect(desktop.get_by_text("have been restored")).to_have_count(0)
    assert set(saved_text(game).splitlines()) == {"A BER H", "A MUN - CZE"}
    assert desktop.evaluate(KEPT) == []
    acts.choose(desktop, HAMBURG, "Hold")
    press_save(desktop)
    expect(desktop.locator("[data-hint]")).to_have_text("Saved.")


def test_an_older_text_that_is_shown_again_says_what_is_wrong_with_it(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    sheet_text(page).fill("A Mun-Cze\nA Ber-Atl")
    page.goto("about:blank")
    Story(game).order("GERMANY", "A Mun-Cze")
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    page.get_by_role("button", name="Show them").click()
    expect(mistakes_of(page)).to_have_count(1)
    expect(sheet_text(page)).to_have_value("A Mun-Cze\nA Ber-Atl")


def test_a_draft_is_as_old_as_its_page_was(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, BERLIN, "Hold")
    page.goto("about:blank")
    Story(game).order("GERMANY", "A Mun-Cze")
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    expect(sheet_text(page)).to_have_value("A Mun-Cze")
    offered = page.get_by_role("status").filter(has_text="you wrote others on this device and didn’t save them")
    offered.get_by_role("button", name="Show them").click()
    restored = page.get_by_role("status").filter(has_text="have been restored")
    expect(restored).to_contain_text("Other orders have been saved since you wrote these")
    press_save(page)
    expect(page.get_by_role("alert")).to_contain_text("Not saved yet: other orders have been saved")
    page.get_by_role("button", name="Keep the saved orders").click()
    expect(sheet_text(page)).to_have_value("A Mun-Cze")
    expect(restored).to_have_count(0)
    assert saved_text(game) == "A Mun-Cze"


def test_an_older_draft_waits_while_others_are_written_and_kept(browsers: Browsers) -> None:
    """The next change once took its place."""
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, BERLIN, "Hold")
    page.goto("about:blank")
    Story(game).order("GERMANY", "A Mun-Cze")
    here = reverse("games:orders", kwargs={"slug": game.slug})
    offered = page.get_by_role("status").filter(has_text="you wrote others on this device and didn’t save them")
    page.goto(here)
    acts.choose(page, HAMBURG, "Hold")
    page.goto("about:blank")
    page.goto(here)
    expect(sheet_text(page)).to_have_value("F Ham holds\nA Mun–Cze")
    expect(page.get_by_role("status").filter(has_text="have been restored")).to_be_visible()
    expect(offered).to_be_visible()
    press_save(page)
    expect(page.locator("[data-hint]")).to_have_text("Saved.")
    page.goto("about:blank")
    page.goto(here)
    offered.get_by_role("button", name="Show them").click()
    expect(sheet_text(page)).to_have_value("A Ber holds")
