"""Orders given on the map by touch alone, in every kind of phase, in step with the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.notation import write_order
from adjudication.options import bid_options, order_options
from games.kernel import codec
from tests.cast import PLAYERS, TEN
from tests.e2e.map import PHONE, SETTLED, bar, finger, heard, order, press, save_by_map, show_map, show_whole, tap
from tests.e2e.sheet import german_sheet, saved_text, set_up, sheet_text
from tests.factories import occupancy_of, open_phase, running_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Follows every way through the menus of the map, each from its beginning, and notes what they wrote into the form.
WALK = """async () => {
  const { zoomOf } = await import("/static/js/board.js");
  const view = document.querySelector("#board .board-view");
  const map = view.querySelector(".board");
  const lines = map.dataset.places.split(";").map(line => line.split(" "));
  const places = new Map(lines.map(([name, x, y]) => [name, [x, y]]));
  const form = document.getElementById("sheet");
  const tap = name => {
    const [x, y] = places.get(name).map(Number);
    const at = zoomOf(view).onScreen({ x, y });
    view.dispatchEvent(new MouseEvent("click", { clientX: at.x, clientY: at.y, bubbles: true }));
  };
  const choices = () => [...document.querySelectorAll(".entry-bar [data-choice]")];
  const lit = () => [...new Set([...map.querySelectorAll(".marks .target")].map(ring =>
    [...places].find(([, [x, y]]) => x === ring.getAttribute("cx") && y === ring.getAttribute("cy"))[0]))];
  const follow = way => {
    for (const step of way) {
      if (step.tap) tap(step.tap);
      else choices().find(button => button.dataset.choice === step.press)?.click();
    }
  };
  const written = control => control()?.value ?? "";
  const found = {};
  const walk = (name, control, way) => {
    const select = control();
    if (select) select.value = "";
    document.querySelector('.entry-bar [aria-label="Close"]')?.click();
    follow(way);
    const order = written(control);
    if (order) return found[name].push(order);
    const buttons = choices().map(button => ({ press: button.dataset.choice }));
    for (const step of [...buttons, ...lit().map(place => ({ tap: place }))]) walk(name, control, [...way, step]);
  };
  for (const select of form.querySelectorAll("[data-row] select[data-orders]")) {
    const name = select.name.replace("order-", "");
    found[name] = [];
    walk(name, () => select, [{ tap: name }]);
    select.value = "";
  }
  for (const name of Object.keys(JSON.parse(document.getElementById("minor-orders")?.textContent ?? "{}"))) {
    found[name] = [];
    const bids = [...form.querySelectorAll("[data-bid]")];
    const row = () => bids.find(bid => bid.querySelector("[data-minor]").value === name);
    walk(name, () => row()?.querySelector("select[data-orders]"), [{ tap: name }]);
    row()?.querySelector("[data-clear]").click();
  }
  for (const orders of Object.values(found)) orders.splice(0, Infinity, ...new Set(orders));
  return found;
}"""


def lawful(game: Game) -> dict[str, list[str]]:
    """What Germany can order and bid for, by place."""
    phase = open_phase(game)
    position, variant = codec.position_of(phase), codec.variant_of(game)
    asked = (*order_options("GERMANY", position, variant.ruleset), *bid_options(position, variant.ruleset))
    return {each.location: sorted(write_order(one, position) for one in each.orders) for each in asked}


WHERE = """() => ({
  map: document.querySelector("#board .board").style.transform, scroll: scrollY,
})"""
WIDTHS = "all => all.map(each => each.getBoundingClientRect().width)"
LETTERS = """async () => {
  const { zoomOf } = await import("/static/js/board.js");
  const by = zoomOf(document.querySelector("#board .board-view")).lens.pixels;
  const labels = [...document.querySelectorAll("#board .labels text")];
  const written = labels.filter(each => getComputedStyle(each).display !== "none");
  return written.map(each => parseFloat(getComputedStyle(each).fontSize) * by);
}"""
TEN_UNITS = {
    "BRITAIN": "F NTH, F ENG, A LON, F IRI, A BEL, A NET, F DEN, A HAM, F WAP, A EDI",
    "FRANCE": "A BRE, A PAR",
    "GERMANY": "A MUN, A BER",
    "NEUTRAL": "F NWY, F SKA, A AUS",
}
SIGHT = """() => {
  const inside = part => {
    const box = document.querySelector(part).getBoundingClientRect();
    return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth;
  };
  const box = document.querySelector("#board .board-view").getBoundingClientRect();
  const dock = document.querySelector(".dock").getBoundingClientRect();
  return {
    seen: ["#board .board-view", "[data-save]", "[data-ready]"].map(inside),
    share: box.height / innerHeight, covered: dock.top < box.bottom, scroll: scrollY,
  };
}"""


def british_sheet(browsers: Browsers, game: Game) -> Page:
    set_up(game, "S1928M", TEN_UNITS)
    page = browsers.of(occupancy_of(game, "BRITAIN").user.username, **PHONE)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    expect(page.locator(".takes-orders")).to_be_attached()
    return page


def taps(page: Page) -> int:
    return int(page.evaluate("document.documentElement.dataset.clicks ?? 0"))


def drawn(page: Page) -> list[str]:
    """The orders on the map, and the signs over them."""
    layers = page.locator("#board .board > :is(.orders, .verdicts)").all()
    assert len(layers) == 2
    return [layer.inner_html() for layer in layers]


def test_a_whole_turn_is_ordered_by_fingers_on_the_map_of_a_phone(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    order(page, "MUN", "Move", "CZE")
    order(page, "BER", "Support hold", "MUN")
    tap(page, "HAM")
    press(page, "Hold")
    order(page, "AUS", "Support move", "MUN")
    press(page, "One point more")
    press(page, "Close")
    expect(page.locator("#state-complete")).to_contain_text("Complete")
    chosen = drawn(page)
    save_by_map(page)
    assert drawn(page) == chosen
    assert saved_text(game).splitlines() == ["A BER S A MUN", "F HAM H", "A MUN - CZE", "2: A AUS S A MUN - CZE"]


def test_ten_units_and_two_bids_take_few_taps_and_no_scroll_on_a_phone(browsers: Browsers) -> None:
    game = running_game(all_ready=True)
    page = british_sheet(browsers, game)
    sight = page.evaluate(SIGHT)
    assert sight["seen"] == [True, True, True], "map, Save and Ready are on the first screen"
    assert sight["share"] >= 0.5
    assert not sight["covered"]
    with heard(page):
        finger(page, page.get_by_role("button", name="Zoom out"))
    begun = taps(page)
    order(page, "NTH", "Move", "HEL")
    order(page, "ENG", "Move", "NTH")
    order(page, "LON", "Move", "YOR")
    order(page, "IRI", "Move", "LIV")
    order(page, "BEL", "Move", "RHI")
    assert taps(page) - begun == 5 * 2, "two for a move"
    order(page, "NET", "Support move", "BEL")
    order(page, "DEN", "Support move", "NTH")
    order(page, "HAM", "Support move", "RHI")
    assert taps(page) - begun == 10 + 3 * 3, "three for a support"
    tap(page, "EDI", "EDI")
    order(page, "WAP", "Move", "IRI")
    assert taps(page) - begun == 19 + 2 + 2, "two for a hold"
    expect(page.locator("[data-count]")).to_have_text("10 of 10 ordered.")
    expect(page.locator("[data-unused]")).to_have_text("3 of 3 points unused.")
    order(page, "SKA", "Support hold", "NWY")
    order(page, "NWY", "Support hold", "SKA")
    expect(page.locator("[data-unused]")).to_have_text("1 of 3 points unused.")
    assert not page.evaluate(SIGHT)["covered"]
    press(page, "Close")
    save_by_map(page)
    expect(bar(page)).to_contain_text("1 of 3 points unused; unused points are lost.")
    assert taps(page) - begun == 23 + 3 + 3 + 1 + 1
    assert page.evaluate(SIGHT)["scroll"] == 0
    assert sorted(saved_text(game, "BRITAIN").splitlines()) == sorted([
        "A BEL - RHI", "F DEN S F NTH - HEL", "A EDI H", "F ENG - NTH", "A HAM S A BEL - RHI", "F IRI - LIV",
        "A LON - YOR", "A NET S A BEL - RHI", "F NTH - HEL", "F WAP - IRI", "1: F NWY S F SKA", "1: F SKA S F NWY",
    ])  # fmt: skip


def test_saving_leaves_the_map_the_page_and_the_focus_where_they_are(browsers: Browsers) -> None:
    game = running_game()
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    order(page, "MUN", "Move", "CZE")
    with heard(page):
        finger(page, page.get_by_role("button", name="Zoom in"))
    page.evaluate("window.same = true")
    before = page.evaluate(WHERE)
    save_by_map(page)
    page.evaluate(SETTLED)
    assert page.evaluate(WHERE) == before
    expect(page.locator("[data-save]")).to_be_focused()
    assert page.evaluate("window.same"), "the page was not loaded again"
    expect(page.locator(".state--saved")).to_contain_text("These orders count at the deadline.")
    expect(page.locator("#receipt-code")).not_to_have_value("")
    assert page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('sheet '))") == []
    order(page, "HAM", "Move", "HEL")
    expect(page.locator(".state--saved")).to_contain_text("Your earlier orders count until you save.")
    save_by_map(page)
    assert saved_text(game).splitlines() == ["F HAM - HEL", "A MUN - CZE"]


def test_a_player_who_is_ready_with_unsaved_orders_saves_them_and_is_asked_about_the_rest(browsers: Browsers) -> None:
    game = running_game(all_ready=True)
    page = german_sheet(browsers, game, **PHONE)
    order(page, "MUN", "Move", "CZE")
    with page.expect_navigation():
        finger(page, page.locator("[data-ready]"))
    expect(page.get_by_role("alert")).to_contain_text("3 of 3 points unused; unused points are lost.")
    page.get_by_role("button", name="I’m ready all the same").tap()
    expect(page.locator("[data-ready]")).to_have_text("I’m not ready")
    assert saved_text(game) == "A MUN - CZE"


def test_a_space_that_is_not_lit_says_its_name_and_why_the_unit_cannot_go_there(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    tap(page, "POM")
    expect(bar(page)).to_contain_text("Pomerania.")
    tap(page, "MUN", "POM")
    expect(bar(page)).to_contain_text("A Mun cannot reach Pomerania in one move.")
    expect(page.locator(".marks .asked")).to_have_count(1)
    tap(page, "CZE")
    expect(sheet_text(page)).to_have_value("A Mun–Cze")


def army_by_the_sea(browsers: Browsers) -> tuple[Game, Page]:
    """An army in London is chosen, and a fleet of its own is in the North Sea."""
    game = running_game()
    set_up(game, "S1926M", {"BRITAIN": "F NTH, A LON", "FRANCE": "A PAR"})
    page = browsers.of(occupancy_of(game, "BRITAIN").user.username, **PHONE)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    show_map(page)
    tap(page, "LON")
    return game, page


def test_a_goal_that_needs_a_convoy_looks_different_and_its_fleets_are_offered(browsers: Browsers) -> None:
    game, page = army_by_the_sea(browsers)
    expect(page.locator(".marks .target.by-sea")).not_to_have_count(0)
    expect(page.locator(".marks .target:not(.by-sea)")).not_to_have_count(0)
    expect(bar(page)).to_contain_text("Where the ring is dotted it needs a convoy.")
    tap(page, "NWY")
    expect(bar(page)).to_contain_text("A Lon–Nwy: which fleets convoy it?")
    press(page, "F NTH C A Lon–Nwy")
    expect(bar(page)).to_contain_text("F NTH C A Lon–Nwy.")
    save_by_map(page)
    assert sorted(saved_text(game, "BRITAIN").splitlines()) == ["A LON - NWY VIA", "F NTH C A LON - NWY"]


def test_by_convoy_asks_where_even_if_only_one_place_can_also_be_marched_to(browsers: Browsers) -> None:
    _game, page = army_by_the_sea(browsers)
    press(page, "By convoy")
    expect(bar(page)).to_contain_text("By convoy: choose where it goes")
    tap(page, "NWY")
    expect(bar(page)).to_contain_text("A Lon–Nwy: which fleets convoy it?")


def test_of_a_minor_that_the_unit_cannot_reach_that_is_said_before_a_bid_is_offered(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    tap(page, "MUN", "HUN")
    expect(bar(page)).to_contain_text("German army in Munich can’t go there. ")
    expect(bar(page)).to_contain_text("Hungary: which order do you bid for?")


def test_of_a_minor_that_moves_it_is_asked_where_to_or_what_else(browsers: Browsers) -> None:
    """Once it said "choose where it goes", of a unit that is nobody's to send."""
    page = browsers.of(TEN[0], **PHONE)
    page.goto(reverse("games:orders", args=[running_game(variant="ambition-and-empire", players=TEN).slug]))
    show_map(page)
    tap(page, "ALG")
    expect(bar(page)).to_contain_text("(Muslim): bid for a move by choosing its goal, or for another order.")
    expect(page.locator("#board .marks .target").first).to_be_attached()


