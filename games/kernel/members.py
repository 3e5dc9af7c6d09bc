"""The people in a game: its game masters, its players, their sitters, and players waiting for a seat."""

from collections.abc import Iterable
from datetime import datetime

from django.contrib.auth.models import AbstractUser
from django.db.models import Q, QuerySet

from games.kernel import clock
from games.kernel.models import UNDER_WAY, Game, Handover, Joiner, Occupancy, Sitting
from games.kernel.options import Master


def was_master(game: Game, user_id: int) -> bool:
    """Was this user once the game master without the right to play? They may have seen what players may not."""
    if game.options[Master].gm_plays:
        return False
    return Handover.objects.filter(game=game, giver_id=user_id, accepted=True).exists()


def masters_or_did(user_id: int) -> bool:
    """Is this user the game master of any game, or have they ever been?"""
    given = Handover.objects.filter(giver_id=user_id, accepted=True)
    return Game.objects.filter(gm_id=user_id).exists() or given.exists()


def is_in(game: Game, user_id: int) -> bool:
    """Does this user have a seat in the game, or are they waiting for one?"""
    return user_id in members_of(game)


def master_at(game: Game, moment: datetime) -> AbstractUser:
    """The game master at that moment."""
    later = Handover.objects.filter(game=game, accepted=True, answered__gt=moment)
    row = later.select_related("giver").order_by("answered").first()
    return row.giver if row else game.gm


def times_as_master(user_id: int) -> list[tuple[int, datetime | None, datetime | None]]:
    """Game, beginning and end of every period in which this user was a game master; None for the start of the game, or
    for "still"."""
    given = Handover.objects.filter(giver_id=user_id, accepted=True).values_list("game_id", "answered")
    times: list[tuple[int, datetime | None, datetime | None]] = [
        (game_id, _taken(game_id, until), until) for game_id, until in given
    ]
    mastered = Game.objects.filter(gm_id=user_id).values_list("pk", flat=True)
    return times + [(game_id, _taken(game_id, None), None) for game_id in mastered]


def _taken(game_id: int, before: datetime | None) -> datetime | None:
    """When the game last got a new game master; if `before` is given, the last time before that moment."""
    rows = Handover.objects.filter(Q() if before is None else Q(answered__lt=before))
    taken = rows.filter(game_id=game_id, accepted=True).order_by("-answered")
    return taken.values_list("answered", flat=True).first()


def agreed(now: datetime) -> QuerySet[Sitting]:
    """Sittings that are agreed and not over yet."""
    present = Sitting.objects.filter(occupancy__until__isnull=True, ended__isnull=True, ends__gt=now)
    return present.filter(accepted=True)


def begun(now: datetime) -> QuerySet[Sitting]:
    """Sittings that are under way at this moment."""
    return agreed(now).filter(begins__lte=now)


def now_for(game: Game, user_id: int | None) -> Sitting | None:
    """The sitting by which this user, who has no seat in the game, may write orders there now; never its master."""
    if user_id is None or game.gm_id == user_id:
        return None
    mine = begun(clock.now()).filter(occupancy__game=game, sitter=user_id)
    return mine.select_related("occupancy__seat").first()


def games_sat_in(user_id: int | None) -> frozenset[int]:
    """The ids of the games in which this user sits for a player at this moment."""
    if user_id is None:
        return frozenset()
    rows = begun(clock.now()).filter(sitter=user_id, occupancy__game__status__in=UNDER_WAY)
    return frozenset(rows.values_list("occupancy__game_id", flat=True))


def sitters_of(game: Game, users: Iterable[int], now: datetime) -> list[int]:
    """The users who are sitting for these players at this moment."""
    here = begun(now).filter(occupancy__game=game, occupancy__user__in=list(users))
    return list(here.values_list("sitter_id", flat=True))


def without_those_sat_for(game: Game, users: Iterable[int], moment: datetime) -> list[int]:
    """The players in this list who have no sitter at that moment."""
    users = list(users)
    sat_for = begun(moment).filter(occupancy__game=game, occupancy__user__in=users)
    return sorted(set(users) - set(sat_for.values_list("occupancy__user_id", flat=True)))


def people_of(game: Game, powers: Iterable[str] | None = None) -> list[int]:
    """The users who play now, or only those who play these powers, except where a bot plays for them. Without `powers`,
    players waiting for a power are included."""
    seated = Occupancy.objects.filter(game=game, until__isnull=True, bot=False, seat__disordered=False)
    if powers is not None:
        seated = seated.filter(seat__power__in=list(powers))
    waiting = Joiner.objects.filter(game=game).values_list("user_id", flat=True) if powers is None else ()
    return sorted({*seated.values_list("user_id", flat=True), *waiting})


def members_of(game: Game) -> list[int]:
    seated = Occupancy.objects.filter(game=game, until__isnull=True).values_list("user_id", flat=True)
    waiting = Joiner.objects.filter(game=game).values_list("user_id", flat=True)
    return sorted({*seated, *waiting})


def sittings_of(game: Game, user_id: int | None, now: datetime) -> QuerySet[Sitting]:
    """Sittings that are not over and that a player of this game has requested from this user or agreed with them."""
    open_ones = Sitting.objects.filter(
        occupancy__game=game, sitter=user_id or 0, occupancy__until__isnull=True, ended__isnull=True, ends__gt=now
    )
    return open_ones.exclude(accepted=False)
