"""What a person does to all his games at once: leave them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from games import clock
from games.live import announce
from games.models import (
    OVER,
    Absence,
    Bookmark,
    CalendarKey,
    EventKind,
    Game,
    Joiner,
    JoinRequest,
    Letter,
    Occupancy,
    PressLetter,
    Readiness,
    Reminder,
    Status,
)
from games.services.ledger import record
from games.services.lobby import leave_seat
from games.services.orders import destroy_unread
from games.services.refusals import WrongMoment
from games.services.rows import lock_game, open_phase_of, refuse_if_time_is_up
from games.services.timing import settle_readiness
from games.services.votes import recount

if TYPE_CHECKING:
    from datetime import datetime


@transaction.atomic
def leave_all_games(*, user_id: int) -> None:
    """Give up every seat, every place and every request; what was written for open phases is destroyed unread.

    WrongMoment while the person masters a game that is not over, and while the deadline of one of his games has passed
    and its phase is not closed yet. Messages stay, and so do the lines of public logs.
    """
    mastered = Game.objects.filter(gm_id=user_id).exclude(status__in=OVER).order_by("name")
    if mastered:
        names = ", ".join(game.name for game in mastered)
        raise WrongMoment(
            f"You are game master of games that are not over: {names}. Close them first, or let them end."
        )
    now = clock.now()
    for game_id in sorted(_games_of(user_id)):
        _leave(game_id, user_id, now)
    JoinRequest.objects.filter(user_id=user_id).delete()
    Absence.objects.filter(user_id=user_id).delete()
    for notes in (Letter, PressLetter, Reminder, Bookmark, CalendarKey):
        notes._default_manager.filter(user_id=user_id).delete()


def _games_of(user_id: int) -> set[int]:
    """The games that are not over in which this person sits or waits."""
    seats = Occupancy.objects.filter(user_id=user_id, until__isnull=True).exclude(game__status__in=OVER)
    waits = Joiner.objects.filter(user_id=user_id)
    return {*seats.values_list("game_id", flat=True), *waits.values_list("game_id", flat=True)}


def _leave(game_id: int, user_id: int, now: datetime) -> None:
    game = lock_game(game_id)
    if game.status == Status.OPEN:
        leave_seat(game_id=game_id, user_id=user_id)
        return
    occupancy = game.occupancies.filter(user_id=user_id, until__isnull=True).select_related("seat").first()
    if game.status in OVER or occupancy is None:
        return
    phase = open_phase_of(game)
    refuse_if_time_is_up(phase, now)
    occupancy.until = now
    occupancy.save(update_fields=["until"])
    destroy_unread(phase, occupancy.seat)
    Readiness.objects.filter(phase=phase, seat=occupancy.seat).delete()
    record(game, EventKind.SEAT_LEFT, at=now, by=user_id, power=occupancy.seat.power)
    settle_readiness(game, phase, now)
    recount(game, now=now)
    announce(game.pk)
