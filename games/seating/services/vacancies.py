"""Vacant seats in games under way: giving up one's own, taking one over, coming back, and asking for one."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated

from django import forms
from django.db import transaction
from django.utils.translation import gettext as _

from games.deadlines.timing import end_early_if_all_are_ready
from games.endings.services import end_if_all_agree
from games.kernel import clock
from games.kernel.acts import Accept, Number, Power, asked_for_user, gm_act, player_act
from games.kernel.blocks import is_blocked
from games.kernel.languages import later
from games.kernel.limits import count_request_to_user
from games.kernel.locking import account_named, lock_account, lock_game_for
from games.kernel.members import masters_of
from games.kernel.models import Departure, Game, Phase, Right, Seat
from games.kernel.news import tell
from games.kernel.refusals import WrongMoment
from games.kernel.standpoint import Standpoint
from games.seating import news
from games.seating.models import Approach, Standby
from games.seating.rules import seats as rules
from games.seating.services import seats
from games.seating.services.joining import refuse_if_blocked


@player_act.locked("resign", rules.may_resign, seated=True)
def resign(here: Standpoint, user_id: int) -> None:
    """Resign your seat: it becomes vacant, saved orders are deleted unread, and it counts as abandoning the game."""
    game, phase, now, occupancy = here.game, here.phase, here.now, here.occupancy
    seats.end_occupancy(occupancy, phase, now, Departure.RESIGNED)
    tell(news.RESIGNED, game, at=now, by=user_id, power=occupancy.seat.power)
    end_early_if_all_are_ready(game, phase, now)
    if not end_if_all_agree(game, now=now):
        seats.announce_vacant_seat(game, occupancy, now)


@player_act.locked("take_seat", rules.may_take_over)
def take_over_seat(here: Standpoint, user_id: int, *, power: str) -> None:
    """Take over a vacant seat in a game under way, with no orders and a full phase.

    Raises SeatTaken if another player was faster; NotAllowed for people who may not join, have abandoned this game, or
    must ask first.
    """
    refuse_if_blocked(here)
    game, phase, now, seat = here.game, here.phase, here.now, here.seats[power]
    tell(news.TAKEN_OVER, game, at=now, by=user_id, power=power)
    seats.close_approaches(seat, user_id, now)
    seats.begin_occupancy(game, seat, user_id, phase, now)
    end_if_all_agree(game, now=now)


@player_act("come_back", rules.may_come_back, done=later("Welcome back: the seat is yours again."), to="games:game")
@transaction.atomic
def come_back(*, game_id: int, user_id: int) -> str:
    """Return to the seat that you lost by missing too many phases: once, and in the phase after.

    Returns the power. No deadline moves.
    """
    here = lock_game_for(game_id, user_id)
    occupancy = rules.may_come_back(here)
    game, phase, now = here.game, here.phase, here.now
    lock_account(user_id)
    seats.end_occupancy_of_bot(occupancy.seat, phase, now)
    occupancy.until, occupancy.departure, occupancy.returned, occupancy.silent = None, "", True, 0
    occupancy.save(update_fields=["until", "departure", "returned", "silent"])
    seats.close_approaches(occupancy.seat, user_id, now)
    tell(news.CAME_BACK, game, at=now, by=user_id, power=occupancy.seat.power)
    end_early_if_all_are_ready(game, phase, now)
    end_if_all_agree(game, now=now)
    return occupancy.seat.power


@player_act.locked("ask_for_seat", rules.may_ask_for_seat)
def ask_for_seat(here: Standpoint, user_id: int, *, power: str) -> None:
    """Ask for a vacant seat in a game that needs the game master's approval. Nobody else is told."""
    count_request_to_user(user_id, here.game)
    game, now = here.game, here.now
    approach = _create_approach(here.seats[power], user_id, now)
    if not is_blocked(by=game.gm_id, whom=user_id):
        tell(news.SEAT_ASKED_FOR, game, at=now, to=masters_of(game, Right.SEATS), about=str(approach.pk))


def _create_approach(seat: Seat, user_id: int, now: datetime, *, inviter: int | None = None) -> Approach:
    """Create a request (without an inviter) or an invitation, in place of any open one between the same two."""
    Approach.objects.filter(game=seat.game_id, user_id=user_id, accepted__isnull=True).update(accepted=False)
    return Approach.objects.create(
        game_id=seat.game_id, seat=seat, user_id=user_id, invited=inviter is not None, inviter_id=inviter, made=now
    )


