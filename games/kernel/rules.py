"""What many rules say. A rule answers why somebody may not, or None: the page asks it whether to show a button, the
service refuses by it. Rules are joined by `or`, so that the first objection is heard."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta

from games.kernel.models import OVER
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.standpoint import Standpoint


def require(objection: Refusal | None) -> None:
    """Raise the refusal, if there is one. Services ask so, once they have locked the game."""
    if objection is not None:
        raise objection


def why_not(objection: Refusal | None) -> str:
    """In a sentence; "" if nothing speaks against it."""
    return objection.sentence if objection else ""


def unless(fact: object, refusal: Refusal) -> Refusal | None:
    return None if fact else refusal


def only_gm(here: Standpoint) -> Refusal | None:
    return unless(here.is_gm, NotAllowed("Only the game master may do that."))


def only_while(here: Standpoint, statuses: Iterable[str], sentence: str) -> Refusal | None:
    """The sentence is for a game that has none of the statuses and is not over."""
    if here.game.status in set(statuses):
        return None
    return WrongMoment("The game is over." if here.game.status in OVER else sentence)


def only_in_a_phase(here: Standpoint) -> Refusal | None:
    return unless(here.open_phase, WrongMoment("The game has no open phase."))


def only_in_time(here: Standpoint) -> Refusal | None:
    """What was saved by the deadline counts, so nobody is given time after it."""
    return only_in_a_phase(here) or unless(
        here.phase.time_left(here.now) > timedelta(0),
        WrongMoment("The deadline has passed; the phase is about to close."),
    )


def only_seated(here: Standpoint) -> Refusal | None:
    return unless(here.held, NotAllowed("You have no seat in this game."))


def only_in_play(here: Standpoint, power: str) -> Refusal | None:
    """A seat may be played unless it is closed."""
    if power not in here.seats:
        return NotAllowed("This game has no such power.")
    sentence = "This power is in permanent civil disorder; its seat is closed for good."
    return unless(not here.seats[power].disordered, WrongMoment(sentence))
