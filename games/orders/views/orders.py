"""The order page of a seat. Every page here holds secrets of its reader: none may be stored on the way."""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus
from typing import TYPE_CHECKING

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.formats import date_format
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_POST

from games.history.drawing import with_placed
from games.kernel.doors import SeeOther, attempt, enter, zone_of
from games.kernel.limits import too_often
from games.kernel.refusals import Refusal, TooOften
from games.orders.forms import SentSheet, minor_orders, saved_form, sent_form
from games.orders.refusals import BadSheet, TooLate
from games.orders.services import save_sheet, set_ready
from games.pages.queries import phase_view

if TYPE_CHECKING:
    from zoneinfo import ZoneInfo

    from django.http import HttpRequest

    from games.kernel.access import GameAccess, SeatAccess
    from games.orders.forms import SheetForm
    from games.orders.parts import Desk, Receipt
    from games.pages.parts import PhaseView


SAVES, READS = "60/min", "240/min"

TOO_FAST = (
    "Not saved: this was sent more than sixty times in a minute. What you typed is below. Wait and save."
)

LOOKED_AT = "Not saved yet: nothing counts until you save."

LOOKED_AT_OTHERS = "Not saved yet: the sheet saved before counts until you save this one."


@gzip_page
@sensitive_post_parameters()
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@cache_control(private=True, no_store=True)
def orders(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet: read it, change it, save it."""
    access, seat = _at_my_seat(request, slug)
    if request.method == "POST":
        often = too_often(request, "saving", SAVES)
        return _too_fast(request, access) if often else _save(request, access, seat)
    view = phase_view(access)
    if view.desk is None:
        return redirect("games:game", slug=slug)
    return _sheet_page(request, view, saved_form(view.desk))


@sensitive_post_parameters()
@login_required
@require_POST
@cache_control(private=True, no_store=True)
def read(request: HttpRequest, slug: str) -> HttpResponse:
    """The sheet as it would look with what was typed, or only whether it is complete; nothing is stored."""
    access, _seat = _at_my_seat(request, slug)
    if too_often(request, "reading", READS):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    sent = SentSheet.of(request.POST)
    view = phase_view(access, typed=sent.text)
    if view.desk is None or view.desk.ordinal != sent.ordinal:
        raise Http404
    form = sent_form(view.desk, sent)
    again = _was_opened_again(view, sent)
    context = _context(view, view.desk, form, unsaved=True, again=again)
    part = "state_complete" if request.headers.get("HX-Target") == "state-complete" else "sheet"
    return render(request, f"orders/partials/{part}.html", context)


@login_required
@require_POST
def ready(request: HttpRequest, slug: str) -> HttpResponse:
    """Say that one is done, or take it back. Public in games that have it, and nothing to do with what is saved."""
    _access, seat = _at_my_seat(request, slug)
    is_ready = request.POST.get("ready") == "yes"
    sent = SentSheet.of(request.POST)
    return attempt(
        request,
        lambda: set_ready(
            occupancy_id=seat.occupancy_id,
            ordinal=sent.ordinal,
            ready=is_ready,
            seen=sent.mark,
            sitting=seat.sitting,
        ),
        "You are ready. You may take it back until the phase ends."
        if is_ready
        else "You are not ready any more.",
        "games:orders",
        slug=slug,
    )


def _at_my_seat(request: HttpRequest, slug: str) -> tuple[GameAccess, SeatAccess]:
    access = enter(request, slug)
    if access.sheet is None:
        raise Http404
    return access, access.sheet


def _save(request: HttpRequest, access: GameAccess, seat: SeatAccess) -> HttpResponse:
    sent = SentSheet.of(request.POST)
    view = phase_view(access, typed=sent.text)
    form = sent_form(view.desk, sent) if view.desk and view.desk.ordinal == sent.ordinal else None
    if form and _was_opened_again(view, sent):
        return _sheet_page(request, view, form, unsaved=True, again=True, status=HTTPStatus.CONFLICT)
    looks = request.POST.get("use") == "look"
    if view.desk and form and (form.mistakes or looks):
        if looks:
            messages.info(request, LOOKED_AT_OTHERS if view.desk.saved else LOOKED_AT)
        status = HTTPStatus.OK if looks else HTTPStatus.UNPROCESSABLE_ENTITY
        return _sheet_page(request, view, form, unsaved=True, status=status)
    try:
        receipt = save_sheet(
            occupancy_id=seat.occupancy_id,
            ordinal=sent.ordinal,
            text=sent.text,
            seen=sent.mark,
            sitting=seat.sitting,
        )
    except TooLate as refusal:
        return _too_late(request, access, sent, refusal)
    except BadSheet:
        return _sheet_page(
            request, view, form or _gone(), unsaved=True, status=HTTPStatus.UNPROCESSABLE_ENTITY
        )
    except Refusal as refusal:
        return _refused(request, access, sent, refusal)
    messages.success(request, _saved_sentence(receipt, zone_of(request)))
    return SeeOther(request.path)


def _too_fast(request: HttpRequest, access: GameAccess) -> HttpResponse:
    """Not saved this time; what was typed stays where it was."""
    sent = SentSheet.of(request.POST)
    view = phase_view(access, typed=sent.text)
    if view.desk is None or view.desk.ordinal != sent.ordinal:
        return _refused(request, access, sent, TooOften(TOO_FAST))
    messages.error(request, TOO_FAST)
    return _sheet_page(
        request, view, sent_form(view.desk, sent), unsaved=True, status=HTTPStatus.TOO_MANY_REQUESTS
    )


def _was_opened_again(view: PhaseView, sent: SentSheet) -> bool:
    """Has the phase of the page been undone and begun anew? To judge what was written there by what is now is not what
    its writer asked for."""
    return bool(sent.mark) and view.head is not None and sent.mark != view.head.mark


def _gone() -> SheetForm:
    raise Http404


def _saved_sentence(receipt: Receipt, zone: ZoneInfo) -> str:
    now = timezone.localtime(timezone=zone)
    at = f"{date_format(now, 'H:i:s')} {now.tzname()}"
    sheet = "nothing is missing" if receipt.complete else f"still open: {', '.join(receipt.missing)}"
    return f"Saved at {at} for {receipt.turn_title}: {sheet}. Your receipt is below the sheet."


def _too_late(request: HttpRequest, access: GameAccess, sent: SentSheet, refusal: TooLate) -> HttpResponse:
    context = {
        "view": phase_view(access),
        "sent": sent,
        "refusal": refusal.sentence,
        "receipt": refusal.receipt,
    }
    return render(request, "orders/too_late.html", context, status=HTTPStatus.CONFLICT)


def _refused(request: HttpRequest, access: GameAccess, sent: SentSheet, refusal: Refusal) -> HttpResponse:
    context = {"view": phase_view(access), "sent": sent, "refusal": refusal.sentence, "receipt": None}
    return render(request, "orders/too_late.html", context, status=HTTPStatus.CONFLICT)


def _sheet_page(
    request: HttpRequest,
    view: PhaseView,
    form: SheetForm,
    *,
    unsaved: bool = False,
    again: bool = False,
    status: int = 200,
) -> HttpResponse:
    assert view.desk is not None
    context = _context(view, view.desk, form, unsaved=unsaved, again=again)
    return render(request, "orders/orders.html", context, status=status)


def _context(
    view: PhaseView, desk: Desk, form: SheetForm, *, unsaved: bool, again: bool = False
) -> dict[str, object]:
    return {
        "view": view,
        "desk": desk,
        "drawing": replace(
            view.drawing, units=with_placed(view.drawing.units, desk.placed), arrows=desk.arrows
        ),
        "form": form,
        "unsaved": unsaved,
        "again": again,
        "minor_orders": minor_orders(desk.minors),
    }
