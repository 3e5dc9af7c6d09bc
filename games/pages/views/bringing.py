"""A game that began elsewhere and goes on here."""

from functools import partial
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from adjudication.auction import budget
from games.history.results import notice_views, position_lines
from games.kernel.limits import count_new_game, refusal_if_too_often
from games.kernel.queries import variant_choices
from games.kernel.refusals import BadGame, TooOften
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import SeeOther, form_page, signed_in_id, status_of, time_zone_of
from games.pages.bring_form import BringForm
from games.pages.forms import CreateGameForm
from games.pages.views.lobby import outlook_context
from games.travel.bringing import bring_game
from variants.maps import drawing_of
from variants.registry import SLUGS, playable
from variants.travel.written_position import blank_form
from variants.words.orders import phase_words


@form_page
def bring(request: HttpRequest) -> HttpResponse:
    """Check the position line by line and show it, then create the game; nothing is stored before."""
    is_sent = request.method == "POST"
    refuse_if_too_often = partial(refusal_if_too_often, request)
    sent = (request.POST, request.FILES) if is_sent else ()
    form = BringForm(*sent, initial={"variant": request.GET.get("variant", SLUGS[0])}, too_often=refuse_if_too_often)
    is_right = is_sent and form.is_valid()
    # The rest of the form; filled in as sent, once it has been on the page.
    options_form = CreateGameForm(request.POST if "name" in request.POST else None, zone=time_zone_of(request).key)
    initial = {"variant": form.chosen_variant.slug, "entrance": "invitation", "part": "runs"}
    for group in options_form.groups:
        group.initial = {name: value for name, value in initial.items() if name in group.fields}
    if is_right and "create" in request.POST and options_form.is_valid():
        slug = _create_game(request, form, options_form)
        if slug:
            return SeeOther(reverse("games:gm", kwargs={"slug": slug}))
    return render(
        request,
        "pages/bring.html",
        _context(form, options_form),
        status=status_of(form if form.errors else options_form),
    )


def _create_game(request: HttpRequest, form: BringForm, options_form: CreateGameForm) -> str:
    """The slug of the new game; "" if it was refused, which the forms then explain."""
    try:
        count_new_game(signed_in_id(request))
        return bring_game(by=signed_in_id(request), **form.arguments_of_service(), **options_form.options())
    except TooOften as refusal:
        form.add_error(None, refusal.sentence)
    except BadGame as refusal:
        for name, sentence in refusal.problems.items():
            if not form.add_problem(name, sentence):
                options_form.add_error(name, sentence)
    return ""


def _context(form: BringForm, options_form: CreateGameForm) -> dict[str, Any]:
    context = {
        "form": form,
        "variants": variant_choices(),
        "played": form.chosen_variant,
        "example": blank_form(form.chosen_variant),
    }
    if form.told_position is None:
        return context
    position, variant = form.told_position.position, form.chosen_variant
    points = {power.name: budget(power.id, position, variant.ruleset) for power in variant.powers}
    return {
        **context,
        "game": options_form,
        "turn": phase_words(position.turn),
        "drawing": drawing_of(position, variant),
        "lines": position_lines(position, variant),
        "points": ", ".join(f"{name} {points[name]}" for name in points) if any(points.values()) else "",
        "notices": notice_views(form.told_position.notices, variant),
        **outlook_context(options_form, position.turn),
    }


@signed_in
@require_safe
def blank_position(_request: HttpRequest, variant: str) -> HttpResponse:
    """A form to fill in, with the position of the start."""
    known_variant = playable(variant)
    if known_variant is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="{variant}-position.txt"'}
    return HttpResponse(blank_form(known_variant), content_type="text/plain; charset=utf-8", headers=headers)
