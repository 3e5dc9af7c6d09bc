"""Vacant seats of games under way: giving one's own up, taking one, coming back, and asking."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from games.deadlines.timing import settle_readiness
from games.endings.services import recount
from games.kernel import clock
from games.kernel.blocks import is_blocked
from games.kernel.locking import (
    account_named,
    current_occupancy,
    lock_game,
    lock_game_as_gm,
    open_phase_of,
    own_occupancy,
    refuse_if_time_is_up,
    require_status,
    seat_of,
)
from games.kernel.models import UNDER_WAY, Departure
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.news.services import tell
from games.seating import news
from games.seating.models import Approach, Standby
from games.seating.services.joining import refuse_if_blocked, require_invitation
from games.seating.services.seats import (
    close_approaches,
    give_seat,
    offer,
    require_names_known,
    sit_down,
    stand_up,
)
from games.seating.vacancies import invitation_of, must_ask, way_back, why_not_here, why_not_invited

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from games.kernel.models import Game, Phase, Seat


NOT_UNDER_WAY = "The game has not started. Before the start, players take and leave their seats in the lobby."


@transaction.atomic
def resign(*, game_id: int, user_id: int) -> None:
    """Give up one's seat in a game under way: it is vacant, and its sheet of the open phase is destroyed unread."""
    game, phase, now = _under_way(game_id)
    occupancy = own_occupancy(game, user_id)
    stand_up(occupancy, phase, now, Departure.RESIGNED)
    tell(news.RESIGNED, game, at=now, by=user_id, power=occupancy.seat.power)
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
    refuse_if_blocked(game, user_id)
    tell(news.TAKEN_OVER, game, at=now, by=user_id, power=power)
    close_approaches(seat, user_id, now)
    sit_down(game, seat, user_id, phase, now)
    recount(game, now=now)


def _vacant(game: Game, power: str) -> Seat:
    seat = seat_of(game, power)
    if current_occupancy(seat) is not None:
        raise SeatTaken("Somebody else has just taken this seat.")
    return seat


def _require_entry(game: Game, user_id: int, token: str) -> None:
    require_invitation(game, user_id, token)
    sentence = why_not_here(game, user_id)
    if sentence:
        raise NotAllowed(sentence)


@transaction.atomic
def come_back(*, game_id: int, user_id: int) -> str:
    """Return to the seat that one has lost by silence, in the phase after and once; the power. No deadline moves."""
    game, phase, now = _under_way(game_id)
    occupancy = way_back(game, user_id)
    if occupancy is None:
        raise WrongMoment("You cannot come back: the phase has ended, or somebody else has taken the seat.")
    occupancy.until, occupancy.departure, occupancy.returned, occupancy.silent = None, "", True, 0
    occupancy.save(update_fields=["until", "departure", "returned", "silent"])
    close_approaches(occupancy.seat, user_id, now)
    tell(news.CAME_BACK, game, at=now, by=user_id, power=occupancy.seat.power)
    settle_readiness(game, phase, now)
    recount(game, now=now)
    return occupancy.seat.power


@transaction.atomic
def ask_for_seat(*, game_id: int, user_id: int, power: str, token: str = "") -> None:
    """Ask the game master for a vacant seat, where he says who may play. Nobody else is told."""
    game, _phase, now = _under_way(game_id)
    seat = _vacant(game, power)
    _require_entry(game, user_id, token)
    if not must_ask(game, user_id):
        raise WrongMoment("You need not ask: you may take the seat.")
    if invitation_of(game, user_id) is not None:
        raise WrongMoment("The game master has asked you into a seat of this game. Answer that first.")
    approach = _approach(seat, user_id, now, invited=False)
    if not is_blocked(by=game.gm_id, whom=user_id):
        tell(news.SEAT_ASKED_FOR, game, at=now, to=[game.gm_id], about=str(approach.pk))


def _approach(seat: Seat, user_id: int, now: datetime, *, invited: bool) -> Approach:
    """In place of one that is open between the same two."""
    Approach.objects.filter(game=seat.game_id, user_id=user_id, accepted__isnull=True).update(accepted=False)
    return Approach.objects.create(
        game_id=seat.game_id, seat=seat, user_id=user_id, invited=invited, made=now
    )


