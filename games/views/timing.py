"""Timetables before they are chosen, booked days, and calendars."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import clock
from games.coming import coming_deadlines
from games.forms.when import WhenGroup
from games.models import BadOptions, GameOptions
from games.terms import when_terms
from variants.registry import ALL

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from variants.variant import Variant


@login_required
@require_safe
def timetable(request: HttpRequest) -> HttpResponse:
    """The choices of a new game about time, in words and as the next five deadlines."""
    form = WhenGroup(request.GET)
    if not form.is_valid():
        return _problems(request, [str(sentence) for errors in form.errors.values() for sentence in errors])
    try:
        options = GameOptions.chosen(**form.options())
    except BadOptions as bad:
        return _problems(request, list(bad.problems.values()))
    ruleset = _variant(request.GET.get("variant", "")).ruleset
    start = _variant(request.GET.get("variant", "")).start.turn
    context = {
        "terms": when_terms(options, frozenset(ruleset.special)),
        "coming": coming_deadlines(options.timetable, ruleset.calendar, start, clock.now()),
        "zone": options.week.place,
    }
    return render(request, "games/partials/when_preview.html", context)


def _variant(slug: str) -> Variant:
    return next((variant for variant in ALL if variant.slug == slug), ALL[0])


def _problems(request: HttpRequest, sentences: list[str]) -> HttpResponse:
    return render(request, "games/partials/when_preview.html", {"problems": sentences})
