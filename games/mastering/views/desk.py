"""The game master's desk. Every action is a POST and is recorded in the public log."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from games.consent.queries import requests_for_viewer
from games.consent.services import ask_for_earlier_deadline
from games.deadlines.options import ENDED_EARLY_HELP
from games.endings.queries import agreement
from games.kernel import clock
from games.kernel import view_helpers as web
from games.kernel.access import access_gm, standpoint_of
from games.kernel.days import DAY
from games.kernel.fields import LENGTHS
from games.kernel.languages import later
from games.kernel.models import Game, Status
from games.kernel.page import Page, page_of
from games.kernel.refusals import BadProposal
from games.kernel.rules import allowed, why_not
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.zipping import gzip_page
from games.mastering import rules
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
    SeatForm,
    SeatPlayerForm,
    WhyForm,
)
from games.mastering.judging import preview_open_phase
from games.mastering.missing import may_see_saved, missing_view, remind_missing
from games.mastering.queries import asked_role, disorder_sentences, former_players, gm, gm_people, webhook_has_stopped
from games.mastering.queries import market as asks_of_viewer
from games.mastering.services import assistants
from games.mastering.services import desk as acts
from games.mastering.views.attention import matters
from games.orders.bids import look_at_all_bids, look_at_bids_as_table
from games.orders.views.bids import csv_file
from games.press.talk import AS_GM
from games.press.threads import EVERYBODY
from games.seating.parts import PowerView
from games.seating.queries import power_views
from games.seating.services import bots, placing
from games.seating.services import vacancies as market
from variants.registry import find
from variants.words import permanent_disorder_words

WITHOUT_A_REASON = ("start", "roll-call", "start-anyway", "cancel-roll-call")
ASKED_TO_CONFIRM = later(
    "The game starts when everyone has confirmed. We’ve asked those who have abandoned another game since they joined."
)
NEW_LINK = later("The invitation link is new; the old one no longer works.")

PLAIN_ACTS: dict[str, tuple[Callable[..., None], str]] = {
    "start": (acts.start_game, later("The game has started.")),
    "roll-call": (acts.start_game, later("The roll call has started. The game starts when everyone has confirmed.")),
    "start-anyway": (acts.start_anyway, later("The game has started.")),
    "cancel-roll-call": (acts.cancel_roll_call, later("The roll call is cancelled. Everyone keeps their place.")),
    "pause": (acts.pause_game, later("The game is paused.")),
    "resume": (acts.resume_game, later("The game has resumed.")),
    "process": (acts.end_phase_early, later("The phase ends now. Its result will appear in a moment.")),
}

INVITED = later("We’ve asked {username}. They get the seat if they accept.")
ASKED_TO_ASSIST = later("We’ve asked {username}. They are your assistant once they accept.")
ASKED = later("We’ve asked {username}. You stay the game master until they accept.")
DEADLINE_MOVED = later("The deadline has moved.")
ASKED_EARLIER = later("We’ve asked all players with orders to enter. The deadline moves once they have agreed.")

FORMS: dict[str, tuple[type[forms.Form], Callable[..., object], str, str]] = {
    "extend": (ExtendForm, acts.extend_deadline, "seconds", DEADLINE_MOVED),
    "deadline": (DeadlineForm, acts.set_deadline, "until", DEADLINE_MOVED),
    "earlier": (DeadlineForm, ask_for_earlier_deadline, "until", ASKED_EARLIER),
    "seat": (SeatPlayerForm, acts.seat_player, "username", later("{username} has the seat.")),
    "empty": (
        EmptySeatForm,
        acts.empty_seat,
        "power",
        later("The seat is vacant. Its units hold until you find a player."),
    ),
    "mail": (MailForm, placing.send_email_invitation, "email", later("We’re writing to {email}.")),
    "place": (
        PlaceForm,
        placing.place_player,
        "username",
        later("{username} has a place in the game. We’ve told them."),
    ),
    "remove": (RemoveForm, placing.remove_player, "username", later("{username} has been removed. We’ve told them.")),
    "bot": (BotForm, bots.seat_bot, "level", later("A bot has the seat until a player takes it over.")),
    "give_back": (
        PowerForm,
        acts.give_back_seat,
        "power",
        later("The former player has the seat again. We’ve told both players."),
    ),
    "bot_out": (
        PowerForm,
        bots.unseat_bot,
        "power",
        later("The seat is vacant. Its units hold until you find a player."),
    ),
    "invite": (InviteForm, market.invite_to_seat, "username", INVITED),
    "hand": (HandOverForm, assistants.offer_handover, "username", ASKED),
    "assistant": (AssistantForm, assistants.name_assistant, "username", ASKED_TO_ASSIST),
}
ONLY_FOR_MASTER = ("hand", "assistant")
"""What each form does, the field beside which a refusal is shown, and what is said when it is done."""


@gzip_page
@signed_in
@web.own_page
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """What needs attention, and what the game master may do now."""
    return _desk_page(request, slug)


def _desk_page(request: HttpRequest, slug: str, status: int = 200, **sent_forms: forms.Form) -> HttpResponse:
    """The desk. Forms in `sent_forms` are shown as they were sent."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(web.access_for_visitor(request, slug))
    people = gm_people(access)
    longest = min(DAY, view.game.options.movement_seconds)
    usual_extension = {"seconds": max((seconds for seconds, _ in LENGTHS if seconds <= longest), default=DAY)}
    deadline_fields = request.POST.dict() if sent_forms.keys() & {"extend_form", "deadline_form"} else usual_extension
    refused_seat = next((form for name, form in sent_forms.items() if name in SEAT_FORMS), None)
    power = request.POST.get("power", "") if refused_seat else request.GET.get("seat", "")
    form_without_seat = None if power else refused_seat
    context = {
        "view": view,
        "people": people,
        "place": seat_fields("place-%s", request.POST.dict() if form_without_seat else {}, form_without_seat),
        "requests": requests_for_viewer(web.access_for_visitor(request, slug)),
        "seats": seat_controls(view, former_players(view), power, request.POST.dict(), refused_seat),
        "matters": matters(view, clock.now(), asking=len(people.market.asking)),
        "act_form": WhyForm(auto_id="act-%s"),
        "process_form": WhyForm(auto_id="process-%s"),
        **{
            f"{name}_form": form(auto_id=f"{name}-%s", initial=deadline_fields)
            for name, (form, *_) in FORMS.items()
            if f"{name}_form" not in SEAT_FORMS
        },
        "zone": web.time_zone_of(request).key,
        "early_end": ENDED_EARLY_HELP,
        "everybody": EVERYBODY,
        "webhook_stopped": webhook_has_stopped(access.game_id, access.user_id),
        "as_gm": AS_GM,
        "refused": next(iter(sent_forms.values()), None),
        **sent_forms,
    }
    return render(request, "mastering/desk.html", context, status=status)


