"""Rules about seats in games under way, for their players and for people who want one; and about all seats that the
game master assigns or lets bots play."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from games.kernel.languages import later
from games.kernel.members import is_assistant, may_know_secrets
from games.kernel.models import (
    NOT_OVER,
    UNDER_WAY,
    Departure,
    Game,
    Joiner,
    Occupancy,
    Phase,
    Right,
    Seat,
    Sitting,
    Status,
)
from games.kernel.options import Master, Names, OwnBots
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.rules import (
    allowed,
    objection,
    only_before_deadline,
    only_gm,
    only_gm_while,
    only_in_play,
    only_outside_practice,
    only_while,
    only_with_seat,
    unless,
)
from games.kernel.standpoint import Standpoint, answered_once
from games.seating.models import Approach
from games.seating.options import Dealing, SeatAssignment
from games.seating.rules import joining

GAME_HAS_NOT_STARTED = later("The game has not started. Until it does, players join and leave it on its page.")
ANSWER_FIRST = later("The game master has asked you to take a seat in this game. Answer that first.")
SEAT_REQUEST_SENT = later("You’ve asked for this seat. We’ll let you know the game master’s answer.")


def moment_of_start(game: Game) -> datetime | None:
    """When the first phase opened."""
    return Phase.objects.filter(game=game).order_by("ordinal").values_list("opened", flat=True).first()


@answered_once
def seat_to_come_back_to(here: Standpoint) -> Occupancy | None:
    """The seat that this person lost by missing phases and may return to: in the next phase, once, and only if nobody
    has had it since, whose messages they would see.

    If later phases were undone, the next phase is the one that is open again.
    """
    if here.user_id is None or here.game.status not in UNDER_WAY or is_assistant(here.game, here.user_id):
        return None
    rows = seats_lost_lately(here.game).filter(user_id=here.user_id)
    occupancy = rows.select_related("seat").order_by("until").last()
    if occupancy is None or occupancy.seat.disordered or may_know_secrets(here.game, here.user_id):
        return None
    others = Occupancy.objects.filter(seat=occupancy.seat, since__gte=occupancy.until, user__is_bot=False)
    return None if others.exclude(pk=occupancy.pk).exists() else occupancy


def seats_lost_lately(game: Game) -> QuerySet[Occupancy]:
    """The seats lost by missing phases when the last phase that counts was closed, or later."""
    lost = Occupancy.objects.filter(game=game, departure=Departure.LAPSED, returned=False)
    before = game.phases.filter(closed__isnull=False).order_by("ordinal").last()
    return lost.filter(until__gte=before.closed) if before else lost


@answered_once
def open_approach_of(here: Standpoint) -> Approach | None:
    """The open approach between this person and the game master: a request for a seat, or an invitation to one."""
    rows = Approach.objects.filter(game=here.game, user_id=here.user_id or NOBODY, accepted__isnull=True)
    return rows.select_related("seat", "user").first()


def invitation_of(here: Standpoint) -> Approach | None:
    """The game master's open invitation to this person."""
    approach = open_approach_of(here)
    return approach if approach is not None and approach.invited else None


def has_asked_for_seat(here: Standpoint, power: str) -> bool:
    approach = open_approach_of(here)
    return approach is not None and not approach.invited and approach.seat.power == power


def _only_under_way_in_time(here: Standpoint) -> None:
    only_while(here, UNDER_WAY, GAME_HAS_NOT_STARTED)
    only_before_deadline(here)


def may_resign(here: Standpoint) -> None:
    _only_under_way_in_time(here)
    only_with_seat(here)
    only_outside_practice(here)


def may_take_over(here: Standpoint, power: str) -> None:
    _only_newcomer_to_vacant_seat(here, power)
    unless(
        not joining.needs_approval(here), NotAllowed(_("You need the game master’s approval first. Ask for the seat."))
    )


def may_ask_for_seat(here: Standpoint, power: str) -> None:
    _only_newcomer_to_vacant_seat(here, power)
    unless(joining.needs_approval(here), WrongMoment(_("You don’t need to ask: you can take the seat.")))
    unless(invitation_of(here) is None, WrongMoment(ANSWER_FIRST))
    unless(not has_asked_for_seat(here, power), WrongMoment(SEAT_REQUEST_SENT))


def _only_newcomer_to_vacant_seat(here: Standpoint, power: str) -> None:
    _only_under_way_in_time(here)
    only_vacant(here, power)
    if refusal := objection(joining.only_invited, here) or objection(only_newcomer, here):
        unless(invitation_of(here) is None, WrongMoment(ANSWER_FIRST))
        raise refusal


def only_vacant(here: Standpoint, power: str) -> None:
    """Allow only a vacant seat, or one of a bot that gives way, and not one that is kept for a guest."""
    only_in_play(here, power)
    holder = here.holder(power)
    unless(holder is None or holder.gives_way, SeatTaken(_("Another player has just taken this seat.")))
    unless(not joining.is_kept_for_guest(here, power), SeatTaken(joining.SEAT_IS_KEPT))


