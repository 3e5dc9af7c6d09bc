"""How a request reaches a game, and how a refusal or a success is said."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import resolve_url

from games.kernel.access import GameAccess, access_game
from games.kernel.refusals import Refusal

INVITATIONS = "invitations"


class SeeOther(HttpResponseRedirect):
    """After a POST: look there, with GET."""

    status_code = HTTPStatus.SEE_OTHER


class Form(Protocol):
    """A form, or several that are sent together."""

    @property
    def errors(self) -> Mapping[str, Any]: ...


def status_of(form: Form) -> HTTPStatus:
    """What a page is answered with that shows this form, because of what was wrong in it or for the first time."""
    return HTTPStatus.UNPROCESSABLE_ENTITY if form.errors else HTTPStatus.OK


def enter(request: HttpRequest, slug: str) -> GameAccess:
    """The game as this visitor may reach it, with the invitation that the session keeps; Http404 otherwise."""
    return access_game(user=request.user, slug=slug, token=invitation_to(request, slug))


def account(request: HttpRequest) -> int:
    """The id of the signed-in visitor, on pages that demand one."""
    assert request.user.pk is not None
    return request.user.pk


def zone_of(request: HttpRequest) -> ZoneInfo:
    """The time zone in which the visitor reads."""
    return ZoneInfo(getattr(request.user, "time_zone", "UTC"))


def invitation_to(request: HttpRequest, slug: str) -> str:
    return str(request.session.get(INVITATIONS, {}).get(slug, ""))


def keep_invitation(request: HttpRequest, slug: str, token: str) -> None:
    request.session[INVITATIONS] = {**request.session.get(INVITATIONS, {}), slug: token}


def attempt(request: HttpRequest, act: Callable[[], object], done: str, to: str, **where: object) -> SeeOther:
    """Do it, say `done` or why not, and go to the page named `to`."""
    try:
        act()
    except Refusal as refusal:
        return refused(request, refusal, to, **where)
    return accepted(request, done, to, **where)


def attempt_here(request: HttpRequest, slug: str, act: Callable[..., object], done: str) -> SeeOther:
    """What visitors do for themselves in a game, `act` with `game_id` and `user_id`: as `attempt`, and back to the
    game. Http404 where they may not enter."""
    access, who = enter(request, slug), account(request)
    return attempt(request, lambda: act(game_id=access.game_id, user_id=who), done, "games:game", slug=slug)


def answered(request: HttpRequest, act: Callable[[bool], object], done: str, to: str, **where: object) -> SeeOther:
    """The visitor's yes or no to an offer. After a yes they go to the page named `to`; else home, because a game by
    invitation is not there for them any more once nobody asks them."""
    accept = request.POST.get("answer") == "yes"
    try:
        act(accept)
    except Refusal as refusal:
        return refused(request, refusal, "games:home")
    if not accept:
        return accepted(request, "Your no is on its way.", "games:home")
    return accepted(request, done, to, **where)


def accepted(request: HttpRequest, sentence: str, to: str, **where: object) -> SeeOther:
    messages.success(request, sentence)
    return SeeOther(resolve_url(to, **where))


def refused(request: HttpRequest, refusal: Refusal, to: str, **where: object) -> SeeOther:
    messages.error(request, refusal.sentence)
    return SeeOther(resolve_url(to, **where))
