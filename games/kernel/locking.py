"""The first lines of every service: lock the game, then read again what the decision rests on."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model

from games.kernel.models import OVER, Game, Occupancy, Phase, Seat
from games.kernel.refusals import NotAllowed, UnknownPlayer, WrongMoment

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime


def lock_game(game_id: int) -> Game:
    """The game, locked until the transaction ends: every writer takes this lock first."""
    return Game.objects.select_for_update(of=("self",)).get(pk=game_id)


def lock_game_as_gm(game_id: int, by: int) -> Game:
    """The locked game; NotAllowed unless `by` is its game master."""
    game = lock_game(game_id)
    if game.gm_id != by:
        raise NotAllowed("Only the game master may do that.")
    return game


def require_status(game: Game, statuses: Iterable[str], sentence: str) -> None:
    """WrongMoment with the sentence unless the game has one of the statuses."""
    if game.status in OVER:
        raise WrongMoment("The game is over.")
    if game.status not in set(statuses):
        raise WrongMoment(sentence)


def open_phase_of(game: Game) -> Phase:
    """The open phase; WrongMoment if there is none."""
    phase = game.phases.filter(closed__isnull=True).first()
    if phase is None:
        raise WrongMoment("The game has no open phase.")
    return phase


def refuse_if_time_is_up(phase: Phase, now: datetime) -> None:
    """What was saved by the deadline counts, so nobody is given time after it."""
    if phase.time_left(now) <= timedelta(0):
        raise WrongMoment("The deadline has passed; the phase is about to close.")


def seat_of(game: Game, power: str) -> Seat:
    """The seat of a power that may be played; WrongMoment if it is closed, NotAllowed if there is none."""
    seat = game.seats.filter(power=power).first()
    if seat is None:
        raise NotAllowed("This game has no such power.")
    if seat.disordered:
        raise WrongMoment("This power is in permanent civil disorder; its seat is closed for good.")
    return seat


def current_occupancy(seat: Seat) -> Occupancy | None:
    return seat.occupancies.filter(until__isnull=True).first()


def own_occupancy(game: Game, user_id: int) -> Occupancy:
    """What this person sits in now, with its seat; NotAllowed without one."""
    held = Occupancy.objects.filter(game=game, user_id=user_id, until__isnull=True)
    occupancy = held.select_related("seat").first()
    if occupancy is None:
        raise NotAllowed("You have no seat in this game.")
    return occupancy


def account_named(username: str) -> Any:
    """The account with this name, in any case and with blanks around it; UnknownPlayer if nobody signs in with it."""
    name = username.strip()
    user = get_user_model().objects.filter(username__iexact=name, is_active=True).first()
    if user is None:
        raise UnknownPlayer(f"There is no account with the name {name!r}. Write it as the site shows it.")
    return user
