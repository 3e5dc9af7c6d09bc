"""The game master gives out seats, and removes people, before the start."""

from datetime import datetime
from typing import Any

from django.db import transaction

from games.kernel import hooks
from games.kernel.limits import count_news
from games.kernel.locking import account_named, lock, lock_account
from games.kernel.models import Game, Joiner, Occupancy, Seat
from games.kernel.news import reason_of, tell
from games.kernel.refusals import SeatTaken, WrongMoment
from games.kernel.standpoint import Standpoint
from games.seating import news
from games.seating.models import Confirmation, JoinRequest, MailedInvitation
from games.seating.rules import vacancies as rules
from games.seating.rules.joining import has_room, is_kept
from games.seating.services.joining import settle


@transaction.atomic
def place_player(*, game_id: int, by: int, username: str, power: str = "") -> None:
    """Give a seat of a game that has not started to a user, who is told and can leave it again; without a power, a
    place where powers are assigned. The game does not start by this: the game master starts it, or the player who takes
    the last seat.

    UnknownPlayer; SeatTaken; NotAllowed for a game master who may not play, and for one who plays in an anonymous game.
    """
    here = lock(game_id, by)
    if power:
        rules.may_place(here, power)
    else:
        rules.may_give_place(here)
    count_news(game_id, by)
    user = account_named(username)
    if not power:
        _give_place(here, user, by=by)
        return
    is_joiner = any(row.user_id == user.pk for row in here.joiners)
    if not is_joiner and not is_kept(here, power) and not has_room(here):
        raise SeatTaken(rules.FULL)
    place(here.game, here.seats[power], user, here.now, by=by)


def _give_place(here: Standpoint, user: Any, *, by: int) -> None:
    rules.only_suitable(here.game, user, None)
    if user.pk in here.members:
        raise SeatTaken(f"{user.get_username()} has already joined this game.")
    joiner = join_before_start(here.game, user, here.now)
    player, about = user.get_username(), str(joiner.pk)
    tell(news.PLACE_GIVEN, here.game, at=here.now, by=by, to=[user.pk], about=about, player=player)


def join_before_start(game: Game, user: Any, now: datetime) -> Joiner:
    """The user has a place without a power. The caller holds the lock."""
    lock_account(user.pk)
    return Joiner.objects.create(game=game, user=user, joined=now)


def place(game: Game, seat: Seat, user: Any, now: datetime, *, by: int) -> None:
    """Seat this user in a vacant seat, also in place of their place without a power. The caller holds the lock."""
    rules.only_suitable(game, user, seat)
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
    user = account_named(username)
    if user.pk not in here.members:
        raise WrongMoment(f"{user.get_username()} hasn’t joined this game.")
    Occupancy.objects.filter(game=game, user=user, until__isnull=True).update(until=now)
    Joiner.objects.filter(game=game, user=user).delete()
    Confirmation.objects.filter(roll_call__game=game, user=user).delete()
    JoinRequest.objects.filter(game=game, user=user).update(accepted=False)
    about = f"{user.pk} {game.events.filter(kind=news.REMOVED.log).count()}"
    tell(news.REMOVED, game, at=now, by=by, to=[user.pk], about=about, player=user.get_username(), reason=why)
    hooks.players_changed(game, now)
    settle(game, now)
