"""Vacant seats of games under way: giving one's own up, taking one, coming back, and asking."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

from django.db import transaction

from games import clock
from games.models import UNDER_WAY, Approach, Departure, EventKind, Occupancy
from games.offers import must_ask, way_back, why_not_here
from games.services.ledger import record
from games.services.refusals import NotAllowed, SeatTaken, WrongMoment
from games.services.rows import (
    current_occupancy,
    lock_game,
    open_phase_of,
    refuse_if_time_is_up,
    require_status,
    seat_of,
)
from games.services.seats import offer, sit_down, stand_up
from games.services.timing import settle_readiness
from games.services.votes import recount

if TYPE_CHECKING:
    from datetime import datetime

    from games.models import Game, Phase, Seat

NOT_UNDER_WAY = "The game has not started. Before the start, players take and leave their seats in the lobby."


@transaction.atomic
def resign(*, game_id: int, user_id: int) -> None:
    """Give up one's seat in a game under way: it is vacant, and its sheet of the open phase is destroyed unread."""
    game, phase, now = _under_way(game_id)
    occupancy = (
        Occupancy.objects.filter(game=game, user_id=user_id, until__isnull=True)
        .select_related("seat")
        .first()
    )
    if occupancy is None:
        raise NotAllowed("You have no seat in this game.")
    stand_up(occupancy, phase, now, Departure.RESIGNED)
    record(game, EventKind.RESIGNED, at=now, by=user_id, power=occupancy.seat.power)
    settle_readiness(game, phase, now)
    if not recount(game, now=now):
        offer(game, occupancy, now)


def _under_way(game_id: int) -> tuple[Game, Phase, datetime]:
    """The game, locked, with its open phase; WrongMoment unless it is under way and the phase has time left."""
    game, now = lock_game(game_id), clock.now()
    require_status(game, UNDER_WAY, NOT_UNDER_WAY)
    phase = open_phase_of(game)
    refuse_if_time_is_up(phase, now)
    return game, phase, now


@transaction.atomic
def take_over_seat(*, game_id: int, user_id: int, power: str, token: str = "") -> None:
    """Sit down in a vacant seat of a game under way, with a blank sheet and a full phase.

    SeatTaken if somebody was faster; NotAllowed for who may not join, has abandoned this game, or must ask first.
    """
    game, phase, now = _under_way(game_id)
    seat = _vacant(game, power)
    _require_entry(game, user_id, token)
    if must_ask(game, user_id):
        raise NotAllowed("Ask the game master first: in this game he says who may play.")
    record(game, EventKind.TAKEN_OVER, at=now, by=user_id, power=power)
    _close_approaches(seat, user_id)
    sit_down(game, seat, user_id, phase, now)
    recount(game, now=now)


def _vacant(game: Game, power: str) -> Seat:
    seat = seat_of(game, power)
    if current_occupancy(seat) is not None:
        raise SeatTaken("Somebody else has just taken this seat.")
    return seat


def _require_entry(game: Game, user_id: int, token: str) -> None:
    uninvited = not secrets.compare_digest(token.encode(), game.invitation.encode())
    if game.by_invitation and uninvited and game.gm_id != user_id:
        raise NotAllowed("This game is by invitation. Ask its game master for the link.")
    sentence = why_not_here(game, user_id)
    if sentence:
        raise NotAllowed(sentence)


def _close_approaches(seat: Seat, user_id: int) -> None:
    """The seat is taken: nobody is asked into it any more, and whoever took it is asked into no other."""
    Approach.objects.filter(seat=seat, accepted__isnull=True).update(accepted=False)
    Approach.objects.filter(game=seat.game_id, user_id=user_id, accepted__isnull=True).update(accepted=False)


@transaction.atomic
def come_back(*, game_id: int, user_id: int) -> str:
    """Return to the seat that one has lost by silence, in the phase after and once; the power. No deadline moves."""
    game, phase, now = _under_way(game_id)
    occupancy = way_back(game, user_id)
    if occupancy is None:
        raise WrongMoment("You cannot come back: the phase has ended, or somebody else has taken the seat.")
    occupancy.until, occupancy.departure, occupancy.returned, occupancy.silent = None, "", True, 0
    occupancy.save(update_fields=["until", "departure", "returned", "silent"])
    _close_approaches(occupancy.seat, user_id)
    record(game, EventKind.CAME_BACK, at=now, by=user_id, power=occupancy.seat.power)
    settle_readiness(game, phase, now)
    recount(game, now=now)
    return occupancy.seat.power
