"""A player's own notes: one text for each seat that somebody sits in."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

from django.contrib.auth.decorators import login_required
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods

from games.forms.notebook import NotesForm
from games.services.notebook import save_notes
from games.services.refusals import BadMessage, Refusal
from games.views.doors import SeeOther, enter
from games.visibility import access_seat, notes_view, talk_view

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse


@login_required
@sensitive_post_parameters()
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def notebook(request: HttpRequest, slug: str) -> HttpResponse:
    """The notes of the own seat, saved as they are typed; what was typed stays on the page where it cannot be saved."""
    seat = access_seat(user=request.user, slug=slug)
    form = NotesForm(request.POST if request.method == "POST" else None)
    wrong: Refusal | None = None
    if form.is_valid():
        try:
            save_notes(seat, text=form.cleaned_data["text"], version=form.version_seen())
        except Refusal as refusal:
            wrong = refusal
        else:
            if not request.headers.get("HX-Request"):
                return SeeOther(request.path)
    notes = notes_view(seat)
    context = {
        "slug": slug,
        "notes": notes,
        "typed": form.cleaned_data["text"] if wrong else notes.text,
        "version": form.version_seen() if wrong else notes.version,
        "wrong": wrong,
        "is_elsewhere": wrong is not None and not isinstance(wrong, BadMessage),
        "is_saved": form.is_bound,
    }
    if request.headers.get("HX-Request"):
        return render(request, "games/partials/notes_state.html", context)
    page = {**context, "view": talk_view(enter(request, slug))}
    return render(request, "games/notebook.html", page, status=_status(wrong))


def _status(wrong: Refusal | None) -> HTTPStatus:
    if wrong is None:
        return HTTPStatus.OK
    return HTTPStatus.UNPROCESSABLE_ENTITY if isinstance(wrong, BadMessage) else HTTPStatus.CONFLICT
