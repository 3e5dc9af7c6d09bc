"""Building blocks of rules. A rule refuses what a user may not do: services ask it first, pages before a button."""

from collections.abc import Callable, Iterable
from datetime import timedelta
from typing import ParamSpec

from django.utils.translation import gettext as _

from games.kernel.models import OVER, Occupancy, Phase, Right
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.kernel.standpoint import Standpoint

P = ParamSpec("P")


def objection(rule: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> Refusal | None:
    """The refusal of this rule; None if it allows the act."""
    try:
        rule(*args, **kwargs)
    except Refusal as refusal:
        return refusal
    return None


def allowed(rule: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
    return objection(rule, *args, **kwargs) is None


def why_not(rule: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> str:
    """The sentence of this rule's refusal; "" if it allows the act."""
    refusal = objection(rule, *args, **kwargs)
    return refusal.sentence if refusal else ""


def unless(fact: object, refusal: Refusal) -> None:
    if not fact:
        raise refusal


def only_gm(here: Standpoint, right: Right | None = None) -> None:
    """Allow the game master, and assistants with this right."""
    unless(here.is_master or right in here.rights, NotAllowed(_("Only the game master can do that.")))


def only_while(here: Standpoint, statuses: Iterable[str], sentence: str = "") -> None:
    """Allow this only in these statuses. `sentence` is for a game that is not over, if that is refused."""
    over = here.game.status in OVER
    unless(here.game.status in set(statuses), WrongMoment(_("The game is over.") if over else sentence))


def only_gm_while(here: Standpoint, statuses: Iterable[str], sentence: str = "", right: Right | None = None) -> None:
    only_gm(here, right)
    only_while(here, statuses, sentence)


def only_in_a_phase(here: Standpoint) -> Phase:
    return here.phase


def only_before_deadline(here: Standpoint) -> None:
    """Allow more time only before the deadline, because orders saved until then already count."""
    is_ahead = here.phase.time_left(here.now) > timedelta(0)
    unless(is_ahead, WrongMoment(_("The deadline has passed, and the phase is about to end.")))


def only_with_seat(here: Standpoint) -> Occupancy:
    return here.occupancy


def only_outside_practice(here: Standpoint) -> None:
    """Don't allow this in a game of one person against bots, where no one else would notice."""
    sentence = _("That doesn’t exist in a game against bots. If you don’t want to play on, delete the game.")
    unless(not here.game.practice, NotAllowed(sentence))


def only_in_play(here: Standpoint, power: str) -> None:
    """Refuse a power whose seat is closed."""
    unless(power in here.seats, NotAllowed(_("This game has no such power.")))
    sentence = _("This power is in permanent civil disorder; its seat is closed for good.")
    unless(not here.seats[power].disordered, WrongMoment(sentence))
