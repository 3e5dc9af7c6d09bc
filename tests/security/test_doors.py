"""What every response tells a browser, and what sign-in and other doors reveal to an attacker."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.conf import settings as configured
from django.contrib.auth.hashers import MD5PasswordHasher, check_password, make_password
from django.core import mail
from django.test import Client
from django.urls import get_resolver, reverse

from diplomacy_site.settings import base
from tests.cast import DAVE, PASSWORD, PLAYERS, person
from tests.factories import running_game

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

LOGIN, SIGNUP, RESET = (reverse(f"account_{name}") for name in ("login", "signup", "reset_password"))
ELSEWHERE = (
    "https://evil.example/",
    "//evil.example/",
    "\\\\evil.example",
    "/\\evil.example",
    "javascript:alert(1)",
    "http:///evil.example",
)


class Counting(MD5PasswordHasher):
    """Counts how often a password is hashed, because that takes the time."""

    algorithm = "counting"
    count = 0

    def encode(self, password: str, salt: str, iterations: Any = None) -> str:  # noqa: ARG002
        Counting.count += 1
        return super().encode(password, salt)


@pytest.fixture
def counted(settings: Settings) -> type[Counting]:
    settings.PASSWORD_HASHERS = [f"{Counting.__module__}.Counting"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    person(DAVE)
    return Counting


def asked(path: str, **sent: str) -> tuple[Any, int, int]:
    """The response, how often a password was hashed for it, and how many emails were sent."""
    Counting.count, before = 0, len(mail.outbox)
    answer = Client().post(path, sent)
    return answer, Counting.count, len(mail.outbox) - before


def wrong_login(name: str) -> tuple[int, str, int]:
    answer, hashed, _letters = asked(LOGIN, login=name, password="not this one")
    return answer.status_code, "not correct" if "not correct" in answer.content.decode() else "", hashed


def most_memory() -> int:
    """The most that this process has had since it was told to forget, in kB."""
    status = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))


def test_passwords_sent_at_the_same_moment_take_the_memory_of_one(settings: Settings) -> None:
    settings.PASSWORD_HASHERS = base.PASSWORD_HASHERS
    one, four = make_password(PASSWORD), [PASSWORD] * 4
    for hashing in (make_password, lambda password: check_password(password, one)):
        Path("/proc/self/clear_refs").write_text("5")  # forget
        before = most_memory()
        with ThreadPoolExecutor(len(four)) as threads:
            assert all(threads.map(hashing, four))
        assert 90_000 < most_memory() - before < 150_000


def test_a_wrong_password_and_an_unknown_name_are_answered_alike(counted: type[Counting]) -> None:
    known, unknown = wrong_login(DAVE), wrong_login("nobody")
    assert known == unknown == (200, "not correct", known[2])
    assert known[2] >= 1
    by_mail = [wrong_login(f"{name}@example.org") for name in (DAVE, "nobody")]
    assert by_mail[0] == by_mail[1]


def test_a_forgotten_password_says_nothing_about_who_is_here(counted: type[Counting]) -> None:
    seen = [asked(RESET, email=f"{name}@example.org") for name in (DAVE, "nobody")]
    assert [(answer.status_code, answer["Location"], letters) for answer, _hashed, letters in seen] == [
        (302, reverse("account_reset_password_done"), 1)
    ] * 2


def test_signing_up_says_nothing_about_whose_address_is_here(counted: type[Counting]) -> None:
    facts = {"password1": PASSWORD}
    taken = asked(SIGNUP, username="erin", email="dave@example.org", **facts)
    free = asked(SIGNUP, username="frank", email="frank@example.org", **facts)
    assert [
        (answer.status_code, answer["Location"], hashed > 0, letters) for answer, hashed, letters in (taken, free)
    ] == [(302, reverse("account_email_verification_sent"), True, 1)] * 2
    assert "already" in str(mail.outbox[0].body)
    assert [tuple(letter.to) for letter in mail.outbox] == [("dave@example.org",), ("frank@example.org",)]


@pytest.mark.parametrize("target", ELSEWHERE)
def test_no_door_leads_to_another_site(target: str) -> None:
    person(DAVE)
    browser = Client()
    answers = [
        browser.post(reverse("games:theme"), {"next": target}),
        browser.post(LOGIN, {"login": DAVE, "password": PASSWORD, "next": target}),
        browser.post(reverse("account_reauthenticate"), {"password": PASSWORD, "next": target}),
        browser.get(reverse("admin:login"), {"next": target}),
        browser.post(reverse("account_logout"), {"next": target}),
    ]
    for answer in answers:
        assert "evil" not in answer.get("Location", "")
        assert not answer.get("Location", "").startswith("javascript")


def test_every_answer_says_what_browsers_may_do_with_it() -> None:
    game = running_game()
    browser = Client()
    browser.force_login(person(DAVE))
    for name, facts in (
        ("games:home", {}),
        ("games:game", {"slug": game.slug}),
        ("api:games", {}),
        ("account_email", {}),
    ):
        answer = browser.get(reverse(name, kwargs=facts))
        assert answer["Cross-Origin-Opener-Policy"] == "same-origin"
        assert answer["Cross-Origin-Resource-Policy"] == "same-origin"
        assert answer["Referrer-Policy"] == "same-origin"
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert answer["X-Frame-Options"] == "DENY"
        assert "camera=()" in answer["Permissions-Policy"]
        policy = answer["Content-Security-Policy"]
        assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"} <= set(policy.split("; "))
        assert "unsafe" not in policy
        assert "no-store" in answer["Cache-Control"], name


def test_another_host_is_refused_and_no_letter_follows_it() -> None:
    person(DAVE)
    assert Client().get("/", headers={"host": "evil.example"}).status_code == 400
    Client().post(RESET, {"email": "dave@example.org"}, headers={"x-forwarded-host": "evil.example"})
    assert "evil" not in str(mail.outbox[0].body)


def test_no_letter_leads_to_the_port_that_a_request_named() -> None:
    person(DAVE)
    for email in ("dave@example.org", "nobody@example.org"):
        Client().post(RESET, {"email": email}, headers={"host": "testserver:9999"})
    both = [f"{letter.body} {letter.alternatives}" for letter in mail.outbox]  # type: ignore[union-attr]
    assert len(both) == 2
    assert all("http://testserver/accounts/" in words and ":9999" not in words for words in both)


def test_a_form_from_another_site_is_refused() -> None:
    browser = Client(enforce_csrf_checks=True)
    browser.force_login(person(DAVE))
    assert browser.post(reverse("games:tokens"), {"name": "x", "days": "30"}).status_code == 403
    put = browser.put(reverse("api:sheet", args=[running_game().slug]), {}, content_type="application/json")
    assert put.status_code == 403


def test_files_are_taken_nowhere() -> None:
    assert configured.MEDIA_ROOT == ""
    uploads = [key for key in get_resolver().reverse_dict if "upload" in str(key)]
    assert uploads == []


def test_a_session_gets_a_new_name_when_somebody_signs_in_or_out() -> None:
    person(DAVE)
    browser = Client()
    browser.get("/")
    session = browser.session
    session["planted"] = "yes"
    session.save()
    planted = str(session.session_key)
    browser.cookies[configured.SESSION_COOKIE_NAME] = planted
    browser.post(LOGIN, {"login": DAVE, "password": PASSWORD})
    inside = browser.cookies[configured.SESSION_COOKIE_NAME].value
    assert inside != planted
    browser.post(reverse("account_logout"))
    thief = Client()
    thief.cookies[configured.SESSION_COOKIE_NAME] = inside
    assert thief.get(reverse("games:profile")).status_code == 302


def test_a_new_password_ends_every_other_session() -> None:
    person(DAVE)
    here, there = Client(), Client()
    for browser in (here, there):
        browser.post(LOGIN, {"login": DAVE, "password": PASSWORD})
    chosen = {"oldpassword": PASSWORD, "password1": "rusty anchors 7", "password2": "rusty anchors 7"}
    assert here.post(reverse("account_change_password"), chosen).status_code == 302
    profile = reverse("games:profile")
    assert [browser.get(profile).status_code for browser in (here, there)] == [200, 302]


def test_a_recovery_code_works_once() -> None:
    TOTP.activate(person(DAVE), "JBSWY3DPEHPK3PXP")
    (one, *_others) = RecoveryCodes.activate(person(DAVE)).get_unused_codes()
    opened = []
    for _ in range(2):
        browser = Client()
        browser.post(LOGIN, {"login": DAVE, "password": PASSWORD})
        opened.append(browser.post(reverse("mfa_authenticate"), {"code": one}).status_code)
    assert opened == [302, 200]


def test_the_api_reads_json_and_nothing_else() -> None:
    path, browser = reverse("api:sheet", args=[running_game().slug]), Client()
    browser.force_login(person(PLAYERS[0]))
    for kind in ("text/plain", "application/xml", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert browser.put(path, "orders=A+Mun+H", content_type=kind).status_code == 415


def test_a_refused_sign_in_is_logged_without_a_name_and_an_address(caplog: pytest.LogCaptureFixture) -> None:
    person(DAVE)
    for network in ("192.0.2.1", "192.0.2.1", "192.0.2.2"):
        Client(REMOTE_ADDR=network).post(LOGIN, {"login": DAVE, "password": "a guess"})
    lines = [line.getMessage() for line in caplog.records if line.name == "diplomacy_site.accounts.backend"]
    assert len(lines) == 3
    assert (lines[0] == lines[1], lines[0] == lines[2]) == (True, False)
    assert all(word not in " ".join(lines) for word in (DAVE, "guess", "192.0.2"))


def test_an_address_is_changed_only_by_who_shows_the_password_again() -> None:
    browser = Client()
    browser.force_login(person(DAVE))
    page = reverse("account_email")
    assert browser.get(page).status_code == 200
    asked_again = browser.post(page, {"action_add": "", "email": "thief@example.org"})
    assert asked_again["Location"].startswith(reverse("account_reauthenticate"))
    assert mail.outbox == []


@pytest.mark.parametrize("path", ["/people/%00/", "/invitations/a%00b/", "/moderation/people/%00/sign-ins/"])
def test_the_sign_zero_in_an_address_is_looked_for_nowhere(path: str, client: Client) -> None:
    assert client.get(path).status_code == 404
