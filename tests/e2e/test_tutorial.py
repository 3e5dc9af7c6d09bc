"""The tutorial: five lessons with the real adjudicator, without an account, and a page for every form of order."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect

from adjudication.notation import read_sheet
from games.kernel import wording
from games.learning.lessons import (
    BOARD,
    LESSONS,
    ORDER_FORMS,
    Lesson,
    OrderForm,
    answer_to,
    example_called,
    position_of,
    variant_of,
)
from games.orders.sheets import SentSheet, read_once
from games.people.models import Session
from tests.e2e import acts
from tests.e2e.map import PHONE, order, show_map, tap
from variants.registry import find

if TYPE_CHECKING:
    from playwright.sync_api import Page

    from tests.e2e.people import Browsers

SOLUTIONS = {
    "Move": "A Oak-Hil\nF Wes-WBY",
    "Support": "A Oak-Mil\nA Hil S A Oak-Mil",
    "Bounce": "A Oak-Hil",
    "Bid": "A Oak-Mil\n1: A Cor S A Oak-Mil",
    "Retreat": "A Hil-Ash",
}
in_browser = pytest.mark.browser
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.title)
each_form = pytest.mark.parametrize("form", ORDER_FORMS, ids=lambda form: form.slug)


def words_of(html: str) -> str:
    """The visible text, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def asked(number: int, **orders: str) -> str:
    """The text of a lesson after these orders were given."""
    answer = Client().get(reverse("games:lesson", kwargs={"number": number}), {"use": "text", **orders})
    assert answer.status_code == 200
    return words_of(answer.content.decode())


@each_lesson
def test_a_lesson_is_reached_by_its_orders_and_not_by_none(lesson: Lesson) -> None:
    def reached(text: str) -> bool:
        sheet = read_once(SentSheet(text), lesson.power, position_of(lesson), find(BOARD))
        return answer_to(lesson, sheet).reached

    assert reached(SOLUTIONS[lesson.title])
    assert not reached("")


@pytest.mark.django_db
@each_lesson
def test_a_lesson_praises_what_reaches_it_and_helps_where_nothing_is_ordered(lesson: Lesson) -> None:
    number = LESSONS.index(lesson) + 1
    assert f"Well done. {lesson.praise}" in asked(number, text=SOLUTIONS[lesson.title])
    failed = asked(number, text="")
    note = wording.words_of(position_of(lesson).turn.kind.value).note
    assert f"Not quite. {note[0].upper()}{note[1:]}." in failed
    assert lesson.hint in failed


@pytest.mark.django_db
def test_support_may_come_from_either_army() -> None:
    assert "Well done." in asked(2, text="A Hil-Mil\nA Oak S A Hil-Mil")


@pytest.mark.django_db
def test_what_cannot_be_ordered_is_told_by_line_and_stays_in_the_text() -> None:
    words = asked(1, text="A Oak-Paris\nF Wes-WBY")
    assert "One order isn’t valid" in words
    assert "Line 1, “A Oak-Paris” :" in words
    assert "A Oak-Paris F Wes-WBY" in words
    assert "Orders and results" not in words


@pytest.mark.django_db
def test_trying_again_begins_with_what_was_ordered() -> None:
    address = reverse("games:lesson", kwargs={"number": 3})
    failed = Client().get(address, {"use": "text", "text": "A Oak-Mil"}).content.decode()
    assert "Not quite." in failed
    assert 'id="sheet"' not in failed
    (again,) = re.findall(r'href="(\?[^"]*)">Try again', failed)
    form = Client().get(address + unescape(again)).content.decode()
    assert re.search(r'value="A OAK - MIL" selected', form)
    assert ">A Oak-Mil</textarea>" in form
    assert "Not quite." not in form


@pytest.mark.django_db
def test_a_retreat_is_called_one_also_on_the_map() -> None:
    page = Client().get(reverse("games:lesson", kwargs={"number": 5})).content.decode()
    assert '<optgroup label="Retreat">' in page
    assert '<optgroup label="Move">' not in page


@pytest.mark.django_db
def test_more_points_than_there_are_cannot_be_bid() -> None:
    assert "One order isn’t valid" in asked(4, text="A Oak-Mil\n9: A Cor S A Oak-Mil")


@pytest.mark.django_db
def test_a_tie_of_bids_is_not_asked_for_but_a_bid_on_holding_does_not_help() -> None:
    assert "Not quite. Move the army to Mil." in asked(4, text="A Oak-Mil\n2: A Cor H")


@pytest.mark.django_db
def test_a_lesson_that_is_not_there_is_not_found() -> None:
    for number in (0, 6, 99):
        assert Client().get(reverse("games:lesson", kwargs={"number": number})).status_code == 404
    assert Client().get(reverse("games:order-form", kwargs={"form": "attack"})).status_code == 404


@pytest.mark.django_db
def test_learning_leaves_nothing_behind(django_assert_num_queries: object) -> None:
    client = Client()
    for number in range(1, 6):
        with django_assert_num_queries(0):  # type: ignore[operator]
            client.get(reverse("games:lesson", kwargs={"number": number}), {"use": "text", "text": "A Oak H"})
    assert not Session.objects.exists()


@each_form
def test_all_spellings_of_a_form_are_the_same_order_and_the_examples_own(form: OrderForm) -> None:
    variant = variant_of(form)
    example = example_called(form.example, variant)
    sheets = [read_sheet(line, form.power, example.position, variant.ruleset) for line in form.written]
    assert [sheet.problems for sheet in sheets] == [()] * len(sheets)
    assert len({sheet.sheet for sheet in sheets}) == 1
    given = example.phase.sheets[form.power]
    shown = sheets[0].sheet
    assert set(shown.orders) <= set(given.orders)
    assert set(shown.bids) <= set(given.bids)


