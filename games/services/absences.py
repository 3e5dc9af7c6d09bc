"""Booking days on which one is away: deadlines move out of them, and nobody is told who is away."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.db import transaction

from games import clock
from games.absence import booked, days_left
from games.models import UNDER_WAY, Absence, Status
from games.services.refusals import NotAllowed, WrongMoment
from games.services.rows import lock_game, own_occupancy, require_status
from games.services.timing import put_off_for_absence
from games.timetable import at_wall

if TYPE_CHECKING:
    from datetime import date

    from games.models import Game

DAY = timedelta(days=1)
FURTHEST_AHEAD = timedelta(days=365)


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
    Absence.objects.create(
        game=game,
        user_id=user_id,
        first=first,
        last=last,
        zone=zone,
        begins=_midnight(first, zone),
        ends=_midnight(last + DAY, zone),
    )
    phase = game.phases.filter(closed__isnull=True).first()
    if phase is not None:
        put_off_for_absence(game, phase, now)


def _require_player(game: Game, user_id: int) -> None:
    if not game.options.absence_days:
        raise WrongMoment("In this game nobody books days off.")
    own_occupancy(game, user_id)


def _refuse_days(game: Game, user_id: int, first: date, last: date, today: date) -> None:
    if last < first:
        raise WrongMoment("The last day is before the first. Choose a last day on or after the first.")
    if first < today or last - today > FURTHEST_AHEAD:
        raise WrongMoment("Choose days from today on, and not more than a year ahead.")
    if booked(game, user_id).filter(cancelled__isnull=True, first__lte=last, last__gte=first).exists():
        raise WrongMoment("You have already booked some of these days. Choose others, or cancel those first.")
    wanted, left = (last - first).days + 1, days_left(game, user_id)
    if wanted > left:
        raise WrongMoment(f"That takes {_days(wanted)}, and you have {_days(left)} left in this game.")


def _days(number: int) -> str:
    return f"{number} day{'' if number == 1 else 's'}"


def _midnight(day: date, zone: str) -> datetime:
    return at_wall(day, time(), ZoneInfo(zone))


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
