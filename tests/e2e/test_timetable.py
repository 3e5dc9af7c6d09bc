"""Choosing a timetable in a browser, and withdrawing "ready" before the phase ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from games.deadlines.options import PhaseLengths
from games.deadlines.timetable import Slot
from games.kernel.models import Game
from games.orders.services import set_ready
from tests.cast import DAVE, PLAYERS
from tests.factories import occupancy_of, powers_of, running_game

if TYPE_CHECKING:
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def test_the_next_deadlines_follow_what_is_chosen(browsers: Browsers) -> None:
    page = browsers.of(DAVE)
    page.goto("/new-game/")
    preview = page.get_by_role("status", name="The timetable")
    expect(preview).to_contain_text("Orders: Mondays and Thursdays at 19:00")
    expect(preview.locator("time")).to_have_count(5)
    page.get_by_label("Live evening").check()
    expect(preview).to_contain_text("Orders: 15 minutes; retreats and builds: 5 minutes.")
    page.get_by_label("Custom").check()
    page.get_by_label("Fixed times for orders").fill("Tue and Frday 20:00")
    page.get_by_label("Fixed times for orders").blur()
    expect(preview).to_contain_text("“Frday” is neither a day nor a time")
    page.get_by_label("Fixed times for orders").fill("Tue and Fri 20:00")
    page.get_by_label("Time zone").fill("Asia/Kolkata")
    page.get_by_label("Time zone").blur()
    expect(preview).to_contain_text("Orders: Tuesdays and Fridays at 20:00 (Kolkata)")
    expect(preview).to_contain_text("20:00 in Kolkata")
    page.get_by_label("Name", exact=True).fill("Calcutta")
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("heading", name="Calcutta", level=1)).to_be_visible()
    assert Game.objects.get().options[PhaseLengths].week.movement == (Slot(1, 20, 0), Slot(4, 20, 0))


@pytest.mark.parametrize(("width", "height", "most"), [(390, 844, 3 * 844), (1440, 900, 1600)])
def test_a_new_game_is_asked_for_in_one_screen_and_needs_nothing_but_a_click(
    browsers: Browsers, width: int, height: int, most: int
) -> None:
    page = browsers.of(DAVE)
    page.set_viewport_size({"width": width, "height": height})
    page.goto("/new-game/")
    assert page.evaluate("document.documentElement.scrollHeight") <= most
    suggested = page.get_by_label("Name", exact=True).input_value()
    page.get_by_role("button", name="Create the game").click()
    expect(page.get_by_role("heading", name=suggested, level=1)).to_be_visible()


def test_what_is_folded_away_is_said_as_it_is_chosen(browsers: Browsers) -> None:
    page = browsers.of(DAVE)
    page.goto("/new-game/")
    days_off, early = page.locator("#held-DAYS_OFF"), page.locator("#held-EARLY_END")
    expect(days_off).to_have_text("A deadline may fall on any day.")
    expect(early).to_have_text("Each phase runs until its deadline, even if everyone is ready sooner.")
    page.locator("summary", has=days_off).click()
    page.get_by_label("Sun", exact=True).check()
    expect(days_off).to_have_text("No deadline on Sundays.")
    page.get_by_label("Live evening").check()
    expect(early).to_contain_text("after everyone is ready")


def test_everybody_is_ready_and_one_takes_it_back(browsers: Browsers) -> None:
    game = running_game(all_ready=True, panic_seconds=600)
    for power in powers_of(game):
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=True)
    page = browsers.of(PLAYERS[0])
    page.goto(f"/games/{game.slug}/orders/")
    expect(page.locator("#clock")).to_contain_text("Everyone is ready: the phase ends ")
    page.get_by_role("button", name="I’m not ready").click()
    expect(page.locator("#clock")).to_contain_text("or earlier, when everyone is ready")
    expect(page.locator("#clock")).not_to_contain_text("Everyone is ready:")
