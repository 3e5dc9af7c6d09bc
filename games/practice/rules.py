"""The rules on practice games: only their players may delete them."""

from games.kernel.refusals import NotAllowed
from games.kernel.rules import unless
from games.kernel.standpoint import Standpoint


def may_delete(here: Standpoint) -> None:
    unless(here.game.practice and here.held, NotAllowed("Only your own games against bots can be deleted."))