@web.button_action("games:gm")
def act(request: HttpRequest, slug: str, verb: str) -> HttpResponse | str:
    access = access_gm(user=request.user, slug=slug)
    if verb not in PLAIN_ACTS:
        raise Http404
    service, message = PLAIN_ACTS[verb]
    name = "process_form" if verb == "process" else "act_form"
    form = WhyForm(request.POST, auto_id=f"{name.removesuffix('_form')}-%s")
    if not form.is_valid():
        return _desk_page(request, slug, HTTPStatus.UNPROCESSABLE_ENTITY, **{name: form})
    service(game_id=access.game_id, by=access.user_id, **({} if verb in WITHOUT_A_REASON else form.cleaned_data))
    waits = verb == "start" and Game.objects.filter(pk=access.game_id, status=Status.OPEN).exists()
    return ASKED_TO_CONFIRM if waits else message


@signed_in
@sent_from("games:gm")
def send(request: HttpRequest, slug: str, name: str) -> HttpResponse:
    """Do what a form of the desk asks, or show the desk again with that form as it was sent. Dates and times are in the
    game master's time zone."""
    access = access_gm(user=request.user, slug=slug, master_only=name in ONLY_FOR_MASTER)
    if name == "extend":
        name = {"until": "deadline", "earlier": "earlier"}.get(request.POST.get("how", ""), name)
    form_class, service, field, message = FORMS[name]
    with timezone.override(web.time_zone_of(request)):
        form = form_class(request.POST, auto_id=f"{name}-%s")
        if web.form_succeeds(form, partial(service, game_id=access.game_id, by=access.user_id), field):
            return web.redirect_with_success(request, message.format(**form.cleaned_data), "games:gm", slug=slug)
        form_name = "deadline" if name == "earlier" else name
        return _desk_page(request, slug, HTTPStatus.UNPROCESSABLE_ENTITY, **{f"{form_name}_form": form})


@web.button_action("games:gm")
def hand_over(request: HttpRequest, slug: str) -> HttpResponse | str:
    if "back" not in request.POST:
        return send(request, slug, "hand")
    access = access_gm(user=request.user, slug=slug, master_only=True)
    assistants.withdraw_handover(game_id=access.game_id, by=access.user_id)
    return _("Request withdrawn. You stay the game master.")


