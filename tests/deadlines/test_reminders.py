"""Before the deadline, players who have saved nothing are reminded, and no one else learns of it."""

from __future__ import annotations

from datetime import timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused
from typing import TYPE_CHECKING, NoReturn

import pytest
from django.contrib import admin
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend

from games.deadlines.models import Reminder
from games.deadlines.reminders import forget_old_reminders, phases_to_remind_of, remind_of_phase, reminder_times
from games.delivery.letters import deliver_letters
from games.kernel.models import Game, Letter, Phase
from games.mastering.services.desk import extend_deadline
from games.orders.services import set_ready
from tests.cast import CAROL, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, powers_of, running_game
from tests.moment import MONDAY_NOON, Moment
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.core.mail import EmailMessage

pytestmark = pytest.mark.django_db

THREE_DAYS = 72 * HOUR


@pytest.fixture
def game(moment: Moment) -> Game:
    """All but Germany and Italy have saved orders."""
    game = running_game(movement_seconds=THREE_DAYS)
    for power in powers_of(game):
        if power not in {"GERMANY", "ITALY"}:
            Story(game).order(power, "")
    deliver_letters()
    return game


def reminded() -> list[str]:
    """The recipients of the emails sent after the site has written its reminders."""
    for phase_id in phases_to_remind_of():
        remind_of_phase(phase_id=phase_id)
    mail.outbox.clear()
    deliver_letters()
    return sorted(message.to[0].split("@")[0] for message in mail.outbox)


def holders(game: Game, *powers: str) -> list[str]:
    return sorted(occupancy_of(game, power).user.username for power in powers)


@pytest.mark.parametrize(
    ("length", "before"),
    [
        (timedelta(days=7), [timedelta(hours=24), timedelta(hours=2)]),
        (timedelta(hours=48), [timedelta(hours=24), timedelta(hours=2)]),
        (timedelta(hours=24), [timedelta(hours=2)]),
        (timedelta(hours=8), [timedelta(hours=2)]),
        (timedelta(hours=4), [timedelta(hours=1)]),
        (timedelta(minutes=10), [timedelta(minutes=2, seconds=30)]),
        (timedelta(minutes=9), []),
    ],
)
def test_long_phases_have_two_reminders_short_ones_one_and_the_shortest_none(
    length: timedelta, before: list[timedelta]
) -> None:
    deadline = MONDAY_NOON + length
    assert reminder_times(MONDAY_NOON, deadline) == tuple(deadline - time for time in before)


def test_only_who_has_saved_nothing_is_reminded_and_only_once_at_a_time(game: Game, moment: Moment) -> None:
    moment.wait(hours=47)
    assert reminded() == []
    moment.wait(hours=1)
    assert reminded() == holders(game, "GERMANY", "ITALY")
    assert reminded() == []
    Story(game).order("ITALY", "A Mil-Swi")
    moment.wait(hours=22)
    assert reminded() == holders(game, "GERMANY")
    assert reminded() == []


def test_who_saves_before_the_letter_leaves_gets_none(game: Game, moment: Moment) -> None:
    moment.wait(hours=48)
    for phase_id in phases_to_remind_of():
        remind_of_phase(phase_id=phase_id)
    Story(game).order("GERMANY", "A Mun H")
    assert reminded() == holders(game, "ITALY")


def test_who_is_ready_and_has_saved_nothing_is_reminded_all_the_same(moment: Moment) -> None:
    game = running_game(movement_seconds=THREE_DAYS, all_ready=True)
    set_ready(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0, ready=True)
    deliver_letters()
    moment.wait(hours=48)
    assert reminded() == sorted(PLAYERS)


def test_bots_are_not_reminded(game: Game, moment: Moment) -> None:
    bot = occupancy_of(game, "GERMANY")
    bot.bot = "easy"
    bot.save(update_fields=["bot"])
    moment.wait(hours=48)
    assert reminded() == holders(game, "ITALY")


def test_a_deadline_that_was_put_off_has_reminders_again(game: Game, moment: Moment) -> None:
    moment.wait(hours=70)
    assert reminded() == holders(game, "GERMANY", "ITALY")
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=24 * HOUR)
    assert reminded() == sorted(PLAYERS), "only the letter about the clock, to all"
    assert reminded() == []
    moment.wait(hours=2)
    assert reminded() == holders(game, "GERMANY", "ITALY")


