"""Orders that are saved while the database or the network is away: the page keeps them and sends them by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.away import database_away
from tests.e2e import acts
from tests.e2e.sheet import BERLIN, MUNICH, german_sheet, saved_text, sheet_text
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page, Route

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
KEPT = "Object.keys(localStorage).filter(name => name.startsWith('sheet '))"


def press_save(page: Page) -> None:
    page.get_by_role("button", name="Save orders", exact=True).last.click()


def not_saved(page: Page) -> Locator:
    return page.get_by_role("alert").filter(has_text="Not saved yet: the site can’t be reached.")


def test_orders_saved_while_the_database_is_away_are_sent_when_it_is_back(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, MUNICH, "Move", "Cze")
    with database_away():
        press_save(page)
        expect(not_saved(page)).to_be_visible()
        expect(sheet_text(page)).to_have_value("A Mun–Cze")
        assert len(page.evaluate(KEPT)) == 1
    expect(page.get_by_role("status").filter(has_text="Orders saved.")).to_be_visible()
    expect(page.get_by_label("Receipt code:")).to_be_visible()
    expect(not_saved(page)).to_have_count(0)
    assert saved_text(game) == "A MUN - CZE"
    assert page.evaluate(KEPT) == []


def test_orders_that_come_back_too_late_say_so_and_are_no_longer_kept(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, MUNICH, "Move", "Cze")
    page.context.set_offline(True)
    press_save(page)
    expect(not_saved(page)).to_be_visible()
    Story(game).deadline()
    page.context.set_offline(False)
    expect(page.get_by_role("alert").filter(has_text="Too late: the deadline has passed")).to_be_visible()
    expect(page.locator("#typed")).to_have_value("A MUN - CZE")
    assert page.evaluate(KEPT) == []


def test_what_is_changed_while_the_site_is_away_is_not_sent_and_not_lost(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, MUNICH, "Move", "Cze")
    page.context.set_offline(True)
    press_save(page)
    expect(not_saved(page)).to_be_visible()
    acts.choose(page, BERLIN, "Hold")
    page.context.set_offline(False)
    expect(page.locator(".entry-bar")).to_contain_text("Orders saved.")
    expect(page.locator(".state--saved")).to_contain_text("Your earlier orders count until you save.")
    assert saved_text(game) == "A MUN - CZE"
    expect(sheet_text(page)).to_have_value("A Ber holds\nA Mun–Cze")
    assert page.evaluate(KEPT) != []


def test_orders_that_have_been_saved_elsewhere_meanwhile_are_not_overwritten(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, MUNICH, "Move", "Cze")
    page.context.set_offline(True)
    press_save(page)
    expect(not_saved(page)).to_be_visible()
    Story(game).order("GERMANY", "A Ber H")
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_contain_text("Not saved yet: other orders have been saved")
    expect(page.get_by_role("row", name=MUNICH)).to_contain_text("A Mun–Cze")
    assert saved_text(game) == "A Ber H"


def test_a_save_whose_answer_was_lost_does_not_meet_itself_nor_do_the_orders_chosen_since(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, MUNICH, "Move", "Cze")
    address, lost = page.url, list[str]()

    def lose(route: Route) -> None:
        if route.request.method == "POST" and len(lost) < 1:
            lost.append(str(route.fetch().status))
            route.abort()
        else:
            route.continue_()

    page.route(address, lose)
    press_save(page)
    expect(not_saved(page)).to_be_visible()
    assert (lost, saved_text(game)) == (["200"], "A MUN - CZE")
    acts.choose(page, BERLIN, "Hold")
    press_save(page)
    expect(page.locator(".entry-bar")).to_contain_text("Orders saved.")
    expect(page.locator("[data-hint]")).to_have_text("Saved.")
    expect(page.get_by_role("alert").filter(has_text="other orders have been saved")).to_have_count(0)
    acts.comes_to(page, lambda: set(saved_text(game).splitlines()), {"A BER H", "A MUN - CZE"})
