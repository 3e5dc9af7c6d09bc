"""Booking days on which one is away: deadlines move out of them, and nobody is told who is away."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.db import transaction

from adjudication.words import amount
from games import clock
from games.absence import booked, days_left
from games.models import UNDER_WAY, Absence, Status
from games.services.days import refuse_days, span_of
from games.services.refusals import NotAllowed, WrongMoment
from games.services.rows import lock_game, own_occupancy, require_status
from games.services.timing import put_off_for_absence

if TYPE_CHECKING:
    from datetime import date

    from games.models import Game


@transaction.atomic
def book_absence(*, game_id: int, user_id: int, first: date, last: date, zone: str) -> None:
    """Book whole days, from midnight to midnight on the clocks of the zone; the `last` day too.

    The deadline of the open phase moves out of them if it is more than a day away, later ones when they are set.
    NotAllowed without a seat; WrongMoment where the game has no such days, or for days that cannot be booked.
    """
    game = lock_game(game_id)
    _require_player(game, user_id)
    require_status(game, (Status.OPEN, *UNDER_WAY), "The game is over.")
    now = clock.now()
    _refuse_days(game, user_id, first, last, now.astimezone(ZoneInfo(zone)).date())
    begins, ends = span_of(first, last, zone)
    Absence.objects.create(
        game=game, user_id=user_id, first=first, last=last, zone=zone, begins=begins, ends=ends
    )
    phase = game.phases.filter(closed__isnull=True).first()
    if phase is not None:
        put_off_for_absence(game, phase, now)


def _require_player(game: Game, user_id: int) -> None:
    if not game.options.absence_days:
        raise WrongMoment("In this game nobody books days off.")
    own_occupancy(game, user_id)


def _refuse_days(game: Game, user_id: int, first: date, last: date, today: date) -> None:
    refuse_days(first, last, today)
    if booked(game, user_id).filter(cancelled__isnull=True, first__lte=last, last__gte=first).exists():
        raise WrongMoment("You have already booked some of these days. Choose others, or cancel those first.")
    wanted, left = (last - first).days + 1, days_left(game, user_id)
    if wanted > left:
        raise WrongMoment(
            f"That takes {amount(wanted, 'day')}, and you have {amount(left, 'day')} left in this game."
        )


@transaction.atomic
def cancel_absence(*, game_id: int, user_id: int, number: int) -> bool:
    """Give the days with this number back. True if they are: days that have moved a deadline are spent, and it stays.

    NotAllowed for what this player has not booked; WrongMoment when the days are over or cancelled already.
    """
    game = lock_game(game_id)
    all_booked = list(booked(game, user_id))
    if not 0 < number <= len(all_booked):
        raise NotAllowed("You have booked no such days in this game.")
    absence = all_booked[number - 1]
    now = clock.now()
    if absence.cancelled is not None or absence.ends <= now:
        raise WrongMoment("These days are over, or cancelled already.")
    absence.cancelled = now
    absence.save(update_fields=["cancelled"])
    return not absence.moved
