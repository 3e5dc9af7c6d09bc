"""Where somebody may write, by the press of the game and by when it is."""

from adjudication.turns import Turn
from games.kernel.models import OVER, Status
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint
from games.press.options import Press, Talk


def may_write(here: Standpoint, *, public: bool) -> None:
    """Write for the power for which one speaks."""
    if here.game.status in OVER:
        return _only_to_all(public=public)
    press = here.options[Talk].press
    unless(press != Press.NONE, WrongMoment("No press: in this game players write nothing until it is over."))
    every_message = WrongMoment("Public press: in this game every message goes to everybody.")
    unless(public or press != Press.PUBLIC, every_message)
    unless(here.game.status != Status.OPEN, WrongMoment("The talk begins when the game starts."))
    return _while_talk_is_open(here)


def _only_to_all(*, public: bool) -> None:
    unless(public, WrongMoment("The game is over. Only the talk with everybody goes on."))


def _while_talk_is_open(here: Standpoint) -> None:
    talk = here.options[Talk]
    phase = here.open_phase if talk.press_closed else None
    is_closed = phase is not None and Turn.from_code(phase.turn).kind in talk.press_closed
    sentence = f"In this game nobody writes while {talk.closed_phases} are open. The talk opens again after that."
    unless(not is_closed, WrongMoment(sentence))


def only_as_gm(here: Standpoint) -> None:
    unless(here.is_gm, NotAllowed("Only the game master may write as the game master."))


def may_write_as_gm(here: Standpoint, *, public: bool) -> None:
    only_as_gm(here)
    if here.game.status in OVER:
        return _only_to_all(public=public)
    is_silent = here.options[Talk].press == Press.NONE and here.options[Master].gm_plays and public
    silence = "In this game nobody writes until it is over, and a game master who plays does not either."
    unless(not is_silent, WrongMoment(silence))
    return unless(public, WrongMoment("The game master writes to everybody only."))


def may_remark(here: Standpoint) -> None:
    """Write into the gallery."""
    unless(here.game.status in OVER, WrongMoment("The gallery opens when the game is over."))
