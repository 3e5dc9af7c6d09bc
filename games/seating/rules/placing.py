"""Rules for a game master who gives out seats, and removes people, before the start, or invites people by email."""

from games.kernel.models import NOT_OVER, Right, Seat, Status
from games.kernel.queries import NOBODY
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.rules import only_gm_while, only_in_play, only_while, unless
from games.kernel.standpoint import Standpoint
from games.seating.options import Dealing, Seats
from games.seating.rules.joining import has_room, is_kept, places_in
from games.seating.rules.vacancies import only_with_known_names, why_not_invited

FULL = "All places are taken or kept for guests. Remove a player or withdraw an invitation first."
BEGUN = "The game has started. Assign its seats, or take players out of them, instead."


def may_place(here: Standpoint, power: str) -> None:
    """Give this seat to somebody."""
    only_gm_while(here, (Status.OPEN,), BEGUN, Right.SEATS)
    only_with_known_names(here)
    only_in_play(here, power)
    unless(not here.holder(power), SeatTaken("This seat is taken. Remove its player first, or choose another seat."))


def may_give_place(here: Standpoint) -> None:
    """Give somebody a place without a power, or invite them to one by email, where powers are assigned."""
    only_gm_while(here, (Status.OPEN,), BEGUN, Right.SEATS)
    only_with_known_names(here)
    chosen = "In this game powers aren’t assigned before the start. Choose a seat from the list."
    unless(here.options[Dealing].seats != Seats.CHOICE, WrongMoment(chosen))
    unless(has_room(here), SeatTaken(FULL))


def may_remove(here: Standpoint) -> None:
    """Remove somebody who has joined."""
    only_gm_while(here, (Status.OPEN,), BEGUN, Right.SEATS)
    only_with_known_names(here)
    unless(here.members, WrongMoment("No one has joined yet."))


def may_mail(here: Standpoint, power: str) -> None:
    """Invite somebody by email to this seat."""
    only_gm_while(here, NOT_OVER, "The game is over.", Right.SEATS)
    only_with_known_names(here)
    only_in_play(here, power)
    _only_without_player(here, power)
    fits = here.game.status != Status.OPEN or is_kept(here, power) or has_room(here)
    unless(fits, SeatTaken(FULL))


def _only_without_player(here: Standpoint, power: str) -> None:
    held = here.holder(power)
    unless(held is None or held.user.is_bot, SeatTaken("This seat is taken. Choose another one."))


def may_withdraw_mailed(here: Standpoint) -> None:
    only_gm_while(here, NOT_OVER, "The game is over.", Right.SEATS)


def may_accept_mailed(here: Standpoint, seat: Seat | None) -> None:
    """Take the seat that one has been invited to by email, or a place without a power."""
    only_while(here, NOT_OVER if seat else (Status.OPEN,), BEGUN)
    if seat is not None:
        only_in_play(here, seat.power)
        _only_without_player(here, seat.power)
    is_waiting = here.user_id in here.members
    may_come = here.game.status != Status.OPEN or is_waiting or len(here.members) < places_in(here)
    unless(may_come, SeatTaken("Other players have taken all the places of this game."))
    sentence = why_not_invited(here.game, here.user_id or NOBODY, seat)
    unless(not sentence, NotAllowed(f"You can’t take this seat. Your account {sentence}"))
