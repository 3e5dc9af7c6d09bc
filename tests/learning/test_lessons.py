"""The tutorial: lessons with the real adjudicator, without an account, and a page for every form of order."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

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
    start_of_lesson,
    variant_with_example,
)
from games.orders.sheets import SentSheet, read_once
from games.people.models import Session

ATTEMPTS = {
    "goal": ("A Oak-Mil", "A Oak-Hil"),
    "move": ("A Oak-Hil\nF Wes-WBY", "A Oak-Hil"),
    "support": ("A Oak-Mil\nA Hil S A Oak-Mil", "A Oak-Mil"),
    "bounce": ("A Oak-Hil", "A Oak-Mil"),
    "retreat": ("A Hil-Ash", "A Hil D"),
    "convoy": ("A Wes-Isl\nF WBY C A Wes-Isl", "A Wes-Isl"),
    "seasons": ("A Oak S A Mil", "A Oak-Mil"),
    "build": ("BUILD A Oak", "WAIVE"),
    "bid": ("A Oak-Mil\n1: A Cor S A Oak-Mil", "A Oak-Mil\n2: A Cor H"),
    "bid-together": ("A Mun-Cze\n1: A Aus S A Mun-Cze", "A Mun-Cze\n1: A Aus H"),
}
"""Of each lesson, orders that reach its goal and orders that don't."""
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.slug)
each_form = pytest.mark.parametrize("form", ORDER_FORMS, ids=lambda form: form.slug)


def words_of(html: str) -> str:
    """The visible text, with single spaces."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def page_of(name: str) -> str:
    return reverse("games:lesson", kwargs={"name": name})


def asked(name: str, text: str) -> str:
    """The text of a lesson after these orders were given."""
    answer = Client().get(page_of(name), {"use": "text", "text": text})
    assert answer.status_code == 200
    return words_of(answer.content.decode())


@each_lesson
def test_a_lesson_is_reached_by_its_orders_and_neither_by_others_nor_by_none(lesson: Lesson) -> None:
    def reached(text: str) -> bool:
        sheet = read_once(SentSheet(text), lesson.power, start_of_lesson(lesson), lesson.variant)
        assert sheet.problems == ()
        return answer_to(lesson, sheet).reached

    right, wrong = ATTEMPTS[lesson.slug]
    assert [reached(text) for text in (right, wrong, "")] == [True, False, False]


@pytest.mark.django_db
@each_lesson
def test_a_lesson_praises_what_reaches_it_and_helps_with_the_rest(lesson: Lesson) -> None:
    right, wrong = ATTEMPTS[lesson.slug]
    assert f"Well done. {lesson.praise}" in asked(lesson.slug, right)
    assert f"Not quite. {lesson.hint}" in asked(lesson.slug, wrong)
    note = wording.words_of_phase_kind(start_of_lesson(lesson).turn.kind.value).note
    assert f"Not quite. {note[0].upper()}{note[1:]}. {lesson.hint}" in asked(lesson.slug, "")


@pytest.mark.django_db
def test_the_first_lesson_ends_with_the_win_and_the_one_on_seasons_with_the_centre() -> None:
    assert "Westland wins with 4 supply centres." in asked("goal", ATTEMPTS["goal"][0])
    assert "Westland takes Millbrook." in asked("seasons", ATTEMPTS["seasons"][0])
    assert "Westland takes Millbrook." not in asked("seasons", ATTEMPTS["seasons"][1])


@pytest.mark.django_db
def test_only_what_concerns_the_lesson_is_told_of_a_crowded_board() -> None:
    words = asked("bid-together", ATTEMPTS["bid-together"][0])
    assert "A Aus S A Mun–Cze" in words
    assert "A Mil–Swi" in words
    assert "A Spa holds" not in words


@pytest.mark.django_db
def test_a_lesson_is_still_found_at_the_number_that_it_had() -> None:
    found = {number: Client().get(f"/learn/{number}/?text=A+Oak-Mil") for number in range(1, 6)}
    names = ("move", "support", "bounce", "bid", "retreat")
    assert [answer["Location"] for answer in found.values()] == [f"{page_of(name)}?text=A+Oak-Mil" for name in names]


@pytest.mark.django_db
def test_support_may_come_from_either_army() -> None:
    assert "Well done." in asked("support", "A Hil-Mil\nA Oak S A Hil-Mil")


@pytest.mark.django_db
def test_what_cannot_be_ordered_is_told_by_line_and_stays_in_the_text() -> None:
    words = asked("move", "A Oak-Paris\nF Wes-WBY")
    assert "One order isn’t valid" in words
    assert "Line 1, “A Oak-Paris” :" in words
    assert "A Oak-Paris F Wes-WBY" in words
    assert "Orders and results" not in words


@pytest.mark.django_db
def test_trying_again_begins_with_what_was_ordered() -> None:
    address = page_of("bounce")
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
    page = Client().get(page_of("retreat")).content.decode()
    assert '<optgroup label="Retreat">' in page
    assert '<optgroup label="Move">' not in page


@pytest.mark.django_db
def test_more_points_than_there_are_cannot_be_bid() -> None:
    assert "One order isn’t valid" in asked("bid", "A Oak-Mil\n9: A Cor S A Oak-Mil")


@pytest.mark.django_db
def test_a_lesson_that_is_not_there_is_not_found() -> None:
    for path in ("/learn/0/", "/learn/6/", "/learn/attack/", "/learn/orders/attack/"):
        assert Client().get(path).status_code == 404


@pytest.mark.django_db
def test_learning_leaves_nothing_behind(django_assert_num_queries: object) -> None:
    client = Client()
    for lesson in LESSONS:
        with django_assert_num_queries(0):  # type: ignore[operator]
            client.get(page_of(lesson.slug), {"use": "text", "text": ATTEMPTS[lesson.slug][0]})
    assert not Session.objects.exists()


@each_form
def test_all_spellings_of_a_form_are_the_same_order_and_the_examples_own(form: OrderForm) -> None:
    variant = variant_with_example(form)
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
