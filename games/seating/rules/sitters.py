"""Who may name a sitter, sit for a player, and end it."""

from games.kernel.members import was_master
from games.kernel.models import NOT_OVER, UNDER_WAY, Game, Occupancy, Seat, Sitting
from games.kernel.refusals import NotAllowed, WrongMoment
from games.kernel.rules import only_seated, only_while, unless
from games.kernel.standpoint import Standpoint, once


@once
def sitting_of(here: Standpoint) -> Sitting | None:
    """The sitter whom this player has named, if it is not over."""
    rows = Sitting.objects.filter(occupancy=here.held, ended__isnull=True, ends__gt=here.now)
    return rows.select_related("occupancy__game", "occupancy__seat", "occupancy__user", "sitter").last()


def may_name_sitter(here: Standpoint) -> None:
    only_while(here, UNDER_WAY, "The game has not started.")
    only_seated(here)
    sitting = sitting_of(here)
    is_free = sitting is None or sitting.accepted is False
    unless(is_free, WrongMoment("You have named a sitter already. End that first."))


def may_answer_sitting(here: Standpoint, sitting: Sitting) -> None:
    _only_before_the_end(here)
    is_asked = sitting.sitter_id == here.user_id and sitting.accepted is None
    unless(is_asked, NotAllowed("Nobody waits for that answer from you."))


def may_sit(here: Standpoint, sitting: Sitting) -> None:
    may_answer_sitting(here, sitting)
    sentence = why_not_sit(here.game, sitting.sitter_id, sitting.occupancy.seat)
    unless(not sentence, NotAllowed(f"You cannot sit here: {sitting.sitter.get_username()} {sentence}"))


def may_end_sitting(here: Standpoint, sitting: Sitting) -> None:
    """End what is agreed, or, as the player, also what is only asked."""
    _only_before_the_end(here)
    ends_own = here.user_id == sitting.occupancy.user_id and sitting.accepted is not False
    stops = here.user_id == sitting.sitter_id and sitting.accepted is True
    unless(ends_own or stops, NotAllowed("There is nothing to end."))


def _only_before_the_end(here: Standpoint) -> None:
    unless(here.game.status in NOT_OVER, WrongMoment("That is over."))


def why_not_sit(game: Game, user_id: int, seat: Seat) -> str:
    """Why this user may not sit for this seat, after his name; "" if he may."""
    if user_id == game.gm_id:
        return "is the game master here."
    if was_master(game, user_id):
        return "was the game master here."
    if Occupancy.objects.filter(game=game, user=user_id).exists():
        return "plays here, or has played."
    others = Sitting.objects.filter(occupancy__game=game, sitter=user_id, accepted=True)
    return "has sat for another power here." if others.exclude(occupancy__seat=seat).exists() else ""
