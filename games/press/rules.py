"""Where somebody may write, depending on the press setting and the moment."""

from adjudication.turns import Turn
from games.kernel.models import OVER, Right, Status
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint
from games.press.options import PRESS_TEXTS, Press, Talk


def may_write(here: Standpoint, *, public: bool) -> None:
    """Write for the power one speaks for."""
    if here.game.status in OVER:
        return _only_to_all(public=public)
    talk = here.options[Talk]
    unless(
        talk.press == Press.FULL or (public and talk.press == Press.PUBLIC),
        WrongMoment(". ".join(PRESS_TEXTS[Press(talk.press)])),
    )
    unless(here.game.status != Status.OPEN, WrongMoment("You can send messages once the game has started."))
    return _while_talk_is_open(here)


def _only_to_all(*, public: bool) -> None:
    unless(public, WrongMoment("The game is over, so you can only write to everyone."))


def _while_talk_is_open(here: Standpoint) -> None:
    talk = here.options[Talk]
    phase = here.open_phase if talk.press_closed else None
    is_closed = phase is not None and Turn.from_code(phase.turn).kind in talk.press_closed
    unless(not is_closed, WrongMoment(talk.told_closed))


def only_as_gm(here: Standpoint) -> None:
    """Or as an assistant who may."""
    unless(Right.TALK in here.rights, NotAllowed("Only the game master can write as the game master."))


def may_write_as_gm(here: Standpoint, *, public: bool) -> None:
    only_as_gm(here)
    if here.game.status in OVER:
        return _only_to_all(public=public)
    is_silent = here.options[Talk].press == Press.NONE and here.options[Master].gm_plays and public
    silence = "This game has no press, so a game master who plays can’t send messages until it is over."
    unless(not is_silent, WrongMoment(silence))
    return unless(public, WrongMoment("The game master can only write to everyone."))


def may_remark(here: Standpoint) -> None:
    """Write into the gallery."""
    unless(here.game.status in OVER, WrongMoment("The gallery opens when the game is over."))
