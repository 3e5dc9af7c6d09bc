"""One game: the position now, every phase at its own address, what is new, seats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.models import Game
from games.selectors import cards
from games.services.lobby import leave_seat, take_over_from_bot, take_seat
from games.views.doors import account, attempt, enter, invitation_to
from games.visibility import phase_view

if TYPE_CHECKING:
    from django.http import HttpRequest

    from games.phase_view import GameCard, PhaseHead, PhaseView

NEAR_SECONDS = 120
POLL_NEAR, POLL_FAR = 5, 20


@require_safe
@cache_control(private=True, no_store=True)
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """The position now and what led to it."""
    view = phase_view(enter(request, slug))
    return render(
        request, "games/game.html", {"view": view, "years": _years(view), "poll": _poll_seconds(view.game)}
    )


@require_safe
@cache_control(private=True, no_store=True)
def phase(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """One phase of the history, with its orders drawn on its position."""
    view = phase_view(enter(request, slug), ordinal)
    if view.head is not None and view.head.is_open:
        return redirect("games:game", slug=slug)
    return render(request, "games/phase.html", {"view": view, "years": _years(view), **_neighbours(view)})


@require_safe
@cache_control(private=True, no_store=True)
def pulse(request: HttpRequest, slug: str) -> HttpResponse:
    """What is new, from public facts only: nothing, or a fragment that makes the page show the new position."""
    access = enter(request, slug)
    card = cards(Game.objects.filter(pk=access.game_id), user_id=None)[0]
    seen = {"ordinal": request.GET.get("ordinal"), "status": request.GET.get("status")}
    changed = seen != {"ordinal": str(card.ordinal), "status": card.status}
    context = {
        "game": card,
        "poll": _poll_seconds(card),
        "changed": changed,
        "on_sheet": request.GET.get("on") == "sheet",
    }
    response = render(request, "games/partials/pulse.html", context)
    if changed:
        response["HX-Trigger"] = "phase-changed"
    return response


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a power and sit down."""
    access = enter(request, slug)
    if request.method != "POST":
        view = phase_view(access)
        if not view.seats_to_take:
            return redirect("games:game", slug=slug)
        return render(request, "games/seat.html", {"view": view})
    power = request.POST.get("power") or None
    token = invitation_to(request, slug)
    return attempt(
        request,
        lambda: take_seat(game_id=access.game_id, user_id=account(request), power=power, token=token),
        "You have a seat. The game starts when the last seat is taken, or when the game master starts it.",
        "games:game",
        slug=slug,
    )


@login_required
@require_POST
def leave(request: HttpRequest, slug: str) -> HttpResponse:
    """Stand up before the start."""
    access = enter(request, slug)
    return attempt(
        request,
        lambda: leave_seat(game_id=access.game_id, user_id=account(request)),
        "You have left your seat.",
        "games:game",
        slug=slug,
    )


@login_required
@require_POST
def take_over(request: HttpRequest, slug: str) -> HttpResponse:
    """From now on the person plays and not the bot."""
    held = enter(request, slug).seat
    if held is None:
        raise Http404
    return attempt(
        request,
        lambda: take_over_from_bot(occupancy_id=held.occupancy_id),
        "The bot has stood up: this seat is yours to play.",
        "games:orders",
        slug=slug,
    )


def _years(view: PhaseView) -> list[tuple[int, list[PhaseHead]]]:
    """The phases of the game by year, oldest first."""
    years: dict[int, list[PhaseHead]] = {}
    for head in view.phases:
        years.setdefault(head.year, []).append(head)
    return list(years.items())


def _neighbours(view: PhaseView) -> dict[str, object]:
    """The first, the previous and the next closed phase, seen from the one shown; None where there is none."""
    heads = [head for head in view.phases if not head.is_open]
    here = heads.index(view.head) if view.head in heads else 0
    return {
        "first": heads[0] if here > 0 else None,
        "previous": heads[here - 1] if here > 0 else None,
        "following": heads[here + 1] if here + 1 < len(heads) else None,
    }


def _poll_seconds(card: GameCard) -> int:
    near = card.deadline is not None and (card.deadline - timezone.now()).total_seconds() < NEAR_SECONDS
    return POLL_NEAR if near else POLL_FAR
