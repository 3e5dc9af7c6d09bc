"""When a player may book or cancel days away."""

from datetime import datetime

from games.deadlines.models import Absence
from games.deadlines.options import Absences
from games.kernel.models import NOT_OVER
from games.kernel.refusals import WrongMoment
from games.kernel.rules import only_seated, only_while, unless
from games.kernel.standpoint import Standpoint


def may_book(here: Standpoint, left: int) -> None:
    """`left`: how many days this player can still book."""
    unless(here.options[Absences].absence_days, WrongMoment("You can’t book days away in this game."))
    only_seated(here)
    only_while(here, NOT_OVER, "The game is over.")
    unless(left > 0, WrongMoment("You’ve used all your days away in this game."))


def may_cancel(absence: Absence, now: datetime) -> None:
    is_ahead = absence.cancelled is None and absence.ends > now
    unless(is_ahead, WrongMoment("These days are over or already cancelled."))
