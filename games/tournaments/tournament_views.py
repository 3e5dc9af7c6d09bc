"""The pages of tournaments: entry, the entrants, check-in and the seating plan."""

from __future__ import annotations

from functools import partial
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.kernel import view_helpers as web
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.limits import rate_limited
from games.kernel.queries import NOBODY
from games.kernel.refusals import Refusal, WrongMoment
from games.kernel.rules import unless
from games.tournaments import entry, seating
from games.tournaments import services as acts
from games.tournaments.forms import CheckInForm, EntryForm, MessageForm, PlanForm, RosterForm
from games.tournaments.models import Place
from games.tournaments.queries import SeriesView
from games.tournaments.tournament_page import PlanView, TournamentView, entrants_with_wishes

View = TypeVar("View", bound=SeriesView)
READS = "60/min"
ENTERED = {
    Place.IN: later("You have a place. You can say what you would like, such as people you won’t play with."),
    Place.WAITING: later("All places are taken. You’re on the waiting list and get an email once you have a place."),
    Place.SUBSTITUTE: later("You’re a substitute now. A director can give you a seat that becomes vacant."),
}


def view_for(request: HttpRequest, slug: str) -> TournamentView:
    view = TournamentView(slug, request.user.pk)
    if view.row.is_series:
        raise Http404
    return view


def for_directors(view: View) -> View:
    """Http404 unless the viewer is a director."""
    if not view.is_director:
        raise Http404
    return view


def directed(request: HttpRequest, slug: str) -> TournamentView:
    return for_directors(view_for(request, slug))


def _key(slug: str) -> str:
    """The key under which the session keeps the secret part of the invitation link."""
    return f"tournament:{slug}"


