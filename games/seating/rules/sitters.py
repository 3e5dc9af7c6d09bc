"""Rules about naming a sitter, sitting for a player, and ending a sitting."""

from typing import Any

from django.utils.translation import gettext as _

from games.kernel.members import is_assistant, may_know_secrets
from games.kernel.models import NOT_OVER, UNDER_WAY, Game, Occupancy, Seat, Sitting
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import only_outside_practice, only_while, only_with_seat, unless
from games.kernel.standpoint import Standpoint, answered_once
from games.sealed.options import EnteredOrders


@answered_once
def sitting_of(here: Standpoint) -> Sitting | None:
    """This player's sitting, unless it is over."""
    rows = Sitting.objects.filter(occupancy=here.held, ended__isnull=True, ends__gt=here.now)
    return rows.select_related("occupancy__game", "occupancy__seat", "occupancy__user", "sitter").last()


def may_name_sitter(here: Standpoint) -> None:
    only_while(here, UNDER_WAY, _("The game has not started."))
    only_with_seat(here)
    only_outside_practice(here)
    sitting = sitting_of(here)
    is_free = sitting is None or sitting.accepted is False
    unless(is_free, WrongMoment(_("You have already named a sitter. End that sitting first.")))


def may_let_gm_enter(here: Standpoint) -> Occupancy:
    """Allow players to let the game master enter their orders, or to withdraw that."""
    only_while(here, NOT_OVER)
    unless(
        here.options[EnteredOrders].allowed, NotAllowed(_("In this game the game master can’t enter players’ orders."))
    )
    return only_with_seat(here)


def may_answer_sitting(here: Standpoint, sitting: Sitting) -> None:
    only_while(here, NOT_OVER)
    is_asked = sitting.sitter_id == here.user_id and sitting.accepted is None
    unless(is_asked, NotAllowed(_("You haven’t been asked to sit here, or have already answered.")))


def may_agree_to_sit(here: Standpoint, sitting: Sitting) -> None:
    may_answer_sitting(here, sitting)
    why = why_not_sit(here.game, sitting.sitter, sitting.occupancy.seat)
    unless(not why, NotAllowed(_("You can’t sit here: {why}").format(why=why)))


def may_end_sitting(here: Standpoint, sitting: Sitting) -> None:
    """Allow ending a sitting that is agreed; the player may also end one that was only asked for."""
    only_while(here, NOT_OVER)
    ends_own = here.user_id == sitting.occupancy.user_id and sitting.accepted is not False
    stops = here.user_id == sitting.sitter_id and sitting.accepted is True
    unless(ends_own or stops, NotAllowed(_("There is no sitting to end.")))


def why_not_sit(game: Game, user: Any, seat: Seat) -> str:
    """Why this user may not sit for this seat; "" if they may."""
    return _why_user_may_not_sit(game, user.pk, seat).format(user=user.get_username())


def _why_user_may_not_sit(game: Game, user_id: int, seat: Seat) -> str:
    if user_id == game.gm_id:
        return _("{user} is the game master of this game.")
    if is_assistant(game, user_id):
        return _("{user} is an assistant of this game’s game master.")
    if may_know_secrets(game, user_id):
        return _("{user} has run this game, helped to, or looked at the plans of its tournament.")
    if Occupancy.objects.filter(game=game, user=user_id).exists():
        return _("{user} plays or has played in this game.")
    others = Sitting.objects.filter(occupancy__game=game, sitter=user_id, accepted=True)
    return _("{user} has sat for another power in this game.") if others.exclude(occupancy__seat=seat).exists() else ""
