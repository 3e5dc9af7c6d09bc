"""Agreeing to what the game master asks for."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.consent import services
from games.consent.queries import requests_for_viewer
from games.kernel.page import page_of
from games.kernel.refusals import WrongMoment
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import access_for_visitor, button_action, own_page, signed_in_id


@signed_in
@own_page
def consent(request: HttpRequest, slug: str) -> HttpResponse:
    """The page with the game master's requests for this viewer."""
    access = access_for_visitor(request, slug)
    context = {"view": page_of(access), "requests": requests_for_viewer(access)}
    return render(request, "consent/requests.html", context)


@button_action("games:consent")
def answer_or_withdraw(request: HttpRequest, slug: str, number: int) -> str:
    """Record a player's yes or no, or withdraw the request if the game master sent this."""
    access, user_id, word = access_for_visitor(request, slug), signed_in_id(request), request.POST.get("answer", "")
    if word == "recall":
        services.withdraw_request(game_id=access.game_id, by=user_id, number=number)
        return _("Request withdrawn. Nothing changes.")
    if word not in {"yes", "no"}:
        raise WrongMoment(_("Nothing was changed: choose whether you agree or refuse."))
    if services.answer_request(game_id=access.game_id, user_id=user_id, number=number, agrees=word == "yes"):
        return _("Everyone has agreed, so it applies now.")
    return _("You’ve agreed. It applies once everyone has.") if word == "yes" else _("You’ve refused. Nothing changes.")