@web.own_page
@rate_limited("standings", READS)
def invited(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The invitation link: its secret part is kept in the session, not in the address bar."""
    web.keep_invitation(request, _key(slug), token)
    return redirect("games:tournament", slug=slug)


@web.button_action("games:tournament")
def enter(request: HttpRequest, slug: str) -> str:
    view, user_id = view_for(request, slug), web.signed_in_id(request)
    token, as_substitute = web.invitation_to(request, _key(slug)), "substitute" in request.POST
    place = entry.enter(tournament_id=view.row.pk, user_id=user_id, token=token, as_substitute=as_substitute)
    return str(ENTERED[place])


@web.button_action("games:tournament")
def withdraw(request: HttpRequest, slug: str) -> str:
    entry.withdraw(tournament_id=view_for(request, slug).row.pk, user_id=web.signed_in_id(request))
    return _("You’ve withdrawn. What you had written for this tournament has been deleted.")


@web.form_page
def own_entry(request: HttpRequest, slug: str) -> HttpResponse:
    """What an entrant would like."""
    view = view_for(request, slug)
    if view.mine is None:
        raise Http404
    teams = view.teams if view.is_open and view.terms.team_best is not None else None
    initial = EntryForm.like(view.mine, view.wishes, view.refused())
    form = EntryForm(
        request.POST if request.method == "POST" else None,
        initial=initial,
        boards=view.boards_with_wishes,
        variants=view.choice_of_variants,
        teams=teams,
        kept=view.wishes.powers if view.wishes else {},
    )
    act = partial(entry.change_entry, tournament_id=view.row.pk, user_id=web.signed_in_id(request))
    if web.form_succeeds(form, act):
        return web.redirect_with_success(request, _("Saved."), "games:tournament", slug=slug)
    return render(request, "tournaments/entry.html", {"form": form, "series": view}, status=web.status_of(form))


@web.button_action("games:tournament")
def check_in(request: HttpRequest, slug: str) -> str:
    number, is_here = parse_whole_number(request.POST.get("round", "")) or NOBODY, "out" not in request.POST
    given = {"tournament_id": view_for(request, slug).row.pk, "user_id": web.signed_in_id(request)}
    entry.check_in(**given, number=number, is_here=is_here)
    return _("You’ve checked in. You’ll be told where you sit.") if is_here else _("You’ve checked out of this round.")


@web.form_page
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The tournament that an email invites to, with the button that accepts."""
    try:
        letter = entry.invitation_with(token)
        if request.method != "POST":
            return render(request, "tournaments/invitation.html", {"series": letter.tournament})
        slug = entry.accept_invitation(token=token, user_id=web.signed_in_id(request))
    except Refusal as refusal:
        return web.redirect_with_refusal(request, refusal, "games:tournaments")
    return web.redirect_with_success(request, _("You’ve entered."), "games:tournament", slug=slug)


@web.form_page
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """The entrants, the list of people to invite, and the rounds."""
    view = directed(request, slug)
    message = MessageForm(request.POST if "message" in request.POST else None)
    form = RosterForm(*((request.POST, request.FILES) if request.method == "POST" and not message.is_bound else ()))
    given: dict[str, Any] = {"tournament_id": view.row.pk, "by": web.signed_in_id(request)}
    if web.form_succeeds(message, partial(acts.write_to_entrants, **given)):
        return web.redirect_with_success(request, _("The message is sent."), "games:manage-tournament", slug=slug)
    sent: list[int] = []
    act = partial(entry.invite_roster, **given)
    if web.form_succeeds(form, lambda text: sent.append(act(text=text)), "text"):
        told = ngettext("{count} person is invited.", "{count} people are invited.", sent[0]).format(count=sent[0])
        return web.redirect_with_success(request, told, "games:manage-tournament", slug=slug)
    context = {
        "series": view,
        "roster": form,
        "message": message,
        "entrants": entrants_with_wishes(view),
        "places": Place.choices,
        "call": CheckInForm(),
    }
    bound = message if message.is_bound else form
    return render(request, "tournaments/manage.html", context, status=web.status_of(bound))


@web.button_action("games:manage-tournament")
def place(request: HttpRequest, slug: str) -> str:
    """Give an entrant another place or team."""
    view, sent = directed(request, slug), request.POST
    chosen = sent.get("place", "")
    unless(chosen in Place.values, WrongMoment(_("Choose a place from the list.")))
    who, by = sent.get("username", ""), web.signed_in_id(request)
    entry.set_place(tournament_id=view.row.pk, by=by, username=who, place=chosen, team=sent.get("team"))
    return _("Saved.")


@web.button_action("games:manage-tournament")
def call(request: HttpRequest, slug: str, number: int) -> str:
    """Ask the entrants to check in."""
    view, form = directed(request, slug), CheckInForm(request.POST)
    unless(form.is_valid(), WrongMoment(" ".join(map(str, form.errors.get("until", ())))))
    given = {"tournament_id": view.row.pk, "by": web.signed_in_id(request), "number": number}
    entry.call_check_in(**given, until=form.cleaned_data["until"])
    return _("Everyone who has a place gets an email.")


@web.form_page
def plan(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The seating plan of a round."""
    found = PlanView(directed(request, slug), number)
    if request.method != "POST":
        return render(request, "tournaments/plan.html", {"series": found.view, "plan": found, "form": PlanForm()})
    where = {"slug": slug, "number": number}
    given = {"tournament_id": found.view.row.pk, "by": web.signed_in_id(request), "number": number}
    try:
        told, to = _planned(request, given)
    except Refusal as refusal:
        return web.redirect_with_refusal(request, refusal, "games:plan", **where)
    if to == "games:tournament":
        return web.redirect_with_success(request, told, to, slug=slug)
    return web.redirect_with_success(request, told, to, **where)


def _planned(request: HttpRequest, given: dict[str, int]) -> tuple[str, str]:
    """Do what a button of the plan says, and return the sentence to show and the page to show it on."""
    sent = request.POST
    if "seat" in sent:
        seating.seat_round(**given)
        return _("All tables are created, and everyone is told."), "games:tournament"
    if "swap" in sent:
        one, other = (_person(sent.get(name, "")) for name in ("one", "other"))
        seating.swap(**given, one=one, other=other)
        return _("They have changed places."), "games:plan"
    if "lock" in sent or "unlock" in sent:
        index = (parse_whole_number(sent.get("lock") or sent.get("unlock") or "") or NOBODY) - 1
        seating.lock_table(**given, index=index, is_locked="lock" in sent)
        return _("Saved."), "games:plan"
    form = PlanForm(sent)
    unless(form.is_valid(), WrongMoment(" ".join(map(str, form.errors.get("seed", ())))))
    seating.ask_for_plan(**given, seed=form.cleaned_data["seed"])
    return _("The plan is being made. It takes a few seconds."), "games:plan"


def _person(sent: str) -> tuple[int | None, int]:
    """A person in the plan as the page sends them: "3:17" is user 17 at table 3, "bench:17" the same on the bench."""
    table, _colon, user = sent.partition(":")
    number, known = parse_whole_number(table), parse_whole_number(user)
    unless(known is not None, WrongMoment(_("Choose two people.")))
    return None if number is None else number - 1, known or NOBODY
