"""Correcting the orders of a closed phase: whose, how, a preview of what changes, and only then the correction."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from games.kernel.access import access_gm
from games.kernel.page import page_of
from games.kernel.parts import PhaseHead
from games.kernel.refusals import Refusal
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import accepted, enter, form_page, status_of
from games.kernel.zipping import gzip_page
from games.mastering.forms import CorrectForm
from games.mastering.queries import gm, orders_to_correct, sides_to_correct
from games.mastering.services import correcting
from games.orders.services import BadSheet

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.page import Page

REPAIRED = "Done. Everyone is told, and it’s in the public log."


@gzip_page
@signed_in
@require_safe
@cache_control(private=True, no_store=True)
def choose_orders(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """All published orders of a phase, to choose whose are to be corrected."""
    access = access_gm(user=request.user, slug=slug)
    context = phase_to_repair(request, page_of(enter(request, slug)), "correct_sheet", ordinal)
    context["sides"] = sides_to_correct(access, ordinal)
    return render(request, "mastering/choose_orders.html", context)


@gzip_page
@sensitive_post_parameters()
@form_page
def correct(request: HttpRequest, slug: str, ordinal: int, power: str) -> HttpResponse:
    """Correct the orders of one power: write them, look at what changes, confirm. `do` says which of these was sent."""
    access = access_gm(user=request.user, slug=slug)
    view = page_of(enter(request, slug))
    context = phase_to_repair(request, view, "correct_sheet", ordinal)
    name = next((it.name for it in sides_to_correct(access, ordinal) if it.power == power), None)
    if name is None:
        raise Http404
    where: dict[str, Any] = {"game_id": access.game_id, "by": access.user_id, "ordinal": ordinal, "power": power}
    do = request.POST.get("do", "preview") if request.method == "POST" else "begin"
    form = CorrectForm(request.POST if request.method == "POST" else None, initial={"seen": view.mark})
    if do == "begin":
        form.initial["text"] = "\n".join(orders_to_correct(access, ordinal, power))
    elif do == "look":
        form = _with_bids(form, partial(correcting.look_at_sheet, **where), view.mark)
    elif do == "apply" and _is_done(form, partial(correcting.correct_sheet, **where)):
        return accepted(request, REPAIRED, "games:gm", slug=slug)
    elif do == "preview" and form.is_valid():
        sent = form.cleaned_data
        preview = partial(correcting.preview_correction, **where, text=sent["text"], bids=sent["bids"])
        seen = _told(form, preview)
        if seen is not None:
            context |= {"form": form, "name": name, "preview": seen}
            return render(request, "mastering/correction.html", context)
    may_correct_bids = any(it.ordinal == ordinal for it in _phases(view, "look_at_sheet"))
    context |= {"form": form, "name": name, "power": power, "may_correct_bids": may_correct_bids}
    return render(request, "mastering/correct.html", context, status=status_of(form))


def phase_to_repair(request: HttpRequest, view: Page, act: str, ordinal: int) -> dict[str, Any]:
    """What the pages about a closed phase show; Http404 for one with which that act is not possible."""
    head = next((head for head in _phases(view, act) if head.ordinal == ordinal), None)
    if head is None:
        raise Http404
    return {
        "view": view,
        "mark": view.mark,
        "then": page_of(enter(request, view.game.slug), ordinal),
        "head": head,
        "gone": [other for other in view.phases if other.ordinal > ordinal],
    }


def _phases(view: Page, act: str) -> tuple[PhaseHead, ...]:
    powers = gm(view)
    return powers.phases[act] if powers else ()


def _with_bids(form: CorrectForm, look: Callable[[], str], mark: str) -> CorrectForm:
    """The form with all that counts now, bids included, or the reason why not."""
    text = _told(form, look)
    reason = form.data.get("reason", "")
    return form if text is None else CorrectForm(initial={"seen": mark, "text": text, "bids": True, "reason": reason})


def _is_done(form: CorrectForm, act: Callable[..., object]) -> bool:
    return form.is_valid() and _told(form, lambda: act(**form.cleaned_data) or True) is not None


def _told(form: CorrectForm, ask: Callable[[], Any]) -> Any:
    """The answer; None if it was refused, which the form then says."""
    try:
        return ask()
    except BadSheet as refusal:
        form.is_valid()
        for it in refusal.sheet.problems:
            form.add_error("text", f"Line {it.line}, “{it.text}”: {it.sentence}")
    except Refusal as refusal:
        form.is_valid()
        form.add_error(None, refusal.sentence)
    return None
