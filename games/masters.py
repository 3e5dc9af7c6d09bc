"""Who masters a game, who did before, and who is asked to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from games.models import OVER, Game, Handover, Joiner, Occupancy, Sitting

if TYPE_CHECKING:
    from datetime import datetime

    from django.contrib.auth.models import AbstractUser

PLAYS = "plays in this game, and its game master may not play."
SITS = "sits for a player of this game until later."


def asked_into(game: Game, user_id: int | None) -> Handover | None:
    """The open question to this user whether he takes the game over."""
    if user_id is None:
        return None
    rows = Handover.objects.filter(game=game, taker_id=user_id, accepted__isnull=True)
    return rows.exclude(game__status__in=OVER).first()


def asked_name(game_id: int) -> str:
    """The name of the one who is asked to take the game over; "" if nobody is."""
    row = Handover.objects.filter(game_id=game_id, accepted__isnull=True).select_related("taker").first()
    return row.taker.get_username() if row else ""


def was_master(game: Game, user_id: int) -> bool:
    """Has this user mastered the game without a right to play in it? He may have seen what players may not."""
    if game.options.gm_plays:
        return False
    return Handover.objects.filter(game=game, giver_id=user_id, accepted=True).exists()


def masters_or_did(user_id: int) -> bool:
    """Is this user the game master of any game, or has been?"""
    given = Handover.objects.filter(giver_id=user_id, accepted=True)
    return Game.objects.filter(gm_id=user_id).exists() or given.exists()


def why_not_master(game: Game, user_id: int, now: datetime) -> str:
    """Why this user cannot take the game over, after his name; "" if he can."""
    if user_id == game.gm_id:
        return "is the game master of this game already."
    if game.options.gm_plays:
        return ""
    if is_in(game, user_id):
        return PLAYS
    sat = Sitting.objects.filter(
        occupancy__game=game, occupancy__until__isnull=True, sitter_id=user_id, accepted=True
    )
    return SITS if sat.filter(ended__isnull=True, ends__gt=now).exists() else ""


def is_in(game: Game, user_id: int) -> bool:
    """Has this user a seat in the game, or a place among those who wait for one?"""
    held = Occupancy.objects.filter(game=game, user_id=user_id, until__isnull=True)
    return held.exists() or Joiner.objects.filter(game=game, user_id=user_id).exists()


def master_at(game: Game, moment: datetime) -> AbstractUser:
    """Who mastered the game at that moment."""
    later = Handover.objects.filter(game=game, accepted=True, answered__gt=moment)
    row = later.select_related("giver").order_by("answered").first()
    return row.giver if row else game.gm


def times_as_master(user_id: int) -> list[tuple[int, datetime | None, datetime | None]]:
    """Game, from when and until when, for every time that this user mastered a game; None: its start, or still."""
    given = Handover.objects.filter(giver_id=user_id, accepted=True).values_list("game_id", "answered")
    times: list[tuple[int, datetime | None, datetime | None]] = [
        (game_id, _taken(game_id, until), until) for game_id, until in given
    ]
    mastered = Game.objects.filter(gm_id=user_id).values_list("pk", flat=True)
    return times + [(game_id, _taken(game_id, None), None) for game_id in mastered]


def _taken(game_id: int, before: datetime | None) -> datetime | None:
    """When the game last changed hands, before that moment if one is given."""
    rows = Handover.objects.filter(Q() if before is None else Q(answered__lt=before))
    taken = rows.filter(game_id=game_id, accepted=True).order_by("-answered")
    return taken.values_list("answered", flat=True).first()