@transaction.atomic
def answer_asking(*, game_id: int, by: int, number: int, accept: bool) -> None:
    """The game master gives a vacant seat to somebody who asked for it, or does not; a letter tells him."""
    lock_game_as_gm(game_id, by)
    game, phase, now = _under_way(game_id)
    approach = _open_approach(game, number, invited=False)
    if accept:
        _vacant(game, approach.seat.power)
        sentence = why_not_here(game, approach.user_id)
        if sentence:
            raise NotAllowed("Whoever asked may not take this seat any more.")
        _seat_by_gm(game, approach, phase, now)
    else:
        approach.accepted = False
        approach.save(update_fields=["accepted"])
        tell(news.SEAT_REFUSED, game, at=now, to=[approach.user_id], about=str(approach.pk))


def _open_approach(game: Game, number: int, *, invited: bool) -> Approach:
    found = Approach.objects.filter(game=game, pk=number, invited=invited, accepted__isnull=True)
    approach = found.select_related("seat", "user").first()
    if approach is None:
        raise WrongMoment("That has been answered already, or the seat is taken.")
    return approach


def _seat_by_gm(game: Game, approach: Approach, phase: Phase, now: datetime) -> None:
    """The seat changes hands, in place of whoever sits there."""
    seat, user = approach.seat, approach.user
    approach.accepted = True
    approach.save(update_fields=["accepted"])
    give_seat(game, seat, user, phase, now, by=game.gm_id)
    recount(game, now=now)


@transaction.atomic
def invite(*, game_id: int, by: int, power: str, username: str) -> None:
    """Ask somebody into a seat, vacant or not; it changes hands only when he says yes. Nobody else is told.

    NotAllowed where the game master may not know who plays what, and for who knows the plans of another power.
    """
    lock_game_as_gm(game_id, by)
    game, _phase, now = _under_way(game_id)
    require_names_known(game)
    user = account_named(username)
    seat = seat_of(game, power)
    sentence = why_not_invited(game, user.pk, seat)
    if sentence:
        raise NotAllowed(f"{user.get_username()} {sentence}")
    approach = _approach(seat, user.pk, now, invited=True)
    tell(news.SEAT_OFFERED, game, at=now, to=[user.pk], about=str(approach.pk))


@transaction.atomic
def withdraw_invitation(*, game_id: int, by: int, number: int) -> None:
    """The game master takes an invitation back that has not been answered."""
    game = lock_game_as_gm(game_id, by)
    approach = _open_approach(game, number, invited=True)
    approach.accepted = False
    approach.save(update_fields=["accepted"])


@transaction.atomic
def answer_invitation(*, game_id: int, user_id: int, accept: bool) -> None:
    """Take the seat into which one has been asked, or decline; the game master has a letter then."""
    game, phase, now = _under_way(game_id)
    open_one = invitation_of(game, user_id)
    if open_one is None:
        raise WrongMoment("Nobody asks you into a seat of this game any more.")
    approach = _open_approach(game, open_one.pk, invited=True)
    if accept:
        sentence = why_not_invited(game, user_id, seat_of(game, approach.seat.power))
        if sentence:
            raise NotAllowed(f"You cannot take this seat: {approach.user.get_username()} {sentence}")
        _seat_by_gm(game, approach, phase, now)
        return
    approach.accepted = False
    approach.save(update_fields=["accepted"])
    tell(news.SEAT_DECLINED, game, at=now, to=[game.gm_id], about=str(approach.pk))


@transaction.atomic
def stand_by(*, user_id: int, variants: Sequence[str] = (), pace: str = "") -> None:
    """Be told of vacant seats, of these variants (none: of any) and this pace ("": of any)."""
    wishes = {"variants": sorted(set(variants)), "pace": pace}
    Standby.objects.update_or_create(
        user_id=user_id, defaults=wishes, create_defaults={**wishes, "since": clock.now()}
    )


@transaction.atomic
def stand_down(*, user_id: int) -> None:
    """Be told no more."""
    Standby.objects.filter(user_id=user_id).delete()
