"""Naming a sitter, and answering and ending sittings."""

from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.endings.queries import agreement
from games.kernel.access import access_seat
from games.kernel.page import page_of
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import account, deed, enter, form_page, is_done, refusals_to, status_of, zone_of
from games.seating.forms import SitterForm
from games.seating.queries import my_sittings, sitter_view
from games.seating.services.sitters import answer_sitting, end_sitting, let_gm_enter, name_sitter


@form_page
@refusals_to("games:sitter")
def sitter(request: HttpRequest, slug: str) -> HttpResponse | str:
    """A player's sitter, or the form to name one. For that player alone."""
    access, who = enter(request, slug), account(request)
    view = page_of(access)
    if access.seat is None or agreement(view) is None:
        raise Http404
    named = sitter_view(access)
    if named.sitting is not None and "end" in request.POST:
        end_sitting(user_id=who, number=named.sitting.number)
        return "The sitting is over. Your sitter can’t see your orders any more."
    form, zone = SitterForm(request.POST or None), zone_of(request).key
    if is_done(form, partial(name_sitter, game_id=access.game_id, user_id=who, zone=zone)):
        return "Request sent. We’ll let you know the answer."
    context = {"view": view, "named": named, "form": form, "zone": zone}
    return render(request, "seating/sitter.html", context, status=status_of(form))


@deed("games:sitter")
def gm_enters(request: HttpRequest, slug: str) -> str:
    """Let the game master enter your orders, or no longer."""
    seat, agree = access_seat(user=request.user, slug=slug), request.POST.get("agree") == "yes"
    let_gm_enter(game_id=seat.game_id, user_id=seat.user_id, agree=agree)
    if agree:
        return "The game master can now see and enter your orders for the current phase."
    return "The game master can’t see or enter your orders any more."


@signed_in
@require_safe
@cache_control(private=True, no_store=True)
def sitting(request: HttpRequest) -> HttpResponse:
    """The visitor's sittings, asked for or agreed."""
    return render(request, "seating/sitting.html", {"sittings": my_sittings(request.user)})


@deed("games:sitting")
def answer(request: HttpRequest, number: int) -> str:
    """A sitter agrees, declines or stops sitting."""
    who, said = account(request), request.POST.get("answer")
    if said == "end":
        end_sitting(user_id=who, number=number)
        return "You’ve stopped sitting. You can’t see the player’s orders any more."
    answer_sitting(user_id=who, number=number, accept=said == "yes")
    return (
        "You’ve accepted. You can now find the game under “Sitting”."
        if said == "yes"
        else "You’ve declined. The player has been told."
    )
