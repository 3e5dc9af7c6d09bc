"""A second factor: asked for after the password, encrypted in the database, and required for staff and moderators."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.conf import settings as site
from django.contrib.auth.models import Permission
from django.core import mail
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from games.news.models import PushDevice
from games.people.views.second_factor import FACTOR_HOLDS_SECONDS
from tests.cast import CAROL, DAVE, PASSWORD, SAM, person
from tests.factories import running_game
from tests.secrecy.addresses import addresses

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

SECRET = "JBSWY3DPEHPK3PXP"
MODERATION = "/moderation/"


@pytest.fixture(autouse=True)
def demanded(settings: Settings) -> None:
    settings.STAFF_SECOND_FACTOR = True


def code(later: int = 0) -> str:
    """The code that an app shows; each works once, so a second one within 30 seconds is the next one."""
    shown: str = format_hotp_value(hotp_value(SECRET, int(time.time()) // 30 + later))
    return shown


def with_app(name: str) -> Client:
    """A browser of a user with an app who has entered only the password."""
    TOTP.activate(person(name), SECRET)
    return after_password(name)


def after_password(name: str) -> Client:
    person(name)
    browser = Client()
    browser.post(reverse("account_login"), {"login": name, "password": PASSWORD})
    return browser


def moderator() -> str:
    person(CAROL).user_permissions.add(Permission.objects.get(codename="moderate"))
    return CAROL


def test_the_password_alone_opens_nothing_where_there_is_a_second_factor() -> None:
    browser = with_app(DAVE)
    assert browser.get(reverse("games:profile")).status_code == 302
    wrong = browser.post(reverse("mfa_authenticate"), {"code": "000000"})
    assert (wrong.status_code, b"This code is wrong" in wrong.content) == (200, True)
    assert b"key" not in wrong.content.partition(b"<main")[2].partition(b"</main>")[0], "there is none"
    assert browser.post(reverse("mfa_authenticate"), {"code": code()}).status_code == 302
    assert browser.get(reverse("games:profile")).status_code == 200


@pytest.mark.parametrize("half_minutes", [-2, 2])
def test_a_clock_that_is_a_minute_off_keeps_nobody_out(half_minutes: int) -> None:
    assert with_app(DAVE).post(reverse("mfa_authenticate"), {"code": code(half_minutes)}).status_code == 302


def test_a_code_works_once_and_guessing_is_stopped() -> None:
    used = code()
    with_app(DAVE).post(reverse("mfa_authenticate"), {"code": used})
    other = after_password(DAVE)
    assert b"This code is wrong" in other.post(reverse("mfa_authenticate"), {"code": used}).content
    for _ in range(4):
        other.post(reverse("mfa_authenticate"), {"code": "111111"})
    assert b"Too many failed" in other.post(reverse("mfa_authenticate"), {"code": code(1)}).content


@pytest.mark.django_db(transaction=True)
def test_changing_it_asks_who_is_there_and_a_letter_says_that_it_was_done() -> None:
    browser = after_password(DAVE)
    assert browser.get(reverse("mfa_activate_totp")).status_code == 200, "the password was given a moment ago"
    time_passes(browser, site.ACCOUNT_REAUTHENTICATION_TIMEOUT)
    asked = browser.get(reverse("mfa_activate_totp"))
    assert (asked.status_code, asked["Location"].split("?")[0]) == (302, reverse("account_reauthenticate"))
    browser.post(f"{reverse('account_reauthenticate')}?next=/", {"password": PASSWORD})
    page = browser.get(reverse("mfa_activate_totp"))
    secret = page.context["form"].secret
    made = format_hotp_value(hotp_value(secret, int(time.time()) // 30))
    shown = browser.post(reverse("mfa_activate_totp"), {"code": made}, follow=True)
    assert shown.content.count(b"<li><code>") == 10
    assert b"secure location" not in shown.content, "the page says what to do, once"
    again = browser.get(reverse("mfa_view_recovery_codes"))
    assert b"<li><code>" not in again.content
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert {tuple(letter.to) for letter in mail.outbox} == {(f"{DAVE}@example.org",)}
    assert "An authenticator app has been added to your account." in str([letter.body for letter in mail.outbox])


def test_the_admin_pages_open_to_staff_who_have_shown_one_and_to_nobody_else() -> None:
    admin = [path for name, path in addresses(running_game()).items() if name.startswith("admin:")]
    assert len(admin) > 20
    plain = after_password(SAM)
    for path in admin:
        answer = plain.get(path)
        assert answer.status_code in {302, 303, 404}, path
    led = plain.get(reverse("admin:index"), follow=True)
    assert led.redirect_chain[-1][0] == reverse("mfa_index")
    assert b"need two-step verification" in led.content
    staff = with_app(SAM)
    staff.post(reverse("mfa_authenticate"), {"code": code()})
    assert staff.get(reverse("admin:index")).status_code == 200
    assert plain.get(reverse("admin:index")).status_code == 302
    shown = plain.get(reverse("admin:index"), follow=True).redirect_chain[-1][0]
    assert shown.startswith(reverse("mfa_reauthenticate"))
    assert plain.post(shown, {"code": code(1)})["Location"] == reverse("admin:index")
    assert plain.get(reverse("admin:index")).status_code == 200


def time_passes(browser: Client, seconds: int) -> None:
    """Since this session showed its password or second factor."""
    session = browser.session
    for record in session["account_authentication_methods"]:
        record["at"] -= seconds
    session.save()


def test_who_has_a_second_factor_shows_it_before_it_is_changed() -> None:
    """Otherwise anyone with the password and an old session could open the staff pages."""
    before = after_password(SAM)
    with_app(SAM)
    before.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    for name in ("mfa_deactivate_totp", "mfa_generate_recovery_codes", "mfa_add_webauthn"):
        answer = before.post(reverse(name))
        assert answer["Location"].split("?")[0] == reverse("mfa_reauthenticate"), name
    assert Authenticator.objects.filter(user=person(SAM), type=Authenticator.Type.TOTP).exists()
    before.post(reverse("mfa_reauthenticate"), {"code": code()})
    assert before.get(reverse("mfa_deactivate_totp")).status_code == 200


def test_the_admin_pages_take_no_password_of_their_own() -> None:
    sent = {"username": person(SAM).username, "password": PASSWORD}
    answer = Client().post(reverse("admin:login"), sent)
    assert (answer.status_code, answer["Location"].split("?")[0]) == (302, reverse("account_login"))
    assert after_password(DAVE).get(reverse("admin:login")).status_code == 404
    away = Client().get(f"{reverse('admin:login')}?next=https://example.net/")
    assert "example.net" not in away["Location"]


def test_moderators_show_one_too_and_again_after_twelve_hours() -> None:
    name = moderator()
    assert after_password(name).get(MODERATION)["Location"] == reverse("mfa_index")
    browser = with_app(name)
    browser.post(reverse("mfa_authenticate"), {"code": code()})
    assert browser.get(MODERATION).status_code == 200
    time_passes(browser, FACTOR_HOLDS_SECONDS)
    again: Any = browser.get(MODERATION)
    assert again["Location"] == f"{reverse('mfa_reauthenticate')}?next=%2Fmoderation%2F"
    assert after_password(DAVE).get(MODERATION).status_code == 404


def test_signing_out_everywhere_else_leaves_this_browser_signed_in() -> None:
    here, there, other = after_password(DAVE), after_password(DAVE), after_password(CAROL)
    PushDevice.objects.create(
        user=person(DAVE), endpoint="https://push.example/1", key="k", auth="a", since="2026-01-01T00:00Z"
    )
    assert here.post(reverse("account-elsewhere")).status_code == 303
    profile = reverse("games:profile")
    assert [one.get(profile).status_code for one in (here, there, other)] == [200, 302, 200]
    assert not PushDevice.objects.exists()


def test_a_host_takes_a_lost_second_factor_away_and_seals_all_again(settings: Settings) -> None:
    row = TOTP.activate(person(DAVE), SECRET).instance
    before, old = row.data["secret"], settings.SECRET_KEY
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another one that is quite as long", [old]
    call_command("second_factor", seal_again=True)
    settings.SECRET_KEY_FALLBACKS = []
    row.refresh_from_db()
    assert row.data["secret"] != before
    assert row.wrap().validate_code(code())
    call_command("second_factor", forget=DAVE)
    assert not Authenticator.objects.exists()
    with pytest.raises(CommandError, match="has no second factor"):
        call_command("second_factor", forget=DAVE)
