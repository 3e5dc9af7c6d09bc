"""The game master's desk. Every action is a POST and is recorded in the public log."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from games.consent.queries import requests_for_viewer
from games.deadlines.options import ENDED_EARLY_HELP
from games.endings.queries import agreement
from games.kernel import clock
from games.kernel import view_helpers as web
from games.kernel.access import access_gm, standpoint_of
from games.kernel.acts import gm_act
from games.kernel.days import DAY
from games.kernel.fields import LENGTHS
from games.kernel.languages import later
from games.kernel.models import Game
from games.kernel.page import Page, page_of
from games.kernel.refusals import BadProposal
from games.kernel.rules import allowed, why_not
from games.kernel.signing_in import signed_in
from games.kernel.zipping import gzip_page
from games.mastering import rules
from games.mastering.acts import ACTS, WITH_BUTTON
from games.mastering.judging import preview_open_phase
from games.mastering.missing import may_see_saved, missing_view
from games.mastering.queries import asked_role, disorder_sentences, former_players, gm, gm_people, webhook_has_stopped
from games.mastering.queries import market as asks_of_viewer
from games.mastering.services import assistants
from games.mastering.services.desk import close_game, declare_civil_disorder
from games.mastering.views.attention import matters
from games.orders.bids import look_at_all_bids, look_at_bids_as_table
from games.orders.views.published import csv_file
from games.press.talk import AS_GM
from games.press.threads import EVERYBODY
from games.seating.parts import PowerView
from games.seating.queries import power_views
from variants.words import permanent_disorder_words

NEW_LINK = later("The invitation link is new; the old one no longer works.")
SHOWN_WITH = {"start": "pause", "resume": "pause", "ask_earlier": "set_deadline"}
"""The acts that share the form of another."""
SEAT_ACTS = {"give_place", *dict(gm_act.about("power"))}


@gzip_page
@signed_in
@web.own_page
def desk(request: HttpRequest, slug: str) -> HttpResponse:
    """What needs attention, and what the game master may do now."""
    return _desk_page(request, slug)


class FormsByAct(dict[str, forms.Form]):
    """The forms of the desk by their acts, each made when the template asks for it."""

    def __init__(self, made: Mapping[str, forms.Form], initial: dict[str, Any]) -> None:
        super().__init__(made)
        self.initial = initial

    def __missing__(self, act: str) -> forms.Form:
        return self.setdefault(act, ACTS[act].form_class()(auto_id=f"{act}-%s", initial=self.initial))


def _desk_page(request: HttpRequest, slug: str, name: str = "", refused: forms.Form | None = None) -> HttpResponse:
    """The desk. The form of this act is shown as it was sent, with what is wrong with it."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(web.access_for_visitor(request, slug))
    people, powers_of_gm = gm_people(access), gm(view)
    may = powers_of_gm.may if powers_of_gm else ()
    longest = min(DAY, view.game.options.movement_seconds)
    usual_extension = {"seconds": max((seconds for seconds, _ in LENGTHS if seconds <= longest), default=DAY)}
    deadline_fields = request.POST.dict() if name in {"extend", "set_deadline"} else usual_extension
    refused_seat = refused if name in SEAT_ACTS else None
    power = request.POST.get("power", "") if refused_seat else request.GET.get("seat", "")
    form_without_seat = None if power else refused_seat
    by_act = FormsByAct({name: refused} if refused else {}, deadline_fields)
    context = {
        "view": view,
        "people": people,
        "place": seat_fields("place-%s", request.POST.dict() if form_without_seat else {}, form_without_seat),
        "requests": requests_for_viewer(web.access_for_visitor(request, slug)),
        "seats": seat_controls(view, former_players(view), power, request.POST.dict(), refused_seat),
        "matters": matters(view, clock.now(), asking=len(people.market.asking)),
        "forms": by_act,
        "more": [(it, by_act[it.name]) for it in WITH_BUTTON.values() if it.button and it.name in may],
        "zone": web.time_zone_of(request).key,
        "early_end": ENDED_EARLY_HELP,
        "everybody": EVERYBODY,
        "webhook_stopped": webhook_has_stopped(access.game_id, access.user_id),
        "as_gm": AS_GM,
        "refused": refused,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if refused else HTTPStatus.OK
    return render(request, "mastering/desk.html", context, status=status)


@web.button_action("games:gm")
def do(request: HttpRequest, slug: str, verb: str) -> HttpResponse:
    """Do what a form of the desk asks, or show it again as it was sent. Times are in the game master's time zone."""
    verb, sent = _asked_by_page(verb, request.POST)
    act, name = WITH_BUTTON[verb], SHOWN_WITH.get(verb, verb)
    access = access_gm(user=request.user, slug=slug, master_only=act.for_master)
    service = partial(act.service, game_id=access.game_id, by=access.user_id)
    form = act.form_class()(sent, auto_id=f"{name}-%s")
    if act.blamed is None and form.is_valid():
        service(**form.cleaned_data)  # a refusal leads back to the desk, where no field could show it
    elif not web.form_succeeds(form, service, act.blamed):
        return _desk_page(request, slug, name, form)
    told = act.told(partial(Game.objects.get, pk=access.game_id), form.cleaned_data)
    return web.redirect_with_success(request, told, act.to, slug=slug)


def _asked_by_page(verb: str, sent: QueryDict) -> tuple[str, QueryDict | dict[str, Any]]:
    """The act that a page asks for, and its fields. Pages that were open before this version have one address for
    several acts and say by a field which they want: until the next release."""
    if verb == "extend":
        verb = {"until": "set_deadline", "earlier": "ask_earlier"}.get(sent.get("how", ""), verb)
    if verb == "place" and not sent.get("power"):
        verb = "give_place"
    if verb == "hand_over" and "back" in sent:
        verb = "take_back"
    if verb == "name_assistant" and sent.get("remove"):
        return "dismiss_assistant", {"username": sent["remove"]}
    return verb, sent


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
    form = ACTS["declare"].form_class("power")(request.POST if request.method == "POST" else None, auto_id="final-%s")
    if not form.is_valid():
        variant = view.rows.variant
        context = {
            "view": view,
            "power": view_of_power,
            "form": form,
            "at_once": disorder_sentences(power, standpoint_of(access).open_position, variant),
            "what_happens": permanent_disorder_words(variant.ruleset),
        }
        return render(request, "mastering/disorder.html", context, status=web.status_of(form))
    declare_civil_disorder(game_id=access.game_id, by=access.user_id, power=power, **form.cleaned_data)
    return _("{found} is in permanent civil disorder.").format(found=view_of_power.name)


@web.form_page
@web.refusals_to("games:game")
def close(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Close the game: first the consequences and perhaps the outcome, then the action."""
    access = access_gm(user=request.user, slug=slug, master_only=True)
    view = page_of(web.access_for_visitor(request, slug))
    votes = agreement(view) if view.game.options.gm_outcomes else None
    powers_left = votes.left if votes else None
    not_asked = () if powers_left is not None else ("outcome", "powers")
    form = ACTS["close"].form_class(*not_asked)(request.POST if request.method == "POST" else None, auto_id="final-%s")
    if powers_left is not None:
        choices = [(card.id, card.name) for card in powers_left]
        form.fields["outcome"].required, form.fields["powers"].choices = True, choices  # type: ignore[attr-defined]
    if form.is_valid():
        try:
            close_game(game_id=access.game_id, by=access.user_id, **form.cleaned_data)
        except BadProposal as refusal:
            form.add_error("outcome", refusal.sentence)
        else:
            return _("The game is closed.")
    return render(
        request, "mastering/close.html", {"view": view, "form": form, "left": powers_left}, status=web.status_of(form)
    )


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


# The table of seats: each power with its player, and everything that can be done with its seat.

FIELDS_FOR_SEATS = {"username": "invite", "email": "mail", "reason": "seat", "level": "seat_bot"}
SEAT_FORM = type(
    "SeatForm", (forms.Form,), {name: ACTS[act].arguments[name].form_field() for name, act in FIELDS_FOR_SEATS.items()}
)
"""All fields about one seat."""


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
    here, rows = gm(view), list[SeatControls]()
    for power in power_views(view):
        is_open = power.id == chosen
        refused = form if is_open else None
        may = tuple(act for act, powers in (here.seats if here else {}).items() if power.id in powers)
        fields = seat_fields(f"seat-{power.id}-%s", values if is_open else {}, refused)
        if "empty" in may:
            fields["reason"].label = _("Reason")
        problems = tuple(map(str, refused.errors.get("power", ()))) if refused else ()
        rows.append(SeatControls(power, may, fields, is_open, problems, former_names.get(power.id, "")))
    return tuple(rows)


def seat_fields(auto_id: str, values: Mapping[str, str], form: forms.Form | None) -> dict[str, forms.BoundField]:
    """The fields for a seat with the `values` that were sent; fields of a refused `form` come with their mistakes."""
    fields = {field.name: field for field in SEAT_FORM(auto_id=auto_id, initial={**values})}
    return fields | {field.name: field for field in form or () if field.name in fields}
