"""The pages about seats: joining a game, sitters, vacant seats, one’s own seat."""

from functools import partial
from http import HTTPStatus
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt

from games.endings.queries import agreement
from games.kernel import view_helpers as web
from games.kernel.access import access_gm, access_seat
from games.kernel.forms import parse_whole_number
from games.kernel.models import OVER, Game, Status
from games.kernel.page import Page, page_of
from games.kernel.refusals import Refusal, WrongMoment
from games.kernel.signing_in import signed_in, signed_in_to_send
from games.seating import queries
from games.seating.forms import LobbyFilter, SitterForm, StandbyForm, WishForm
from games.seating.options import SeatAssignment
from games.seating.rules import seats as seat_rules
from games.seating.services import joining, placing
from games.seating.services import vacancies as acts
from games.seating.services.new_game import take_seat
from games.seating.services.quick import join_quick_game, quick_boards
from games.seating.services.rematch import call_rematch as play_again
from games.seating.services.sitters import answer_sitting, end_sitting, let_gm_enter_orders, name_sitter


@web.own_page
def terms_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Everything players agree to by joining, and below it the form to join."""
    view = page_of(web.access_for_visitor(request, slug))
    return _render_terms(request, view, _wish_form(view))


def _render_terms(request: HttpRequest, view: Page, form: WishForm | None, status: int = 200) -> HttpResponse:
    context = {"view": view, "form": form}
    return render(request, "seating/terms.html", context, status=status)


def _wish_form(view: Page, data: object = None) -> WishForm | None:
    """The form for preferences, for viewers who may join or have joined a game that assigns powers by them."""
    entry = queries.joining_view(view)
    if entry is None or view.game.options.seats != SeatAssignment.PREFERENCES:
        return None
    return WishForm(queries.power_views(view), entry.wishes, data) if entry.may_join or entry.joined else None


@web.button_action("games:game")
def rematch(request: HttpRequest, slug: str) -> HttpResponse:
    """Play again with the same people."""
    second = play_again(game_id=web.access_for_visitor(request, slug).game_id, user_id=web.signed_in_id(request))
    return web.redirect_with_success(request, _("Here is the rematch."), "games:game", slug=second)


@web.form_page
@web.refusals_to("games:game")
def join_or_change_wishes(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Take a seat, join, or change preferences; the form is below the terms."""
    access = web.access_for_visitor(request, slug)
    if request.method != "POST":
        return redirect("games:terms", slug=slug)
    view = page_of(access)
    token, user_id = web.invitation_to(request, slug), web.signed_in_id(request)
    if view.game.options.seats == SeatAssignment.CHOICE:
        take_seat(game_id=access.game_id, user_id=user_id, power=request.POST.get("power") or None, token=token)
        return _or_started(access.game_id, _("You’ve taken a seat. You can leave it again until the game starts."))
    form = _wish_form(view, request.POST)
    if form is not None and not form.is_valid():
        return _render_terms(request, view, form, HTTPStatus.UNPROCESSABLE_ENTITY)
    wishes = form.wishes() if form else ()
    if view.game.i_joined:
        joining.change_wishes(game_id=access.game_id, user_id=user_id, wishes=wishes)
        return web.redirect_with_success(
            request, _("Preferences saved. Only you can see them."), "games:terms", slug=slug
        )
    joining.join_game(game_id=access.game_id, user_id=user_id, wishes=wishes, token=token)
    return _or_started(access.game_id, _("You’ve joined. You can leave again until the game starts."))


def _or_started(game_id: int, sentence: str) -> str:
    """What the last player to join reads, or this sentence for the others."""
    waits = Game.objects.filter(pk=game_id, status=Status.OPEN).exists()
    return sentence if waits else _("You were the last to join: the game has started.")


@web.button_action("games:gm")
def answer_join_request(request: HttpRequest, slug: str) -> str:
    """The game master accepts or declines a request."""
    access = access_gm(user=request.user, slug=slug)
    player, accept = request.POST.get("player", ""), request.POST.get("answer") == "yes"
    joining.answer_join_request(game_id=access.game_id, by=access.user_id, username=player, accept=accept)
    return (
        _("Request accepted. We’ve told {who}.").format(who=player)
        if accept
        else _("Request declined. We’ve told {who}.").format(who=player)
    )


# The link in an invitation by email.


