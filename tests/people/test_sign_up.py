"""Creating an account and changing its password: what the pages say, keep, and take from the browser."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.db import connections, transaction
from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.forms import USERNAME_HELP
from tests.cast import DAVE, PASSWORD, person
from tests.factories import running_game, waiting_game

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

SIGN_UP = {"username": "erin", "email": "erin@example.org", "password1": PASSWORD}


def signed_up(**changed: str) -> str:
    answer: Any = Client().post(reverse("account_signup"), {**SIGN_UP, **changed})
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize(
    ("field", "typed", "sentence"),
    [
        ("username", "e r i n", f"This username can’t be used. {USERNAME_HELP}"),
        *(
            ("username", name, USERNAME_HELP)
            for name in ("erin@home", "ｅｒｉｎ", "еrin", "..", "_", "ﬁona", "e\u200brin")
        ),
        ("username", DAVE, "This username is already taken. Choose another."),
        *(
            ("username", name, "This username is reserved. Choose another.")
            for name in ("moderator", "moderator.", "Mode-rator", "m0derator", "ADMlN", "ɡm")
        ),
        *(
            ("username", name, "This username looks like one that is already taken. Choose another.")
            for name in ("dave.", "D-A-V-E", "d_ave", "ԁаѵе")
        ),
        *(
            ("username", name, "This username looks like a web address. Use - or _ in place of the dot.")
            for name in ("www.evil.example", "evil.рф", "erin.example-2", "192.0.2.1")
        ),
        ("username", "e" * 31, f"This username has 31 characters. {USERNAME_HELP}"),
        ("password1", "short", "At least 12 characters, not all digits"),
        ("password1", "long enough " * 11, "A password can have at most 128 characters."),
    ],
)
def test_what_is_wrong_is_said_in_words_of_this_site_and_what_was_typed_is_kept(
    field: str, typed: str, sentence: str
) -> None:
    person(DAVE)
    page = signed_up(**{field: typed})
    assert str(sentence) in page
    for kept in ("erin@example.org", SIGN_UP["password1"] if field != "password1" else typed):
        assert f'value="{kept}"' in page
    assert not get_user_model().objects.filter(email=SIGN_UP["email"]).exists()


def test_the_rules_are_said_beforehand_and_the_password_is_asked_for_once() -> None:
    page = Client().get(reverse("account_signup")).content.decode()
    assert "At least 12 characters, not all digits." in page
    assert str(USERNAME_HELP) in page
    assert page.count('type="password"') == 1


def test_a_new_player_is_asked_what_to_do_first() -> None:
    client = Client()
    answer = client.post(reverse("account_signup"), SIGN_UP)
    assert answer.headers["Location"] == reverse("games:welcome")
    page = client.get(reverse("games:welcome")).content.decode()
    assert "What would you like to do first?" in page
    assert "Go to your games" not in page
    assert [page.count(reverse(f"games:{name}") + '"') > 1 for name in ("create", "learn")] == [True, True]
    waiting_game()
    assert "1 game is looking for players." in client.get(reverse("games:welcome")).content.decode()


def test_who_signs_up_to_join_a_game_comes_back_to_it() -> None:
    game, client = waiting_game(), Client()
    terms = reverse("games:terms", args=[game.slug])
    for page in (reverse("games:game", args=[game.slug]), terms):
        shown = client.get(page).content.decode()
        assert f'href="{reverse("account_signup")}?next={quote(terms)}%23join">Sign up and join</a>' in shown
    sign_up = f"{reverse('account_signup')}?next={quote(terms)}%23join"
    assert f'name="next" value="{terms}#join"' in client.get(sign_up).content.decode()
    answer = client.post(sign_up, {**SIGN_UP, "next": f"{terms}#join"})
    assert answer.headers["Location"] == f"{terms}#join"


def test_confirming_the_address_leads_back_too_in_the_same_browser_and_in_another(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    terms = reverse("games:terms", args=[waiting_game().slug])
    for name, is_same in (("erin", True), ("fred", False)):
        client = Client()
        who = {"username": name, "email": f"{name}@example.org", "password1": PASSWORD}
        client.post(reverse("account_signup"), {**who, "next": terms})
        (link,) = re.findall(r"https?://\S+", str(mail.outbox[-1].body))
        path = link.removeprefix(settings.SITE_ADDRESS)
        browser = client if is_same else Client()
        page = browser.get(path).content.decode().partition("<main")[2]
        sent = re.search(r'name="next" value="([^"]*)"', page)
        assert sent is not None
        answer = browser.post(path.partition("?")[0], {"next": sent[1]})
        assert answer.headers["Location"] == terms
        assert ("_auth_user_id" in browser.session) is is_same


def test_the_link_that_confirms_an_address_leads_nowhere_else(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    Client().post(reverse("account_signup"), {**SIGN_UP, "next": "https://elsewhere.example/"})
    assert "elsewhere" not in str(mail.outbox[-1].body)


@pytest.mark.parametrize(
    ("sent", "kept"), [("America/New_York", "America/New_York"), ("", "UTC"), ("Atlantis/Poseidonis", "UTC")]
)
def test_a_new_account_reads_times_in_the_zone_of_its_browser(sent: str, kept: str) -> None:
    signed_up(time_zone=sent)
    assert get_user_model().objects.get(username="erin").time_zone == kept


@pytest.mark.parametrize(
    ("taken", "name"), [("oca", "оса"), ("anna", "ΑΝΝΑ"), ("Iris", "lris"), ("bob", "b0b"), ("anna", "Anna+")]
)
def test_no_new_name_looks_like_one_that_is_taken(taken: str, name: str) -> None:
    person(taken)
    page = signed_up(username=name)
    assert "Choose another." in page
    assert not get_user_model().objects.filter(email=SIGN_UP["email"]).exists()


def test_names_that_exist_and_look_alike_are_kept_and_their_owners_sign_in() -> None:
    for name in ("anna", "anna.", "www.evil.example", "e" * 31):
        person(name)
        answer = Client().post(reverse("account_login"), {"login": name, "password": PASSWORD})
        assert answer.status_code == HTTPStatus.FOUND
        user = get_user_model().objects.get(username=name)
        user.save()
        assert get_user_model().objects.get(pk=user.pk).username == name


def test_a_name_that_is_no_longer_used_leaves_its_look_to_others() -> None:
    user = person(DAVE)
    user.username = "erika"
    user.save()
    assert "already taken" in signed_up(username="Erika.")
    signed_up(username="dave.")
    assert get_user_model().objects.get(email=SIGN_UP["email"]).username == "dave."


@pytest.mark.parametrize("name", ["erin.2", "e" * 30, "J.R-S", "Зоя", "Ζωή", "花子さん", "José-María"])
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


def test_a_link_opened_again_says_that_the_address_is_confirmed() -> None:
    signed_up()
    client = Client()
    (link,) = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[0].body))
    assert "Is <strong>" in client.get(link).content.decode()
    client.post(link)
    for page in (Client().get(link), Client().post(link)):
        assert "This address is confirmed" in page.content.decode()
        assert SIGN_UP["email"] in page.content.decode()


def test_a_mistake_in_a_form_of_the_account_is_told_once() -> None:
    page = Client().post(reverse("account_signup"), {**SIGN_UP, "username": person(DAVE).username}).content.decode()
    assert page.count("This username is already taken") == 1
    assert '<a href="#id_username">Username</a>' in page


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(("name", "how"), [("ERIN", "is"), ("erin.", "looks like one that is")])
def test_of_two_who_take_a_name_at_once_one_gets_it_however_it_is_written(name: str, how: str) -> None:
    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            person(name)
            other = pool.submit(_from_another_connection)
            with suppress(TimeoutError):
                other.result(timeout=1)
        assert f"This username {how} already taken. Choose another." in other.result()
        assert f'value="{SIGN_UP["email"]}"' in other.result()
    assert not get_user_model().objects.filter(email=SIGN_UP["email"]).exists()


def _from_another_connection() -> str:
    try:
        return Client().post(reverse("account_signup"), SIGN_UP, follow=True).content.decode()
    finally:
        connections.close_all()
