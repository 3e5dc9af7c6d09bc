"""The game master gives out seats, and removes people, before the start."""

from datetime import datetime
from typing import Any

from django.db import transaction

from games.kernel import hooks
from games.kernel.limits import count_news
from games.kernel.locking import account_named, lock, lock_account
from games.kernel.models import Game, Joiner, Occupancy, Seat
from games.kernel.news import reason_of, tell
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.standpoint import Standpoint
from games.seating import news
from games.seating.models import Confirmation, JoinRequest, MailedInvitation
from games.seating.rules import placing as rules
from games.seating.rules.joining import has_room, is_kept
from games.seating.rules.vacancies import why_not_invited
from games.seating.services.joining import settle


@transaction.atomic
def place_player(*, game_id: int, by: int, power: str, username: str) -> None:
    """Give a seat of a game that has not started to a user, who is told and can leave it again. The game does not start
    by this: the game master starts it, or the player who takes the last seat.

    UnknownPlayer; SeatTaken; NotAllowed for a game master who may not play, and for one who plays in an anonymous game.
    """
    here = lock(game_id, by)
    rules.may_place(here, power)
    count_news(game_id, by)
    user = account_named(username)
    is_joiner = any(row.user_id == user.pk for row in here.joiners)
    if not is_joiner and not is_kept(here, power) and not has_room(here):
        raise SeatTaken("All places are taken or kept for guests. Remove a player or withdraw an invitation first.")
    place(here.game, here.seats[power], user, here.now, by=by)


def place(game: Game, seat: Seat, user: Any, now: datetime, *, by: int) -> None:
    """Seat this user in a vacant seat, also in place of their place without a power. The caller holds the lock."""
    sentence = why_not_invited(game, user.pk, seat)
    if sentence:
        raise NotAllowed(f"{user.get_username()} {sentence}")
    occupancy = _seated(game, seat, user, now)
    player, about = user.get_username(), str(occupancy.pk)
    tell(news.PLACED, game, at=now, by=by, to=[user.pk], about=about, power=seat.power, player=player)


def sit_before_start(game: Game, seat: Seat, user: Any, now: datetime) -> None:
    """The user takes this seat, which is theirs to take. The caller holds the lock."""
    _seated(game, seat, user, now)
    tell(news.SEAT_TAKEN, game, at=now, by=user.pk, power=seat.power)


def _seated(game: Game, seat: Seat, user: Any, now: datetime) -> Occupancy:
    """Also in place of the place without a power that they have. Nobody else is invited to the seat by email now."""
    lock_account(user.pk)
    joined = Joiner.objects.filter(game=game, user=user).first()
    own_bot = joined is not None and joined.own_bot
    if joined is not None:
        joined.delete()
    MailedInvitation.objects.filter(seat=seat).delete()
    return Occupancy.objects.create(game=game, seat=seat, user=user, since=now, own_bot=own_bot)


@transaction.atomic
def remove_player(*, game_id: int, by: int, username: str, reason: str) -> None:
    """Remove a user who has joined a game that has not started; they are told. Where the game needs approval, theirs
    is withdrawn. BadReason."""
    here = lock(game_id, by)
    rules.may_remove(here)
    count_news(game_id, by)
    game, now, why = here.game, here.now, reason_of(reason, needed=True)
    user = _member(here, username)
    Occupancy.objects.filter(game=game, user=user, until__isnull=True).update(until=now)
    Joiner.objects.filter(game=game, user=user).delete()
    Confirmation.objects.filter(roll_call__game=game, user=user).delete()
    JoinRequest.objects.filter(game=game, user=user).update(accepted=False)
    about = f"{user.pk} {game.events.filter(kind=news.REMOVED.log).count()}"
    tell(news.REMOVED, game, at=now, by=by, to=[user.pk], about=about, player=user.get_username(), reason=why)
    hooks.players_changed(game, now)
    settle(game, now)


def _member(here: Standpoint, username: str) -> Any:
    user = account_named(username)
    if user.pk not in here.members:
        raise WrongMoment(f"{user.get_username()} hasn’t joined this game.")
    return user
