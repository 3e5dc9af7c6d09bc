"""Letters leave at least once, say what their reader may know, and wait for a broken mail server."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from typing import TYPE_CHECKING, ClassVar

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection, transaction

from games import clock
from games.models import Letter, LetterKind
from games.notifications.delivery import LEASE, deliver_letters
from games.notifications.words import TEXTS
from games.services.game_master import close_game, seat_player
from games.services.phases import hold
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.core.mail import EmailMessage
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """What no code catches: the process is gone."""


class KilledWhileSending(EmailBackend):
    def send_messages(self, messages: object) -> int:  # noqa: ARG002 - Django's signature
        raise Killed


class LooksAtTransactions(EmailBackend):
    """Notes for every letter whether a transaction was open."""

    open_ones: ClassVar[list[bool]] = []

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        self.open_ones.append(connection.in_atomic_block)
        return super().send_messages(messages)


class BrokenServer(EmailBackend):
    def send_messages(self, messages: object) -> int:  # noqa: ARG002 - Django's signature
        raise smtplib.SMTPServerDisconnected


def test_every_letter_is_sent_once() -> None:
    running_game()
    assert deliver_letters() == 2 * len(PLAYERS) + 1
    assert deliver_letters() == 0
    assert len(mail.outbox) == 2 * len(PLAYERS) + 1
    assert not Letter.objects.filter(sent__isnull=True).exists()


def test_a_letter_names_the_game_the_turn_the_deadline_and_the_page() -> None:
    game = running_game(name="Locarno")
    user = occupancy_of(game, "GERMANY").user
    user.time_zone = "Europe/Berlin"
    user.save()
    deliver_letters()
    (letter,) = [m for m in mail.outbox if m.to == [user.email] and "movement" in m.subject]
    assert letter.subject == "Locarno: Spring 1926, movement"
    assert "Germany has something to decide" in letter.body
    assert "(Europe/Berlin)" in letter.body
    assert f"http://testserver/games/{game.slug}/" in letter.body


def test_letters_of_every_kind_have_words() -> None:
    assert set(TEXTS) == set(LetterKind)


def test_letters_about_a_seat_an_incident_and_the_end_say_so() -> None:
    game = running_game()
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="ITALY", username=person(DAVE).username)
    hold(game_id=game.pk)
    deliver_letters()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    deliver_letters()
    subjects = [message.subject for message in mail.outbox]
    assert f"{game.name}: you play Italy" in subjects
    assert f"{game.name}: the game is stopped" in subjects
    assert subjects.count(f"{game.name}: the game is over") == len(PLAYERS) + 1


def test_no_letter_is_written_to_a_bot() -> None:
    game = waiting_game()
    running = running_game()
    occupancy = occupancy_of(running, "ITALY")
    occupancy.bot = True
    occupancy.save()
    Story(running).deadline()
    assert not Letter.objects.filter(user=occupancy.user, ordinal=1).exists()
    assert not Letter.objects.filter(game=game).exists()


def test_a_letter_waits_for_a_broken_mail_server(settings: Settings) -> None:
    game = waiting_game()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    settings.EMAIL_BACKEND = f"{__name__}.BrokenServer"
    assert deliver_letters() == 0
    letter = Letter.objects.get()
    assert (letter.tries, letter.sent) == (1, None)
    assert letter.next_try is not None
    assert letter.next_try > clock.now() + timedelta(seconds=30)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert deliver_letters() == 0, "its next try is not due"
    Letter.objects.update(next_try=clock.now())
    assert deliver_letters() == 1
    assert [message.to for message in mail.outbox] == [[person(CAROL).email]]


def test_a_letter_to_somebody_who_may_no_longer_see_the_game_is_dropped() -> None:
    game = running_game(by_invitation=True)
    leaver = occupancy_of(game, "ITALY").user
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="ITALY", username=person(DAVE).username)
    deliver_letters()
    assert leaver.email not in {to for message in mail.outbox for to in message.to}
    assert not Letter.objects.filter(user=leaver).exists()


def test_a_letter_whose_sender_is_killed_leaves_when_the_lease_ends(settings: Settings) -> None:
    close_game(game_id=waiting_game().pk, by=person(CAROL).pk)
    settings.EMAIL_BACKEND = f"{__name__}.KilledWhileSending"
    with pytest.raises(Killed):
        deliver_letters()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert deliver_letters() == 0, "whoever claimed it may still be sending"
    assert Letter.objects.filter(next_try__lte=clock.now() + LEASE).count() == 1
    Letter.objects.update(next_try=clock.now())
    assert deliver_letters() == 1
    assert [message.to for message in mail.outbox] == [[person(CAROL).email]]


@pytest.mark.django_db(transaction=True)
def test_nothing_is_sent_while_a_transaction_is_open(settings: Settings) -> None:
    settings.EMAIL_BACKEND = f"{__name__}.LooksAtTransactions"
    close_game(game_id=waiting_game().pk, by=person(CAROL).pk)
    deliver_letters()
    assert LooksAtTransactions.open_ones == [False]


@pytest.mark.django_db(transaction=True)
def test_what_is_rolled_back_is_never_sent() -> None:
    game = waiting_game()
    with transaction.atomic():
        close_game(game_id=game.pk, by=person(CAROL).pk)
        transaction.set_rollback(True)
    assert deliver_letters() == 0
    assert mail.outbox == []
