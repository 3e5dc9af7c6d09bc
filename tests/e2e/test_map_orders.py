"""Orders given on the map by touch alone, in every kind of phase, in step with the form."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.notation import write_order
from adjudication.options import bid_options, order_options
from games.kernel import codec
from tests.cast import PLAYERS
from tests.e2e.map import PHONE, heard, menu, order, press, save_by_map, show_map, show_whole, tap
from tests.e2e.sheet import german_sheet, saved_text, set_up, sheet_text
from tests.factories import occupancy_of, open_phase, running_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from games.kernel.models import Game
    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Follows every way through the menus of the map, each from its beginning, and notes what they wrote into the form.
WALK = """() => {
  const view = document.querySelector("#board .board-view");
  const map = view.querySelector(".board");
  const lines = map.dataset.places.split(";").map(line => line.split(" "));
  const places = new Map(lines.map(([name, x, y]) => [name, [x, y]]));
  const form = document.getElementById("sheet");
  const tap = name => {
    const [x, y] = places.get(name);
    const at = new DOMPoint(x, y).matrixTransform(map.getScreenCTM());
    view.dispatchEvent(new MouseEvent("click", { clientX: at.x, clientY: at.y, bubbles: true }));
  };
  const choices = () => [...document.querySelectorAll(".map-menu [data-choice]")];
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
    document.querySelector(".map-menu__close")?.click();
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
  }
  for (const name of Object.keys(JSON.parse(document.getElementById("minor-orders")?.textContent ?? "{}"))) {
    found[name] = [];
    const bids = [...form.querySelectorAll("[data-bid]")];
    const row = () => bids.find(bid => bid.querySelector("[data-minor]").value === name);
    walk(name, () => row()?.querySelector("select[data-orders]"), [{ tap: name }]);
    row()?.querySelector("[data-clear]").click();
  }
  return found;
}"""


def lawful(game: Game) -> dict[str, list[str]]:
    """What Germany can order and bid for, by place."""
    phase = open_phase(game)
    position, variant = codec.position_of(phase), codec.variant_of(game)
    asked = (*order_options("GERMANY", position, variant.ruleset), *bid_options(position, variant.ruleset))
    return {each.location: sorted(write_order(one, position) for one in each.orders) for each in asked}


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
    order(page, "AUS", "Support move", "MUN", "CZE")
    press(page, "One point more")
    press(page, "Close")
    expect(page.locator("#state-complete")).to_contain_text("Complete")
    chosen = drawn(page)
    save_by_map(page)
    assert drawn(page) == chosen
    assert saved_text(game).splitlines() == ["A BER S A MUN", "F HAM H", "A MUN - CZE", "2: A AUS S A MUN - CZE"]


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
    tap(page, "MUN")
    press(page, "Move")
    targets = page.locator(".marks .target")
    expect(targets).not_to_have_count(0)
    lit = targets.count()
    assert lit > 1
    with heard(page):
        page.get_by_role("button", name="Zoom in").tap()
    show_whole(page)
    expect(targets).to_have_count(lit)
    press(page, "Back")
    expect(targets).to_have_count(0)
    expect(menu(page).get_by_role("button", name="Hold", exact=True)).to_be_visible()
    press(page, "Close")
    expect(menu(page)).to_be_hidden()
    expect(sheet_text(page)).to_have_value("")


def test_every_button_of_the_menu_is_as_large_as_a_finger(browsers: Browsers) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    tap(page, "AUS")
    press(page, "Hold")
    expect(menu(page).get_by_role("button", name="One point more")).to_be_visible()
    boxes = [button.bounding_box() for button in menu(page).get_by_role("button").all()]
    assert len(boxes) > 5
    assert all(box and box["width"] >= 44 and box["height"] >= 44 for box in boxes)


def test_no_more_points_are_offered_than_there_are_and_the_map_stays_when_a_bid_is_taken_back(
    browsers: Browsers,
) -> None:
    page = german_sheet(browsers, running_game(), **PHONE)
    show_map(page)
    tap(page, "AUS")
    expect(menu(page)).to_contain_text("Army in Austria: which order do you bid for?")
    press(page, "Hold")
    bar, more = page.locator(".entry-bar"), menu(page).get_by_role("button", name="One point more")
    expect(bar).to_contain_text("Bid of 1 point: A Aus holds. 2 points left.")
    for _ in range(2):
        press(page, "One point more")
    expect(bar).to_contain_text("Bid of 3 points: A Aus holds. No points left.")
    expect(more).to_be_disabled()
    height = page.evaluate("scrollY")
    press(page, "Remove bid")
    expect(bar).to_contain_text("Army in Austria: bid removed.")
    expect(sheet_text(page)).to_have_value("")
    assert page.evaluate("scrollY") == height


def test_a_coast_is_asked_for_beside_the_coasts_and_what_was_tapped_is_ringed(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "F1926M", {"GERMANY": "F BOB"})
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    order(page, "BOB", "Move", "SPA")
    expect(menu(page)).to_contain_text("Move: to which coast?")
    expect(page.locator(".entry-bar")).to_contain_text("Move: to which coast?")
    question = menu(page).bounding_box()
    rings = [ring.bounding_box() for ring in page.locator(".marks .asked").all()]
    assert question
    assert len(rings) == 2
    top, bottom = question["y"], question["y"] + question["height"]
    assert all(ring and (ring["y"] + ring["height"] < top or ring["y"] > bottom) for ring in rings)
    press(page, "Spa/nc")
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


def test_a_removal_is_tapped(browsers: Browsers) -> None:
    game = running_game()
    set_up(game, "W1926A", {"GERMANY": "A MUN, A BER, F HAM, A CZE"})
    page = german_sheet(browsers, game, **PHONE)
    show_map(page)
    tap(page, "CZE")
    with heard(page):
        menu(page).locator("[data-choice]").tap()
    save_by_map(page)
    assert saved_text(game) == "DISBAND A CZE"


def test_armies_are_placed_by_tapping_their_sites(browsers: Browsers) -> None:
    game = running_game(variant="collapse-of-the-dual-empire", players=PLAYERS[:6])
    page = browsers.of(occupancy_of(game, "CZECHS").user.username, **PHONE)
    page.goto(reverse("games:orders", kwargs={"slug": game.slug}))
    show_map(page)
    tap(page, "PRA")
    press(page, "Place DA Pra")
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