@signed_in_to_send
@web.own_form
def email_invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The invitation's page; a POST accepts it. Everyone with the link may see the game."""
    try:
        row = placing.email_invitation_with(token)
    except WrongMoment as gone:
        raise Http404(gone.sentence) from gone
    if row.game.status in OVER:
        raise Http404
    web.keep_invitation(request, row.game.slug, row.game.invitation)
    request.session[placing.SESSION_KEY] = token
    if request.method != "POST":
        return render(request, "seating/mailed.html", {"offered": queries.email_offer_view(row)})
    try:
        slug = placing.accept_email_invitation(token=token, user_id=web.signed_in_id(request))
    except Refusal as refusal:
        return web.redirect_with_refusal(request, refusal, "games:mailed", token=token)
    power = queries.email_offer_view(row).power
    message = (
        _("You have the seat: you play {power}.").format(power=power)
        if power
        else _("You’ve joined. You’ll get a power before the first turn.")
    )
    return web.redirect_with_success(request, message, "games:game", slug=slug)


@csrf_exempt  # mail apps post here for people who have no account; the address itself is the proof
@web.own_form
def stop_invitations_to_address(request: HttpRequest, secret: str) -> HttpResponse:
    """Stop the emails to the address that got this link, or start them again: by a button, never by looking."""
    try:
        stopped = placing.emails_are_stopped(
            secret, stop="again" not in request.POST if request.method == "POST" else None
        )
    except WrongMoment as wrong:
        raise Http404(wrong.sentence) from wrong
    return render(request, "seating/never.html", {"stopped": stopped, "done": request.method == "POST"})


# Sitters.


@web.form_page
@web.refusals_to("games:sitter")
def sitter_page(request: HttpRequest, slug: str) -> HttpResponse | str:
    """A player's sitter, or the form to name one. For that player alone."""
    access, user_id = web.access_for_visitor(request, slug), web.signed_in_id(request)
    view = page_of(access)
    if access.seat is None or agreement(view) is None:
        raise Http404
    sitter_view = queries.sitter_view(access)
    if sitter_view.sitting is not None and "end" in request.POST:
        end_sitting(user_id=user_id, number=sitter_view.sitting.number)
        return _("The sitting is over. Your sitter can’t see your orders any more.")
    form, zone = SitterForm(request.POST or None), web.time_zone_of(request).key
    if web.form_succeeds(form, partial(name_sitter, game_id=access.game_id, user_id=user_id, zone=zone)):
        return _("Request sent. We’ll let you know the answer.")
    context = {"view": view, "named": sitter_view, "form": form, "zone": zone}
    return render(request, "seating/sitter.html", context, status=web.status_of(form))


@web.button_action("games:sitter")
def let_gm_enter(request: HttpRequest, slug: str) -> str:
    """Let the game master enter your orders, or withdraw that."""
    seat, agree = access_seat(user=request.user, slug=slug), request.POST.get("agree") == "yes"
    let_gm_enter_orders(game_id=seat.game_id, user_id=seat.user_id, agree=agree)
    if agree:
        return _("The game master can now see and enter your orders for the current phase.")
    return _("The game master can’t see or enter your orders any more.")


@signed_in
@web.own_page
def sittings_page(request: HttpRequest) -> HttpResponse:
    """The visitor's sittings that are asked for or agreed."""
    return render(request, "seating/sitting.html", {"sittings": queries.open_sittings_of(request.user)})


@web.button_action("games:sitting")
def answer_or_end_sitting(request: HttpRequest, number: int) -> str:
    """A sitter agrees, declines or stops sitting."""
    user_id, answer = web.signed_in_id(request), request.POST.get("answer")
    if answer == "end":
        end_sitting(user_id=user_id, number=number)
        return _("You’ve stopped sitting. You can’t see the player’s orders any more.")
    answer_sitting(user_id=user_id, number=number, accept=answer == "yes")
    return (
        _("You’ve accepted. While you sit, the game is one of your games on the home page.")
        if answer == "yes"
        else _("You’ve declined. The player has been told.")
    )


# A live game now.


@web.form_page
@web.refusals_to("games:quick")
def quick_game_page(request: HttpRequest) -> HttpResponse:
    """The boards, and how many people wait for a live game on each; a POST joins a game, or creates one."""
    if request.method != "POST":
        return render(request, "seating/quick.html", {"boards": quick_boards(web.signed_in_id(request))})
    slug = join_quick_game(user_id=web.signed_in_id(request), variant=request.POST.get("variant", ""))
    return web.redirect_with_success(
        request, _("You have a place. Stay here: the game starts soon after it is full."), "games:game", slug=slug
    )


# Vacant seats, one’s own seat, and the game master’s search for players.


