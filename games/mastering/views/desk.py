"""The game master's desk. Every action is a POST and is recorded in the public log."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http import HTTPStatus

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.consent.queries import requests_in
from games.consent.services import ask_earlier
from games.deadlines.options import ENDED_EARLY
from games.endings.queries import agreement
from games.history.queries import undone_view
from games.kernel import clock
from games.kernel.access import access_gm, standpoint_of
from games.kernel.forms import whole_number
from games.kernel.page import page_of
from games.kernel.refusals import BadProposal
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.view_helpers import (
    accepted,
    account,
    answered,
    deed,
    enter,
    form_page,
    is_done,
    refusals_to,
    status_of,
    zone_of,
)
from games.kernel.zipping import gzip_page
from games.mastering.forms import (
    AssistantForm,
    BotForm,
    CloseForm,
    DeadlineForm,
    EmptySeatForm,
    ExtendForm,
    HandOverForm,
    InviteForm,
    MailForm,
    PlaceForm,
    PowerForm,
    RemoveForm,
    RepairForm,
    SeatPlayerForm,
    WhyForm,
)
from games.mastering.queries import formers, given_up, gm, gm_people, webhook_has_stopped, why_not_take_over
from games.mastering.queries import market as asks_of_viewer
from games.mastering.services import assistants, handover, repair
from games.mastering.services import desk as acts
from games.mastering.services.preview import look_beforehand
from games.mastering.views.attention import matters
from games.mastering.views.correcting import REPAIRED, phase_to_repair
from games.mastering.views.seats import SEAT_FORMS, seat_controls, seat_fields
from games.orders.bids import look_at_all_bids, look_at_table
from games.orders.views.bids import csv_file
from games.press.talk import AS_GM
from games.press.threads import EVERYBODY
from games.seating.queries import powers
from games.seating.services import bots, mailing, placing
from games.seating.services import vacancies as market
from variants.registry import find

WITHOUT_A_REASON = ("start", "roll-call", "start-anyway", "cancel-roll-call")
NEW_LINK = " The invitation link is new; the old one no longer works."

PLAIN_ACTS: dict[str, tuple[Callable[..., None], str]] = {
    "start": (acts.start_game, "The game has started."),
    "roll-call": (acts.start_game, "The roll call has started. The game starts when everyone has confirmed."),
    "start-anyway": (acts.start_anyway, "The game has started."),
    "cancel-roll-call": (acts.cancel_roll_call, "The roll call is cancelled. Everyone keeps their place."),
    "pause": (acts.pause_game, "The game is paused."),
    "resume": (acts.resume_game, "The game has resumed."),
    "process": (acts.process_now, "The phase ends now. Its result will appear in a moment."),
}

INVITED = "We’ve asked {username}. They get the seat if they accept."
ASKED_TO_ASSIST = "We’ve asked {username}. They are your assistant once they accept."
ASKED = "We’ve asked {username}. You stay the game master until they accept."
PUT_OFF = "The deadline has moved."
ASKED_EARLIER = "We’ve asked all players with orders to enter. The deadline moves once they have agreed."

FORMS: dict[str, tuple[type[forms.Form], Callable[..., object], str, str]] = {
    "extend": (ExtendForm, acts.extend_deadline, "seconds", PUT_OFF),
    "deadline": (DeadlineForm, acts.set_deadline, "until", PUT_OFF),
    "earlier": (DeadlineForm, ask_earlier, "until", ASKED_EARLIER),
    "seat": (SeatPlayerForm, acts.seat_player, "username", "{username} has the seat."),
    "empty": (EmptySeatForm, acts.empty_seat, "power", "The seat is vacant. Its units hold until you find a player."),
    "mail": (MailForm, mailing.mail_invitation, "email", "We’re writing to {email}."),
    "place": (PlaceForm, placing.place_player, "username", "{username} has a place in the game. We’ve told them."),
    "remove": (RemoveForm, placing.remove_player, "username", "{username} has been removed. We’ve told them."),
    "bot": (BotForm, bots.seat_bot, "level", "A bot has the seat until a player takes it over."),
    "give_back": (PowerForm, acts.give_back, "power", "The former player has the seat again. We’ve told both players."),
    "bot_out": (PowerForm, bots.take_bot_out, "power", "The seat is vacant. Its units hold until you find a player."),
    "invite": (InviteForm, market.invite, "username", INVITED),
    "hand": (HandOverForm, handover.offer_game, "username", ASKED),
    "assistant": (AssistantForm, assistants.name_assistant, "username", ASKED_TO_ASSIST),
}
ALONE = ("hand", "assistant")
"""What each form does, the field beside which a refusal is shown, and what is said when it is done."""


@gzip_page
@signed_in
@require_safe
@cache_control(private=True, no_store=True)
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """What needs attention, and what the game master may do now."""
    return _desk(request, slug)


def _desk(request: HttpRequest, slug: str, status: int = 200, **filled: forms.Form) -> HttpResponse:
    """The desk, with these forms as they were sent."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(enter(request, slug))
    people = gm_people(access)
    of_deadline = request.POST.dict() if filled.keys() & {"extend_form", "deadline_form"} else {}
    refused_seat = next((form for name, form in filled.items() if name in SEAT_FORMS), None)
    chosen = request.POST.get("power", "") if refused_seat else request.GET.get("seat", "")
    of_no_seat = None if chosen else refused_seat
    context = {
        "view": view,
        "people": people,
        "place": seat_fields("place-%s", request.POST.dict() if of_no_seat else {}, of_no_seat),
        "requests": requests_in(enter(request, slug)),
        "seats": seat_controls(view, formers(view), chosen, request.POST.dict(), refused_seat),
        "matters": matters(view, clock.now(), asking=len(people.market.asking)),
        "act_form": WhyForm(auto_id="act-%s"),
        "process_form": WhyForm(auto_id="process-%s"),
        **{
            f"{name}_form": form(auto_id=f"{name}-%s", initial=of_deadline)
            for name, (form, *_) in FORMS.items()
            if f"{name}_form" not in SEAT_FORMS
        },
        "zone": zone_of(request).key,
        "early_end": ENDED_EARLY,
        "everybody": EVERYBODY,
        "webhook_stopped": webhook_has_stopped(access.game_id, access.user_id),
        "as_gm": AS_GM,
        "refused": next(iter(filled.values()), None),
        **filled,
    }
    return render(request, "mastering/desk.html", context, status=status)


