"""Before a game starts: its terms in words, joining it, asking to be let in, the roll call."""

from __future__ import annotations

from collections.abc import Sequence
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.kernel.access import GameAccess, access_gm
from games.kernel.doors import account, attempt, attempt_here, enter, invitation_to
from games.pages.queries import phase_view
from games.pages.terms import terms_view
from games.seating.forms import WishForm
from games.seating.options import Seats
from games.seating.services import joining
from games.seating.services.new_game import take_seat

if TYPE_CHECKING:
    from games.pages.parts import PhaseView


JOINED = "You are in. Until the game starts you may leave again."
SEATED = "You have a seat. Until the game starts you may leave it again."


@require_safe
@cache_control(private=True, no_store=True)
def terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything one agrees to by joining, and below it the way in."""
    access = enter(request, slug)
    view = phase_view(access)
    return _terms(request, access, view, _wish_form(view))


def _terms(
    request: HttpRequest, access: GameAccess, view: PhaseView, form: WishForm | None, status: int = 200
) -> HttpResponse:
    context = {"view": view, "groups": terms_view(access), "form": form}
    return render(request, "seating/terms.html", context, status=status)


def _wish_form(view: PhaseView, data: object = None) -> WishForm | None:
    """Where seats are dealt by wishes, for who may join or has joined."""
    entry = view.joining
    if entry is None or view.game.options.seats != Seats.PREFERENCES:
        return None
    return WishForm(view.powers, entry.wishes, data) if entry.may_join or entry.joined else None


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Sit down or join, or send another list of wishes; the form stands below the terms."""
    access = enter(request, slug)
    if request.method != "POST":
        return redirect("games:terms", slug=slug)
    view = phase_view(access)
    if view.game.options.seats == Seats.CHOICE:
        return _sit_down(request, access)
    form = _wish_form(view, request.POST)
    if form is not None and not form.is_valid():
        return _terms(request, access, view, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    return _join(request, access, form.wishes() if form else (), again=view.game.i_joined)


def _sit_down(request: HttpRequest, access: GameAccess) -> HttpResponse:
    power = request.POST.get("power") or None
    token = invitation_to(request, access.slug)
    return attempt(
        request,
        lambda: take_seat(game_id=access.game_id, user_id=account(request), power=power, token=token),
        SEATED,
        "games:game",
        slug=access.slug,
    )


def _join(request: HttpRequest, access: GameAccess, wishes: Sequence[str], *, again: bool) -> HttpResponse:
    token, who = invitation_to(request, access.slug), account(request)
    if again:
        return attempt(
            request,
            lambda: joining.change_wishes(game_id=access.game_id, user_id=who, wishes=wishes),
            "Your list is saved. Only you see it.",
            "games:terms",
            slug=access.slug,
        )
    return attempt(
        request,
        lambda: joining.join(game_id=access.game_id, user_id=who, wishes=wishes, token=token),
        JOINED,
        "games:game",
        slug=access.slug,
    )


@login_required
@require_POST
def ask(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask the game master to be let in."""
    access = enter(request, slug)
    token = invitation_to(request, slug)
    return attempt(
        request,
        lambda: joining.ask_to_join(game_id=access.game_id, user_id=account(request), token=token),
        "The game master has your request. A letter brings you the answer.",
        "games:game",
        slug=slug,
    )


@login_required
@require_POST
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask no longer to be let in."""
    return attempt_here(request, slug, joining.take_request_back, "You have taken your request back.")


@login_required
@require_POST
def answer(request: HttpRequest, slug: str) -> HttpResponse:
    """The game master's yes or no to a request."""
    access = access_gm(user=request.user, slug=slug)
    who, accept = request.POST.get("player", ""), request.POST.get("answer") == "yes"
    return attempt(
        request,
        lambda: joining.answer_request(game_id=access.game_id, by=access.user_id, username=who, accept=accept),
        f"{who} may join now, and has a letter." if accept else f"{who} has a letter that says no.",
        "games:gm",
        slug=slug,
    )


@login_required
@require_POST
def confirm(request: HttpRequest, slug: str) -> HttpResponse:
    """Say in the roll call that one is there."""
    return attempt_here(request, slug, joining.confirm, "You have confirmed.")
