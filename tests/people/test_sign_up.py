"""Creating an account and changing its password: what the pages say, keep, and take from the browser."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connections, transaction
from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.forms import GOOD_NAMES
from tests.cast import DAVE, PASSWORD, person
from tests.factories import running_game

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "erin", "email": "erin@example.org", "password1": PASSWORD, "password2": PASSWORD}


def signed_up(**changed: str) -> str:
    answer: Any = Client().post(reverse("account_signup"), {**SIGN_UP, **changed})
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("username", "e r i n", f"This username can’t be used. {GOOD_NAMES}"),
        *(
            ("username", name, GOOD_NAMES)
            for name in ("erin@home", "ｅｒｉｎ", "еrin", "..", "_", "ﬁona", "e\u200brin")
        ),
        ("username", DAVE, "This username is already taken. Choose another."),
        ("username", "moderator", "This username is reserved. Choose another."),
        ("password1", "short", "At least 12 characters, not all digits"),
        ("password1", "long enough " * 11, "A password can have at most 128 characters."),
    ],
)
def test_what_is_wrong_is_said_in_words_of_this_site_and_what_was_typed_is_kept(
    field: str, typed: str, sentence: str
) -> None:
    person(DAVE)
    page = signed_up(**{field: typed})
    assert sentence in page
    assert 'value="erin@example.org"' in page
    assert not get_user_model().objects.filter(email=SIGN_UP["email"]).exists()


@pytest.mark.parametrize(
    ("sent", "kept"), [("America/New_York", "America/New_York"), ("", "UTC"), ("Atlantis/Poseidonis", "UTC")]
)
def test_a_new_account_reads_times_in_the_zone_of_its_browser(sent: str, kept: str) -> None:
    signed_up(time_zone=sent)
    assert get_user_model().objects.get(username="erin").time_zone == kept


@pytest.mark.parametrize("name", ["erin.2", "Зоя", "Ζωή", "花子さん", "José-María"])
def test_a_name_may_be_of_any_one_alphabet(name: str) -> None:
    signed_up(username=name)
    assert get_user_model().objects.get(email=SIGN_UP["email"]).username == name


@pytest.mark.parametrize("zone", ["Etc/GMT+12", "Etc/GMT-14", "Factory", "Asia/Kathmandu"])
def test_pages_are_shown_in_every_time_zone(zone: str) -> None:
    game, user = running_game(), person(DAVE)
    user.time_zone = zone
    user.save(update_fields=["time_zone"])
    client = Client()
    client.force_login(user)
    assert client.get(reverse("games:game", args=[game.slug])).status_code == HTTPStatus.OK


def test_a_wrong_password_is_called_name_or_password_and_the_name_stays() -> None:
    person(DAVE)
    for login in (DAVE, f"{DAVE}@example.org"):
        answer = Client().post(reverse("account_login"), {"login": login, "password": "not this one"})
        page = answer.content.decode()
        assert "The name, email address or password is not correct." in page
        assert f'value="{login}"' in page


def test_the_password_is_changed_on_a_page_like_the_others() -> None:
    client = Client()
    client.force_login(person(DAVE))
    address = reverse("account_change_password")
    page = client.get(address).content.decode()
    for label in ("Current password", "New password", "New password (again)"):
        assert f">{label}</label>" in page
    assert "placeholder" not in page.partition("<main")[2]
    wanted = {"oldpassword": "not this one", "password1": "a longer way home", "password2": "a longer way home"}
    assert "This isn’t your password." in client.post(address, wanted).content.decode()
    answer = client.post(address, {**wanted, "oldpassword": PASSWORD})
    assert answer.status_code == HTTPStatus.FOUND
    assert person(DAVE).check_password("a longer way home")


def test_a_link_that_is_too_old_says_what_to_do() -> None:
    page = Client().get(reverse("account_confirm_email", args=["MQ:worn:out"])).content.decode()
    assert "This link is incomplete or has expired" in page
    assert reverse("account_email") in page


@pytest.mark.django_db(transaction=True)
def test_of_two_who_take_a_name_at_once_one_gets_it_however_it_is_written() -> None:
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            person("ERIN")
            other = pool.submit(_from_another_connection)
            with suppress(TimeoutError):
                other.result(timeout=1)
        assert "someone was faster" in other.result()
    assert not get_user_model().objects.filter(email=SIGN_UP["email"]).exists()


def _from_another_connection() -> str:
    try:
        return Client().post(reverse("account_signup"), SIGN_UP, follow=True).content.decode()
    finally:
        connections.close_all()