@web.own_page
def vacant_seats_page(request: HttpRequest) -> HttpResponse:
    """The vacant seats of all public games, with the same filter as the lobby, from the game ?after= on."""
    form = LobbyFilter(request.GET)
    filters = form.chosen()
    page = queries.public_vacant_seats(request.user, after=request.GET.get("after", ""), **filters)
    context = {
        "seats": page.seats,
        "more": urlencode({**filters, "after": page.last}) if page.last else "",
        "filter": form,
        "wanted": urlencode(filters),
        "waiting": queries.standby_wishes_of(request.user) is not None,
    }
    return render(request, "seating/seats.html", context)


@web.own_form
@signed_in_to_send
@web.refusals_to("games:game")
def vacant_seat_page(request: HttpRequest, slug: str, power: str) -> HttpResponse | str:
    """One vacant seat and what comes with it; a POST takes it, or asks the game master for it."""
    access = web.access_for_visitor(request, slug)
    seat = queries.vacant_seat(access, power)
    if request.method != "POST":
        context = {"view": page_of(access), "seat": seat}
        return render(request, "seating/seat.html", context)
    user_id, token = web.signed_in_id(request), web.invitation_to(request, slug)
    if seat.must_ask:
        acts.ask_for_seat(game_id=access.game_id, user_id=user_id, power=power, token=token)
        return seat_rules.SEAT_REQUEST_SENT
    acts.take_over_seat(game_id=access.game_id, user_id=user_id, power=power, token=token)
    message = _("You now play {power}. You start with no orders and have at least a full phase to enter them.").format(
        power=seat.power.name
    )
    return web.redirect_with_success(request, message, "games:orders", slug=slug)


@web.form_page
@web.refusals_to("games:game")
def resign_page(request: HttpRequest, slug: str) -> HttpResponse:
    """Give up one's seat: first the consequences, then the action."""
    access = web.access_for_visitor(request, slug)
    view = page_of(access)
    if access.seat is None or agreement(view) is None:
        raise Http404
    if request.method != "POST":
        return render(request, "seating/resign.html", {"view": view})
    acts.resign(game_id=access.game_id, user_id=web.signed_in_id(request))
    return web.redirect_with_success(request, _("You’ve given up your seat."), "games:lobby")


@web.form_page
def answer_offer(request: HttpRequest, slug: str) -> HttpResponse:
    """The seat to which the game master invites the visitor, with the buttons to accept and decline."""
    access, user_id = web.access_for_visitor(request, slug), web.signed_in_id(request)
    offer = queries.offer_view(access)
    if request.method != "POST":
        return render(request, "seating/offer.html", {"view": page_of(access), "offered": offer})
    return web.answer_offer(
        request,
        lambda accept: acts.answer_invitation(game_id=access.game_id, user_id=user_id, accept=accept),
        _("You now play {power}.").format(power=offer.power),
        "games:orders",
        slug=slug,
    )


@web.form_page
def standby_page(request: HttpRequest) -> HttpResponse:
    """The visitor's wishes for the standby list, and the button to leave it."""
    user_id, now = web.signed_in_id(request), queries.standby_wishes_of(request.user)
    if request.method == "POST" and "stop" in request.POST:
        acts.leave_standby_list(user_id=user_id)
        return web.redirect_with_success(request, _("You’ve left the standby list."), "games:standby")
    form = StandbyForm(request.POST if request.method == "POST" else None, initial=now)
    if form.is_valid():
        acts.join_standby_list(user_id=user_id, **form.cleaned_data)
        return web.redirect_with_success(
            request, _("Choices saved. We’ll let you know about vacant seats that match."), "games:standby"
        )
    context = {"form": form, "waiting": now is not None}
    return render(request, "seating/standby.html", context, status=web.status_of(form))


@web.button_action("games:gm")
def answer_or_withdraw_approach(request: HttpRequest, slug: str) -> str:
    """The game master answers a request for a seat, or withdraws an invitation."""
    access = access_gm(user=request.user, slug=slug)
    number, answer = parse_whole_number(request.POST.get("number", "")) or 0, request.POST.get("answer", "")
    if answer == "withdraw":
        acts.withdraw_invitation(game_id=access.game_id, by=access.user_id, number=number)
        return _("Invitation withdrawn.")
    if answer == "withdraw-mailed":
        placing.withdraw_email_invitation(game_id=access.game_id, by=access.user_id, number=number)
        return _("Invitation withdrawn. The link in the email no longer works.")
    acts.answer_seat_request(game_id=access.game_id, by=access.user_id, number=number, accept=answer == "yes")
    return _("The seat has a new player.") if answer == "yes" else _("Request declined. We’ve told the player.")