@answered_once
def only_newcomer(here: Standpoint) -> None:
    """Raises NotAllowed for people who may not take any vacant seat of this game, even with an invitation."""
    own_seats = Occupancy.objects.filter(game=here.game, user_id=here.user_id or NOBODY)
    if own_seats.filter(until__isnull=True).exists():
        raise NotAllowed(_("You already have a seat in this game."))
    start = moment_of_start(here.game)
    if start is None:
        raise NotAllowed(_("The game has not started. Join it instead."))
    if own_seats.filter(until__gte=start).exclude(departure="").exists():
        raise NotAllowed(_("You have abandoned a seat in this game, so you can’t take another one."))
    if own_seats.filter(until__gt=start).exists():
        raise NotAllowed(_("You have already played in this game, so you can’t take another seat."))
    if Sitting.objects.filter(occupancy__game=here.game, sitter=here.user_id, accepted=True).exists():
        sentence = _("You have sat for a player in this game and know their plans, so you can’t take a seat.")
        raise NotAllowed(sentence)
    joining.only_eligible(here)


def may_come_back(here: Standpoint) -> Occupancy:
    """Allow the return to a seat that was lost by missing phases."""
    _only_under_way_in_time(here)
    seat = seat_to_come_back_to(here)
    if seat is None:
        raise WrongMoment(_("You can’t come back: the phase has ended, or another player has taken the seat."))
    return seat


def may_answer_invitation(here: Standpoint) -> Approach:
    _only_under_way_in_time(here)
    approach = invitation_of(here)
    if approach is None:
        raise WrongMoment(_("You have no open invitation to a seat in this game."))
    return approach


def may_accept_invitation(here: Standpoint) -> Approach:
    approach = may_answer_invitation(here)
    only_in_play(here, approach.seat.power)
    _only_if_may_accept(here.game, approach.user, approach.seat)
    return approach


def _only_if_may_accept(game: Game, user: Any, seat: Seat | None) -> None:
    why = why_not_invitable(game, user, seat)
    unless(not why, NotAllowed(_("You can’t take this seat: {why}").format(why=why)))


def why_not_invitable(game: Game, user: Any, seat: Seat | None) -> str:
    """Why the game master may not give this user this seat, or a place without a power; "" if allowed.

    A player who has left the seat may come back to it, but nobody who knows another power's plans may take it.
    """
    return _why_user_not_invitable(game, user.pk, seat).format(user=user.get_username())


def _why_user_not_invitable(game: Game, user_id: int, seat: Seat | None) -> str:
    seats = Occupancy.objects.filter(game=game, user_id=user_id)
    if seats.filter(until__isnull=True).exists():
        return _("{user} already has a seat in this game.")
    if user_id == game.gm_id and not game.options[Master].gm_plays:
        return _("{user} is the game master, who doesn’t play in this game.")
    if is_assistant(game, user_id):
        return _("{user} is an assistant of this game’s game master.")
    if may_know_secrets(game, user_id):
        return _("{user} has run this game, or looked at the plans of its tournament, and may know secrets.")
    start = moment_of_start(game)
    if start is not None and seats.filter(until__gte=start).exclude(seat=seat).exists():
        return _("{user} has played another power in this game.")
    sat = Sitting.objects.filter(occupancy__game=game, sitter=user_id, accepted=True)
    return _("{user} has sat for another power in this game.") if sat.exclude(occupancy__seat=seat).exists() else ""


def only_invitable(game: Game, user: Any, seat: Seat | None) -> None:
    """Raises NotAllowed if the game master may not give this user this seat, or a place without a power."""
    why = why_not_invitable(game, user, seat)
    unless(not why, NotAllowed(why))


# The game master looks for players.


def only_if_gm_knows_players(here: Standpoint) -> None:
    """A game master who may not know who plays what can't assign seats."""
    sentence = _("Players are anonymous in this game, so a game master who plays can’t give out its seats.")
    unless(here.options[Names].seen_by_gm, NotAllowed(sentence))


def may_invite(here: Standpoint, power: str) -> None:
    only_gm(here, Right.SEATS)
    _only_under_way_in_time(here)
    only_if_gm_knows_players(here)
    only_in_play(here, power)


def may_withdraw_invitation(here: Standpoint) -> None:
    only_gm_while(here, NOT_OVER, right=Right.SEATS)


def may_answer_seat_requests(here: Standpoint) -> None:
    only_gm(here, Right.SEATS)
    _only_under_way_in_time(here)


def may_grant_seat(here: Standpoint, approach: Approach) -> None:
    may_answer_seat_requests(here)
    only_vacant(here, approach.seat.power)
    asker = Standpoint(here.game, approach.user_id)
    unless(allowed(only_newcomer, asker), NotAllowed(_("The player who asked can’t take this seat any more.")))


def name_of_offered_power(here: Standpoint) -> str:
    """The name of the power that this user is invited to play; "" if there is none, or if they play already."""
    return _name_of_power_without_seat(here, may_answer_invitation)


