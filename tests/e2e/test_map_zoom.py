"""Maps that are moved and enlarged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from tests.e2e.map import PHONE, SETTLED
from tests.factories import running_game

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DESK: dict[str, Any] = {"viewport": {"width": 1440, "height": 900}}


def shown(page: Page) -> tuple[float, float, float]:
    """x, y and scale of the map on the screen, against where it is unmoved."""
    page.evaluate(SETTLED)
    x, y, scale = page.locator("#board .board-view .board").evaluate(
        "map => { const m = new DOMMatrix(getComputedStyle(map).transform); return [m.e, m.f, m.a]; }"
    )
    return x, y, scale


def near(*numbers: float) -> Any:
    """Equal but for what is less than a pixel."""
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


def test_buttons_and_keys_enlarge_and_show_the_whole(browsers: Browsers) -> None:
    page = board(browsers, **DESK)
    assert shown(page) == (0, 0, 1)
    page.get_by_role("button", name="Zoom in").click()
    assert shown(page)[2] == pytest.approx(1.5)
    page.locator("#board .board-view").focus()
    page.keyboard.press("+")
    assert shown(page)[2] == pytest.approx(2.25)
    x, y, _ = shown(page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert shown(page) == near(x - 60, y - 60, 2.25)
    page.keyboard.press("-")
    assert shown(page)[2] == pytest.approx(1.5)
    page.keyboard.press("0")
    assert shown(page) == (0, 0, 1)
    page.keyboard.press("-")
    assert shown(page) == (0, 0, 1)
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Whole map").click()
    assert shown(page) == (0, 0, 1)


def test_the_wheel_enlarges_around_the_mouse_which_drags_the_map(browsers: Browsers) -> None:
    page = board(browsers, **DESK)
    x, y = middle(page)
    page.wait_for_timeout(300)
    page.mouse.move(x, y)
    page.mouse.wheel(0, -300)
    left, top, scale = shown(page)
    assert scale > 1.3
    page.mouse.down()
    page.mouse.move(x + 20, y + 10, steps=3)
    page.mouse.move(x + 40, y + 30, steps=3)
    page.mouse.up()
    assert shown(page) == near(left + 40, top + 30, scale)


def test_the_map_stays_in_its_frame(browsers: Browsers) -> None:
    page = board(browsers, **DESK)
    page.get_by_role("button", name="Zoom in").click()
    page.locator("#board .board-view").focus()
    for _ in range(40):
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowUp")
    assert shown(page)[:2] == (0, 0)


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
    left, top, scale = shown(page)
    assert scale == pytest.approx(before[2] * 2, rel=0.05)
    fingers("touchStart", (x, y))
    fingers("touchMove", (x - 30, y - 20))
    fingers("touchEnd")
    assert shown(page) == near(left - 30, top - 20, scale)
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
    assert shown(page)[2] > 2
    page.get_by_role("button", name="Whole map").tap()
    assert shown(page)[2] <= 1
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]


def test_the_map_can_be_moved_without_scripts(browsers: Browsers) -> None:
    page = browsers.of(java_script_enabled=False, **PHONE)
    page.goto(reverse("games:game", kwargs={"slug": running_game().slug}))
    view = page.locator("#board .board-view")
    room = view.bounding_box()
    board_box = page.locator("#board .board-view .board").bounding_box()
    assert room
    assert board_box
    assert board_box["width"] > 2 * room["width"]
    page.get_by_text("The whole map").tap()
    small = page.locator("#board .board-view .board").bounding_box()
    assert small
    assert small["width"] <= room["width"]
