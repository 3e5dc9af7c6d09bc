"""Rules about bots in seats of their own, and about players' own bots."""

from games.kernel.models import NOT_OVER, UNDER_WAY, Joiner, Occupancy, Right
from games.kernel.options import OwnBots
from games.kernel.refusals import NotAllowed, SeatTaken, WrongMoment
from games.kernel.rules import only_gm_while, only_in_play, only_in_time, only_seated, only_while, unless
from games.kernel.standpoint import Standpoint
from games.seating.rules.joining import joiner_of

NOT_UNDER_WAY = "Before the start, bots take the seats that were meant for them when the game was created."


def _only_gm_in_time(here: Standpoint, power: str) -> None:
    only_gm_while(here, UNDER_WAY, NOT_UNDER_WAY, Right.SEATS)
    only_in_play(here, power)
    only_in_time(here)


def may_seat_bot(here: Standpoint, power: str) -> None:
    """Let a bot play a vacant seat."""
    _only_gm_in_time(here, power)
    unless(here.holder(power) is None, SeatTaken("This seat isn’t vacant, so a bot can’t take it."))


def may_take_bot_out(here: Standpoint, power: str) -> Occupancy:
    _only_gm_in_time(here, power)
    held = here.holder(power)
    if held is None or not held.user.is_bot:
        raise WrongMoment("No bot has this seat.")
    return held


def only_with_own_bots(here: Standpoint) -> None:
    """Only in games whose terms allow players' own bots."""
    sentence = "The terms of this game don’t allow players’ own bots, so no bot of yours can play in it."
    unless(here.options[OwnBots].own_bots, NotAllowed(sentence))


def may_let_own_bot_play(here: Standpoint) -> Occupancy | Joiner:
    """Let a program of one's own play one's seat or, before powers are assigned, one's place; the row of either."""
    only_with_own_bots(here)
    only_while(here, NOT_OVER, "The game is over.")
    place = joiner_of(here) or only_seated(here)
    unless(not place.own_bot, WrongMoment("Your seat is already labelled as played by a bot of yours."))
    return place
