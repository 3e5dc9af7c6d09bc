"""Which players have saved orders, for a game master who may see it."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.kernel.access import access_gm, standpoint_of
from games.kernel.page import page_of
from games.kernel.rules import allowed
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import accepted, deed, enter
from games.mastering.missing import may_see_saved, missing_view, remind_missing


@signed_in
@require_safe
@cache_control(private=True, no_store=True)
def missing(request: HttpRequest, slug: str) -> HttpResponse:
    """A page of its own, which the desk shows as well, so that no other page depends on who has saved."""
    here = standpoint_of(access_gm(user=request.user, slug=slug))
    if not allowed(may_see_saved, here):
        raise Http404
    return render(
        request, "mastering/missing.html", {"view": page_of(enter(request, slug)), "saved": missing_view(here)}
    )


@deed("games:gm")
def remind(request: HttpRequest, slug: str) -> HttpResponse:
    """The answer is the same whether anyone is reminded or not."""
    access = access_gm(user=request.user, slug=slug)
    remind_missing(game_id=access.game_id, by=access.user_id)
    return accepted(request, "Players who haven’t saved orders are reminded.", "games:missing", slug=slug)
