"""Trying out orders on a copy of the position. A page may show its reader's own orders, so no cache may keep it, and
nothing that is sent here is stored or logged."""

from http import HTTPStatus
from secrets import randbelow

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.debug import sensitive_post_parameters

from adjudication.position import Position
from games.kernel.forms import parse_whole_number
from games.kernel.languages import later
from games.kernel.limits import refusal_if_too_often
from games.kernel.page import Page
from games.kernel.phase_rows import PhaseRows
from games.kernel.view_helpers import access_for_visitor, own_form
from games.orders.choices import bid_views
from games.orders.forms import minor_orders
from games.orders.parts import SheetView
from games.orders.queries import can_write, own_order_sheet, sheet_to_write
from games.orders.sheets import ORDER_FIELD, SentSheet
from games.orders.whatif import (
    BIDS,
    PROGRAM,
    Guess,
    field_name,
    guess_from_sheet,
    position_from_token,
    read_guess,
    trial,
    with_guesses,
)
from variants.variant import Variant

MOST_BYTES = 64 * 1024
TRIES = "60/min"
GUESSES = 8
"""A program has so many guesses at each position, and each is made once for all who ask."""

POSITION_LOST = later(
    "This page has lost its position, so here is the game’s own position again. "
    "Your choices are still here; change any that no longer fit."
)

TOO_MANY_TRIES = later("You’ve tried orders {most} times within a minute. Nothing is lost.")
TOO_LARGE = later("That was too much text, so none of it was read. Go back and shorten it.")


@sensitive_post_parameters()
@own_form
def whatif(request: HttpRequest, slug: str) -> HttpResponse:
    """Orders for every power on the position of a phase, or on one that earlier tries led to, and their result."""
    access = access_for_visitor(request, slug)
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length) > MOST_BYTES:
        return HttpResponse(TOO_LARGE, status=HTTPStatus.REQUEST_ENTITY_TOO_LARGE, content_type="text/plain")
    ordinal = parse_whole_number(request.GET.get("phase", ""))
    rows = PhaseRows(access, ordinal)
    position = position_from_token(request.POST.get("position", ""), slug) or rows.position
    complaint, status = _complaint(request, slug)
    action = "" if complaint else request.POST.get("act", "")
    is_real, guesses = position == rows.position, _guesses_by_power(request, rows, position)
    if action == "guess":
        guesses = with_guesses(guesses, randbelow(GUESSES), mine=rows.my_power)
    own_guess = guesses.get(rows.my_power or "")
    own_sheet = own_order_sheet(rows, own_guess.sheet if own_guess and is_real else None)
    saved_code = own_sheet.receipt.code if own_sheet and own_sheet.receipt else ""
    view = Page(rows, order_sheet=own_sheet)
    page = trial(position, rows.variant, guesses, slug=slug, mine=rows.my_power, judging=action == "judge")
    context = {
        "view": view,
        "trial": page,
        "minor_orders": minor_orders(page.minors),
        "ordinal": ordinal,
        "mark": request.POST.get("mark", view.mark),  # even if the phase has been reopened since
        "after": request.POST.get("after", saved_code),  # even if other orders have been saved since
        "complaint": complaint,
        "is_real": is_real,
        "use": _fields_for_order_page(view, own_sheet, own_guess) if own_guess and is_real and not page.slips else None,
    }
    if page.slips:
        status = HTTPStatus.UNPROCESSABLE_ENTITY
    return render(request, "orders/whatif.html", context, status=status)


def _complaint(request: HttpRequest, slug: str) -> tuple[str, int]:
    if request.method != "POST":
        return "", 200
    if refusal := refusal_if_too_often(request, "tries", TRIES, TOO_MANY_TRIES):
        return refusal.sentence, HTTPStatus.TOO_MANY_REQUESTS
    token = request.POST.get("position", "")
    return (
        (POSITION_LOST, HTTPStatus.UNPROCESSABLE_ENTITY)
        if token and position_from_token(token, slug) is None
        else ("", HTTPStatus.OK)
    )


def _guesses_by_power(request: HttpRequest, rows: PhaseRows, position: Position) -> dict[str, Guess]:
    """For every power, what was sent from this page. If nothing was: the reader's own orders, as sent from the order
    page or saved, and nothing for the others."""
    variant = rows.variant
    if "position" in request.POST:
        return {power.id: _sent_guess(request, power.id, position, variant) for power in variant.powers}
    own = sheet_to_write(rows, SentSheet.from_form(request.POST) if request.method == "POST" else None)
    nothing = {power.id: read_guess({}, "", power.id, position, variant) for power in variant.powers}
    return {**nothing, own.power: guess_from_sheet(own)} if own else nothing


def _sent_guess(request: HttpRequest, power: str, position: Position, variant: Variant) -> Guess:
    prefix = field_name(power, ORDER_FIELD)
    orders = {
        name.removeprefix(prefix): " ".join(request.POST.get(name, "").split())
        for name in request.POST
        if name.startswith(prefix)
    }
    bids = request.POST.get(field_name(power, BIDS), "").strip()
    return read_guess(orders, bids, power, position, variant, program=request.POST.get(field_name(power, PROGRAM)))


def _fields_for_order_page(view: Page, own_sheet: SheetView | None, own_guess: Guess) -> dict[str, object] | None:
    """The reader's own orders as fields of the order form; None for a reader who cannot write orders now."""
    if own_sheet is None or not can_write(view):
        return None
    sheet = own_guess.sheet
    return {
        "ordinal": own_sheet.ordinal,
        "orders": [(f"{ORDER_FIELD}{place}", order) for place, order in own_guess.orders.items() if order],
        "bids": bid_views(sheet.lawful, sheet.position, sheet.variant),
    }
