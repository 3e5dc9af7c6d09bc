"""The lessons in a browser: by touch on a phone, by the lists, and without scripts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from playwright.sync_api import expect

from games.learning.lessons import LESSONS, Lesson
from tests.e2e import acts
from tests.e2e.map import PHONE, bar, finger, order, press, show_map, tap

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
QUOTED = re.compile("“([^”]+)”")
MOVE, BOUNCE, RETREAT, BID = [
    reverse("games:lesson", kwargs={"name": name}) for name in ("move", "bounce", "retreat", "bid")
]


def give(page: Page) -> None:
    page.get_by_role("button", name="Show result").last.click()


def done(page: Page, lesson: Lesson) -> None:
    expect(page.get_by_role("status").filter(has_text="Well done.")).to_contain_text(lesson.praise)


def follow(page: Page, lesson: Lesson) -> set[str]:
    """Do on the map what the lesson shows, without scrolling; the names of all buttons that were below it meanwhile."""
    expect(bar(page)).to_be_visible()
    seen = set()
    for step in (step for row in lesson.taps for step in row):
        if step in lesson.places:
            tap(page, step)
        else:
            press(page, step)
        seen |= set(page.locator("[data-dock]").get_by_role("button").all_inner_texts())
    finger(page, page.locator("[data-dock]").get_by_role("button", name="Show result"))
    return seen


def test_a_stranger_learns_every_lesson_by_touch_and_goes_on_to_a_game(browsers: Browsers) -> None:
    page = browsers.of(**PHONE)
    page.goto("/")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Learn").tap()
    page.get_by_role("link", name="Start lesson 1").tap()
    for number, lesson in enumerate(LESSONS, start=1):
        expect(page.get_by_role("heading", level=1)).to_have_text(lesson.title)
        seen = follow(page, lesson)
        done(page, lesson)
        named = set(QUOTED.findall(lesson.task + lesson.praise + lesson.hint))
        assert named <= seen, f"{lesson.title} names buttons that there are not"
        if number < len(LESSONS):
            page.get_by_role("link", name=f"Next lesson: {LESSONS[number].title}").tap()
    page.get_by_role("link", name="Play your first game now").tap()
    expect(page).to_have_url(re.compile("/play/$"))


def test_a_wrong_attempt_is_explained_and_shown_how(browsers: Browsers) -> None:
    page = browsers.of()
    page.goto(BOUNCE)
    give(page)
    expect(page.get_by_role("status").filter(has_text="Not quite.")).to_contain_text("Neither army")
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_text("Oakham → Hills")).to_be_visible()
    acts.choose(page, "Westland army in Oakham", "Move", "Hil")
    give(page)
    expect(page.locator(".why", has_text="Bounced with A Ash–Hil: 1 against 1.")).to_be_visible()


def test_the_new_positions_can_be_shown(browsers: Browsers) -> None:
    page = browsers.of()
    page.goto(RETREAT)
    expect(page.get_by_text("What just happened")).to_be_visible()
    acts.choose(page, "Eastland army in Hills", "A Hil retreats to Ash")
    give(page)
    expect(page.locator('[data-unit="ASH"]')).to_have_count(0)
    page.get_by_role("link", name="Show the new positions").click()
    expect(page.locator('[data-unit="ASH"]')).to_have_count(1)


def test_the_question_on_the_map_does_not_hide_the_space_that_the_lesson_asks_for(browsers: Browsers) -> None:
    page = browsers.of(**PHONE)
    page.goto(MOVE)
    show_map(page)
    order(page, "OAK", "Move", "HIL")
    expect(bar(page)).to_contain_text("A Oak–Hil.")
    finger(page, page.locator("[data-dock]").get_by_role("button", name="Show result"))
    expect(page.get_by_role("status").filter(has_text="Not quite.")).to_contain_text("Both units need an order")


def test_the_unit_that_must_retreat_is_ringed_and_not_the_one_that_beat_it(browsers: Browsers) -> None:
    page = browsers.of(**PHONE)
    page.goto(RETREAT)
    show_map(page)
    expect(page.locator(".entry-bar")).to_contain_text("Choose a unit that has to retreat.")
    tap(page, "HIL")
    ring = page.locator(".marks .asked").bounding_box()
    leaving = page.locator('.unit.dislodged[data-unit="HIL"] .ring').bounding_box()
    assert ring
    assert leaving
    assert ring["x"] + ring["width"] / 2 == pytest.approx(leaving["x"] + leaving["width"] / 2, abs=1)
    assert ring["y"] + ring["height"] / 2 == pytest.approx(leaving["y"] + leaving["height"] / 2, abs=1)


def test_the_form_works_without_scripts(browsers: Browsers) -> None:
    page = browsers.of(java_script_enabled=False)
    page.goto(BID)
    attack = "A OAK - MIL"
    page.get_by_label("Westland army in Oakham").select_option(attack)
    page.get_by_label("Minor power").first.select_option("COR")
    page.get_by_role("button", name="Show its orders").first.click()
    page.get_by_label("Its order").first.select_option("A COR S A OAK - MIL")
    page.get_by_label("Points", exact=True).first.fill("1")
    give(page)
    expect(page.get_by_role("status").filter(has_text="Well done.")).to_be_visible()
