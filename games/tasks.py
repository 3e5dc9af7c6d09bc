"""Celery's tasks: they find what is due in the database and call one service for each."""

import logging
import time
from collections.abc import Callable

from celery import shared_task

from games.bots import services as bots
from games.deadlines import phases, reminders
from games.delivery import posting, push
from games.delivery.letters import deliver_letters
from games.history import files
from games.kernel.once import forget_old_acts
from games.people import moderation, newcomers
from games.people.sessions import SessionStore
from games.practice import services as practice
from games.seating.services import joining, placing
from games.seating.services.bots import fill_long_vacant_seats_with_bots, games_with_seats_long_vacant
from games.tournaments.hours import keep_hour, rounds_due
from games.tournaments.letters import send_tournament_letters
from games.tournaments.seating import make_plans

log = logging.getLogger(__name__)
SWEEP_SECONDS = 20
"""How long one sweep works; the next continues."""


@shared_task
def sweep() -> tuple[int, int]:
    """Close the phases that are due, along with any other sweep. Returns how many were closed, and how many failed."""
    done = phases.close_due_phases(until=time.monotonic() + SWEEP_SECONDS)
    return done.closed, done.failed


@shared_task
def remind() -> None:
    """Write the reminders that are due, each game in its own transaction, and delete old ones."""
    reminders.forget_old_reminders()
    for phase_id in reminders.phases_to_remind_of():
        remind_phase.delay(phase_id)


@shared_task
def remind_phase(phase_id: int) -> None:
    reminders.remind_of_phase(phase_id=phase_id)


@shared_task
def sweep_roll_calls() -> None:
    """Settle every roll call that has ended, each in its own transaction; doing it twice does no harm."""
    for game_id in joining.games_with_due_roll_calls():
        try:
            joining.end_roll_call(game_id=game_id)
        except Exception:
            log.exception("The roll call of game %s could not be ended.", game_id)


@shared_task
def sweep_waiting() -> None:
    """Close the games that have waited for players long enough, each in its own transaction."""
    for game_id in joining.games_that_waited_too_long():
        joining.close_unfilled_game(game_id=game_id)


@shared_task
def deliver() -> None:
    """Send emails, except while a phase is due, when devices and other sites wait too: the next beat asks again."""
    deliver_letters(lambda: not phases.phases_are_due())


@shared_task
def tell_devices() -> None:
    if not phases.phases_are_due():
        push.notify_devices()


@shared_task
def tell_outside() -> None:
    if not phases.phases_are_due():
        posting.post_news()


@shared_task
def paint_cards() -> None:
    """Paint preview pictures: a link in a chat is opened within seconds. They wait while a phase is due."""
    files.paint_new_cards(_when_to_stop())


@shared_task
def play_bots() -> None:
    """Ask the bots that have not been asked yet. They wait while a phase is due; the next sweep continues."""
    must_stop = _when_to_stop()
    bots.play_waiting_bots(lambda: not must_stop())


def _when_to_stop() -> Callable[[], bool]:
    """Tells a task that begins now when to stop: once a phase is due, or before others could think that it hangs."""
    end = time.monotonic() + SWEEP_SECONDS
    return lambda: time.monotonic() >= end or phases.phases_are_due()


@shared_task
def sweep_vacant() -> None:
    """Let bots play the seats that have been vacant for as long as their games say."""
    for game_id in games_with_seats_long_vacant():
        fill_long_vacant_seats_with_bots(game_id=game_id)


@shared_task
def end_suspensions() -> None:
    moderation.end_expired_suspensions()


@shared_task
def tell_approved() -> None:
    """Email the users whom moderators have approved."""
    newcomers.send_approval_emails()


@shared_task
def send_invitations() -> None:
    """Send waiting invitations and tournament emails. They wait while a phase is due."""
    if not phases.phases_are_due():
        placing.send_invitations()
        send_tournament_letters()


@shared_task
def plan_rounds() -> None:
    """Make the seating plans that directors have asked for."""
    make_plans()


@shared_task
def keep_hours() -> None:
    """Begin and end the rounds whose hour has come, each by itself; doing it twice does no harm."""
    for round_id in rounds_due():
        try:
            keep_hour(round_id=round_id)
        except Exception:
            log.exception("What is due in round %s could not be done.", round_id)


@shared_task
def sweep_guests() -> None:
    """Delete the old games of guests who haven't signed up."""
    practice.delete_old_guests()


@shared_task
def forget_sign_ins() -> None:
    """Delete old sign-ins, expired sessions and the keys of old pages."""
    moderation.delete_old_sign_ins()
    forget_old_acts()
    SessionStore.clear_expired()
