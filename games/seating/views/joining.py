"""Before a game starts: its terms in words, joining it, asking to join, the roll call."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.kernel.access import access_gm
from games.kernel.page import page_of
from games.kernel.view_helpers import accepted, account, deed, enter, form_page, invitation_to, refusals_to
from games.seating.forms import WishForm
from games.seating.options import Seats
from games.seating.queries import joining_now, powers
from games.seating.rules.joining import ASKED
from games.seating.services import joining
from games.seating.services.new_game import take_seat
from games.seating.services.own_bots import let_own_bot_play

if TYPE_CHECKING:
    from games.kernel.page import Page


@require_safe
@cache_control(private=True, no_store=True)
def terms(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything players agree to by joining, and below it the form to join."""
    view = page_of(enter(request, slug))
    return _terms(request, view, _wish_form(view))


def _terms(request: HttpRequest, view: Page, form: WishForm | None, status: int = 200) -> HttpResponse:
    context = {"view": view, "form": form}
    return render(request, "seating/terms.html", context, status=status)


def _wish_form(view: Page, data: object = None) -> WishForm | None:
    """Where powers are assigned by preference, for viewers who may join or have joined."""
    entry = joining_now(view)
    if entry is None or view.game.options.seats != Seats.PREFERENCES:
        return None
    return WishForm(powers(view), entry.wishes, data) if entry.may_join or entry.joined else None


@form_page
@refusals_to("games:game")
def seat(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Take a seat, join, or change preferences; the form is below the terms."""
    access = enter(request, slug)
    if request.method != "POST":
        return redirect("games:terms", slug=slug)
    view = page_of(access)
    token, who = invitation_to(request, slug), account(request)
    if view.game.options.seats == Seats.CHOICE:
        take_seat(game_id=access.game_id, user_id=who, power=request.POST.get("power") or None, token=token)
        return "You’ve taken a seat. You can leave it again until the game starts."
    form = _wish_form(view, request.POST)
    if form is not None and not form.is_valid():
        return _terms(request, view, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    wishes = form.wishes() if form else ()
    if view.game.i_joined:
        joining.change_wishes(game_id=access.game_id, user_id=who, wishes=wishes)
        return accepted(request, "Preferences saved. Only you can see them.", "games:terms", slug=slug)
    joining.join(game_id=access.game_id, user_id=who, wishes=wishes, token=token)
    return "You’ve joined. You can leave again until the game starts."


@deed("games:game")
def ask(request: HttpRequest, slug: str) -> str:
    access, token = enter(request, slug), invitation_to(request, slug)
    joining.ask_to_join(game_id=access.game_id, user_id=account(request), token=token)
    return ASKED


@deed("games:game")
def take_back(request: HttpRequest, slug: str) -> HttpResponse:
    """Afterwards to the list of games, because a game by invitation can no longer be seen."""
    joining.take_request_back(game_id=enter(request, slug).game_id, user_id=account(request))
    return accepted(request, "You’ve withdrawn your request.", "games:lobby")


@deed("games:gm")
def answer(request: HttpRequest, slug: str) -> str:
    """The game master accepts or declines a request."""
    access = access_gm(user=request.user, slug=slug)
    who, accept = request.POST.get("player", ""), request.POST.get("answer") == "yes"
    joining.answer_request(game_id=access.game_id, by=access.user_id, username=who, accept=accept)
    return f"Request accepted. We’ve told {who}." if accept else f"Request declined. We’ve told {who}."


@deed("games:game")
def confirm(request: HttpRequest, slug: str) -> str:
    joining.confirm(game_id=enter(request, slug).game_id, user_id=account(request))
    return "You’ve confirmed your place."


@deed("games:game")
def own_bot(request: HttpRequest, slug: str) -> str:
    let_own_bot_play(game_id=enter(request, slug).game_id, user_id=account(request))
    return "Your seat is now labelled as played by a bot of yours. Give your bot a token of its kind."