@gm_act.locked("answer_asking", rules.may_answer_seat_requests, offered=False)
def answer_seat_request(here: Standpoint, by: int, *, number: Number, accept: Accept) -> None:
    """Give a vacant seat to a player who asks, or decline.

    The person who asked is told.
    """
    game, now = here.game, here.now
    approach = _open_approach(game, number, invited=False)
    if accept:
        rules.may_grant_seat(here, approach)
        _grant_seat(game, approach, here.phase, now, by=by)
    else:
        approach.accepted = False
        approach.save(update_fields=["accepted"])
        tell(news.SEAT_REFUSED, game, at=now, to=[approach.user_id], about=str(approach.pk))


def _open_approach(game: Game, number: int, *, invited: bool) -> Approach:
    approaches = Approach.objects.filter(game=game, pk=number, invited=invited, accepted__isnull=True)
    approach = approaches.select_related("seat", "user").first()
    if approach is None:
        raise WrongMoment(_("That has already been answered, or the seat has been taken."))
    return approach


def _grant_seat(game: Game, approach: Approach, phase: Phase, now: datetime, *, by: int) -> None:
    """Give the seat to the user of this request or invitation, in place of its player if it has one."""
    seat, user = approach.seat, approach.user
    approach.accepted = True
    approach.save(update_fields=["accepted"])
    seats.give_seat(game, seat, user, phase, now, by=by)
    end_if_all_agree(game, now=now)


Waiting = Annotated[str, asked_for_user(widget=forms.TextInput(attrs={"list": "gm-waiting"}))]
"""A user, perhaps one of those on the standby list whom the desk suggests."""


@gm_act.locked("invite", rules.may_invite, done=later("We’ve asked {username}. They get the seat if they accept."))
def invite_to_seat(here: Standpoint, by: int, *, power: Power, username: Waiting) -> None:
    """Invite a user to a seat. It changes hands if they accept.

    Nobody else is told. Raises NotAllowed where the game master may not know who plays what, and for users who know
    another power's plans.
    """
    game, now, seat = here.game, here.now, here.seats[power]
    user = account_named(username)
    rules.only_invitable(game, user, seat)
    count_request_to_user(by, game)
    approach = _create_approach(seat, user.pk, now, inviter=by)
    if not is_blocked(by=user.pk, whom=by):
        tell(news.SEAT_OFFERED, game, at=now, to=[user.pk], about=str(approach.pk))


@gm_act.locked("withdraw_invitation", rules.may_withdraw_invitation, offered=False)
def withdraw_invitation(here: Standpoint, _by: int, *, number: Number) -> None:
    """Withdraw an unanswered invitation."""
    approach = _open_approach(here.game, number, invited=True)
    approach.accepted = False
    approach.save(update_fields=["accepted"])


@player_act("answer_offer", rules.may_answer_invitation)
@transaction.atomic
def answer_invitation(*, game_id: int, user_id: int, accept: Accept) -> None:
    """Take the seat that the game master has invited you to, or decline."""
    here = lock_game_for(game_id, user_id)
    approach = (rules.may_accept_invitation if accept else rules.may_answer_invitation)(here)
    game, now = here.game, here.now
    if accept:
        _grant_seat(game, approach, here.phase, now, by=approach.inviter_id or game.gm_id)
        return
    approach.accepted = False
    approach.save(update_fields=["accepted"])
    tell(news.SEAT_DECLINED, game, at=now, to=masters_of(game, Right.SEATS), about=str(approach.pk))


@transaction.atomic
def join_standby_list(*, user_id: int, variants: Sequence[str] = (), pace: str = "") -> None:
    """Ask to be told about vacant seats in these variants (none: any) and at this pace ("": any)."""
    wishes = {"variants": sorted(set(variants)), "pace": pace}
    Standby.objects.update_or_create(user_id=user_id, defaults=wishes, create_defaults={**wishes, "since": clock.now()})


@transaction.atomic
def leave_standby_list(*, user_id: int) -> None:
    Standby.objects.filter(user_id=user_id).delete()
