"""Panning and zooming maps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.cast import PLAYERS, TEN
from tests.e2e import acts
from tests.e2e.map import PHONE, SETTLED
from tests.factories import running_game

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.sync_api import Locator, Page, ViewportSize

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

COASTED_MS = 300
"""After this, a wheel that scrolled the page applies to the map again."""
DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}


def shown(page: Page) -> tuple[float, float, float]:
    """x, y and scale of the map on the screen, relative to its original place."""
    page.evaluate(SETTLED)
    x, y, scale = page.locator("#board .board-view .board").evaluate(
        "map => { const m = new DOMMatrix(getComputedStyle(map).transform); return [m.e, m.f, m.a]; }"
    )
    return x, y, scale


def expect_shown(page: Page, wanted: object) -> None:
    acts.comes_to(page, lambda: shown(page), wanted)


def expect_scale(page: Page, wanted: object) -> None:
    acts.comes_to(page, lambda: shown(page)[2], wanted)


def near(*numbers: float) -> Any:
    """Equal to within a pixel."""
    return pytest.approx(numbers, abs=1)


def board(browsers: Browsers, **options: Any) -> Page:
    page = browsers.of(**options)
    page.goto(reverse("games:game", kwargs={"slug": running_game().slug}))
    expect(page.locator("#board .can-zoom")).to_be_attached()
    page.locator("#board").evaluate("box => box.scrollIntoView({ block: 'start', behavior: 'instant' })")
    page.evaluate(SETTLED)
    return page


def middle(page: Page) -> tuple[float, float]:
    box = page.locator("#board .board-view").bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def in_the_middle(page: Page) -> tuple[float, float]:
    """What is in the middle of the view, in units of the map."""
    page.evaluate(SETTLED)
    x, y = page.locator("#board .board-view").evaluate(
        """async view => {
          const { zoomOf } = await import("/static/js/board.js");
          const box = view.getBoundingClientRect();
          const { x, y } = zoomOf(view).onMap({ clientX: box.x + box.width / 2, clientY: box.y + box.height / 2 });
          return [x, y];
        }"""
    )
    return x, y


def width_of(element: Locator) -> float:
    box = element.bounding_box()
    assert box
    return box["width"]


def test_buttons_and_keys_enlarge_and_show_the_whole(browsers: Browsers) -> None:
    page = board(browsers, **DESK)
    expect_shown(page, (0, 0, 1))
    page.get_by_role("button", name="Zoom in").click()
    expect_scale(page, pytest.approx(1.5))
    page.locator("#board .board-view").focus()
    page.keyboard.press("+")
    expect_scale(page, pytest.approx(2.25))
    x, y, _ = shown(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect_shown(page, near(x - 60, y - 60, 2.25))
    page.keyboard.press("-")
    expect_scale(page, pytest.approx(1.5))
    page.keyboard.press("0")
    expect_shown(page, (0, 0, 1))
    page.keyboard.press("-")
    expect_shown(page, (0, 0, 1))
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Whole map").click()
    expect_shown(page, (0, 0, 1))


def test_the_wheel_enlarges_around_the_mouse_which_drags_the_map(browsers: Browsers) -> None:
    page = board(browsers, **DESK)
    x, y = middle(page)
    page.wait_for_timeout(COASTED_MS)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    acts.comes_to(page, lambda: shown(page)[2] > 1.3, wanted=True)
    left, top, scale = shown(page)
    page.mouse.down()
    page.mouse.move(x + 20, y + 10, steps=3)
    page.mouse.move(x + 40, y + 30, steps=3)
    page.mouse.up()
    expect_shown(page, near(left + 40, top + 30, scale))


def test_the_map_stays_in_its_frame(browsers: Browsers) -> None:
    page = board(browsers, **DESK)
    page.get_by_role("button", name="Zoom in").click()
    page.locator("#board .board-view").focus()
    for _ in range(40):
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
    acts.comes_to(page, lambda: shown(page)[:2], (0, 0))


def test_two_fingers_enlarge_the_map_of_a_phone_and_one_moves_it(browsers: Browsers) -> None:
    page = board(browsers, **PHONE)
    x, y = middle(page)
    before = shown(page)
    touch = page.context.new_cdp_session(page)

    def fingers(kind: str, *points: tuple[float, float]) -> None:
        spots = [{"x": a, "y": b, "id": number} for number, (a, b) in enumerate(points)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": spots})

    fingers("touchStart", (x - 20, y), (x + 20, y))
    fingers("touchMove", (x - 40, y), (x + 40, y))
    fingers("touchEnd")
    expect_scale(page, pytest.approx(before[2] * 2, rel=0.05))
    left, top, scale = shown(page)
    fingers("touchStart", (x, y))
    fingers("touchMove", (x - 30, y - 20))
    fingers("touchEnd")
    expect_shown(page, near(left - 30, top - 20, scale))
    expect(page.locator("#board .is-moving")).to_have_count(0)


def test_names_stand_where_there_is_room_for_them(browsers: Browsers) -> None:
    page = board(browsers, **DESK)
    labels = page.locator("#board .labels text")
    expect(labels.filter(has_text="Mun")).to_have_text("Mun")
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").click()
    expect(labels.filter(has_text="Munich")).to_have_count(1)
    page.get_by_role("button", name="Whole map").click()
    expect(labels.filter(has_text="Munich")).to_have_count(0)


def test_a_phone_opens_the_map_large_enough_to_be_read_and_can_see_all_of_it(browsers: Browsers) -> None:
    page = board(browsers, **PHONE)
    acts.comes_to(page, lambda: shown(page)[2] > 2, wanted=True)
    page.get_by_role("button", name="Whole map").tap()
    acts.comes_to(page, lambda: shown(page)[2] <= 1, wanted=True)
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_the_map_can_be_moved_without_scripts(browsers: Browsers) -> None:
    page = browsers.of(java_script_enabled=False, **PHONE)
    page.goto(reverse("games:game", kwargs={"slug": running_game().slug}))
    room = width_of(page.locator("#board .board-view"))
    assert width_of(page.locator("#board .board-view .board")) > 2 * room
    page.get_by_text("Whole map").tap()
    acts.comes_to(page, lambda: width_of(page.locator("#board .board-view .board")) <= room, wanted=True)


def test_what_is_in_the_middle_stays_there_when_a_phone_is_turned_and_the_whole_stays_whole(browsers: Browsers) -> None:
    page = board(browsers, **PHONE)
    upright: ViewportSize = {"width": 390, "height": 844}
    turned: ViewportSize = {"width": 844, "height": 390}
    seen, size = in_the_middle(page), width_of(page.locator("#board .ground"))
    page.set_viewport_size(turned)
    acts.comes_to(page, lambda: in_the_middle(page), near(*seen))
    assert width_of(page.locator("#board .ground")) == pytest.approx(size, rel=0.01)
    page.get_by_role("button", name="Whole map").tap()
    expect(page.locator("#board .board-view.is-whole")).to_be_attached()
    for screen in (upright, turned):
        page.set_viewport_size(screen)
        page.evaluate(SETTLED)
        expect(page.locator("#board .board-view.is-whole")).to_be_attached()


@pytest.mark.parametrize("screen", [(390, 844), (820, 1180), (1440, 900), (1920, 1080)])
def test_the_buttons_hide_no_place_of_the_whole_map(browsers: Browsers, screen: tuple[int, int]) -> None:
    width, height = screen
    page = browsers.of(PLAYERS[0], viewport={"width": width, "height": height})
    page.goto(reverse("games:orders", kwargs={"slug": running_game().slug}))
    expect(page.locator(".takes-orders")).to_be_attached()
    page.get_by_role("button", name="Whole map").click()
    expect(page.locator("#board .board-view.is-whole")).to_be_attached()
    page.evaluate(SETTLED)
    seen, bar = page.locator("#board .edge").bounding_box(), page.locator("#board .zoom-bar").bounding_box()
    assert seen is not None
    assert bar is not None
    assert seen["y"] + seen["height"] <= bar["y"] + 1
    assert seen["width"] <= width


@pytest.mark.parametrize("variant", ["1926", "standard", "balkan-battle"])
def test_at_a_desk_the_frame_of_a_map_has_no_bare_strip(browsers: Browsers, variant: str) -> None:
    """The buttons once had a strip of sea to themselves, below every map."""
    players = PLAYERS[:2] if variant == "balkan-battle" else PLAYERS
    game = running_game(variant=variant, players=players)
    page = browsers.of(players[0], viewport={"width": 1440, "height": 900})
    for name, of in (("orders", game.slug), ("game", game.slug), ("variant", variant)):
        page.goto(reverse(f"games:{name}", kwargs={"slug": of}))
        page.evaluate(SETTLED)
        frame = page.locator(".plate:has(> .can-zoom)").bounding_box()
        view = page.locator(".can-zoom").bounding_box()
        assert frame is not None
        assert view is not None
        assert frame["height"] - view["height"] == pytest.approx(2, abs=0.5), name


@pytest.mark.parametrize(
    ("variant", "players", "names"),
    [("ambition-and-empire", 10, "hidden"), ("collapse-of-the-dual-empire", 6, "visible")],
)
def test_names_hide_no_units_on_the_whole_map_of_a_phone(
    browsers: Browsers, variant: str, players: int, names: str
) -> None:
    """Once 37 of 45 units lay under one. A board that is almost empty keeps its names."""
    page = browsers.of(TEN[0], **PHONE)
    page.goto(reverse("games:orders", kwargs={"slug": running_game(variant=variant, players=TEN[:players]).slug}))
    page.get_by_role("button", name="Whole map").click()
    expect(page.locator(".can-zoom.is-whole.is-tiny")).to_be_attached()
    name = page.locator("#board .labels text").first
    expect(name).to_have_css("visibility", names)
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".can-zoom:not(.is-tiny)")).to_be_attached()
    expect(name).to_have_css("visibility", "visible")


OWN_UNITS = """map => [...map.querySelectorAll(
  `.unit[data-colour="${map.closest(".board-view").dataset.shows}"]`
)].map(unit => {
  const { left, right, top, bottom } = unit.getBoundingClientRect();
  return unit.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
})"""
"""Of each own unit, whether it can be seen and tapped."""


@pytest.mark.parametrize("screen", [(390, 844), (1440, 900)])
@pytest.mark.parametrize(("variant", "players"), [("the-sound", PLAYERS[:2]), ("standard", PLAYERS)])
def test_a_map_opens_with_all_own_units_in_sight(
    browsers: Browsers, variant: str, players: Sequence[str], screen: tuple[int, int]
) -> None:
    game = running_game(variant=variant, players=players)
    page = browsers.of(players[0], viewport={"width": screen[0], "height": screen[1]})
    for name in ("games:game", "games:orders"):
        page.goto(reverse(name, kwargs={"slug": game.slug}))
        page.evaluate(SETTLED)
        seen = page.locator("#board .is-movable").evaluate(OWN_UNITS)
        assert seen
        assert all(seen)


def test_what_a_reader_chose_to_see_of_a_game_is_kept_on_the_device(browsers: Browsers) -> None:
    page, game = browsers.of(PLAYERS[0], **PHONE), running_game()
    board, orders = (reverse(f"games:{name}", kwargs={"slug": game.slug}) for name in ("game", "orders"))
    page.goto(board)
    page.get_by_role("button", name="Zoom in").tap()
    seen = in_the_middle(page), width_of(page.locator("#board .ground"))
    page.goto(orders)
    assert in_the_middle(page) == near(*seen[0])
    assert width_of(page.locator("#board .ground")) == pytest.approx(seen[1])
    page.get_by_role("button", name="Whole map").tap()
    expect(page.locator("#board .board-view.is-whole")).to_be_attached()
    page.reload()
    expect(page.locator("#board .board-view.is-whole")).to_be_attached()
    page.goto(reverse("games:game", kwargs={"slug": running_game().slug}))
    expect(page.locator("#board .can-zoom")).to_be_attached()
    page.evaluate(SETTLED)
    expect(page.locator("#board .board-view.is-whole")).not_to_be_attached()


IN_SIGHT = """() => {
  const [map, dock] = [".board-view", ".dock"].map(part => document.querySelector(part).getBoundingClientRect());
  return (Math.min(map.bottom, dock.top, innerHeight) - Math.max(map.top, 0)) / innerHeight;
}"""
"""The part of the window's height in which the map is free."""


@pytest.mark.parametrize("screen", [(568, 320), (667, 375), (844, 390), (932, 430), (720, 450)])
def test_a_turned_phone_and_an_enlarged_desk_show_the_map(browsers: Browsers, screen: tuple[int, int]) -> None:
    width, height = screen
    page = browsers.of(PLAYERS[0], viewport={"width": width, "height": height})
    page.goto(reverse("games:orders", kwargs={"slug": running_game().slug}))
    expect(page.locator(".takes-orders")).to_be_attached()
    page.evaluate(SETTLED)
    assert page.evaluate(IN_SIGHT) >= 1 / 3
    expect(page.locator("[data-save]")).to_be_in_viewport()
    page.locator(".unit-row label").first.scroll_into_view_if_needed()
    assert page.evaluate(IN_SIGHT) >= 1 / 2


@pytest.mark.parametrize("width", [320, 390, 720, 1440])
def test_a_name_of_thirty_letters_is_never_cut(browsers: Browsers, width: int) -> None:
    name = "W" * 30
    page = browsers.of(name, viewport={"width": width, "height": 800})
    page.goto(reverse("games:lobby"))
    own = page.locator(".nav__who")
    expect(own).to_have_text(name)
    assert own.evaluate("it => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