def name_of_lost_power(here: Standpoint) -> str:
    """The name of the power that this user lost by missing phases and may take again; "" without one."""
    return _name_of_power_without_seat(here, may_come_back)


def _name_of_power_without_seat(here: Standpoint, rule: Callable[[Standpoint], Approach | Occupancy]) -> str:
    """The name of the power whose seat the rule gives to a user without a seat; "" if it gives none."""
    may = here.user_id is not None and here.held is None and allowed(rule, here)
    return here.variant.power(rule(here).seat.power).name if may else ""


# Seats and places that the game master gives out before the start, or by email.


NO_PLACES_LEFT = later("All places are taken or kept for guests. Remove a player or withdraw an invitation first.")
GAME_HAS_STARTED = later("The game has started. Assign its seats, or take players out of them, instead.")


def may_place_player(here: Standpoint, power: str) -> None:
    """Allow assigning this seat to a user."""
    only_gm_while(here, (Status.OPEN,), GAME_HAS_STARTED, Right.SEATS)
    only_if_gm_knows_players(here)
    only_in_play(here, power)
    unless(not here.holder(power), SeatTaken(_("This seat is taken. Remove its player first, or choose another seat.")))


def may_give_place(here: Standpoint) -> None:
    """Allow giving a user a place without a power, or an invitation to one by email, where powers are assigned."""
    only_gm_while(here, (Status.OPEN,), GAME_HAS_STARTED, Right.SEATS)
    only_if_gm_knows_players(here)
    chosen = _("In this game powers aren’t assigned before the start. Choose a seat from the list.")
    unless(here.options[Dealing].seats != SeatAssignment.CHOICE, WrongMoment(chosen))
    unless(joining.has_room(here), SeatTaken(NO_PLACES_LEFT))


def may_remove_player_who_joined(here: Standpoint) -> None:
    """Allow removing a user who has joined."""
    only_gm_while(here, (Status.OPEN,), GAME_HAS_STARTED, Right.SEATS)
    only_if_gm_knows_players(here)
    unless(here.members, WrongMoment(_("No one has joined yet.")))


def may_invite_by_email(here: Standpoint, power: str) -> None:
    """Allow inviting someone by email to this seat."""
    only_gm_while(here, NOT_OVER, right=Right.SEATS)
    only_if_gm_knows_players(here)
    only_in_play(here, power)
    _only_without_person(here, power)
    fits = here.game.status != Status.OPEN or joining.is_kept_for_guest(here, power) or joining.has_room(here)
    unless(fits, SeatTaken(NO_PLACES_LEFT))


def _only_without_person(here: Standpoint, power: str) -> None:
    holder = here.holder(power)
    unless(holder is None or holder.user.is_bot, SeatTaken(_("This seat is taken. Choose another one.")))


def may_accept_email_invitation(here: Standpoint, user: Any, seat: Seat | None) -> None:
    """Allow taking the seat, or the place without a power, to which an email invites."""
    only_while(here, NOT_OVER if seat else (Status.OPEN,), GAME_HAS_STARTED)
    if seat is not None:
        only_in_play(here, seat.power)
        _only_without_person(here, seat.power)
    is_waiting = here.user_id in here.members
    may_come = here.game.status != Status.OPEN or is_waiting or len(here.members) < joining.places_for_people(here)
    unless(may_come, SeatTaken(_("Other players have taken all the places of this game.")))
    _only_if_may_accept(here.game, user, seat)


# Bots in seats of their own, and players’ own bots.


SEATED_AT_START = later("Before the start, bots take the seats that were meant for them when the game was created.")


def _only_gm_under_way_in_time(here: Standpoint, power: str) -> None:
    only_gm_while(here, UNDER_WAY, SEATED_AT_START, Right.SEATS)
    only_in_play(here, power)
    only_before_deadline(here)


def may_seat_bot(here: Standpoint, power: str) -> None:
    """Allow a bot to play a seat, in place of its player if it has one: otherwise all who are ready could end the phase
    between the two acts."""
    _only_gm_under_way_in_time(here, power)
    holder = here.holder(power)
    unless(holder is None or not holder.user.is_bot, SeatTaken(_("A bot has this seat already. Take it out first.")))


def may_unseat_bot(here: Standpoint, power: str) -> Occupancy:
    _only_gm_under_way_in_time(here, power)
    holder = here.holder(power)
    if holder is None or not holder.user.is_bot:
        raise WrongMoment(_("No bot has this seat."))
    return holder


def may_let_own_bot_play(here: Standpoint) -> Occupancy | Joiner:
    """Allow one's own program on one's seat or, before powers are assigned, place. Returns the row of either."""
    without = _("The terms of this game don’t allow players’ own bots, so no bot of yours can play in it.")
    unless(here.options[OwnBots].own_bots, NotAllowed(without))
    only_while(here, NOT_OVER)
    place = joining.joiner_of(here) or only_with_seat(here)
    unless(not place.own_bot, WrongMoment(_("Your seat is already labelled as played by a bot of yours.")))
    return place
