"""Naming a sitter, and what a sitter is asked and does."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games.kernel.doors import accepted, account, attempt, enter, status_of, zone_of
from games.kernel.refusals import Refusal
from games.pages.queries import phase_view
from games.seating.forms import SitterForm
from games.seating.queries import my_sittings, sitter_view
from games.seating.services.sitters import answer_sitting, end_sitting, name_sitter


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def sitter(request: HttpRequest, slug: str) -> HttpResponse:
    """The sitter of a player, or naming one. For that player alone."""
    access = enter(request, slug)
    view = phase_view(access)
    if access.seat is None or view.agreement is None:
        raise Http404
    named = sitter_view(access)
    if named.sitting is not None and "end" in request.POST:
        number = named.sitting.number
        return attempt(
            request,
            lambda: end_sitting(user_id=account(request), number=number),
            "It is over: only you see your seat now.",
            "games:sitter",
            slug=slug,
        )
    form = SitterForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            name_sitter(
                game_id=access.game_id, user_id=account(request), zone=zone_of(request).key, **form.cleaned_data
            )
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
        else:
            return accepted(request, "Asked. A letter brings you the answer.", "games:sitter", slug=slug)
    context = {"view": view, "named": named, "form": form, "zone": zone_of(request).key}
    return render(request, "seating/sitter.html", context, status=status_of(form))


@login_required
@require_safe
@cache_control(private=True, no_store=True)
def sitting(request: HttpRequest) -> HttpResponse:
    """What the visitor is asked to do as a sitter, or does."""
    return render(request, "seating/sitting.html", {"sittings": my_sittings(request.user)})


@login_required
@require_POST
def answer(request: HttpRequest, number: int) -> HttpResponse:
    """A sitter says yes, no, or that it is enough; or a player ends it."""
    who, said = account(request), request.POST.get("answer")
    if said == "end":
        return attempt(
            request,
            lambda: end_sitting(user_id=who, number=number),
            "The sitting is over. From now on only the player sees the seat.",
            "games:sitting",
        )
    accept = said == "yes"
    return attempt(
        request,
        lambda: answer_sitting(user_id=who, number=number, accept=accept),
        "You sit in that game, for the days agreed." if accept else "Your no is on its way.",
        "games:sitting",
    )
