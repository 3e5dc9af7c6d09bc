"""Who sits for whom: a sitter writes the orders of a seat for some days, and knows nothing of it before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from games import clock
from games.masters import was_master
from games.models import OVER, UNDER_WAY, Occupancy, Sitting
from games.phase_view import SittingView

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from games.models import Game, Seat


def agreed(now: datetime) -> QuerySet[Sitting]:
    """What is agreed and has not begun to be over."""
    present = Sitting.objects.filter(occupancy__until__isnull=True, ended__isnull=True, ends__gt=now)
    return present.filter(accepted=True)


def begun(now: datetime) -> QuerySet[Sitting]:
    """What goes on at this moment."""
    return agreed(now).filter(begins__lte=now)


def now_for(game: Game, user_id: int | None, now: datetime) -> Sitting | None:
    """The seat of this game that the user may write for at this moment, and is neither player nor master of it."""
    if user_id is None or game.gm_id == user_id:
        return None
    if Occupancy.objects.filter(game=game, user=user_id, until__isnull=True).exists():
        return None
    mine = begun(now).filter(occupancy__game=game, sitter=user_id)
    return mine.select_related("occupancy__seat").first()


def games_sat_in(user_id: int | None) -> frozenset[int]:
    """The ids of the games in which this user sits for a player at this moment."""
    rows = begun(clock.now()).filter(sitter=user_id or 0, occupancy__game__status__in=UNDER_WAY)
    return frozenset(rows.values_list("occupancy__game_id", flat=True))


def sitters_of(game: Game, users: Iterable[int], now: datetime) -> list[int]:
    """The people who sit at this moment for these players."""
    here = begun(now).filter(occupancy__game=game, occupancy__user__in=list(users))
    return list(here.values_list("sitter_id", flat=True))


def without_those_sat_for(game: Game, users: Iterable[int], moment: datetime) -> list[int]:
    """Those of these players for whom nobody sits at that moment."""
    users = list(users)
    sat_for = begun(moment).filter(occupancy__game=game, occupancy__user__in=users)
    return sorted(set(users) - set(sat_for.values_list("occupancy__user_id", flat=True)))


def is_asked(game: Game, user_id: int | None, now: datetime) -> bool:
    """Has a player of this game asked this user to sit, or agreed with him on it?"""
    open_ones = Sitting.objects.filter(
        occupancy__game=game,
        sitter=user_id or 0,
        occupancy__until__isnull=True,
        ended__isnull=True,
        ends__gt=now,
    )
    return open_ones.exclude(accepted=False).exists()


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


def sittings_of(user_id: int) -> tuple[SittingView, ...]:
    """What this user is asked or has agreed to do as a sitter, what begins first at the top."""
    rows = Sitting.objects.filter(
        Q(accepted__isnull=True) | Q(accepted=True),
        sitter=user_id,
        ended__isnull=True,
        ends__gt=clock.now(),
        occupancy__until__isnull=True,
    ).exclude(occupancy__game__status__in=OVER)
    related = rows.select_related("occupancy__game", "occupancy__seat", "occupancy__user", "sitter")
    return tuple(view_of(row) for row in related.order_by("begins", "pk"))


def sitting_for(occupancy_id: int) -> SittingView | None:
    """The sitter whom the holder of this seat has named, if it is not over."""
    rows = Sitting.objects.filter(occupancy=occupancy_id, ended__isnull=True, ends__gt=clock.now())
    row = rows.select_related("occupancy__game", "occupancy__seat", "occupancy__user", "sitter").last()
    return view_of(row) if row else None


def view_of(row: Sitting) -> SittingView:
    """Names stay hidden where the game hides them: to sit, nobody must know for whom."""
    game = row.occupancy.game
    return SittingView(
        number=row.pk,
        slug=game.slug,
        game=game.name,
        player="A player" if game.options.hidden_names else row.occupancy.user.get_username(),
        sitter=row.sitter.get_username(),
        begins=row.begins,
        ends=row.ends,
        talks=row.talks,
        accepted=row.accepted,
        has_begun=row.begins <= clock.now(),
    )
