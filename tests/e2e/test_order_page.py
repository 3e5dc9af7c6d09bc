"""The order page's responses: named mistakes, too late, saved, complete and ready, in every kind of phase."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS
from tests.e2e import acts
from tests.e2e.sheet import (
    BERLIN,
    HAMBURG,
    MUNICH,
    attack_munich,
    besieged,
    german_sheet,
    mistakes_of,
    saved_text,
    set_up,
    sheet_text,
)
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REFUSED = {
    "A Mun-Atlantis": "Atlantis",
    "A Par-Bur": "A Par",
    "F Ham-Mun": "F Ham",
    "1: A Mun S A Ber": "A Mun",
    "4: A Aus S A Mun-Cze": "You have 3 points and bid 4",
}

CHOOSE = """
(select, value) => {
  select.value = value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
}
"""
"""What the steps of a choice do to the list behind them."""

CUT_OFF = """
() => {
  const ink = document.createElement("canvas").getContext("2d");
  const room = (list) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(list);
    ink.font = font;
    return list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
  };
  const shown = [...document.querySelectorAll(".table-top__panel select")].filter((list) => list.offsetParent);
  return shown.map((list) => [room(list), list]).flatMap(([width, list]) =>
    [...list.options].map(({ text }) => text).filter((text) => ink.measureText(text).width > width));
}
"""
"""Every choice of a list in sight that is too long for the list."""


OUTSIDE = """
() => [...document.querySelectorAll(".table-top__panel .card :is(select, input)")].filter((field) => {
  const card = field.closest(".card");
  const inside = card.getBoundingClientRect().right - parseFloat(getComputedStyle(card).paddingRight);
  return field.offsetParent && field.getBoundingClientRect().right > inside + 0.5;
}).map((field) => field.name)
"""
"""Every field in sight that reaches beyond what its card holds."""


def press_save(page: Page) -> None:
    """Save, and wait for the page that comes next."""
    with page.expect_navigation():
        page.get_by_role("button", name="Save orders", exact=True).last.click()


def state(page: Page, name: str, words: str, *, on: bool) -> None:
    """The chip of this name says so, and is lit or not."""
    chip = page.locator(f".state--{name}")
    expect(chip).to_contain_text(words)
    expect(page.locator(f".state--{name}.is-on")).to_have_count(int(on))


def test_every_mistake_in_the_text_is_named_and_what_was_typed_stays(browsers: Browsers) -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Ber H")
    page = german_sheet(browsers, game)
    for line, named in REFUSED.items():
        acts.write(page, f"A Ber-Sil\n{line}")
        press_save(page)
        mistakes = mistakes_of(page)
        expect(mistakes).to_contain_text("Not saved: 1 mistake")
        expect(mistakes).to_contain_text(f"Line 2, “{line}”")
        expect(mistakes).to_contain_text(named)
        expect(page.locator("[data-left]")).to_be_visible()
        expect(sheet_text(page)).to_have_value(f"A Ber-Sil\n{line}")
        assert saved_text(game) == "A Ber H"


def test_a_tampered_choice_is_named_and_kept(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game)
    acts.choose(page, BERLIN, "Hold")
    page.locator("select[name=order-MUN]").evaluate(
        "select => { select.add(new Option('A PAR - BUR', 'A PAR - BUR')); select.value = 'A PAR - BUR'; }"
    )
    press_save(page)
    expect(mistakes_of(page)).to_contain_text(MUNICH)
    expect(mistakes_of(page)).to_contain_text("not yours")
    expect(sheet_text(page)).to_have_value(re.compile("A PAR - BUR"))
    expect(page.locator("select[name=order-MUN]")).to_have_value("A PAR - BUR")
    assert saved_text(game) == ""


def all_choices_can_be_read(page: Page) -> None:
    """No list is too narrow for a choice or too wide for its card, on any screen."""
    for width in (360, 390, 820, 1024, 1440, 1920):
        page.set_viewport_size({"width": width, "height": 900})
        expect(page.locator(".table-top__panel select:visible")).not_to_have_count(0)
        assert page.evaluate(CUT_OFF) == []
        assert page.evaluate(OUTSIDE) == []


def test_all_choices_of_a_movement_can_be_read(browsers: Browsers) -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze", "F Ham-HEL", "2: A Aus S A Mun-Cze", "1: F Net H")
    all_choices_can_be_read(german_sheet(browsers, game))


def test_all_choices_of_a_retreat_can_be_read(browsers: Browsers) -> None:
    game = besieged()
    attack_munich(game)
    Story(game).deadline()
    all_choices_can_be_read(german_sheet(browsers, game))


def test_all_choices_of_a_unit_that_is_army_or_fleet_can_be_read(browsers: Browsers) -> None:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3])
    page = browsers.of(occupancy_of(game, "TURKEY").user.username)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    expect(page.locator("option", has_text="Fleet, east coast")).not_to_have_count(0)
    all_choices_can_be_read(page)


@pytest.mark.parametrize("judged", [False, True], ids=["at the deadline", "when the phase is judged"])
def test_a_save_after_the_deadline_says_so_and_shows_what_did_count(browsers: Browsers, *, judged: bool) -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Bur", "2: A Aus H")
    page = german_sheet(browsers, game)
    acts.write(page, "A Mun-Cze\n3: A Aus S A Mun-Cze")
    if judged:
        Story(game).deadline()
    else:
        Story(game).deadline_comes()
    press_save(page)
    expect(page.get_by_role("alert").filter(has_text="Too late: the deadline has passed")).to_be_visible()
    expect(page.get_by_role("heading", name="What counted in Spring 1926")).to_be_visible()
    expect(page.locator(".receipt li")).to_have_text(["A Mun–Bur", "2: A Aus holds"])
    expect(page.locator("#typed")).to_have_value("A Mun-Cze\n3: A Aus S A Mun-Cze")
    if judged:
        page.get_by_role("link", name="My orders for Fall 1926").click()
        state(page, "saved", "Nothing saved", on=False)


def test_saved_and_complete_and_ready_are_three_things(browsers: Browsers) -> None:
    game = running_game(all_ready=True)
    page = german_sheet(browsers, game)
    state(page, "saved", "Nothing saved", on=False)
    state(page, "complete", "Not complete", on=False)
    state(page, "ready", "Not ready", on=False)
    page.get_by_role("button", name="I’m ready").click()
    page.get_by_role("button", name="I’m ready all the same").click()
    state(page, "ready", "Ready", on=True)
    state(page, "saved", "Nothing saved", on=False)
    acts.choose(page, MUNICH, "Hold")
    state(page, "saved", "Changed, not saved", on=False)
    acts.save(page)
    state(page, "saved", "Saved", on=True)
    state(page, "complete", "Not complete", on=False)
    acts.choose(page, BERLIN, "Hold")
    acts.choose(page, HAMBURG, "Hold")
    state(page, "saved", "Your earlier orders count until you save.", on=False)
    acts.save(page)
    state(page, "saved", "Saved", on=True)
    state(page, "complete", "Complete", on=True)
    page.get_by_role("button", name="I’m not ready").click()
    state(page, "ready", "Not ready", on=False)
    state(page, "complete", "Complete", on=True)
    assert saved_text(game).count("\n") == 2


def test_the_points_left_are_counted_at_every_step(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game())
    left = page.locator("[data-left]")
    expect(left).to_have_text("3")
    acts.bid(page, 0, "Army in Austria", "1", "Support move", "A Mun", "Cze")
    expect(left).to_have_text("2")
    page.get_by_role("button", name="One point more").first.click()
    expect(left).to_have_text("1")
    page.get_by_role("button", name="Add a bid").click()
    acts.bid(page, 1, "Army in Switzerland", "1", "Hold")
    expect(left).to_have_text("0")
    acts.save(page)
    expect(left).to_have_text("0")
    page.get_by_role("button", name="Remove this bid").first.click()
    expect(left).to_have_text("2")


def test_a_retreat_is_chosen_and_happens(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "S1926M", {"FRANCE": "A BUR, A RHI", "GERMANY": "A MUN"})
    Story(game).order("FRANCE", "A Bur-Mun", "A Rhi S A Bur-Mun")
    Story(game).deadline()
    page = german_sheet(browsers, game)
    expect(page.get_by_role("heading", name="Retreats", exact=True)).to_be_visible()
    acts.choose(page, MUNICH, "A Mun retreats to Ber")
    acts.save(page)
    state(page, "complete", "Complete", on=True)
    Story(game).deadline()
    page.reload()
    expect(page.get_by_label(BERLIN)).to_be_visible()


def test_a_build_is_chosen_the_other_waived_and_both_happen(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "W1926A", {"GERMANY": "A MUN"})
    page = german_sheet(browsers, game)
    expect(page.get_by_role("heading", name="Builds", exact=True)).to_be_visible()
    acts.choose(page, "Build in Hamburg", "Build F Ham")
    acts.choose(page, "Build in Berlin", "Waive")
    expect(sheet_text(page)).to_have_value("Waive\nBuild F Ham")
    acts.save(page)
    state(page, "complete", "Complete", on=True)
    Story(game).deadline()
    page.reload()
    expect(page.locator("[data-row]")).to_have_count(2)
    expect(page.get_by_label(HAMBURG)).to_be_visible()


def test_a_removal_is_chosen_without_scripts(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "W1926A", {"GERMANY": "A MUN, A BER, F HAM, A CZE"})
    page = german_sheet(browsers, game, java_script_enabled=False)
    expect(page.get_by_role("heading", name="Removals", exact=True)).to_be_visible()
    page.get_by_label("German army in Czechia").select_option("DISBAND A CZE")
    page.get_by_role("button", name="Save orders").last.click()
    expect(page.get_by_text("Orders saved.")).to_be_visible()
    state(page, "complete", "Complete", on=True)
    assert saved_text(game) == "DISBAND A CZE"


def test_a_mistake_is_named_without_scripts_and_what_was_chosen_and_typed_stays(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game, java_script_enabled=False)
    page.get_by_label(MUNICH).select_option("A MUN - CZE")
    bid = page.locator("[data-bid]").first
    bid.get_by_label("Minor power").select_option("AUS")
    bid.get_by_label("Points").fill("4")
    bid.get_by_role("button", name="Show its orders").click()
    bid.get_by_label("Its order").select_option("A AUS H")
    page.get_by_role("button", name="Save orders").last.click()
    expect(mistakes_of(page)).to_contain_text("You have 3 points and bid 4")
    expect(page.get_by_label(MUNICH)).to_have_value("A MUN - CZE")
    expect(bid.get_by_label("Points")).to_have_value("4")
    page.get_by_label("All orders as text").fill("A Mun-Atlantis")
    page.get_by_role("button", name="Save the text").click()
    expect(mistakes_of(page)).to_contain_text("Atlantis")
    expect(sheet_text(page)).to_have_value("A Mun-Atlantis")
    page.get_by_label("All orders as text").fill("A Mun H\n3: A Aus H")
    page.get_by_role("button", name="Save the text").click()
    expect(page.get_by_text("Orders saved.")).to_be_visible()
    assert saved_text(game).splitlines() == ["A Mun H", "3: A Aus H"]


def test_without_scripts_choices_and_text_changed_together_are_not_saved_away_from_each_other(
    browsers: Browsers,
) -> None:
    game = running_game()
    page = german_sheet(browsers, game, java_script_enabled=False)
    page.get_by_label(MUNICH).select_option("A MUN - CZE")
    page.get_by_label("All orders as text").fill("A Mun H")
    page.get_by_role("button", name="Save orders").last.click()
    expect(mistakes_of(page)).to_contain_text("You changed both")
    expect(page.get_by_label(MUNICH)).to_have_value("A MUN - CZE")
    expect(sheet_text(page)).to_have_value("A Mun H")
    assert saved_text(game) == ""
    page.get_by_role("button", name="Save orders").last.click()
    expect(page.get_by_text("Orders saved.")).to_be_visible()
    assert saved_text(game) == "A MUN - CZE"


def test_what_does_not_fit_is_said_at_once_at_its_line_and_can_be_waved_away(browsers: Browsers) -> None:
    game = running_game(all_ready=True)
    page = german_sheet(browsers, game)
    for name, value in (("MUN", "A MUN - CZE"), ("BER", "A BER S A MUN"), ("HAM", "F HAM H")):
        page.locator(f"[id='order-{name}']").evaluate(CHOOSE, value)
    warnings, link = page.locator("#warnings li"), page.locator("[data-warnings]")
    expect(warnings).to_contain_text("you order A Mun–Cze.")
    expect(page.locator("[data-row]", has_text="A Ber").locator(".warned")).to_contain_text("you order A Mun–Cze.")
    expect(link).to_be_visible()
    page.locator("[id='order-MUN']").evaluate(CHOOSE, "A MUN H")
    expect(page.locator(".warned")).to_have_count(0)
    expect(link).to_be_hidden()
    page.locator("[id='order-MUN']").evaluate(CHOOSE, "A MUN - CZE")
    page.get_by_role("button", name="Save orders").click()
    expect(page.locator(".state--saved.is-on")).to_be_visible()
    page.locator("#warnings").get_by_label("Don’t warn again").click()
    expect(warnings).to_be_hidden()
    expect(page.locator(".state--saved.is-on")).to_be_visible()
    page.reload()
    expect(page.locator("#warnings")).to_be_hidden()
    page.locator("[data-ready]").click()
    expect(page.get_by_role("alert")).to_contain_text("3 of 3 points unused")
    expect(page.get_by_role("alert").get_by_role("listitem")).to_have_count(0)
