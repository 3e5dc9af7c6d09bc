"""Naming somebody who plays for a player for some days, and the answers to that. Nobody else learns who it is."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.db import transaction

from games.kernel import clock
from games.kernel.days import refuse_days, span_of
from games.kernel.locking import account_named, lock_game, own_occupancy, require_status
from games.kernel.models import UNDER_WAY, Sitting
from games.kernel.refusals import NotAllowed, WrongMoment
from games.news.services import tell
from games.seating import news
from games.seating.queries import why_not_sit

if TYPE_CHECKING:
    from datetime import date, datetime

    from games.kernel.models import Game


LONGEST = timedelta(days=60)


@transaction.atomic
def name_sitter(
    *, game_id: int, user_id: int, username: str, first: date, last: date, zone: str, talks: bool = False
) -> None:
    """Ask somebody to write the orders of one's seat on these days, on the clocks of the zone; the `last` day too.

    UnknownPlayer; NotAllowed without a seat, and for who knows another power; WrongMoment for days that cannot be.
    """
    game, now = lock_game(game_id), clock.now()
    require_status(game, UNDER_WAY, "The game has not started.")
    occupancy = own_occupancy(game, user_id)
    user = account_named(username)
    sentence = why_not_sit(game, user.pk, occupancy.seat)
    if sentence:
        raise NotAllowed(f"{user.get_username()} {sentence} Name somebody who has no part in this game.")
    _refuse_days(first, last, now.astimezone(ZoneInfo(zone)).date())
    over = occupancy.sittings.filter(ended__isnull=True, ends__lte=now)
    over.update(ended=now)
    if occupancy.sittings.filter(ended__isnull=True).exclude(accepted=False).exists():
        raise WrongMoment("You have named a sitter already. End that first.")
    begins, ends = span_of(first, last, zone)
    sitting = Sitting.objects.create(
        occupancy=occupancy, sitter=user, begins=max(now, begins), ends=ends, talks=talks
    )
    tell(news.SITTER_ASKED, game, at=now, to=[user.pk], about=str(sitting.pk))


def _refuse_days(first: date, last: date, today: date) -> None:
    refuse_days(first, last, today)
    if last - first >= LONGEST:
        raise WrongMoment(f"A sitter plays for at most {LONGEST.days} days.")


@transaction.atomic
def answer_sitting(*, user_id: int, number: int, accept: bool) -> None:
    """The one who is asked says yes or no; the log says only that a player has a sitter."""
    game, sitting, now = _open_sitting(number)
    if sitting.sitter_id != user_id or sitting.accepted is not None:
        raise NotAllowed("Nobody waits for that answer from you.")
    sentence = why_not_sit(game, user_id, sitting.occupancy.seat) if accept else ""
    if sentence:
        raise NotAllowed(f"You cannot sit here: {sitting.sitter.get_username()} {sentence}")
    sitting.accepted = accept
    sitting.save(update_fields=["accepted"])
    if accept:
        tell(news.SITTER_NAMED, game, at=now)
    tell(news.SITTER_ANSWERED, game, at=now, to=[sitting.occupancy.user_id], about=str(sitting.pk))


def _open_sitting(number: int) -> tuple[Game, Sitting, datetime]:
    found = Sitting.objects.filter(pk=number).values_list("occupancy__game_id", flat=True).first()
    if found is None:
        raise NotAllowed("There is nothing to answer.")
    game, now = lock_game(found), clock.now()
    rows = Sitting.objects.filter(pk=number, ended__isnull=True, ends__gt=now, occupancy__until__isnull=True)
    sitting = rows.select_related("occupancy__seat", "sitter").first()
    if sitting is None:
        raise WrongMoment("That is over.")
    return game, sitting, now


@transaction.atomic
def end_sitting(*, user_id: int, number: int) -> None:
    """The player or the sitter ends it at once. What the sitter has saved for the open phase stays the seat's."""
    _game, sitting, now = _open_sitting(number)
    if user_id not in {sitting.sitter_id, sitting.occupancy.user_id}:
        raise NotAllowed("There is nothing to end.")
    sitting.ended = now
    sitting.save(update_fields=["ended"])
