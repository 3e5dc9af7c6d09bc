"""Signing up on a site that approves accounts, and the list in which moderators do so."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.auth import get_user_model
from django.core import mail
from django.test import Client
from django.urls import reverse

from games.people.models import ActKind, Approval, ModerationAct
from games.people.newcomers import ACCOUNTS_ON_A_PAGE, approve_accounts, send_approval_emails
from tests.browsers import visitor
from tests.cast import DAVE, PASSWORD, PLAYERS, person
from tests.factories import running_game
from tests.people.test_moderation import moderator

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db
PAGE, SIGN_UP, SIGN_IN = reverse("games:accounts"), reverse("account_signup"), reverse("account_login")
WAITING = f"{reverse('account_inactive')}?waiting=yes"
ALICE = PLAYERS[0]


def signs_up(name: str) -> Any:
    return Client().post(SIGN_UP, {"username": name, "email": f"{name}@example.org", "password1": PASSWORD})


def signs_in(name: str) -> Any:
    return Client().post(SIGN_IN, {"login": name, "password": PASSWORD})


def words(answer: Any) -> str:
    return " ".join(answer.content.decode().replace("&#x27;", "'").split())


def never_signed_in(*names: str) -> None:
    for name in names:
        person(name)


def test_on_an_open_site_a_new_account_waits_for_nobody() -> None:
    signs_up("erin")
    assert person("erin").is_active
    assert not person("erin").awaits_approval


@pytest.mark.parametrize("verification", ["optional", "mandatory"])
def test_a_new_account_waits_until_a_moderator_approves_it_and_an_email_says_so(
    settings: Settings, verification: str
) -> None:
    settings.SIGN_UP, settings.ACCOUNT_EMAIL_VERIFICATION = "approval", verification
    assert signs_up("erin").headers["Location"] == WAITING
    assert "waiting for approval" in words(Client().get(WAITING))
    assert signs_in("erin").headers["Location"] == WAITING
    dave, mails = moderator(), len(mail.outbox)
    assert "New accounts: 1 waiting" in words(dave.get(reverse("games:moderation")))
    answer = dave.post(PAGE, {"act": "approve", "accounts": "erin"}, follow=True)
    assert "1 account approved." in words(answer)
    send_approval_emails()
    send_approval_emails()
    (sent,) = mail.outbox[mails:]
    assert (sent.to, sent.subject) == (["erin@example.org"], "Your account has been approved")
    assert sent.extra_headers["Auto-Submitted"] == "auto-generated"
    assert SIGN_IN in sent.body
    assert signs_in("erin").headers["Location"] != WAITING
    act = ModerationAct.objects.get()
    assert (act.kind, act.by, act.user) == (ActKind.APPROVED, person(DAVE), person("erin"))


def test_the_page_after_signing_up_does_not_tell_whether_an_address_has_an_account(settings: Settings) -> None:
    settings.SIGN_UP, settings.ACCOUNT_EMAIL_VERIFICATION = "approval", "mandatory"
    person(DAVE)
    taken = Client().post(SIGN_UP, {"username": "dan", "email": "dave@example.org", "password1": PASSWORD})
    assert taken.headers["Location"] == signs_up("erin").headers["Location"]


def test_a_mail_server_that_is_away_only_delays_that_email(settings: Settings) -> None:
    never_signed_in("erin")
    get_user_model().objects.filter(username="erin").update(awaits_approval=True, is_active=False)
    approve_accounts(by=person(DAVE).pk, usernames=["erin"])
    working = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND, settings.EMAIL_HOST = "django.core.mail.backends.smtp.EmailBackend", "127.0.0.1"
    settings.EMAIL_PORT = 9
    send_approval_emails()
    assert Approval.objects.count() == 1
    settings.EMAIL_BACKEND = working
    send_approval_emails()
    assert mail.outbox == [], "not straight away"
    Approval.objects.update(next_try=person("erin").date_joined)
    send_approval_emails()
    assert len(mail.outbox) == 1
    assert not Approval.objects.exists()


def test_the_list_shows_days_is_searched_by_name_and_has_pages() -> None:
    users = get_user_model().objects
    users.bulk_create(
        [users.model(username=f"newcomer-{n:03}", email=f"{n}@example.org") for n in range(ACCOUNTS_ON_A_PAGE + 5)]
    )
    users.filter(username="newcomer-054").update(last_seen=date(2020, 2, 29), last_login=person(DAVE).date_joined)
    dave = moderator()
    first = words(dave.get(PAGE, {"q": "NEWCOMER"}))
    assert first.count('name="accounts"') == ACCOUNTS_ON_A_PAGE
    assert "Page 1 of 2" in first
    assert 'value="dave"' not in first
    second = words(dave.get(PAGE, {"q": "NEWCOMER", "page": "2"}))
    assert second.count('name="accounts"') == 5
    assert "never signed in" in second
    assert "last seen 29 Feb" in words(dave.get(PAGE, {"q": "054"}))
    assert "No accounts match." in words(dave.get(PAGE, {"q": "nobody-of-this-name"}))


def test_the_list_depends_on_no_game() -> None:
    dave, names = moderator(), [*PLAYERS, "carol"]
    for name in names:
        person(name)
    before = words(dave.get(PAGE)).partition("<main")[2]
    running_game(hidden_names=True)
    after = words(dave.get(PAGE)).partition("<main")[2]
    assert [part.partition("</span>")[0] for part in before.split("choice__help")[1:]] == [
        part.partition("</span>")[0] for part in after.split("choice__help")[1:]
    ]


def test_several_are_suspended_at_once_or_none_is() -> None:
    never_signed_in("erin", "fred")
    dave = moderator()
    refused = dave.post(PAGE, {"act": "suspend", "accounts": ["erin", DAVE], "reason": "Spam"})
    assert refused.status_code == 422
    assert "A moderator can’t be suspended." in words(refused)
    assert 'value="Spam"' in words(refused)
    assert words(refused).count(" checked") == 2
    assert person("erin").is_active
    dave.post(PAGE, {"act": "suspend", "accounts": ["erin", "fred"], "reason": "Spam"})
    assert [person(name).is_active for name in ("erin", "fred")] == [False, False]
    assert set(ModerationAct.objects.values_list("kind", "reason")) == {
        (ActKind.SUSPENDED, "Spam (until a moderator ends it)")
    }


def test_deleting_asks_again_and_only_takes_accounts_that_nobody_has_used() -> None:
    never_signed_in("erin", "fred")
    signs_in("fred")
    dave = moderator()
    sent = {"act": "delete", "accounts": ["erin"], "reason": "Never used"}
    asked = dave.post(PAGE, sent)
    assert "Delete 1 account?" in words(asked)
    assert get_user_model().objects.filter(username="erin").exists()
    used = dave.post(PAGE, {**sent, "accounts": ["erin", "fred"], "sure": "yes"})
    assert "Nothing was deleted: fred has signed in before." in words(used)
    assert get_user_model().objects.filter(username="erin").exists()
    dave.post(PAGE, {**sent, "sure": "yes"})
    assert not get_user_model().objects.filter(username="erin").exists()
    act = ModerationAct.objects.get(kind=ActKind.DELETED)
    assert act.reason == "Never used"
    assert act.user is not None
    assert act.user.get_username() == f"former player {act.user.pk}"


def test_accounts_that_wait_or_are_suspended_can_be_deleted(settings: Settings) -> None:
    settings.SIGN_UP = "approval"
    signs_up("erin")
    never_signed_in("fred")
    dave = moderator()
    dave.post(PAGE, {"act": "suspend", "accounts": ["fred"], "reason": "Spam"})
    answer = dave.post(PAGE, {"act": "delete", "accounts": ["erin", "fred"], "reason": "Spam", "sure": "yes"})
    assert answer.headers["Location"] == PAGE
    assert not get_user_model().objects.filter(username__in=["erin", "fred"]).exists()


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"act": "approve"}, "Choose at least one account in the list."),
        ({"act": "suspend", "accounts": ["erin"]}, "Give a reason: it is recorded in the log."),
        ({"act": "approve", "accounts": ["erin"]}, "Nothing was changed: erin is not waiting for approval."),
        ({"act": "approve", "accounts": ["nobody"]}, "There is no account with the name “nobody”."),
    ],
)
def test_what_cannot_be_done_is_said(sent: dict[str, Any], sentence: str) -> None:
    never_signed_in("erin")
    answer = moderator().post(PAGE, sent)
    assert answer.status_code == 422
    assert sentence in words(answer)


def test_only_moderators_see_the_list() -> None:
    assert visitor(ALICE).get(PAGE).status_code == 404
