"""Vacant seats: the list, taking one, giving up one's own, coming back, and the game master's search for players."""

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_safe

from games.endings.queries import agreement
from games.kernel.access import access_gm
from games.kernel.forms import whole_number
from games.kernel.page import page_of
from games.kernel.signing_in import signed_in_to_send
from games.kernel.view_helpers import (
    accepted,
    account,
    answered,
    deed,
    enter,
    form_page,
    invitation_to,
    refusals_to,
    status_of,
)
from games.seating.forms import LobbyFilter, StandbyForm
from games.seating.queries import offer_view, standby_of, vacant_seat, vacant_seats
from games.seating.rules.vacancies import ASKED
from games.seating.services import vacancies as acts
from games.seating.services.mailing import withdraw_mailed


@require_safe
@cache_control(private=True, no_store=True)
def seats(request: HttpRequest) -> HttpResponse:
    """The vacant seats of all public games, with the same filter as the lobby, from the game ?after= on."""
    form = LobbyFilter(request.GET)
    wanted = form.chosen()
    page = vacant_seats(request.user, after=request.GET.get("after", ""), **wanted)
    context = {
        "seats": page.seats,
        "more": urlencode({**wanted, "after": page.last}) if page.last else "",
        "filter": form,
        "wanted": urlencode(wanted),
        "waiting": standby_of(request.user) is not None,
    }
    return render(request, "seating/seats.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
@signed_in_to_send
@refusals_to("games:game")
def vacant(request: HttpRequest, slug: str, power: str) -> HttpResponse | str:
    """One vacant seat and what comes with it; a POST takes it, or asks the game master for it."""
    access = enter(request, slug)
    seat = vacant_seat(access, power)
    if request.method != "POST":
        context = {"view": page_of(access), "seat": seat}
        return render(request, "seating/seat.html", context)
    who, token = account(request), invitation_to(request, slug)
    if seat.must_ask:
        acts.ask_for_seat(game_id=access.game_id, user_id=who, power=power, token=token)
        return ASKED
    acts.take_over_seat(game_id=access.game_id, user_id=who, power=power, token=token)
    done = f"You now play {seat.power.name}. You start with no orders and have at least a full phase to enter them."
    return accepted(request, done, "games:orders", slug=slug)


@form_page
@refusals_to("games:game")
def resign(request: HttpRequest, slug: str) -> HttpResponse:
    """Give up one's seat: first the consequences, then the action."""
    access = enter(request, slug)
    view = page_of(access)
    if access.seat is None or agreement(view) is None:
        raise Http404
    if request.method != "POST":
        return render(request, "seating/resign.html", {"view": view})
    acts.resign(game_id=access.game_id, user_id=account(request))
    return accepted(request, "You’ve given up your seat.", "games:lobby")


@deed("games:game")
def come_back(request: HttpRequest, slug: str) -> str:
    acts.come_back(game_id=enter(request, slug).game_id, user_id=account(request))
    return "Welcome back: the seat is yours again."


@form_page
def offer(request: HttpRequest, slug: str) -> HttpResponse:
    """The seat the game master invites the visitor to: yes or no."""
    access, who = enter(request, slug), account(request)
    offered = offer_view(access)
    if request.method != "POST":
        return render(request, "seating/offer.html", {"view": page_of(access), "offered": offered})
    return answered(
        request,
        lambda accept: acts.answer_invitation(game_id=access.game_id, user_id=who, accept=accept),
        f"You now play {offered.power}.",
        "games:orders",
        slug=slug,
    )


@form_page
def standby(request: HttpRequest) -> HttpResponse:
    """The vacant seats the visitor wants to be told of, or none any more."""
    who, now = account(request), standby_of(request.user)
    if request.method == "POST" and "stop" in request.POST:
        acts.stand_down(user_id=who)
        return accepted(request, "You’ve left the standby list.", "games:standby")
    form = StandbyForm(request.POST if request.method == "POST" else None, initial=now)
    if form.is_valid():
        acts.stand_by(user_id=who, **form.cleaned_data)
        return accepted(request, "Choices saved. We’ll let you know about vacant seats that match.", "games:standby")
    context = {"form": form, "waiting": now is not None}
    return render(request, "seating/standby.html", context, status=status_of(form))


@deed("games:gm")
def answer(request: HttpRequest, slug: str) -> str:
    """The game master answers a request for a seat, or withdraws an invitation."""
    access = access_gm(user=request.user, slug=slug)
    number, said = whole_number(request.POST.get("number", "")) or 0, request.POST.get("answer", "")
    if said == "withdraw":
        acts.withdraw_invitation(game_id=access.game_id, by=access.user_id, number=number)
        return "Invitation withdrawn."
    if said == "withdraw-mailed":
        withdraw_mailed(game_id=access.game_id, by=access.user_id, number=number)
        return "Invitation withdrawn. The link in the email no longer works."
    acts.answer_asking(game_id=access.game_id, by=access.user_id, number=number, accept=said == "yes")
    return "The seat has a new player." if said == "yes" else "Request declined. We’ve told the player."