def test_units_without_an_order_are_ringed_until_they_have_one(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    idle = page.locator(".marks .idle")
    expect(idle).to_have_count(3)
    tap(page, "MUN", "MUN")
    expect(sheet_text(page)).to_have_value("A Mun holds")
    expect(idle).to_have_count(2)
    tap(page, "MUN", "MUN")
    expect(sheet_text(page)).to_have_value("A Mun holds")
    expect(bar(page)).to_contain_text("Choose one of your units")


def test_at_a_desk_the_map_fills_the_window_and_can_be_read_at_first_sight(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), viewport={"width": 1440, "height": 900})
    expect(page.locator(".takes-orders")).to_be_attached()
    page.evaluate(SETTLED)
    plate = page.locator("#board .plate").bounding_box()
    assert plate
    assert plate["width"] >= 1440 * 2 / 3
    assert plate["height"] >= 900 * 0.7
    assert plate["y"] + plate["height"] <= 900
    units = page.locator("#board .board > .units .unit").evaluate_all(WIDTHS)
    assert min(units) >= 16
    assert min(page.evaluate(LETTERS)) >= 11
    for button in ("[data-save]", "#state-complete"):
        expect(page.locator(button)).to_be_in_viewport()
    show_whole(page, by_touch=False)
    page.evaluate(SETTLED)
    assert min(page.evaluate(LETTERS)) >= 11
    assert len(page.evaluate(LETTERS)) >= 60, "most names are written on the whole map"
    with heard(page):
        page.get_by_role("button", name="Full screen").click()
    expect(page.locator(".table-top:fullscreen [data-save]")).to_be_in_viewport()