def test_the_letter_names_the_power_the_deadline_and_the_order_page(game: Game, moment: Moment) -> None:
    moment.wait(hours=48)
    reminded()
    (letter,) = [it for it in mail.outbox if it.to == [occupancy_of(game, "GERMANY").user.email]]
    assert letter.subject == "Locarno: no orders saved yet for Spring 1926, movement"
    assert "You haven’t saved any orders for Germany yet. If you save nothing, your units will hold" in letter.body
    assert "Deadline: Thu 19 Nov 2026, 12:00 UTC." in letter.body
    assert f"/games/{game.slug}/orders/" in letter.body


def test_a_reminder_is_written_for_everyone_and_no_row_says_who_was_sent_one(game: Game, moment: Moment) -> None:
    moment.wait(hours=48)
    assert reminded() == holders(game, "GERMANY", "ITALY")
    assert sorted(Reminder.objects.values_list("user__username", flat=True)) == sorted(PLAYERS)
    assert columns() == {(1, None, moment.now, None, False)}


def test_reminders_go_when_their_phase_ends(game: Game, moment: Moment) -> None:
    moment.wait(hours=48)
    reminded()
    forget_old_reminders()
    assert Reminder.objects.count() == len(PLAYERS)
    Story(game).deadline()
    forget_old_reminders()
    assert not Reminder.objects.exists()


def columns() -> set[tuple[object, ...]]:
    """What the rows of all reminders say apart from whose they are."""
    return set(Reminder.objects.values_list("tries", "next_try", "sent", "next_push", "pushed"))


@pytest.mark.parametrize("saved", [(), ("GERMANY",), ("GERMANY", "ITALY")])
def test_while_no_mail_server_answers_all_rows_wait_alike(
    game: Game, moment: Moment, saved: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    for power in saved:
        Story(game).order(power, "")
    moment.wait(hours=48)
    with monkeypatch.context() as broken:
        broken.setattr(EmailBackend, "open", raising(OSError("away")))
        assert reminded() == []
    assert columns() == {(1, moment.now + timedelta(seconds=20), None, None, False)}
    moment.wait(hours=1)
    assert reminded() == holders(game, *sorted({"GERMANY", "ITALY"} - {*saved}))


@pytest.mark.parametrize(
    "problem", [SMTPDataError(454, "later"), SMTPRecipientsRefused({}), ValueError("=?"), OSError()]
)
def test_a_mail_server_that_refuses_leaves_no_trace_of_whom_it_refused(
    game: Game, moment: Moment, problem: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So these are not sent, and the logs say only that there were some."""
    moment.wait(hours=48)
    with monkeypatch.context() as broken:
        broken.setattr(EmailBackend, "send_messages", raising(problem))
        assert reminded() == []
    assert columns() == {(1, None, moment.now, None, False)}


def test_what_is_refused_once_is_sent_the_second_time(
    game: Game, moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    moment.wait(hours=48)
    send, refusals = EmailBackend.send_messages, iter([SMTPDataError(454, "later")])

    def refuse_once(backend: EmailBackend, messages: list[EmailMessage]) -> int:
        for problem in refusals:
            raise problem
        return send(backend, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", refuse_once)
    assert reminded() == holders(game, "GERMANY", "ITALY")


def raising(problem: Exception) -> Callable[..., NoReturn]:
    def raised(*_given: object) -> NoReturn:
        raise problem

    return raised


def test_what_the_site_notes_at_a_reminder_does_not_say_who_had_saved(game: Game, moment: Moment) -> None:
    """Staff can see games, seats, the log and ordinary emails, and none of these change."""
    moment.wait(hours=48)
    before = (Letter.objects.count(), game.events.count())
    remind_of_phase(phase_id=open_phase(game).pk)
    assert (Letter.objects.count(), game.events.count()) == before
    assert Phase.objects.get().reminded == MONDAY_NOON + timedelta(hours=48)
    assert not admin.site.is_registered(Reminder)
