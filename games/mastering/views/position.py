"""Changing the position by hand. Until confirmed, the draft exists only in the address of the page."""

from __future__ import annotations

from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from adjudication.position import Position
from games.kernel.access import access_gm
from games.kernel.page import page_of
from games.kernel.view_helpers import accepted, enter, form_page, is_done
from games.kernel.zipping import gzip_page
from games.mastering.editing import CENTRE, UNIT, EditError, differences, edited, place_of
from games.mastering.forms import RepairForm
from games.mastering.queries import gm
from games.mastering.services.repair import change_position
from variants.maps import drawing_of
from variants.variant import Variant

if TYPE_CHECKING:
    from games.kernel.page import Page


@gzip_page
@form_page
def position(request: HttpRequest, slug: str) -> HttpResponse:
    """Choose a province and what goes there, look at the map, confirm with a reason."""
    access = access_gm(user=request.user, slug=slug)
    entered = enter(request, slug)
    view = page_of(entered)
    powers = gm(view)
    if powers is None or "change_position" not in powers.may:
        raise Http404
    before, variant = view.rows.position, view.rows.variant
    if request.method == "POST":
        form = RepairForm(request.POST)
        lines = request.POST.getlist("change")
        change = partial(change_position, game_id=access.game_id, by=access.user_id, changes=lines)
        if is_done(form, change):
            done = "The position has changed. Everyone is told, and it’s in the public log."
            return accepted(request, done, "games:gm", slug=slug)
        return _page(request, view, before, variant, lines, form)
    lines = request.GET.getlist("change")
    if "at" in request.GET:
        return redirect(f"{request.path}?{_address(_with(lines, request.GET, before, variant))}")
    return _page(request, view, before, variant, lines, RepairForm())


def _with(lines: list[str], sent: QueryDict, before: Position, variant: Variant) -> list[str]:
    """The draft with the new choices for one province instead of the old ones."""
    at = sent.get("at", "")
    others = [line for line in lines if not line.startswith(f"{at} ")]
    place = place_of(at, before, variant)
    if place is None:
        return lines
    changed = [
        f"{at} {what} {sent[what]}"
        for what, options in ((UNIT, place.units), (CENTRE, place.owners))
        if sent.get(what) and sent[what] != next((it.value for it in options if it.chosen), "")
    ]
    return [*others, *changed]


def _address(lines: list[str], **more: str) -> str:
    query = QueryDict(mutable=True)
    query.setlist("change", lines)
    query.update(more)
    return query.urlencode()


def _page(
    request: HttpRequest, view: Page, before: Position, variant: Variant, lines: list[str], form: RepairForm
) -> HttpResponse:
    complaint = ""
    try:
        after = edited(before, lines, variant)
    except EditError as error:
        complaint, after, lines = error.sentence, before, []
    board = variant.ruleset.board
    context: dict[str, Any] = {
        "view": view,
        "mark": view.mark,
        "drawing": drawing_of(after, variant),
        "lines": lines,
        "changes": [
            (each, _address([line for line in lines if not line.startswith(f"{each.place} ")]))
            for each in differences(before, after, variant)
        ],
        "places": sorted((board.name(province), province) for province in board.provinces),
        "place": place_of(request.GET.get("place", ""), after, variant),
        "complaint": complaint,
        "form": form,
    }
    status = HTTPStatus.UNPROCESSABLE_ENTITY if complaint or form.errors else HTTPStatus.OK
    return render(request, "mastering/position.html", context, status=status)
