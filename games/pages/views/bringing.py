"""A game that began elsewhere and goes on here."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from adjudication.auction import budget
from adjudication.position import Position
from games.history.results import notice_views, position_lines
from games.kernel.limits import count_new_game, too_often
from games.kernel.queries import variant_choices
from games.kernel.refusals import BadGame, TooOften
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import SeeOther, account, form_page, status_of, zone_of
from games.pages.bring_form import BringForm
from games.pages.forms import CreateGameForm
from games.pages.views.lobby import outlook_of
from games.travel.bringing import bring_game
from variants.maps import drawing_of
from variants.registry import ALL
from variants.travel.written_position import blank_form
from variants.variant import Variant
from variants.words.orders import phase_words


@form_page
def bring(request: HttpRequest) -> HttpResponse:
    """Check the position line by line and show it, then create the game; nothing is stored before."""
    is_sent = request.method == "POST"
    often = partial(too_often, request)
    sent = (request.POST, request.FILES) if is_sent else ()
    form = BringForm(*sent, initial={"variant": request.GET.get("variant", ALL[0].slug)}, too_often=often)
    is_right = is_sent and form.is_valid()
    game = _game_form(request, form)
    if is_right and "create" in request.POST and game.is_valid():
        slug = _created(request, form, game)
        if slug:
            return SeeOther(reverse("games:gm", kwargs={"slug": slug}))
    return render(request, "pages/bring.html", _context(form, game), status=status_of(form if form.errors else game))


def _game_form(request: HttpRequest, form: BringForm) -> CreateGameForm:
    """The rest of the form, once it has been on the page."""
    sent = request.POST if "name" in request.POST else None
    game = CreateGameForm(sent, zone=zone_of(request).key)
    usual = {"variant": form.played.slug, "entrance": "invitation", "part": "runs"}
    for group in game.groups:
        group.initial = {name: value for name, value in usual.items() if name in group.fields}
    return game


def _created(request: HttpRequest, form: BringForm, game: CreateGameForm) -> str:
    """The slug of the new game; "" if it was refused, with the mistakes in their fields."""
    try:
        count_new_game(account(request))
        return bring_game(by=account(request), **form.brought(), **game.options())
    except TooOften as refusal:
        form.add_error(None, refusal.sentence)
    except BadGame as refusal:
        for name, sentence in refusal.problems.items():
            if not form.add_problem(name, sentence):
                game.add_error(name, sentence)
    return ""


def _context(form: BringForm, game: CreateGameForm) -> dict[str, Any]:
    context = {"form": form, "variants": variant_choices(), "played": form.played, "example": blank_form(form.played)}
    if form.told is None:
        return context
    position = form.told.position
    return {
        **context,
        "game": game,
        "turn": phase_words(position.turn),
        "drawing": drawing_of(position, form.played),
        "lines": position_lines(position, form.played),
        "points": _points(position, form.played),
        "notices": notice_views(form.told.notices, form.played),
        **outlook_of(game, position.turn),
    }


def _points(position: Position, variant: Variant) -> str:
    """As in "France 3, Germany 2"; "" where there are none to spend in this turn."""
    due = {power.name: budget(power.id, position, variant.ruleset) for power in variant.powers}
    return ", ".join(f"{name} {points}" for name, points in due.items()) if any(due.values()) else ""


@signed_in
@require_safe
def blank(_request: HttpRequest, variant: str) -> HttpResponse:
    """A form to fill in, with the position of the start."""
    found = next((one for one in ALL if one.slug == variant), None)
    if found is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{variant}-position.txt"'}
    return HttpResponse(blank_form(found), content_type="text/plain; charset=utf-8", headers=headers)
