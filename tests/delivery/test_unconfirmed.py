"""People who sign up with someone else’s address can’t send words of their own there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.delivery.inbox import notice_page
from games.delivery.letters import deliver_letters
from games.kernel.models import Letter
from games.people.newcomers import approve_accounts, send_approval_emails
from games.press.services import send_message
from games.seating.services.placing import place_player
from tests.cast import CAROL, DAVE, PASSWORD, PLAYERS, person
from tests.factories import running_game, waiting_game

if TYPE_CHECKING:
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db

NAME, ADDRESS = "Get-rich-now", "victim+click.here@example.org"


@pytest.fixture(autouse=True)
def mandatory(settings: Settings) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def sent_words() -> str:
    """Everything in all emails but the addresses in their envelopes."""
    told = ""
    for letter in mail.outbox:
        pages = [str(page) for page, _kind in letter.alternatives] if isinstance(letter, EmailMultiAlternatives) else []
        told += " ".join((str(letter.subject), str(letter.body), *pages))
    return told.casefold()


def sign_up() -> None:
    Client().post(reverse("account_signup"), {"username": NAME, "email": ADDRESS, "password1": PASSWORD})


@pytest.mark.parametrize("known", [False, True])
def test_no_account_email_has_the_name_or_address_that_a_stranger_typed(known: bool, settings: Settings) -> None:
    if known:
        sign_up()
    sign_up()
    Client().post(reverse("account_reset_password"), {"email": ADDRESS})
    Client().post(reverse("account_reset_password"), {"email": "click.here@example.org"})
    assert len(mail.outbox) >= 3
    assert "rich" not in sent_words()
    assert "click" not in sent_words()
    assert settings.SITE_ADDRESS in sent_words()


def test_an_approved_account_is_told_so_without_its_name(settings: Settings) -> None:
    settings.SIGN_UP = "approval"
    sign_up()
    approve_accounts(by=person(CAROL).pk, usernames=[NAME])
    send_approval_emails()
    assert "a moderator has approved your account" in sent_words()
    assert "rich" not in sent_words()


def test_the_news_of_a_game_waits_on_the_site_for_who_has_never_signed_in() -> None:
    game, dave = waiting_game(name="Click here"), person(DAVE)
    place_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=DAVE)
    deliver_letters()
    assert mail.outbox == []
    assert not Letter.objects.filter(next_try__isnull=False, user=dave).exists(), "nor later, unasked"
    assert "Click here" in [line.game for line in notice_page(dave).lines]


def test_announcements_and_messages_go_to_those_who_have_confirmed_their_address() -> None:
    game = running_game(name="Click here")
    alice = person(PLAYERS[0])
    alice.last_login = timezone.now()
    alice.save()
    deliver_letters()
    mail.outbox.clear()
    send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Welcome", as_gm=True)
    deliver_letters()
    assert [letter.to for letter in mail.outbox] == [[alice.email]]
