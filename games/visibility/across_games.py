"""What one person sees across games: the lobby, vacant seats, deadlines, and whom he sits for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q
from django.http import Http404

from games import codec
from games.coming import coming_in
from games.models import OVER, UNDER_WAY, Game, Joiner, JoinRequest, Occupancy, Status
from games.offers import seats_of, standby_view
from games.phase_view import GameDeadlines, Lobby, VacantSeat
from games.selectors import NOBODY, cards, narrowed
from games.sitting import games_sat_in, sittings_of

if TYPE_CHECKING:
    from games.phase_view import SittingView, StandbyView
    from games.visibility.access import GameAccess, Viewer


def lobby(user: Viewer, **wanted: str) -> Lobby:
    """The viewer's own games, and the public ones by what can be done with them; newest first.

    Own are those that he masters, plays, sits in, waits to begin, or has asked to join without having had a no.
    `wanted` narrows them as `selectors.narrowed` does.
    """
    user_id = user.pk if user.is_authenticated else None
    newest = narrowed(Game.objects.order_by("-created", "-pk"), **wanted)
    public = newest.filter(by_invitation=False)
    held = Occupancy.objects.filter(user_id=user_id or NOBODY, until__isnull=True).values("game_id")
    joined = Joiner.objects.filter(user_id=user_id or NOBODY).values("game_id")
    open_ones = public.filter(status=Status.OPEN)  # to one by invitation he needs its link again
    asking = JoinRequest.objects.filter(user_id=user_id or NOBODY, game__in=open_ones)
    asked = asking.exclude(accepted=False).values("game_id")
    sits_in = games_sat_in(user_id)
    own = Q(gm_id=user_id) | Q(pk__in=held) | Q(pk__in=joined) | Q(pk__in=asked) | Q(pk__in=sits_in)
    return Lobby(
        mine=cards(newest.filter(own), user_id=user_id, sits_in=sits_in) if user_id else (),
        open=cards(public.filter(status=Status.OPEN), user_id=user_id),
        running=cards(public.filter(status__in=UNDER_WAY), user_id=user_id),
        finished=cards(public.filter(status__in=OVER), user_id=user_id),
    )


def deadlines_of(user_id: int) -> tuple[GameDeadlines, ...]:
    """The deadlines that come in all running games that this person plays or masters."""
    held = Occupancy.objects.filter(user_id=user_id, until__isnull=True).values("game_id")
    games = Game.objects.filter(Q(gm_id=user_id) | Q(pk__in=held), status=Status.RUNNING).order_by("pk")
    return tuple(
        GameDeadlines(game.slug, game.name, coming_in(game, phase, codec.variant_of(game).ruleset.calendar))
        for game in games
        if (phase := game.phases.filter(closed__isnull=True).defer("position").first())
    )


def vacant_seats(user: Viewer, **wanted: str) -> tuple[VacantSeat, ...]:
    """The vacant seats of public games under way, those with the nearest deadline first, as `lobby` narrows games."""
    user_id = user.pk if user.is_authenticated else None
    public = Game.objects.filter(by_invitation=False, status__in=UNDER_WAY).order_by("-created", "-pk")
    return seats_of(narrowed(public, **wanted), user_id)


def vacant_seat(access: GameAccess, power: str) -> VacantSeat:
    """One vacant seat of this game; Http404 if there is none of that power."""
    found = seats_of(Game.objects.filter(pk=access.game_id, status__in=UNDER_WAY), access.user_id)
    seat = next((seat for seat in found if seat.power.id == power), None)
    if seat is None:
        raise Http404
    return seat


def standby_of(user: Viewer) -> StandbyView | None:
    """Which vacant seats this viewer has asked to be told of; None if none."""
    return standby_view(user.pk) if user.is_authenticated else None


def my_sittings(user: Viewer) -> tuple[SittingView, ...]:
    """What this viewer is asked to do as a sitter, or does."""
    return sittings_of(user.pk) if user.is_authenticated else ()
