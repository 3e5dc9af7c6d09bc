"""Booked days, and calendars."""

from collections.abc import Iterable
from functools import partial

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from games.deadlines.absences import absence_view, book_absence, cancel_absence
from games.deadlines.calendars import calendar_file, calendar_owner, calendar_secret_of, renew_calendar
from games.deadlines.forms import AbsenceForm
from games.deadlines.options import WHEN_AWAY
from games.deadlines.queries import GameDeadlines, deadlines_of_game, deadlines_of_user
from games.kernel import view_helpers as web
from games.kernel.access import access_seat
from games.kernel.limits import FEEDS, rate_limited
from games.kernel.page import page_of, public_page


@web.form_page
def absences(request: HttpRequest, slug: str) -> HttpResponse:
    """The page with a player's booked days and a form to book more."""
    access, zone = web.access_for_visitor(request, slug), web.time_zone_of(request).key
    form, view = AbsenceForm(request.POST or None), absence_view(access)
    book = partial(book_absence, game_id=access.game_id, user_id=web.signed_in_id(request), zone=zone)
    if web.form_succeeds(form, book, "first"):
        return web.redirect_with_success(
            request, _("Your days are booked. The other players aren’t told who is away."), "games:absences", slug=slug
        )
    context = {"view": page_of(access), "absence": view, "away": WHEN_AWAY, "form": form, "zone": zone}
    return render(request, "deadlines/absences.html", context, status=web.status_of(form))


@web.button_action("games:absences")
def cancel_booking(request: HttpRequest, slug: str, number: int) -> str:
    seat = access_seat(user=request.user, slug=slug)
    if cancel_absence(game_id=seat.game_id, user_id=seat.user_id, number=number):
        return _("Cancelled. You can book these days again.")
    return _("Cancelled. These days had already moved a deadline, so you don’t get them back.")


@require_safe
@rate_limited("feeds", FEEDS)
@cache_control(private=True, no_cache=True)
def game_calendar(request: HttpRequest, slug: str) -> HttpResponse:
    """The deadlines of one game, for anyone who may see the game."""
    rows = public_page(web.access_for_visitor(request, slug)).rows
    return _calendar_response(rows.game.name, (deadlines_of_game(rows.game, rows.open_phase),))


@require_safe
@rate_limited("feeds", FEEDS)
@cache_control(private=True, no_cache=True)
def user_calendar(_request: HttpRequest, secret: str) -> HttpResponse:
    """The deadlines of all games of the person whose calendar has this secret."""
    owner = calendar_owner(secret)
    if owner is None:
        raise Http404
    return _calendar_response(_("Diplomacy deadlines"), deadlines_of_user(owner))


def _calendar_response(name: str, games: Iterable[GameDeadlines]) -> HttpResponse:
    return HttpResponse(calendar_file(name, games), content_type="text/calendar; charset=utf-8")


@web.form_page
def my_calendar(request: HttpRequest) -> HttpResponse:
    """The address of your own calendar, and a button to replace it."""
    user_id = web.signed_in_id(request)
    if request.method == "POST":
        renew_calendar(user_id=user_id)
        return web.redirect_with_success(
            request, _("Your calendar has a new address; the old one no longer works."), "games:my-calendar"
        )
    path = reverse("games:feed", kwargs={"secret": calendar_secret_of(user_id)})
    return render(request, "deadlines/my_calendar.html", {"address": settings.SITE_ADDRESS + path})
