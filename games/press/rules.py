"""Where somebody may write, by the press of the game and by when it is."""

from __future__ import annotations

from adjudication.turns import Turn
from games.kernel.models import OVER, Status
from games.kernel.options import Master
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint
from games.press.options import Press, Talk


def may_write(here: Standpoint, *, public: bool) -> Refusal | None:
    """Write for the power for which one speaks."""
    if here.game.status in OVER:
        return _only_to_all(public=public)
    press = here.options[Talk].press
    if press == Press.NONE:
        return WrongMoment("No press: in this game players write nothing until it is over.")
    if press == Press.PUBLIC and not public:
        return WrongMoment("Public press: in this game every message goes to everybody.")
    if here.game.status == Status.OPEN:
        return WrongMoment("The talk begins when the game starts.")
    return _while_talk_is_open(here)


def _only_to_all(*, public: bool) -> Refusal | None:
    return unless(public, WrongMoment("The game is over. Only the talk with everybody goes on."))


def _while_talk_is_open(here: Standpoint) -> Refusal | None:
    talk = here.options[Talk]
    phase = here.open_phase if talk.press_closed else None
    if phase is None or Turn.from_code(phase.turn).kind not in talk.press_closed:
        return None
    sentence = f"In this game nobody writes while {talk.closed_phases} are open. The talk opens again after that."
    return WrongMoment(sentence)


def only_as_gm(here: Standpoint) -> Refusal | None:
    return unless(here.is_gm, NotAllowed("Only the game master may write as the game master."))


def may_write_as_gm(here: Standpoint, *, public: bool) -> Refusal | None:
    refusal = only_as_gm(here)
    if refusal is not None:
        return refusal
    if here.game.status in OVER:
        return _only_to_all(public=public)
    if here.options[Talk].press == Press.NONE and here.options[Master].gm_plays and public:
        return WrongMoment("In this game nobody writes until it is over, and a game master who plays does not either.")
    return unless(public, WrongMoment("The game master writes to everybody only."))


def may_remark(here: Standpoint) -> Refusal | None:
    """Write into the gallery."""
    return unless(here.game.status in OVER, WrongMoment("The gallery opens when the game is over."))