def _why(request: HttpRequest) -> WhyForm:
    """The reason on the page that asks for confirmation."""
    return WhyForm(request.POST if request.method == "POST" else None, auto_id="final-%s")


@deed("games:gm")
def act(request: HttpRequest, slug: str, verb: str) -> HttpResponse | str:
    access = access_gm(user=request.user, slug=slug)
    if verb not in PLAIN_ACTS:
        raise Http404
    service, done = PLAIN_ACTS[verb]
    name = "process_form" if verb == "process" else "act_form"
    form = WhyForm(request.POST, auto_id=f"{name.removesuffix('_form')}-%s")
    if not form.is_valid():
        return _desk(request, slug, HTTPStatus.UNPROCESSABLE_ENTITY, **{name: form})
    service(game_id=access.game_id, by=access.user_id, **({} if verb in WITHOUT_A_REASON else form.cleaned_data))
    return done


@signed_in
@sent_from("games:gm")
def send(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Do what a form of the desk says, or show the desk again with that form as it was sent; dates and times are in the
    game master's time zone."""
    access = access_gm(user=request.user, slug=slug, alone=name in ALONE)
    if name == "extend":
        name = {"until": "deadline", "earlier": "earlier"}.get(request.POST.get("how", ""), name)
    form_class, act, blamed, done = FORMS[name]
    with timezone.override(zone_of(request)):
        form = form_class(request.POST, auto_id=f"{name}-%s")
        if is_done(form, partial(act, game_id=access.game_id, by=access.user_id), blamed):
            return accepted(request, done.format(**form.cleaned_data), "games:gm", slug=slug)
        shown = "deadline" if name == "earlier" else name
        return _desk(request, slug, HTTPStatus.UNPROCESSABLE_ENTITY, **{f"{shown}_form": form})


@deed("games:gm")
def hand_over(request: HttpRequest, slug: str) -> HttpResponse | str:
    if "back" not in request.POST:
        return send(request, slug, "hand")
    access = access_gm(user=request.user, slug=slug, alone=True)
    handover.take_back_offer(game_id=access.game_id, by=access.user_id)
    return "Request withdrawn. You stay the game master."


@form_page
def take_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Become the next game master of a game, or decline. Only for the person who is asked."""
    access = enter(request, slug)
    view = page_of(access)
    if not asks_of_viewer(view).asked_to_master:
        raise Http404
    if request.method != "POST":
        return render(request, "mastering/take.html", {"view": view, "why_not": why_not_take_over(access)})
    who = account(request)
    done = f"You’re the game master now. This is your desk.{NEW_LINK if view.game.by_invitation else ''}"
    return answered(
        request,
        lambda accept: handover.answer_offer(game_id=access.game_id, user_id=who, accept=accept),
        done,
        "games:gm",
        slug=slug,
    )


@form_page
@refusals_to("games:gm")
def civil_disorder(request: HttpRequest, slug: str, power: str) -> HttpResponse | str:
    """Permanent civil disorder: first the consequences, then the action."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(enter(request, slug))
    found, acts_here = next((one for one in powers(view) if one.id == power), None), gm(view)
    is_offered = acts_here is not None and power in acts_here.seats["declare"]
    if found is None or (request.method == "GET" and not is_offered):
        raise Http404
    form = _why(request)
    if not form.is_valid():
        variant = find(view.game.variant)
        context = {
            "view": view,
            "power": found,
            "form": form,
            "at_once": given_up(power, standpoint_of(access).open_position, variant),
            "what_happens": variant.ruleset.disorder.for_good,
        }
        return render(request, "mastering/disorder.html", context, status=status_of(form))
    acts.declare_civil_disorder(game_id=access.game_id, by=access.user_id, power=power, **form.cleaned_data)
    return f"{found.name} is in permanent civil disorder."


@form_page
@refusals_to("games:game")
def close(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Close the game: first the consequences and perhaps the outcome, then the action."""
    access = access_gm(user=request.user, slug=slug, alone=True)
    view = page_of(enter(request, slug))
    agreed = agreement(view) if view.game.options.gm_outcomes else None
    left = agreed.left if agreed else None
    form = CloseForm(request.POST if request.method == "POST" else None, auto_id="final-%s", left=left)
    if form.is_valid():
        try:
            acts.close_game(game_id=access.game_id, by=access.user_id, **form.cleaned_data)
        except BadProposal as refusal:
            form.add_error("outcome", refusal.sentence)
        else:
            return "The game is closed."
    return render(request, "mastering/close.html", {"view": view, "form": form}, status=status_of(form))


@gzip_page
@cache_control(private=True, no_store=True)
@deed("games:gm")
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview the open phase. A POST, because it is recorded in the public log first."""
    access = access_gm(user=request.user, slug=slug)
    seen = look_beforehand(game_id=access.game_id, by=access.user_id)
    view = page_of(enter(request, slug))
    return render(request, "mastering/preview.html", {"view": view, "preview": seen})


@signed_in
@require_safe
def choose_phase(request: HttpRequest, slug: str) -> HttpResponse:
    """From the list on the desk to the page that explains going back or correcting an order there."""
    access_gm(user=request.user, slug=slug)
    ordinal = whole_number(request.GET.get("phase", ""))
    to = "games:choose-orders" if request.GET.get("to") == "orders" else "games:back"
    if ordinal is None:
        return redirect("games:gm", slug=slug)
    return redirect(to, slug=slug, ordinal=ordinal)


@form_page
def roll_back(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """Go back to an earlier phase: first the consequences, then the action."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(enter(request, slug))
    form = RepairForm(request.POST if request.method == "POST" else None)
    if is_done(form, partial(repair.roll_back, game_id=access.game_id, by=access.user_id, ordinal=ordinal)):
        return accepted(request, REPAIRED, "games:gm", slug=slug)
    context = {**phase_to_repair(request, view, "roll_back", ordinal), "form": form}
    return render(request, "mastering/back.html", context, status=status_of(form))


@gzip_page
@require_safe
@cache_control(private=True, no_store=True)
def undone(request: HttpRequest, slug: str) -> HttpResponse:
    """What was undone: it was public, but no longer counts."""
    access = enter(request, slug)
    context = {"view": page_of(access), "acts": undone_view(access)}
    return render(request, "mastering/undone.html", context)


@cache_control(private=True, no_store=True)
@deed("games:gm")
def bids(request: HttpRequest, slug: str, ordinal: int | None = None) -> HttpResponse:
    """Look at the bids of a closed phase, or of all so far. A POST, because it is recorded in the public log."""
    access = access_gm(user=request.user, slug=slug)
    who = {"game_id": access.game_id, "by": access.user_id}
    table = look_at_all_bids(**who) if ordinal is None else look_at_table(**who, ordinal=ordinal)
    if request.POST.get("as") == "csv":
        return csv_file(table, slug)
    view = page_of(enter(request, slug), ordinal)
    return render(request, "mastering/bids.html", {"view": view, "phases": table, "of_all": ordinal is None})
