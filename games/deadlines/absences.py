"""The days away that a player has booked; only that player sees them."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated
from zoneinfo import ZoneInfo

from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from games.deadlines.grace import extensions_used
from games.deadlines.models import Absence
from games.deadlines.options import Absences, Grace
from games.deadlines.timing import put_off_for_absence
from games.kernel.access import GameAccess, standpoint_of
from games.kernel.acts import Asked, player_act
from games.kernel.days import DAY, refuse_impossible_days, start_and_end_of_days
from games.kernel.locking import lock_game_for
from games.kernel.marks import InApi
from games.kernel.models import NOT_OVER, Game
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import allowed, only_while, only_with_seat, unless, why_not
from games.kernel.standpoint import Standpoint
from games.kernel.wording import SPANS


@dataclass(frozen=True, slots=True)
class BookedDays:
    """Days that you have booked."""

    number: Annotated[int, InApi("Names the booking in addresses.")]
    first: Annotated[date, InApi("The first day away.")]
    last: Annotated[date, InApi("The last day away.")]
    zone: Annotated[str, InApi("The time zone of these days.")]
    days: Annotated[int, InApi("How many they are.")]
    moved: Annotated[bool, InApi("They have moved a deadline, and stay used up even if cancelled.")]
    cancelled: Annotated[bool, InApi("They were cancelled.")]
    can_cancel: Annotated[bool, InApi("They can still be cancelled.")]


@dataclass(frozen=True, slots=True)
class AbsenceView:
    """The days that you have booked and may still book."""

    days: Annotated[int, InApi("How many days away this game allows each player.")]
    left: Annotated[int, InApi("How many of them you can still book.")]
    why_not: Annotated[str, InApi("Why you can’t book any; empty if you can.")]
    booked: Annotated[tuple[BookedDays, ...], InApi("Your bookings, the first one first.")]
    grace_times: Annotated[int, InApi("How many extensions each player can cause by missing orders.")]
    grace_left: Annotated[int, InApi("How many of them you have left.")]


def absence_view(access: GameAccess) -> AbsenceView:
    """The viewer's own days away; raises Http404 for anyone who isn't a player."""
    if access.seat is None:
        raise Http404
    here, user_id = standpoint_of(access), access.seat.user_id
    game, grace = here.game, here.options[Grace]
    extensions = extensions_used([game.pk])[game.pk, user_id] if grace.grace_times else 0
    days_left = absence_days_left(game, user_id)
    return AbsenceView(
        days=here.options[Absences].absence_days,
        left=days_left,
        why_not=why_not(may_book_days_away, here, days_left),
        booked=tuple(
            BookedDays(
                number=number,
                first=one.first,
                last=one.last,
                zone=one.zone,
                days=one.days,
                moved=one.moved,
                cancelled=one.cancelled is not None,
                can_cancel=allowed(may_cancel_booking, one, here.now),
            )
            for number, one in enumerate(bookings_of(game, user_id), start=1)
            if one.cancelled is None or one.moved
        ),
        grace_times=grace.grace_times,
        grace_left=max(0, grace.grace_times - extensions),
    )


USES_UP_DAYS = Q(cancelled__isnull=True) | Q(moved=True)
"""The bookings that use up days."""


def bookings_of(game: Game, user_id: int) -> QuerySet[Absence]:
    return Absence.objects.filter(game=game, user_id=user_id).order_by("pk")


def absence_days_left(game: Game, user_id: int) -> int:
    return game.options[Absences].absence_days - sum(
        one.days for one in bookings_of(game, user_id).filter(USES_UP_DAYS)
    )


def may_book_days_away(here: Standpoint, days_left: int) -> None:
    """Allow booking days away. `days_left`: how many this player may still book."""
    unless(here.options[Absences].absence_days, WrongMoment(_("You can’t book days away in this game.")))
    only_with_seat(here)
    only_while(here, NOT_OVER)
    unless(days_left > 0, WrongMoment(_("You’ve used all your days away in this game.")))


def may_cancel_booking(absence: Absence, now: datetime) -> None:
    is_ahead = absence.cancelled is None and absence.ends > now
    unless(is_ahead, WrongMoment(_("These days are over or already cancelled.")))


FirstDay = Annotated[date, Asked(says="The first day away.")]
LastDay = Annotated[date, Asked(says="The last day away.")]


@player_act("book_days", seated=True)
@transaction.atomic
def book_absence(*, game_id: int, user_id: int, first: FirstDay, last: LastDay, zone: str) -> None:
    """Book days away. If a deadline falls on one of them it moves, and everyone is told that a player is away, but not
    who.

    The days are whole, from midnight to midnight in that zone, and the `last` is one of them. The deadline moves past
    them if it is more than a day away; later ones avoid them when set. Raises NotAllowed without a seat; WrongMoment if
    the game has no days away, or for days that cannot be booked.
    """
    here = lock_game_for(game_id, user_id)
    game, now, days_left = here.game, here.now, absence_days_left(here.game, user_id)
    may_book_days_away(here, days_left)
    refuse_impossible_days(first, last, now.astimezone(ZoneInfo(zone)).date())
    clashing = bookings_of(game, user_id).filter(cancelled__isnull=True, first__lte=last, last__gte=first)
    clash = WrongMoment(_("You’ve already booked some of these days. Choose others, or cancel that booking first."))
    unless(not clashing.exists(), clash)
    count = (last - first).days + 1
    days = SPANS[DAY].format
    sentence = _("That’s {wanted}, and you have {left} left in this game.")
    unless(count <= days_left, WrongMoment(sentence.format(wanted=days(count=count), left=days(count=days_left))))
    begins, ends = start_and_end_of_days(first, last, zone)
    Absence.objects.create(game=game, user_id=user_id, first=first, last=last, zone=zone, begins=begins, ends=ends)
    if here.open_phase is not None:
        put_off_for_absence(game, here.open_phase, now)


@player_act("cancel_days", seated=True)
@transaction.atomic
def cancel_absence(*, game_id: int, user_id: int, number: int) -> bool:
    """Cancel a booking. The days are given back unless they have moved a deadline.

    True if they are; the deadline stays where it is. Raises NotAllowed if this player has no such booking; WrongMoment
    if the days are over or already cancelled.
    """
    here = lock_game_for(game_id, user_id)
    absence = dict(enumerate(bookings_of(here.game, user_id), start=1)).get(number)
    if absence is None:
        raise NotAllowed(_("You have no such booking in this game."))
    may_cancel_booking(absence, here.now)
    absence.cancelled = here.now
    absence.save(update_fields=["cancelled"])
    return not absence.moved
