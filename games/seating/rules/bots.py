"""Rules about bots in seats of their own."""

from games.kernel.models import UNDER_WAY, Occupancy
from games.kernel.refusals import SeatTaken, WrongMoment
from games.kernel.rules import only_gm_while, only_in_play, only_in_time, unless
from games.kernel.standpoint import Standpoint

NOT_UNDER_WAY = "Before the start, bots take the seats that were meant for them when the game was created."


def _only_gm_in_time(here: Standpoint, power: str) -> None:
    only_gm_while(here, UNDER_WAY, NOT_UNDER_WAY)
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
