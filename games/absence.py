"""The days that a player has booked, for the eyes of that player alone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from games import clock
from games.models import Absence, Allowance

if TYPE_CHECKING:
    from datetime import date

    from django.db.models import QuerySet

    from games.models import Game


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
    options = game.options
    used = (
        Allowance.objects.filter(game=game, user_id=user_id).values_list("grace_used", flat=True).first() or 0
    )
    return AbsenceView(
        days=options.absence_days,
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
        grace_times=options.grace_times,
        grace_left=max(0, options.grace_times - used),
    )


SPENT = Q(cancelled__isnull=True) | Q(moved=True)
"""Which bookings take from the days that a player has."""


def booked(game: Game, user_id: int) -> QuerySet[Absence]:
    """Everything this player has booked in this game, in the sequence of booking."""
    return Absence.objects.filter(game=game, user_id=user_id).order_by("pk")


def days_left(game: Game, user_id: int) -> int:
    """The days that a player may still book in a game."""
    return game.options.absence_days - sum(one.days for one in booked(game, user_id).filter(SPENT))
