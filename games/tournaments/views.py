"""The pages that tournaments and series share, and those of series."""

from __future__ import annotations

from functools import partial

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.kernel import clock
from games.kernel import view_helpers as web
from games.kernel.forms import parse_whole_number
from games.kernel.limits import rate_limited
from games.kernel.queries import NOBODY
from games.kernel.shared_pages import kept_in_process, shared_by_strangers
from games.tournaments import services as acts
from games.tournaments.files import as_csv, as_json
from games.tournaments.forms import DirectorForm, SeriesForm, TournamentForm
from games.tournaments.queries import SeriesView, directed_by, games_to_add, published_series, version_of_series
from games.tournaments.tournament_page import TournamentView
from games.tournaments.tournament_views import READS, for_directors

KEPT_SECONDS = 3_600
"""How long a process keeps what all see alike of a page; another version is another page."""


@web.own_page
def tournaments(request: HttpRequest) -> HttpResponse:
    """The published series, and those that the visitor directs."""
    page = request.GET.get("page", "")
    mine = () if page else directed_by(request.user.pk)
    context = {"page": published_series(page), "mine": mine, "now": clock.now()}
    return render(request, "tournaments/list.html", context)


@web.form_page
def new(request: HttpRequest, form_class: type[SeriesForm]) -> HttpResponse:
    """Create a tournament or a series; the form says which."""
    form = form_class(request.POST if request.method == "POST" else None)
    made: list[str] = []
    if web.form_succeeds(form, lambda **given: made.append(acts.create(by=web.signed_in_id(request), **given))):
        told = _("The draft is made. Only you can see it until you publish it.")
        return web.redirect_with_success(request, told, "games:tournament", slug=made[0])
    context = {"form": form, "is_series": form_class is SeriesForm}
    return render(request, "tournaments/edit.html", context, status=web.status_of(form))


def _version_for_strangers(request: HttpRequest, slug: str) -> str | None:
    return None if request.META.get("QUERY_STRING") else version_of_series(slug, for_strangers=True)


@require_safe
@shared_by_strangers(_version_for_strangers)
@rate_limited("standings", READS)
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """The text, terms, games and standings; for a tournament, also its entrants and rounds.

    What all see alike is made once for each version of it. `?results`, with points as if all games ended now, has none.
    """
    version = version_of_series(slug, for_strangers=False)
    view, zone, results = TournamentView(slug, request.user.pk), web.time_zone_of(request), "results" in request.GET
    template = "tournaments/series.html" if view.row.is_series else "tournaments/tournament.html"
    context = {"series": view, "results": results}
    with timezone.override(zone):
        make = partial(render_to_string, "tournaments/partials/alike.html", context)
        alone = results or version is None
        alike = make() if alone else kept_in_process(f"{slug} {zone}", version or "", make, KEPT_SECONDS)
    return render(request, template, {**context, "alike": alike})


@web.own_page
@rate_limited("standings", READS)
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """As a table for a spreadsheet."""
    view = SeriesView(slug, request.user.pk)
    headers = {"Content-Disposition": f'attachment; filename="standings-{view.row.slug}.csv"'}
    return HttpResponse(as_csv(view), content_type="text/csv; charset=utf-8", headers=headers)


@web.own_page
@rate_limited("standings", READS)
def standings_json(request: HttpRequest, slug: str) -> HttpResponse:
    """The standings in the format of the API of dipvis."""
    return JsonResponse(as_json(SeriesView(slug, request.user.pk)))


def _directed(request: HttpRequest, slug: str) -> SeriesView:
    """The series with this slug. Http404 unless the viewer directs it."""
    return for_directors(SeriesView(slug, web.signed_in_id(request)))


@web.form_page
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Change the name, text and terms; and the directors."""
    view = _directed(request, slug)
    kind = SeriesForm if view.row.is_series else TournamentForm
    form = kind(request.POST if request.method == "POST" else None, initial=kind.like(view.row))
    if web.form_succeeds(form, partial(acts.change, tournament_id=view.row.pk, by=web.signed_in_id(request))):
        return web.redirect_with_success(request, _("Saved."), "games:tournament", slug=slug)
    context = {"form": form, "series": view, "director": DirectorForm(), "is_series": view.row.is_series}
    return render(request, "tournaments/edit.html", context, status=web.status_of(form))


@web.button_action("games:tournament")
def publish(request: HttpRequest, slug: str) -> str:
    view = _directed(request, slug)
    acts.publish(tournament_id=view.row.pk, by=web.signed_in_id(request))
    if view.row.is_series:
        return _("Published. Everyone can read it now, and you can add games.")
    return _("Published. Everyone can read it now, and people can enter.")


@web.button_action("games:tournament")
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    acts.delete_draft(tournament_id=_directed(request, slug).row.pk, by=web.signed_in_id(request))
    return web.redirect_with_success(request, _("The draft is deleted."), "games:tournaments")


@web.button_action("games:edit-tournament")
def directors(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Add a director, or leave."""
    view = _directed(request, slug)
    series: dict[str, int] = {"tournament_id": view.row.pk, "by": web.signed_in_id(request)}
    if "play" in request.POST:
        acts.choose_to_play(**series, plays=request.POST["play"] == "yes")
        return _("Saved.")
    if "leave" in request.POST:
        acts.leave(**series)
        told = _("You’re no longer a director of “{name}”.").format(name=view.row.name)
        return web.redirect_with_success(request, told, "games:tournaments")
    name = acts.add_director(username=request.POST.get("username", ""), **series)
    return _("{name} is a director now.").format(name=name)


@web.form_page
@web.refusals_to("games:tournament-games")
def games(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Add games that the visitor runs, and take games out."""
    view = _directed(request, slug)
    if request.method != "POST":
        context = {"series": view, "page": games_to_add(web.signed_in_id(request), request.GET.get("page", ""))}
        return render(request, "tournaments/games.html", context)
    given = {"tournament_id": view.row.pk, "by": web.signed_in_id(request)}
    if "out" in request.POST:
        acts.take_out(**given, table_id=parse_whole_number(request.POST["out"]) or NOBODY)
        return _("The game is out of the series. Its points no longer count.")
    acts.put_game(**given, slug=request.POST.get("add", ""))
    return _("The game is in the series.")