@web.form_page
def take_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Become the next game master of a game, or decline. Only for the person who is asked."""
    access = web.access_for_visitor(request, slug)
    view = page_of(access)
    if not asks_of_viewer(view).asked_to_master:
        raise Http404
    if request.method != "POST":
        refusal = why_not(rules.may_take_over, standpoint_of(access))
        return render(request, "mastering/take.html", {"view": view, "why_not": refusal})
    user_id = web.signed_in_id(request)
    message = _("You’re the game master now. This is your desk.")
    if view.game.by_invitation:
        message = f"{message} {NEW_LINK}"
    return web.answer_offer(
        request,
        lambda accept: assistants.answer_handover(game_id=access.game_id, user_id=user_id, accept=accept),
        message,
        "games:gm",
        slug=slug,
    )


@web.form_page
@web.refusals_to("games:gm")
def civil_disorder(request: HttpRequest, slug: str, power: str) -> HttpResponse | str:
    """Permanent civil disorder: first the consequences, then the action."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(web.access_for_visitor(request, slug))
    view_of_power, powers_of_gm = next((it for it in power_views(view) if it.id == power), None), gm(view)
    is_offered = powers_of_gm is not None and power in powers_of_gm.seats["declare"]
    if view_of_power is None or (request.method == "GET" and not is_offered):
        raise Http404
    form = WhyForm(request.POST if request.method == "POST" else None, auto_id="final-%s")
    if not form.is_valid():
        variant = find(view.game.variant)
        context = {
            "view": view,
            "power": view_of_power,
            "form": form,
            "at_once": disorder_sentences(power, standpoint_of(access).open_position, variant),
            "what_happens": permanent_disorder_words(variant.ruleset),
        }
        return render(request, "mastering/disorder.html", context, status=web.status_of(form))
    acts.declare_civil_disorder(game_id=access.game_id, by=access.user_id, power=power, **form.cleaned_data)
    return _("{found} is in permanent civil disorder.").format(found=view_of_power.name)


