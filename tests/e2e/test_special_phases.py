"""Declarations and placings, written with and without scripts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e import acts
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Page

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def save_choices(browsers: Browsers, game: Game, power: str, choices: Mapping[str, str]) -> Page:
    """Choose in the lists by their labels and save, in a browser without scripts."""
    page = browsers.of(occupancy_of(game, power).user.username, java_script_enabled=False)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    for label, choice in choices.items():
        page.get_by_label(label, exact=True).select_option(choice)
    acts.save(page)
    return page


def saved(game: Game, power: str) -> list[str]:
    order_sheet = Story(game).seen_by(occupancy_of(game, power).user.username).order_sheet
    assert order_sheet is not None
    return [row.chosen for row in order_sheet.rows if row.chosen]


def test_declarations_are_chosen_power_by_power(browsers: Browsers) -> None:
    game = running_game(variant="formal-diplomacy")
    choices = {
        "Germany, now neutral towards you": "Declare war on Germany",
        "Italy, now neutral towards you": "Declare alliance with Italy",
    }
    page = save_choices(browsers, game, "FRANCE", choices)
    assert saved(game, "FRANCE") == ["DECLARE WAR GERMANY", "DECLARE ALLIANCE ITALY"]
    page.get_by_label("Germany, now neutral towards you", exact=True).select_option("no declaration")
    acts.save(page)
    assert saved(game, "FRANCE") == ["DECLARE ALLIANCE ITALY"]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1440, 900)])
def test_declarations_come_before_the_map_and_the_relations_stand_open_below_them(
    browsers: Browsers, width: int, height: int
) -> None:
    game = running_game(variant="formal-diplomacy")
    username = occupancy_of(game, "FRANCE").user.username
    page = browsers.of(username, viewport={"width": width, "height": height})
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    first_list = page.get_by_label("Austria, now neutral towards you", exact=True)
    save = page.get_by_role("button", name="Save orders")
    for control in (first_list, save):
        expect(control).to_be_in_viewport(ratio=1)
    relations = page.get_by_role("heading", name="Relations")
    expect(relations).to_be_visible()
    list_box, board_box = first_list.bounding_box(), page.locator(".table-top__board").bounding_box()
    assert list_box is not None
    assert board_box is not None
    beside = list_box["x"] + list_box["width"] <= board_box["x"]
    below = board_box["y"] >= list_box["y"] + list_box["height"]
    assert (beside, below) == ((True, False) if width == 1440 else (False, True))


def test_armies_are_placed_one_by_one_and_shown_on_the_map(browsers: Browsers) -> None:
    game = running_game(variant="collapse-of-the-dual-empire", players=PLAYERS[:6])
    choices = {"Prague": "Place DA Pra", "Brno": "Place CA Brn"}
    page = save_choices(browsers, game, "CZECHS", choices)
    expect(page.locator("[data-count]")).to_contain_text("2 of 4 placed.")
    placed = page.locator("svg.board .unit[data-colour='2']")
    expect(placed).to_have_count(len(choices))
    assert saved(game, "CZECHS") == ["BUILD CA BRN", "BUILD DA PRA"]


def test_the_map_offers_no_place_once_all_armies_are_placed_and_too_many_are_told_at_once(browsers: Browsers) -> None:
    game = running_game(variant="collapse-of-the-dual-empire", players=PLAYERS[:6])
    page = browsers.of(occupancy_of(game, "CZECHS").user.username)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    count, free = page.locator("[data-count]"), page.locator("#board circle.target")
    expect(free).to_have_count(11)
    for placed, (place, army) in enumerate((("Prague", "DA Pra"), ("Brno", "CA Brn"), ("Moravia", "CA Mor")), 1):
        page.get_by_label(place, exact=True).select_option(f"Place {army}")
        expect(count).to_have_text(f"{placed} of 4 placed.")
    expect(free).to_have_count(8)
    page.get_by_label("Bohemia", exact=True).select_option("Place DA Boh")
    expect(count).to_have_text("4 of 4 placed.")
    expect(free).to_have_count(0)
    page.get_by_label("Slovakia", exact=True).select_option("Place CA Slo")
    expect(count).to_have_text("5 of 4 placed: 1 too many.")
    page.get_by_label("Moravia", exact=True).select_option("")
    expect(count).to_have_text("4 of 4 placed.")