def test_map_and_form_and_text_say_the_same(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    order(page, "MUN", "Move", "CZE")
    arrow = page.locator(".orders .order.move")
    expect(arrow).to_have_attribute("data-target", "CZE")
    expect(page.locator("[name=order-MUN]")).to_have_value("A MUN - CZE")
    expect(page.locator('[data-level="1"]')).to_have_value("Cze")
    expect(sheet_text(page)).to_have_value("A Mun–Cze")
    page.locator('[data-level="1"]').select_option("Bur")
    expect(arrow).to_have_attribute("data-target", "BUR")
    page.get_by_role("button", name="Undo").tap()
    expect(arrow).to_have_attribute("data-target", "CZE")
    expect(sheet_text(page)).to_have_value("A Mun–Cze")
    tap(page, "MUN")
    press(page, "Remove order")
    expect(arrow).to_have_count(0)
    expect(sheet_text(page)).to_have_value("")
    page.get_by_role("button", name="Undo").tap()
    expect(arrow).to_have_attribute("data-target", "CZE")


def test_a_step_is_taken_back_and_a_choice_survives_a_larger_map(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    tap(page, "BER")
    press(page, "Support move")
    targets = page.locator(".marks .target")
    expect(targets).not_to_have_count(0)
    lit = targets.count()
    assert lit > 1
    with heard(page):
        page.get_by_role("button", name="Zoom in").tap()
    show_whole(page)
    expect(targets).to_have_count(lit)
    press(page, "Back")
    expect(bar(page).get_by_role("button", name="Hold", exact=True)).to_be_visible()
    press(page, "Close")
    expect(targets).to_have_count(0)
    expect(bar(page).get_by_role("button", name="Hold", exact=True)).to_have_count(0)
    expect(sheet_text(page)).to_have_value("")


def test_every_button_below_the_map_is_as_large_as_a_finger(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    tap(page, "AUS")
    press(page, "Hold")
    expect(bar(page).get_by_role("button", name="One point more")).to_be_visible()
    boxes = [button.bounding_box() for button in bar(page).get_by_role("button").all()]
    assert len(boxes) == 4
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes)


def test_no_more_points_are_offered_than_there_are_and_the_map_stays_when_a_bid_is_taken_back(
    browsers: Browsers,
) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    tap(page, "AUS")
    expect(bar(page)).to_contain_text("Army in Austria: which order do you bid for?")
    press(page, "Hold")
    below, more = bar(page), bar(page).get_by_role("button", name="One point more")
    expect(below).to_contain_text("Bid of 1 point: A Aus holds. 2 points left.")
    for _ in range(2):
        press(page, "One point more")
    expect(below).to_contain_text("Bid of 3 points: A Aus holds. No points left.")
    expect(more).to_be_disabled()
    height = page.evaluate("scrollY")
    press(page, "Remove bid")
    expect(below).to_contain_text("Army in Austria: bid removed.")
    expect(sheet_text(page)).to_have_value("")
    assert page.evaluate("scrollY") == height


def test_a_coast_is_asked_for_below_the_map_and_what_was_tapped_is_ringed(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "F1926M", {"GERMANY": "F BOB"})
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    order(page, "BOB", "Move", "SPA")
    expect(bar(page)).to_contain_text("German fleet in the Bay of Biscay: which coast?")
    expect(page.locator(".marks .asked")).to_have_count(2)
    press(page, "Spa, north coast")
    expect(sheet_text(page)).to_have_value("F BOB–Spa/nc")


def test_a_build_is_tapped_and_another_waived(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "W1926A", {"GERMANY": "A MUN"})
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    sites = page.locator(".marks .target")
    expect(sites).to_have_count(2)
    tap(page, "HAM")
    expect(sites).to_have_count(0)
    tap(page, "MUN")
    expect(bar(page)).to_contain_text("Munich can’t be chosen. Build in Hamburg")
    press(page, "Build F Ham")
    expect(sites).to_have_count(1)
    page.get_by_role("button", name="Undo").tap()
    expect(sites).to_have_count(2)
    page.locator("#order-HAM-pick").select_option("Build F Ham")
    expect(sites).to_have_count(1)
    tap(page, "BER")
    press(page, "Waive")
    expect(page.locator(".orders .order.build")).to_have_attribute("data-unit", "HAM")
    save_by_map(page)
    assert saved_text(game).splitlines() == ["WAIVE", "BUILD F HAM"]


def test_a_removal_is_one_tap_and_where_one_is_due_the_next_replaces_it(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "W1926A", {"GERMANY": "A MUN, A BER, F HAM, A CZE"})
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    due = page.locator(".marks .idle")
    expect(due).to_have_count(4)
    tap(page, "BER")
    expect(due).to_have_count(0)
    tap(page, "CZE")
    expect(page.locator("[data-count]")).to_have_text("1 of 1 chosen.")
    expect(sheet_text(page)).to_have_value("A Cze disbands")
    save_by_map(page)
    assert saved_text(game) == "DISBAND A CZE"


def test_a_unit_that_cannot_be_supported_is_no_goal_and_an_order_is_not_helped_to_another(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "S1928M", {"GERMANY": "A MUN, A BER", "FRANCE": "A SIL, A BUR"})
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    tap(page, "MUN")
    press(page, "Support move")
    tap(page, "MUN")
    expect(bar(page)).to_contain_text("Munich can’t be chosen. Support move: choose the unit to support")
    expect(sheet_text(page)).to_have_value("")


def test_armies_are_placed_by_tapping_their_sites(browsers: Browsers) -> None:
    game = running_game(variant="collapse-of-the-dual-empire", players=PLAYERS[:6])
    page = browsers.of(occupancy_of(game, "CZECHS").user.username, **PHONE)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    show_map(page)
    tap(page, "PRA")
    press(page, "Democratic army")
    expect(page.locator("[name=order-PRA]")).to_have_value("BUILD DA PRA")
    expect(page.locator(".orders .order.build")).to_have_attribute("data-unit", "PRA")
    save_by_map(page)


@pytest.mark.parametrize(
    ("turn", "units"),
    [
        ("S1926M", {}),
        (
            "F1926M",
            {
                "GERMANY": "A DEN, F HEL, F NTH, F SPA/NC, A BUR",
                "FRANCE": "A LON, F ENG, F MAR, A GAS",
                "ITALY": "A PIE, F WES",
            },
        ),
        ("W1926A", {"GERMANY": "A MUN"}),
    ],
    ids=["at the start", "in the middle of a game", "when building"],
)
def test_nothing_lawful_is_out_of_reach_on_the_map_and_nothing_else_is_offered(
    browsers: Browsers, turn: str, units: dict[str, str]
) -> None:
    game = running_game()
    if units:
        set_up(game, turn, units)
    page = german_sheet(browsers, game, viewport={"width": 1440, "height": 900})
    show_map(page)
    found = page.evaluate(WALK)
    assert {name: sorted(orders) for name, orders in found.items()} == lawful(game)
