"""What one person may see about sitters: who sits for whom, who was asked, and who may not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.http import Http404

from games.kernel import clock
from games.kernel.members import was_master
from games.kernel.models import OVER, Occupancy, Sitting
from games.kernel.options import Names
from games.seating.parts import SittingView

if TYPE_CHECKING:
    from games.kernel.access import GameAccess, Viewer
    from games.kernel.models import Game, Seat
    from games.seating.parts import SittingView


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
        player="A player" if game.options[Names].hidden_names else row.occupancy.user.get_username(),
        sitter=row.sitter.get_username(),
        begins=row.begins,
        ends=row.ends,
        talks=row.talks,
        accepted=row.accepted,
        has_begun=row.begins <= clock.now(),
    )


def sitter_view(access: GameAccess) -> SittingView | None:
    """The sitter whom this player has named; Http404 for everybody else."""
    if access.seat is None:
        raise Http404
    return sitting_for(access.seat.occupancy_id)


def my_sittings(user: Viewer) -> tuple[SittingView, ...]:
    """What this viewer is asked to do as a sitter, or does."""
    return sittings_of(user.pk) if user.is_authenticated else ()
