"""Emails are sent at least once, say what their recipient may know, and wait for a broken mail server."""

from __future__ import annotations

import smtplib
from datetime import timedelta
from typing import TYPE_CHECKING, Any, ClassVar

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.db import connection, transaction
from django.urls import reverse

from games.deadlines.models import Reminder
from games.deadlines.phases import hold_game
from games.delivery.inbox import notice_page
from games.delivery.letters import LEASE, deliver_letters
from games.kernel import clock
from games.kernel.models import Letter
from games.kernel.wording import moment_words
from games.mastering.services.desk import close_game, extend_deadline, pause_game, resume_game, seat_player
from games.seating.services.vacancies import invite_to_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game, waiting_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.core.mail import EmailMessage
    from pytest_django.fixtures import Settings

pytestmark = pytest.mark.django_db


class Killed(BaseException):
    """Something no code catches: the process is gone."""


class KilledWhileSending(EmailBackend):
    def send_messages(self, messages: object) -> int:  # noqa: ARG002 - Django's signature
        raise Killed


class LooksAtTransactions(EmailBackend):
    """Records for every email whether a transaction was open."""

    open_ones: ClassVar[list[bool]] = []

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        self.open_ones.append(connection.in_atomic_block)
        return super().send_messages(messages)


class BrokenServer(EmailBackend):
    def send_messages(self, messages: object) -> int:  # noqa: ARG002 - Django's signature
        raise smtplib.SMTPServerDisconnected


class RefusesOne(EmailBackend):
    """Refuses one player's address."""

    def send_messages(self, messages: Sequence[EmailMessage]) -> int:
        (to,) = messages[0].to
        if to == person(PLAYERS[0]).email:
            raise smtplib.SMTPRecipientsRefused({to: (550, b"nobody here")})
        return int(super().send_messages(messages))


def test_who_loses_a_seat_before_the_letter_leaves_is_not_told_to_decide() -> None:
    game = running_game()
    before = occupancy_of(game, "GERMANY").user.email
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(DAVE).username, reason="Agreed.")
    deliver_letters()
    assert not [it for it in mail.outbox if it.to == [before] and "It’s time to enter orders" in it.body]
    assert len([it for it in mail.outbox if "It’s time to enter orders" in it.body]) == len(PLAYERS) - 1


def test_every_letter_is_sent_once() -> None:
    running_game()
    assert deliver_letters() == len([*PLAYERS, CAROL])
    assert deliver_letters() == 0
    assert len(mail.outbox) == len([*PLAYERS, CAROL])
    assert not Letter.objects.filter(sent__isnull=True).exists()


def test_a_letter_names_the_game_the_turn_the_deadline_and_the_page() -> None:
    game = running_game(name="Locarno")
    user = occupancy_of(game, "GERMANY").user
    user.time_zone = "Europe/Berlin"
    user.save()
    deliver_letters()
    (letter,) = [m for m in mail.outbox if m.to == [user.email]]
    assert letter.subject == "Locarno: the game has started: enter your orders for Spring 1926, movement"
    assert "The game has started. It’s time to enter orders for Germany." in " ".join(letter.body.split())
    deadline = open_phase(game).deadline
    assert deadline is not None
    assert f"Deadline: {moment_words(deadline, 'Europe/Berlin')}." in " ".join(letter.body.split())
    assert f"http://testserver/games/{game.slug}/" in letter.body


def test_letters_about_a_seat_an_incident_and_the_end_say_so() -> None:
    game = running_game()
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="ITALY", username=person(DAVE).username, reason="Agreed.")
    hold_game(game_id=game.pk)
    deliver_letters()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    deliver_letters()
    subjects = [message.subject for message in mail.outbox]
    assert f"{game.name}: you’re playing Italy: enter your orders for Spring 1926, movement" in subjects
    assert f"{game.name}: the game is on hold" in subjects
    assert subjects.count(f"{game.name}: the game is over") == len(PLAYERS) + 1


def test_everybody_is_told_once_that_the_clock_goes_otherwise_but_who_did_it() -> None:
    game = running_game()
    by: dict[str, Any] = {"game_id": game.pk, "by": game.gm_id}
    deliver_letters()
    mail.outbox.clear()
    extend_deadline(**by, seconds=3600, reason="The site was away.")
    deliver_letters()
    assert sorted(letter.to[0] for letter in mail.outbox) == [person(name).email for name in PLAYERS]
    (letter, *_) = mail.outbox
    assert letter.subject == "Locarno: the deadline for Spring 1926, movement, has moved"
    told = "The game master, carol, moved the deadline for Spring 1926 by 1 hour. Reason: The site was away."
    assert told in letter.body
    assert "New deadline for Spring 1926, movement: " in letter.body
    mail.outbox.clear()
    pause_game(**by)
    hold_game(game_id=game.pk)
    deliver_letters()
    assert {letter.subject for letter in mail.outbox} == {"Locarno: the game is on hold"}
    assert len(mail.outbox) == len(PLAYERS) + 1, "that it was paused before is no longer worth an email"