@pytest.mark.django_db
@each_form
def test_a_form_has_a_page_with_its_spellings_and_what_the_judge_made_of_the_example(form: OrderForm) -> None:
    page = Client().get(reverse("games:order-form", kwargs={"form": form.slug})).content.decode()
    words = words_of(page)
    assert form.says in words
    assert form.mind in words
    for line in form.written:
        assert f"<code>{line}</code>" in page
    assert 'class="mark"' in page
    assert ('class="relations"' if form.slug == "declare" else 'data-order="') in page


@pytest.mark.django_db
def test_the_board_to_learn_on_is_found_but_not_offered() -> None:
    assert Client().get(reverse("games:variant", kwargs={"slug": BOARD})).status_code == 200
    offered = Client().get(reverse("games:variants")).content.decode()
    assert reverse("games:variant", kwargs={"slug": BOARD}) not in offered


# In a browser, by the controls of the order form.


def give(page: Page) -> None:
    page.get_by_role("button", name="Show result").last.click()


def next_step(page: Page, lesson: Lesson) -> None:
    expect(page.get_by_role("status").filter(has_text="Well done.")).to_contain_text(lesson.praise)
    page.get_by_role("link", name="Next lesson").click()


@in_browser
@pytest.mark.django_db(transaction=True)
def test_a_stranger_learns_all_five_steps(browsers: Browsers) -> None:
    page = browsers.of()
    page.goto("/")
    page.get_by_role("navigation", name="Site").get_by_role("link", name="Learn").click()
    page.get_by_role("link", name="Start lesson 1").click()

    acts.choose(page, "Westland army in Oakham", "Move", "Hil")
    acts.choose(page, "Westland fleet in Westport", "Move", "WBY")
    give(page)
    next_step(page, LESSONS[0])

    acts.choose(page, "Westland army in Oakham", "Move", "Mil")
    acts.choose(page, "Westland army in Hills", "Support move", "A Oak", "Mil")
    give(page)
    next_step(page, LESSONS[1])

    give(page)
    expect(page.get_by_role("status").filter(has_text="Not quite.")).to_contain_text(LESSONS[2].hint)
    page.get_by_role("link", name="Try again").click()
    expect(page.get_by_text("Choose one of your units.")).to_be_visible()
    acts.choose(page, "Westland army in Oakham", "Move", "Hil")
    give(page)
    expect(page.locator(".why", has_text="Bounced with A Ash–Hil: 1 against 1.")).to_be_visible()
    next_step(page, LESSONS[2])

    acts.choose(page, "Westland army in Oakham", "Move", "Mil")
    acts.bid(page, 0, "Army in Corridor", "1", "Support move", "A Oak", "Mil")
    give(page)
    next_step(page, LESSONS[3])

    expect(page.get_by_text("What just happened")).to_be_visible()
    acts.choose(page, "Eastland army in Hills", "A Hil retreats to Ash")
    give(page)
    expect(page.get_by_role("status").filter(has_text="Well done.")).to_be_visible()
    expect(page.locator('[data-unit="ASH"]')).to_have_count(0)
    page.get_by_role("link", name="Show the new positions").click()
    expect(page.locator('[data-unit="ASH"]')).to_have_count(1)
    expect(page.get_by_role("link", name="Play your first game now")).to_be_visible()
    page.get_by_role("link", name="Find a game to join").click()
    expect(page.get_by_role("heading", level=1, name="Games")).to_be_visible()


@in_browser
@pytest.mark.django_db(transaction=True)
def test_the_question_on_the_map_does_not_hide_the_space_that_the_lesson_asks_for(browsers: Browsers) -> None:
    page = browsers.of(**PHONE)
    page.goto(reverse("games:lesson", kwargs={"number": 1}))
    show_map(page)
    order(page, "OAK", "Move", "HIL")
    bar = page.locator(".entry-bar")
    expect(bar).to_contain_text("A Oak–Hil.")
    bar.get_by_role("button", name="Show result").tap()
    expect(page.get_by_role("status").filter(has_text="Not quite.")).to_contain_text(LESSONS[0].hint)


@in_browser
@pytest.mark.django_db(transaction=True)
def test_the_unit_that_must_retreat_is_ringed_and_not_the_one_that_beat_it(browsers: Browsers) -> None:
    page = browsers.of(**PHONE)
    page.goto(reverse("games:lesson", kwargs={"number": 5}))
    show_map(page)
    expect(page.locator(".entry-bar")).to_contain_text("Choose a unit that has to retreat.")
    tap(page, "HIL")
    ring = page.locator(".marks .asked").bounding_box()
    leaving = page.locator('.unit.dislodged[data-unit="HIL"] .ring').bounding_box()
    assert ring
    assert leaving
    assert ring["x"] + ring["width"] / 2 == pytest.approx(leaving["x"] + leaving["width"] / 2, abs=1)
    assert ring["y"] + ring["height"] / 2 == pytest.approx(leaving["y"] + leaving["height"] / 2, abs=1)


@in_browser
@pytest.mark.django_db(transaction=True)
def test_the_form_works_without_scripts(browsers: Browsers) -> None:
    page = browsers.of(java_script_enabled=False)
    page.goto(reverse("games:lesson", kwargs={"number": 4}))
    attack = "A OAK - MIL"
    page.get_by_label("Westland army in Oakham").select_option(attack)
    page.get_by_label("Minor power").first.select_option("COR")
    page.get_by_role("button", name="Show its orders").first.click()
    page.get_by_label("Its order").first.select_option("A COR S A OAK - MIL")
    page.get_by_label("Points", exact=True).first.fill("1")
    give(page)
    expect(page.get_by_role("status").filter(has_text="Well done.")).to_be_visible()
