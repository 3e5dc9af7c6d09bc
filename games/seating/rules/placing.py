"""Rules for a game master who gives out seats, and removes people, before the start."""

from games.kernel.models import Right, Status
from games.kernel.refusals import SeatTaken, WrongMoment
from games.kernel.rules import only_gm_while, only_in_play, unless
from games.kernel.standpoint import Standpoint
from games.seating.rules.vacancies import only_with_known_names

BEGUN = "The game has started. Assign its seats, or take players out of them, instead."


def may_place(here: Standpoint, power: str) -> None:
    """Give this seat to somebody."""
    only_gm_while(here, (Status.OPEN,), BEGUN, Right.SEATS)
    only_with_known_names(here)
    only_in_play(here, power)
    unless(not here.holder(power), SeatTaken("This seat is taken. Remove its player first, or choose another seat."))


def may_remove(here: Standpoint) -> None:
    """Remove somebody who has joined."""
    only_gm_while(here, (Status.OPEN,), BEGUN, Right.SEATS)
    only_with_known_names(here)
    unless(here.members, WrongMoment("No one has joined yet."))
