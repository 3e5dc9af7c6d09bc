"""The pages of series and tournaments but for the desk: those that both share, those of series, and entry, entrants,
check-in and the seating plan."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import Any

from django.db.models import Q
from django.forms import BaseForm
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_safe

from games.kernel import clock
from games.kernel import view_helpers as web
from games.kernel.acts import Act, refuse_unseen
from games.kernel.forms import parse_whole_number
from games.kernel.limits import View, rate_limited
from games.kernel.meanwhile import Meanwhile, one_at_a_time
from games.kernel.queries import NOBODY
from games.kernel.refusals import Refusal, Unconfirmed, WrongMoment
from games.kernel.rules import unless
from games.kernel.shared_pages import kept_in_process, shared_by_strangers, version_of_all_games
from games.kernel.signing_in import signed_in_to_send
from games.people.views.moderation import for_moderators
from games.tournaments import entry, forms, moderating, seating
from games.tournaments import services as acts
from games.tournaments.acts import ACTS, BY_ENTRANTS
from games.tournaments.files import as_csv, as_json, results_as_csv
from games.tournaments.hall import hall_of
from games.tournaments.letters import mark_as_seen
from games.tournaments.models import Director, Entrant, Place, Tournament
from games.tournaments.queries import SeriesView, directed_by, games_to_add, published_series, version_of_series
from games.tournaments.tournament_page import PlanView, TournamentView, entrants_with_wishes

READS = "60/min"
KEPT_SECONDS = 3_600
"""How long a process keeps what all see alike of a page; another version is another page."""


def view_for(request: HttpRequest, slug: str) -> TournamentView:
    view = TournamentView(slug, request.user.pk)
    if view.row.is_series:
        raise Http404
    return view


def directed_by_viewer(request: HttpRequest, slug: str) -> TournamentView:
    """A tournament or a series; raises Http404 unless the viewer directs it."""
    view = TournamentView(slug, web.signed_in_id(request))
    if not view.is_director:
        raise Http404
    return view


def directed(request: HttpRequest, slug: str) -> TournamentView:
    """Only a tournament."""
    view = directed_by_viewer(request, slug)
    if view.row.is_series:
        raise Http404
    return view


def refuse_if_seated(view: TournamentView, number: int) -> None:
    """Say so to directors who come too late to plan or to change a round."""
    seated = any(it.number == number and it.seated for it in view.round_rows)
    unless(not seated, WrongMoment(_("Round {number} is seated: all its tables are there.").format(number=number)))


def _key(slug: str) -> str:
    """The key under which the session keeps the secret part of the invitation link."""
    return f"tournament:{slug}"


def button(named: Act) -> View:
    """The address of a button: it does the act, and reports on the page of the button."""

    @web.button_action(named.back or named.to)
    def do(request: HttpRequest, slug: str, number: int | None = None) -> HttpResponse:
        verb, sent = _asked_by_page(named.name, request.POST, number)
        act, caller = ACTS[verb], web.signed_in_id(request)
        enter = view_for if verb in BY_ENTRANTS else directed if act.only_tournaments else directed_by_viewer
        who = {"tournament_id": enter(request, slug).row.pk, "by": caller}
        if "token" in act.arguments:
            sent["token"] = web.invitation_to(request, _key(slug))
        form = act.form_class()(sent)
        unless(form.is_valid(), WrongMoment(_mistakes(form)))
        # a field that the page doesn't have is not one that was left empty
        needed = {name for name, it in act.arguments.items() if it.needed}
        given = {name: it for name, it in form.cleaned_data.items() if name in sent or name in needed}
        result = act.service(**who, **given)
        to, where = act.to, dict[str, Any]() if act.back else {"slug": slug}
        if "number" in sent.keys() - act.arguments.keys() and (plan := parse_whole_number(sent["number"])):
            to, where = "games:plan", {**where, "number": plan}  # the button was on that page
        return web.redirect_with_success(request, act.told(lambda: result, given), to, **where)

    return do


def _mistakes(form: BaseForm) -> str:
    return " ".join(str(sentence) for sentences in form.errors.values() for sentence in sentences)


def _asked_by_page(verb: str, posted: QueryDict, number: int | None) -> tuple[str, dict[str, Any]]:
    """The act that a page asks for, and its fields. Pages that were open before this version have one address for
    several acts, and other names for some fields: until the next release."""
    sent: dict[str, Any] = posted.dict()
    for old, new in (("round", "number"), ("add", "game"), ("substitute", "as_substitute")):
        if old in sent:
            sent[new] = sent[old]
    if number is not None:
        sent["number"] = number
    if verb == "put_game" and "out" in sent:
        return "take_out", {"table": sent["out"]}
    if verb == "add_director" and "play" in sent:
        return "choose_to_play", {"plays": sent["play"] == "yes"}
    if "out" in sent:
        sent["is_here"] = False
    former = {("add_director", "leave"): "stop_directing", ("call_check_in", "username"): "set_check_in"}
    return next((act for (asked, by), act in former.items() if asked == verb and by in sent), verb), sent


@web.own_page
def tournaments(request: HttpRequest) -> HttpResponse:
    """The published series, and those that the visitor directs; or (`?over`) those that are over."""
    page, over = request.GET.get("page", ""), "over" in request.GET
    mine = () if page or over else directed_by(request.user.pk)
    context = {"page": published_series(page, over=over), "mine": mine, "over": over, "now": clock.now()}
    return render(request, "tournaments/list.html", context)


@web.form_page
def new(request: HttpRequest, form_class: type[forms.SeriesForm]) -> HttpResponse:
    """Create a tournament or a series; the form says which."""
    form = form_class(request.POST if request.method == "POST" else None)
    slugs: list[str] = []
    if web.form_succeeds(form, lambda **given: slugs.append(acts.create(by=web.signed_in_id(request), **given))):
        told = _("The draft is made. Only you can see it until you publish it.")
        return web.redirect_with_success(request, told, "games:tournament", slug=slugs[0])
    context = {"form": form, "is_series": form_class is forms.SeriesForm}
    return render(request, "tournaments/edit.html", context, status=web.status_of(form))


@require_safe
@shared_by_strangers(lambda request, slug: None if request.GET else version_of_series(slug, for_strangers=True))
@rate_limited("standings", READS)
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """The text, terms, games and standings; for a tournament, also its entrants and rounds.

    What all see alike is made as for a stranger, once for each version of it. `?results`, with points as if all games
    ended now, has none.
    """
    version = version_of_series(slug, for_strangers=False)
    view, zone, results = TournamentView(slug, request.user.pk), web.time_zone_of(request), "results" in request.GET
    template = "tournaments/series.html" if view.row.is_series else "tournaments/tournament.html"
    if (view.is_director or view.mine is not None) and request.method == "GET":
        mark_as_seen(view.row, web.signed_in_id(request))

    def made_for(seen: TournamentView) -> str:
        return render_to_string("tournaments/partials/alike.html", {"series": seen, "results": results})

    with timezone.override(zone):
        if results or version is None or (view.hides_standings and view.sees_standings):
            alike = made_for(view)
        else:
            alike = kept_in_process(
                f"{slug} {zone}", version, lambda: made_for(TournamentView(slug, None)), KEPT_SECONDS
            )
    has_link = entry.opens_entry(view.row, web.invitation_to(request, _key(slug)))
    return render(request, template, {"series": view, "alike": alike, "has_link": has_link})


def _version_of_hall(request: HttpRequest, slug: str) -> str | None:
    version = None if request.GET else version_of_series(slug, for_strangers=True)
    return version and f"{version} {version_of_all_games()}"


@require_safe
@shared_by_strangers(_version_of_hall)
@rate_limited("standings", READS)
def hall(request: HttpRequest, slug: str) -> HttpResponse:
    """The tables under way, for a projector: it asks for itself again when one of them has changed."""
    view = view_for(request, slug)
    return render(request, "tournaments/hall.html", {"series": view, "rounds": hall_of(view)})


@web.own_page
@rate_limited("standings", READS)
def spreadsheet(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """The standings, or every result that makes them, as a table for a spreadsheet."""
    view = SeriesView(slug, request.user.pk)
    text = (as_csv if kind == "standings" else results_as_csv)(view)
    headers = {"Content-Disposition": f'attachment; filename="{kind}-{view.row.slug}.csv"'}
    return HttpResponse(text, content_type="text/csv; charset=utf-8", headers=headers)


@web.own_page
@rate_limited("standings", READS)
def standings_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings in the format of the API of dipvis."""
    return JsonResponse(as_json(SeriesView(slug, request.user.pk)))


