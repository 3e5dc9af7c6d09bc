"""What support asks for: when an account was made, and on which day its owner was last there."""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.leaving import account_file, delete_account
from diplomacy_site.accounts.models import today
from tests.browsers import visitor
from tests.cast import DAVE, PLAYERS, SAM, person

if TYPE_CHECKING:
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db
LONG_AGO = date(2020, 2, 29)


def seen(name: str) -> date | None:
    return person(name).last_seen


def forget(name: str) -> None:
    person(name)
    get_user_model().objects.filter(username=name).update(last_seen=LONG_AGO)


def test_a_page_that_a_user_opens_is_noted_once_a_day(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    browser = visitor(DAVE)
    browser.get(reverse("games:profile"))
    forget(DAVE)
    browser.get(reverse("games:profile"))
    assert seen(DAVE) == today()
    with django_assert_num_queries(0):
        Client().get("/healthz")
    get_user_model().objects.filter(username=DAVE).update(last_seen=today() - timedelta(days=1))
    browser.get("/healthz")
    assert seen(DAVE) == today() - timedelta(days=1), "no page, but a question of a machine"


def test_the_admin_pages_show_when_accounts_joined_and_were_last_seen() -> None:
    forget(DAVE)
    staff = visitor(SAM)
    page = staff.get(reverse("admin:accounts_user_changelist")).content.decode()
    assert "column-date_joined" in page
    assert "29 Feb 2020" in page or "29 February 2020" in page
    one = staff.get(reverse("admin:accounts_user_change", args=[person(DAVE).pk])).content.decode()
    assert "29 Feb" in one
    assert 'name="last_seen"' not in one, "it is only shown"


def test_users_can_read_that_day_and_deleting_the_account_erases_it() -> None:
    forget(DAVE)
    assert account_file(person(DAVE))["account"]["last_seen"] == "2020-02-29"
    user = person(DAVE)
    delete_account(user)
    user.refresh_from_db()
    assert user.last_seen is None


def test_a_choice_of_accounts_tells_nothing_of_which_of_them_was_written_to_last() -> None:
    """A row that is written moves in its table, and accounts may have joined at one moment."""
    staff = visitor(SAM)
    joined = [person(name).date_joined for name in PLAYERS]
    get_user_model().objects.update(date_joined=joined[0])
    question = "?app_label=admin&model_name=logentry&field_name=user"

    def offered() -> list[str]:
        answer = staff.get(reverse("admin:autocomplete") + question).json()
        return [row["text"] for row in answer["results"]]

    before = offered()
    assert before == [*reversed(PLAYERS), SAM]
    for name in (PLAYERS[0], PLAYERS[-1], SAM):
        forget(name)
    assert offered() == before