def test_of_a_pause_that_is_over_before_the_letter_leaves_only_the_new_deadline_is_told() -> None:
    game = running_game()
    deliver_letters()
    mail.outbox.clear()
    pause_game(game_id=game.pk, by=game.gm_id)
    resume_game(game_id=game.pk, by=game.gm_id)
    deliver_letters()
    assert {letter.subject for letter in mail.outbox} == {"Locarno: the deadline for Spring 1926, movement, has moved"}
    assert len(mail.outbox) == len(PLAYERS)
    assert all("resumed the game" in str(letter.body) for letter in mail.outbox)
    assert not Letter.objects.filter(kind="clock moved", sent=None).exists()


def test_a_reminder_of_a_deadline_that_is_gone_is_not_sent() -> None:
    game = running_game()
    deliver_letters()
    mail.outbox.clear()
    phase, now = open_phase(game), clock.now()
    for seat in game.occupancies.all():
        Reminder.objects.create(phase=phase, user=seat.user, due=now, written=now, next_try=now)
    pause_game(game_id=game.pk, by=game.gm_id)
    deliver_letters()
    assert {letter.subject for letter in mail.outbox} == {"Locarno: the game is paused"}


def test_a_replaced_player_is_told_so_even_if_they_can_no_longer_see_the_game() -> None:
    game = running_game(by_invitation=True)
    by: dict[str, Any] = {"game_id": game.pk, "by": game.gm_id, "power": "FRANCE"}
    deliver_letters()
    mail.outbox.clear()
    invite_to_seat(**by, username=person(DAVE).username)
    seat_player(**by, username=person("erin").username, reason="Agreed.")
    deliver_letters()
    letter = next(letter for letter in mail.outbox if letter.to == [person("bob").email])
    assert letter.subject == "Locarno: you have been removed"
    assert "carol, has removed you from your seat in this game" in letter.body
    assert game.slug not in f"{letter.body} {letter.extra_headers}"
    assert game.invitation not in letter.body
    assert [one.sentence for one in notice_page(person("bob")).lines if one.address == reverse("games:lobby")] == [
        "The game master has removed you from this game."
    ]
    other = [letter.subject for letter in mail.outbox if letter.to == [person(DAVE).email]]
    assert other == ["Locarno: the seat has gone to another player"]


def test_no_letter_is_written_to_a_bot() -> None:
    game = waiting_game()
    running = running_game()
    occupancy = occupancy_of(running, "ITALY")
    occupancy.bot = "easy"
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
    assert letter.next_try > clock.now() + timedelta(seconds=10)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert deliver_letters() == 0, "its next try is not due"
    Letter.objects.update(next_try=clock.now())
    assert deliver_letters() == 1
    assert [message.to for message in mail.outbox] == [[person(CAROL).email]]


def test_a_dead_mail_server_is_waited_for_once_however_many_letters_wait(settings: Settings) -> None:
    game = running_game()
    settings.EMAIL_BACKEND = f"{__name__}.BrokenServer"
    assert deliver_letters() == 0
    tries = Letter.objects.filter(game=game).values_list("tries", flat=True)
    assert len(tries) == len([*PLAYERS, CAROL])
    assert sum(tries) == 1


def test_an_address_that_the_mail_server_refuses_keeps_no_other_letter_waiting(settings: Settings) -> None:
    game = running_game()
    settings.EMAIL_BACKEND = f"{__name__}.RefusesOne"
    assert deliver_letters() == len(PLAYERS)
    refused = Letter.objects.filter(game=game, sent=None)
    assert {(letter.user.email, letter.tries) for letter in refused} == {(person(PLAYERS[0]).email, 1)}


def test_a_letter_to_somebody_who_may_no_longer_see_the_game_is_dropped() -> None:
    game = running_game(by_invitation=True)
    leaver = occupancy_of(game, "ITALY").user
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="ITALY", username=person(DAVE).username, reason="Agreed.")
    deliver_letters()
    told = [message.subject for message in mail.outbox if leaver.email in message.to]
    assert told == ["Locarno: you have been removed"]
    assert Letter.objects.filter(user=leaver).count() == 1


def test_a_letter_whose_sender_is_killed_leaves_when_the_lease_ends(settings: Settings) -> None:
    close_game(game_id=waiting_game().pk, by=person(CAROL).pk)
    settings.EMAIL_BACKEND = f"{__name__}.KilledWhileSending"
    with pytest.raises(Killed):
        deliver_letters()
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert deliver_letters() == 0, "the process that claimed it may still be sending"
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
