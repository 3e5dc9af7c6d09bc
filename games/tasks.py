"""Celery's tasks: find what is due in the database and call one service for each."""

import contextlib

from celery import shared_task
from django.core.cache import cache
from redis.exceptions import RedisError

from games.bots import services as bots
from games.deadlines import phases, reminders
from games.news import push, webhooks
from games.news.delivery import deliver_letters
from games.people import moderation
from games.people.sessions import SessionStore
from games.seating.services import joining

STALE_SECONDS = 30
ASKED_SECONDS = 15
"""How long a request to close a phase is valid; if it gets lost, a later sweep asks again."""


@shared_task
def sweep() -> None:
    """Request every phase whose deadline has passed, unless already requested; requesting twice does no harm.

    After an outage many phases are due at once, and asking for each with every sweep would keep the workers from them.
    """
    for phase_id in phases.due_phases():
        if _is_first_to_ask(phase_id):
            phase_advance.apply_async((phase_id,), expires=ASKED_SECONDS)


@shared_task
def phase_advance(phase_id: int) -> bool:
    try:
        return phases.phase_advance(phase_id=phase_id)
    finally:
        with contextlib.suppress(RedisError):
            cache.delete(_asked(phase_id))


def _is_first_to_ask(phase_id: int) -> bool:
    try:
        return bool(cache.add(_asked(phase_id), 1, timeout=ASKED_SECONDS))
    except RedisError:
        return True


def _asked(phase_id: int) -> str:
    return f"asked-for-phase:{phase_id}"


@shared_task
def remind() -> None:
    """Write the reminders that are due; each game in a transaction of its own."""
    for phase_id in reminders.to_be_reminded():
        remind_phase.apply_async((phase_id,), expires=STALE_SECONDS)


@shared_task
def remind_phase(phase_id: int) -> None:
    reminders.remind(phase_id=phase_id)


@shared_task
def sweep_roll_calls() -> None:
    """Settle every roll call that has run out; asking twice does no harm."""
    for game_id in joining.due_roll_calls():
        end_roll_call.apply_async((game_id,), expires=STALE_SECONDS)


@shared_task
def end_roll_call(game_id: int) -> None:
    joining.end_roll_call(game_id=game_id)


@shared_task
def deliver() -> None:
    deliver_letters()


@shared_task
def tell_devices() -> None:
    push.tell_devices()


@shared_task
def tell_outside() -> None:
    webhooks.tell_outside()


@shared_task
def play_bots() -> None:
    """Ask every bot for its orders, each in a task of its own, so that a failure stops no other bot."""
    for occupancy_id, ordinal in bots.bots_at_work():
        play_bot.apply_async((occupancy_id, ordinal), expires=STALE_SECONDS)


@shared_task
def play_bot(occupancy_id: int, ordinal: int) -> None:
    bots.play_seat(occupancy_id=occupancy_id, ordinal=ordinal)


@shared_task
def end_suspensions() -> None:
    moderation.end_suspensions()


@shared_task
def forget_sign_ins() -> None:
    """Delete old sign-ins and expired sessions."""
    moderation.forget_sign_ins()
    SessionStore.clear_expired()
