"""The days that a player has booked, for the eyes of that player alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q

from adjudication.words import amount
from games.deadlines.models import Absence, Allowance
from games.deadlines.options import Absences, Grace
from games.deadlines.timing import put_off_for_absence
from games.kernel import clock
from games.kernel.days import refuse_days, span_of
from games.kernel.locking import lock_game, own_occupancy, require_status
from games.kernel.models import UNDER_WAY, Status
from games.kernel.refusals import NotAllowed, WrongMoment

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

    from games.kernel.models import Game


@dataclass(frozen=True, slots=True)
class BookedDays:
    """`number` counts what this player has booked in this game. `last` is one of the days. `moved`: they have moved a
    deadline, and are spent also if they are cancelled."""

    number: int
    first: date
    last: date
    zone: str
    days: int
    moved: bool
    cancelled: bool
    can_cancel: bool


@dataclass(frozen=True, slots=True)
class AbsenceView:
    """`left` of `days`; `grace_left`: how often the deadline would still move because this player saved nothing."""

    days: int
    left: int
    booked: tuple[BookedDays, ...]
    grace_times: int
    grace_left: int


def absence_of(game: Game, user_id: int) -> AbsenceView:
    now = clock.now()
    grace = game.options[Grace]
    used = (
        Allowance.objects.filter(game=game, user_id=user_id).values_list("grace_used", flat=True).first() or 0
    )
    return AbsenceView(
        days=game.options[Absences].absence_days,
        left=days_left(game, user_id),
        booked=tuple(
            BookedDays(
                number=number,
                first=one.first,
                last=one.last,
                zone=one.zone,
                days=one.days,
                moved=one.moved,
                cancelled=one.cancelled is not None,
                can_cancel=one.cancelled is None and one.ends > now,
            )
            for number, one in enumerate(booked(game, user_id), start=1)
            if one.cancelled is None or one.moved
        ),
        grace_times=grace.grace_times,
        grace_left=max(0, grace.grace_times - used),
    )


SPENT = Q(cancelled__isnull=True) | Q(moved=True)
"""Which bookings take from the days that a player has."""


def booked(game: Game, user_id: int) -> QuerySet[Absence]:
    """Everything this player has booked in this game, in the sequence of booking."""
    return Absence.objects.filter(game=game, user_id=user_id).order_by("pk")


def days_left(game: Game, user_id: int) -> int:
    """The days that a player may still book in a game."""
    return game.options[Absences].absence_days - sum(one.days for one in booked(game, user_id).filter(SPENT))


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
    if not game.options[Absences].absence_days:
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