def lock_for_its_people(request: HttpRequest, slug: str) -> None:
    """Lock a tournament or series, for its directors and entrants; all others have nothing to store there."""
    user = web.signed_in_id(request)
    people = Q(pk__in=Director.objects.filter(user=user).values("tournament"))
    people |= Q(pk__in=Entrant.objects.filter(user=user).values("tournament"))
    Tournament.objects.select_for_update(of=("self",)).filter(people, slug=slug).first()


@web.form_page
@one_at_a_time(lock_for_its_people)
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name, text and terms; and the directors."""
    view = directed_by_viewer(request, slug)
    kind = forms.SeriesForm if view.row.is_series else forms.TournamentForm
    form = kind(request.POST if request.method == "POST" else None, initial=kind.like(view.row))
    confirmed = request.POST.get("confirmed", "")
    act = partial(acts.change, tournament_id=view.row.pk, by=web.signed_in_id(request), confirmed=confirmed)
    meanwhile, unconfirmed = Meanwhile(request, form), None
    try:
        if not meanwhile.differences and web.form_succeeds(form, act):
            return web.redirect_with_success(request, _("Saved."), "games:tournament", slug=slug)
    except Unconfirmed as refusal:
        unconfirmed = refusal
    context = {"form": form, "series": view, "director": forms.DirectorForm(), "is_series": view.row.is_series}
    context |= {"looks": view.row.looks.select_related("user").order_by("pk"), "meanwhile": meanwhile}
    status = HTTPStatus.CONFLICT if unconfirmed else meanwhile.status(form)
    return render(request, "tournaments/edit.html", {**context, "unconfirmed": unconfirmed}, status=status)


@web.form_page
def games(request: HttpRequest, slug: str) -> HttpResponse:
    """The games of a series, and those that the visitor runs and could add."""
    if request.method == "POST":  # by a page that was open before this version: until the next release
        return button(ACTS["put_game"])(request, slug=slug)
    view = directed_by_viewer(request, slug)
    context = {"series": view, "page": games_to_add(web.signed_in_id(request), request.GET.get("page", ""))}
    return render(request, "tournaments/games.html", context)


@web.own_page
@rate_limited("standings", READS)
def invited(request: HttpRequest, slug: str, token: str) -> HttpResponse:
    """The invitation link: its secret part is kept in the session, not in the address bar."""
    web.keep_invitation(request, _key(slug), token)
    return redirect("games:tournament", slug=slug)


@web.form_page
@one_at_a_time(lock_for_its_people)
def own_entry(request: HttpRequest, slug: str) -> HttpResponse:
    """Show and save what an entrant would like."""
    view = view_for(request, slug)
    if view.mine is None:
        raise Http404
    teams = view.teams if view.is_open and view.terms.team_best is not None else None
    initial = forms.EntryForm.like(view.mine, view.wishes, view.refused())
    form = forms.EntryForm(
        request.POST if request.method == "POST" else None,
        initial=initial,
        boards=view.boards_with_wishes,
        variants=view.choice_of_variants,
        teams=teams,
        kept=view.wishes.powers if view.wishes else {},
    )
    act = partial(entry.change_entry, tournament_id=view.row.pk, by=web.signed_in_id(request))
    meanwhile = Meanwhile(request, form)
    if not meanwhile.differences and web.form_succeeds(form, act):
        return web.redirect_with_success(request, _("Saved."), "games:tournament", slug=slug)
    context = {"form": form, "series": view, "meanwhile": meanwhile}
    return render(request, "tournaments/entry.html", context, status=meanwhile.status(form))


@signed_in_to_send
@web.own_form
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    """The tournament that an email invites to, with the button that accepts; strangers read it, too."""
    try:
        letter = entry.invitation_with(token)
        if request.method != "POST":
            series = TournamentView(letter.tournament.slug, request.user.pk)
            return render(request, "tournaments/invitation.html", {"series": series})
        slug = entry.accept_invitation(token=token, user_id=web.signed_in_id(request))
    except Refusal as refusal:
        return web.redirect_with_refusal(request, refusal, "games:tournaments")
    return web.redirect_with_success(request, _("You’ve entered."), "games:tournament", slug=slug)


@web.form_page
def manage(request: HttpRequest, slug: str) -> HttpResponse:
    """The entrants, the list of people to invite, and the rounds."""
    view = directed(request, slug)
    message = forms.MessageForm(request.POST if "message" in request.POST else None)
    sent = (request.POST, request.FILES) if request.method == "POST" and not message.is_bound else ()
    form = forms.RosterForm(*sent, boards=[board for row in view.rounds for board in row.terms.boards()])
    caller: dict[str, Any] = {"tournament_id": view.row.pk, "by": web.signed_in_id(request)}
    if web.form_succeeds(message, partial(acts.write_to_entrants, **caller)):
        return web.redirect_with_success(request, _("The message is sent."), "games:manage-tournament", slug=slug)
    counts: list[int] = []
    act = partial(entry.invite_roster, **caller)
    if web.form_succeeds(form, lambda text: counts.append(act(text=text)), "text"):
        words = ngettext("{count} person is invited.", "{count} people are invited.", counts[0])
        return web.redirect_with_success(request, words.format(count=counts[0]), "games:manage-tournament", slug=slug)
    context = {
        "series": view,
        "roster": form,
        "message": message,
        "entrants": entrants_with_wishes(view),
        "places": Place.choices,
        "call": forms.CheckInForm(),
        "end": forms.EndForm(),
    }
    form_sent = message if message.is_bound else form
    return render(request, "tournaments/manage.html", context, status=web.status_of(form_sent))


@web.form_page
@one_at_a_time(lock_for_its_people)
@web.refusals_to("games:tournament")
def plan(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """The seating plan of a round."""
    view = directed(request, slug)
    refuse_if_seated(view, number)
    page = PlanView(view, number)
    form = forms.PlanForm(request.POST or None, boards=page.boards_to_count, tables=page.row.tables_of_each)
    if request.method != "POST":
        return render(request, "tournaments/plan.html", {"series": page.view, "plan": page, "form": form})
    data, address = request.POST, {"slug": slug, "number": number}
    caller: dict[str, Any] = {"tournament_id": page.view.row.pk, "by": web.signed_in_id(request), "number": number}
    try:
        refuse_unseen(lambda page: page.mark, page, data.dict())
        if "seat" in data:
            seating.seat_round(**caller)
            told = _("All tables are created, and everyone is told.")
            return web.redirect_with_success(request, told, "games:tournament", slug=slug)
        if "swap" in data:
            seating.swap(**caller, one=_person(data.get("one", "")), other=_person(data.get("other", "")))
            told = _("They have changed places.")
        elif "lock" in data or "unlock" in data:
            index = (parse_whole_number(data.get("lock") or data.get("unlock") or "") or NOBODY) - 1
            seating.lock_table(**caller, index=index, is_locked="lock" in data)
            told = _("Saved.")
        else:
            unless(form.is_valid(), WrongMoment(_mistakes(form)))
            seating.ask_for_plan(**caller, **form.cleaned_data)
            told = _("The plan is being made. It takes a few seconds.")
    except Refusal as refusal:
        return web.redirect_with_refusal(request, refusal, "games:plan", **address)
    return web.redirect_with_success(request, told, "games:plan", **address)


def _person(value: str) -> tuple[int | None, int]:
    """A person in the plan as the page sends them: "3:17" is user 17 at table 3, "bench:17" the same on the bench."""
    table, _colon, user = value.partition(":")
    number, known = parse_whole_number(table), parse_whole_number(user)
    unless(known is not None, WrongMoment(_("Choose two people.")))
    return None if number is None else number - 1, known or NOBODY


@web.form_page
def report(request: HttpRequest, slug: str) -> HttpResponse:
    """Report a tournament or a series to the moderators."""
    view = TournamentView(slug, request.user.pk)
    form = forms.ReportForm(request.POST if request.method == "POST" else None)
    act = partial(moderating.report, tournament_id=view.row.pk, user_id=web.signed_in_id(request))
    if web.form_succeeds(form, act):
        return web.redirect_with_success(request, _("Reported to the moderators."), "games:tournament", slug=slug)
    return render(request, "tournaments/report.html", {"form": form, "series": view}, status=web.status_of(form))


@for_moderators
@web.form_page
def moderate(request: HttpRequest, slug: str) -> HttpResponse:
    """What moderators can do about a tournament or a series."""
    view = TournamentView(slug, request.user.pk)
    form = forms.ModerateForm(request.POST if request.method == "POST" else None)
    act = partial(moderating.moderate, tournament_id=view.row.pk, by=web.signed_in_id(request))
    if web.form_succeeds(form, act):
        told = _("Done. This is recorded in the log.")
        return web.redirect_with_success(request, told, "games:moderate-tournament", slug=slug)
    return render(request, "tournaments/moderate.html", {"form": form, "series": view}, status=web.status_of(form))
