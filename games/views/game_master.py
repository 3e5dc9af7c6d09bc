"""The game master's desk. Every act is a POST and stands in the public log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import Http404
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.forms.game_master import ExtendForm, SeatPlayerForm
from games.services import game_master as acts
from games.services.disclosure import look_at_bids
from games.services.refusals import Refusal
from games.views.doors import accepted, attempt, enter, refused
from games.visibility import access_gm, phase_view

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

UNPROCESSABLE = 422
PLAIN_ACTS = {
    "start": (acts.start_game, "The game has started."),
    "pause": (acts.pause_game, "The clock has stopped."),
    "resume": (acts.resume_game, "The clock runs again."),
    "process": (acts.process_now, "The phase ends now; its result will be here in a moment."),
}


@login_required
@require_safe
@cache_control(private=True, no_store=True)
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """What the game master may do now."""
    return _desk(request, slug, ExtendForm(), SeatPlayerForm())


def _desk(
    request: HttpRequest, slug: str, extend_form: ExtendForm, seat_form: SeatPlayerForm, status: int = 200
) -> HttpResponse:
    access_gm(user=request.user, slug=slug)
    view = phase_view(enter(request, slug))
    context = {"view": view, "extend_form": extend_form, "seat_form": seat_form}
    return render(request, "games/gm.html", context, status=status)


@login_required
@require_POST
def act(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Start, pause, resume or end the phase."""
    access = access_gm(user=request.user, slug=slug)
    if verb not in PLAIN_ACTS:
        raise Http404
    service, done = PLAIN_ACTS[verb]
    return attempt(
        request, lambda: service(game_id=access.game_id, by=access.user_id), done, "games:gm", slug=slug
    )


@login_required
@require_POST
def extend(request: HttpRequest, slug: str) -> HttpResponse:
    """Put the deadline off."""
    access = access_gm(user=request.user, slug=slug)
    form = ExtendForm(request.POST)
    if not form.is_valid():
        return _desk(request, slug, form, SeatPlayerForm(), UNPROCESSABLE)
    seconds = form.cleaned_data["seconds"]
    return attempt(
        request,
        lambda: acts.extend_deadline(game_id=access.game_id, by=access.user_id, seconds=seconds),
        "The deadline has been put off.",
        "games:gm",
        slug=slug,
    )


@login_required
@require_POST
def seat_player(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a player into a seat; whoever sat there stands up, and what he had saved for this phase is gone."""
    access = access_gm(user=request.user, slug=slug)
    form = SeatPlayerForm(request.POST)
    if not form.is_valid():
        return _desk(request, slug, ExtendForm(), form, UNPROCESSABLE)
    try:
        acts.seat_player(game_id=access.game_id, by=access.user_id, **form.cleaned_data)
    except Refusal as refusal:
        form.add_error("username", refusal.sentence)
        return _desk(request, slug, ExtendForm(), form, UNPROCESSABLE)
    return accepted(request, f"{form.cleaned_data['username']} has the seat.", "games:gm", slug=slug)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def civil_disorder(request: HttpRequest, slug: str, power: str) -> HttpResponse:
    """Permanent civil disorder: first the consequences, then the act."""
    access = access_gm(user=request.user, slug=slug)
    view = phase_view(enter(request, slug))
    found = next((one for one in view.powers if one.id == power), None)
    if found is None:
        raise Http404
    if request.method != "POST":
        return render(request, "games/gm_disorder.html", {"view": view, "power": found})
    return attempt(
        request,
        lambda: acts.declare_civil_disorder(game_id=access.game_id, by=access.user_id, power=power),
        f"{found.name} is in permanent civil disorder.",
        "games:gm",
        slug=slug,
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def close(request: HttpRequest, slug: str) -> HttpResponse:
    """Close the game: first the consequences, then the act."""
    access = access_gm(user=request.user, slug=slug)
    if request.method != "POST":
        return render(request, "games/gm_close.html", {"view": phase_view(enter(request, slug))})
    return attempt(
        request,
        lambda: acts.close_game(game_id=access.game_id, by=access.user_id),
        "The game is closed.",
        "games:game",
        slug=slug,
    )


@login_required
@require_POST
@cache_control(private=True, no_store=True)
def bids(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Look at the bids of a closed phase. A POST, because the look is written into the public log."""
    access = access_gm(user=request.user, slug=slug)
    try:
        opened = look_at_bids(game_id=access.game_id, by=access.user_id, ordinal=ordinal)
    except Refusal as refusal:
        return refused(request, refusal, "games:gm", slug=slug)
    view = phase_view(enter(request, slug), ordinal)
    return render(request, "games/gm_bids.html", {"view": view, "opened": opened})