@web.form_page
@web.refusals_to("games:game")
def close(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Close the game: first the consequences and perhaps the outcome, then the action."""
    access = access_gm(user=request.user, slug=slug, master_only=True)
    view = page_of(web.access_for_visitor(request, slug))
    votes = agreement(view) if view.game.options.gm_outcomes else None
    powers_left = votes.left if votes else None
    form = CloseForm(request.POST if request.method == "POST" else None, auto_id="final-%s", left=powers_left)
    if form.is_valid():
        try:
            acts.close_game(game_id=access.game_id, by=access.user_id, **form.cleaned_data)
        except BadProposal as refusal:
            form.add_error("outcome", refusal.sentence)
        else:
            return _("The game is closed.")
    return render(request, "mastering/close.html", {"view": view, "form": form}, status=web.status_of(form))


@gzip_page
@cache_control(private=True, no_store=True)
@web.button_action("games:gm")
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """Preview the open phase. A POST, because it is recorded in the public log first."""
    access = access_gm(user=request.user, slug=slug)
    seen = preview_open_phase(game_id=access.game_id, by=access.user_id)
    view = page_of(web.access_for_visitor(request, slug))
    return render(request, "mastering/preview.html", {"view": view, "preview": seen})


@cache_control(private=True, no_store=True)
@web.button_action("games:gm")
def bids(request: HttpRequest, slug: str, ordinal: int | None = None) -> HttpResponse:
    """Look at the bids of a closed phase, or of all so far. A POST, because it is recorded in the public log."""
    access = access_gm(user=request.user, slug=slug)
    viewer = {"game_id": access.game_id, "by": access.user_id}
    table = look_at_all_bids(**viewer) if ordinal is None else look_at_bids_as_table(**viewer, ordinal=ordinal)
    if request.POST.get("as") == "csv":
        return csv_file(table, slug)
    view = page_of(web.access_for_visitor(request, slug), ordinal)
    return render(request, "mastering/bids.html", {"view": view, "phases": table, "of_all": ordinal is None})


# The game master’s assistants.


@web.button_action("games:gm")
def name_assistant(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Ask somebody to be an assistant, or remove one."""
    username = request.POST.get("remove", "")
    if not username:
        return send(request, slug, "assistant")
    access = access_gm(user=request.user, slug=slug, master_only=True)
    assistants.dismiss_assistant(game_id=access.game_id, by=access.user_id, username=username)
    return _("{username} is not your assistant any more.").format(username=username)


@web.form_page
def assist(request: HttpRequest, slug: str) -> HttpResponse:
    """Become an assistant, or decline. Only for the person who is asked."""
    access = web.access_for_visitor(request, slug)
    role = asked_role(access)
    if request.method != "POST":
        context = {"view": page_of(access), "asked": role, "why_not": why_not(rules.may_assist, standpoint_of(access))}
        return render(request, "mastering/assist.html", context)
    user_id = web.signed_in_id(request)
    return web.answer_offer(
        request,
        lambda accept: assistants.answer_assistance(game_id=access.game_id, user_id=user_id, accept=accept),
        _("You’re an assistant now. This is the game master’s desk, with what you may do."),
        "games:gm",
        slug=slug,
    )


@web.button_action("games:gm")
def step_down(request: HttpRequest, slug: str) -> HttpResponse:
    """Stop assisting, and go to the home page, because a game by invitation can no longer be seen."""
    access = access_gm(user=request.user, slug=slug)
    assistants.stop_assisting(game_id=access.game_id, user_id=access.user_id)
    return web.redirect_with_success(
        request, _("You’re no longer an assistant in {game}.").format(game=access.game.name), "games:home"
    )


# Which players have saved orders, for a game master who may see it.


@signed_in
@web.own_page
def missing(request: HttpRequest, slug: str) -> HttpResponse:
    """Who saved no orders? It is a page of its own, also shown on the desk, so that no other page depends on it."""
    here = standpoint_of(access_gm(user=request.user, slug=slug))
    if not allowed(may_see_saved, here):
        raise Http404
    return render(
        request,
        "mastering/missing.html",
        {"view": page_of(web.access_for_visitor(request, slug)), "saved": missing_view(here)},
    )


@web.button_action("games:gm")
def remind(request: HttpRequest, slug: str) -> HttpResponse:
    """Remind the players without orders. The answer is the same whether anyone is reminded or not."""
    access = access_gm(user=request.user, slug=slug)
    remind_missing(game_id=access.game_id, by=access.user_id)
    return web.redirect_with_success(
        request, _("Players who haven’t saved orders are reminded."), "games:missing", slug=slug
    )


# The table of seats: each power with its player, and everything that can be done with its seat.


SEAT_FORMS = (
    *("invite_form", "seat_form", "give_back_form", "empty_form"),
    *("bot_form", "bot_out_form", "place_form", "mail_form"),
)


@dataclass(frozen=True, slots=True)
class SeatControls:
    """What the game master `may` do with a seat, as names in `games.mastering.rules`, with the fields for all of it.
    `is_open`: they are shown at once. `problems` belong to no field. `former`: the name of the player who can get the
    seat back."""

    power: PowerView
    may: tuple[str, ...]
    fields: Mapping[str, forms.BoundField]
    is_open: bool
    problems: tuple[str, ...]
    former: str


def seat_controls(
    view: Page, former_names: Mapping[str, str], chosen: str, values: Mapping[str, str], form: forms.Form | None
) -> tuple[SeatControls, ...]:
    """The table of seats, open at the power `chosen`, with `former_names` by power. Its form keeps the sent `values`
    and shows the mistakes of a refused `form`."""
    here = gm(view)
    acts = here.seats if here else {}
    return tuple(
        _controls_of_seat(
            power,
            tuple(act for act, powers in acts.items() if power.id in powers),
            values if power.id == chosen else {},
            form if power.id == chosen else None,
            is_open=power.id == chosen,
            former=former_names.get(power.id, ""),
        )
        for power in power_views(view)
    )


def seat_fields(auto_id: str, values: Mapping[str, str], form: forms.Form | None) -> dict[str, forms.BoundField]:
    """The fields for a seat with the `values` that were sent; fields of a refused `form` come with their mistakes."""
    fields = {field.name: field for field in SeatForm(auto_id=auto_id, initial={**values})}
    return fields | {field.name: field for field in form or () if field.name in fields}


def _controls_of_seat(
    power: PowerView,
    may: tuple[str, ...],
    values: Mapping[str, str],
    form: forms.Form | None,
    *,
    is_open: bool,
    former: str,
) -> SeatControls:
    fields = seat_fields(f"seat-{power.id}-%s", values, form)
    problems = tuple(str(error) for error in form.errors.get("power", ())) if form else ()
    if "empty" in may:
        fields["reason"].label = _("Reason")
    return SeatControls(power, may, fields, is_open, problems, former)
