"""Who masters a game, who did before, and who is asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kernel.members import is_in
from games.kernel.models import Game, Handover, Sitting
from games.kernel.options import Master

if TYPE_CHECKING:
    from datetime import datetime


PLAYS = "plays in this game, and its game master may not play."

SITS = "sits for a player of this game until later."


def asked_name(game_id: int) -> str:
    """The name of the one who is asked to take the game over; "" if nobody is."""
    row = Handover.objects.filter(game_id=game_id, accepted__isnull=True).select_related("taker").first()
    return row.taker.get_username() if row else ""


def why_not_master(game: Game, user_id: int, now: datetime) -> str:
    """Why this user cannot take the game over, after his name; "" if he can."""
    if user_id == game.gm_id:
        return "is the game master of this game already."
    if game.options[Master].gm_plays:
        return ""
    if is_in(game, user_id):
        return PLAYS
    sat = Sitting.objects.filter(
        occupancy__game=game, occupancy__until__isnull=True, sitter_id=user_id, accepted=True
    )
    return SITS if sat.filter(ended__isnull=True, ends__gt=now).exists() else ""
