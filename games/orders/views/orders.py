"""The order page of a seat. Every page here shows its reader's secrets, so no cache may keep it."""

from collections.abc import Sequence
from dataclasses import replace
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import cache_control
from django.views.decorators.debug import sensitive_post_parameters

from adjudication.turns import PhaseKind
from games.deadlines.options import PhaseLengths
from games.history.queries import drawing
from games.kernel.access import GameAccess, SeatAccess
from games.kernel.languages import later
from games.kernel.limits import refusal_if_too_often
from games.kernel.page import Page, page_of
from games.kernel.phase_rows import PhaseRows
from games.kernel.refusals import OpenedAgain, Refusal, TooOften
from games.kernel.signing_in import sent_from, signed_in
from games.kernel.view_helpers import SeeOther, access_for_visitor, button_action, form_page, own_page
from games.kernel.wording import words_of_phase_kind
from games.kernel.zipping import gzip_page
from games.orders.comparing import compare_sheets
from games.orders.forms import SheetForm, minor_orders, saved_form, sent_form
from games.orders.parts import Receipt, SheetView
from games.orders.queries import access_to_enter, newest_mark, order_sheet, own_order_sheet, sheet_to_write
from games.orders.rules import TooLate
from games.orders.services import BadSheet, NewerOrders, save_sheet, set_ready
from games.orders.sheets import SentSheet
from variants.maps import with_marks_placed

PLAIN = "text/plain; charset=utf-8"
SAVES, READS = "60/min", "240/min"
TOO_FAST = later("Not saved: you’ve saved orders {most} times within a minute. What you entered is still below.")
ASK_IF_SURE = "ready"
"""In the address of the order page: the player is asked whether they are really ready."""

NOT_SAVED_YET = later("Not saved yet. Nothing counts until you save.")
EARLIER_ORDERS_COUNT = later("Not saved yet. Your earlier orders count until you save these.")


@gzip_page
@sensitive_post_parameters()
@form_page
def orders(request: HttpRequest, slug: str, power: str = "") -> HttpResponse:
    """Your orders: read, change and save them. `power`: that of a player who lets this game master enter orders."""
    access, seat = _access_and_seat(request, slug, power)
    if request.method == "POST":
        return _save_or_preview(request, access, seat)
    view = page_of(access)
    own_sheet = order_sheet(view)
    if own_sheet is None:
        return redirect("games:game", slug=slug)
    context = {
        **_orders_context(view, own_sheet, saved_form(own_sheet)),
        "is_asked": ASK_IF_SURE in request.GET and _would_lose(own_sheet),
    }
    return render(request, "orders/orders.html", context)


@sensitive_post_parameters()
@signed_in
@sent_from("games:enter-orders", "games:orders")
@cache_control(private=True, no_store=True)
def read(request: HttpRequest, slug: str, power: str = "") -> HttpResponse:
    """The order page as it would look with the orders sent; or only whether they are complete and fit together, only
    their mistakes, or only why the first of them is impossible. Nothing is stored."""
    access, _seat = _access_and_seat(request, slug, power)
    if refusal_if_too_often(request, "reading", READS):
        return HttpResponse(status=HTTPStatus.NO_CONTENT)
    sent = SentSheet.from_form(request.POST)
    context = _unsaved_context(access, sent)
    if context is None:
        raise Http404
    if request.headers.get("HX-Target") == "why":
        return HttpResponse("".join(it.sentence for it in context["form"].mistakes[:1]), content_type=PLAIN)
    part = {"state-complete": "fresh_state", "mistakes": "mistakes"}.get(request.headers.get("HX-Target", ""), "sheet")
    return render(request, f"orders/partials/{part}.html", context)


@signed_in
@own_page
def newest(request: HttpRequest, slug: str, power: str = "") -> HttpResponse:
    """The mark of the open phase and the receipt code of the saved orders, for a page that was in the background."""
    access, _seat = _access_and_seat(request, slug, power)
    return HttpResponse(newest_mark(access), content_type=PLAIN)


@button_action("games:orders")
def ready(request: HttpRequest, slug: str) -> HttpResponse | str:
    """Say that you are ready, or take that back. In games that show it everyone sees it; it reveals nothing about saved
    orders. Players whose orders leave something open, or do not fit together, are asked once. If the result is near,
    the page of the game shows it."""
    access, seat = _access_and_seat(request, slug)
    is_ready = request.POST.get("ready") == "yes"
    sheet = SentSheet.from_form(request.POST)
    own = own_order_sheet(PhaseRows(access, None))
    seen = own and own.ordinal == sheet.ordinal and sheet.mark in ("", own.mark)
    if is_ready and seen and _would_lose(own, request.POST.getlist("waved")) and "sure" not in request.POST:
        return SeeOther(f"{reverse('games:orders', kwargs={'slug': slug})}?{ASK_IF_SURE}")
    set_ready(
        occupancy_id=seat.occupancy_id, ordinal=sheet.ordinal, ready=is_ready, seen=sheet.mark, sitting=seat.sitting
    )
    if is_ready and (not access.game.options[PhaseLengths].clock or page_of(access.read_again()).game.ends_now):
        return SeeOther(reverse("games:game", kwargs={"slug": slug}))
    return _("You’re ready. You can take it back until the phase ends.") if is_ready else _("You’re no longer ready.")


def _would_lose(own_sheet: SheetView | None, waved: Sequence[str] = ()) -> bool:
    """Would a player who is ready now lose anything, by their orders as they are? `waved`: the keys of the warnings
    that they want to hear no more."""
    if own_sheet is None or own_sheet.ready:
        return False
    return bool(own_sheet.missing) or own_sheet.left > 0 or any(it.key not in waved for it in own_sheet.warnings)


def _access_and_seat(request: HttpRequest, slug: str, power: str = "") -> tuple[GameAccess, SeatAccess]:
    access = access_to_enter(access_for_visitor(request, slug), power) if power else access_for_visitor(request, slug)
    if access.sheet is None:
        raise Http404
    return access, access.sheet


def _save_or_preview(request: HttpRequest, access: GameAccess, seat: SeatAccess) -> HttpResponse:
    """Save the orders sent, or only show what they would look like."""
    sent_sheet = SentSheet.from_form(request.POST)
    if too_often := refusal_if_too_often(request, "saving", SAVES, TOO_FAST):
        return _unsaved_page(request, access, sent_sheet, too_often, HTTPStatus.TOO_MANY_REQUESTS)
    preview = _unsaved_context(access, sent_sheet) if request.POST.get("use") == "look" else None
    if preview and preview["again"]:
        return render(request, "orders/orders.html", preview, status=HTTPStatus.CONFLICT)
    if preview:
        messages.info(request, EARLIER_ORDERS_COUNT if preview["order_sheet"].saved else NOT_SAVED_YET)
        return render(request, "orders/orders.html", preview)
    try:
        receipt = save_sheet(occupancy_id=seat.occupancy_id, sheet=sent_sheet, sitting=seat.sitting, gm=seat.gm)
    except Refusal as refusal:
        return _page_after_refusal(request, access.read_again(), sent_sheet, refusal)
    # The page again or, if the page stays open, only what has changed on it.
    sentence = _saved_sentence(receipt)
    view = page_of(access.read_again())
    own_sheet = order_sheet(view) if request.headers.get("HX-Target") == "saved" else None
    if own_sheet is None:
        messages.success(request, sentence, extra_tags="sheet")
        return SeeOther(request.path)
    context = _orders_context(view, own_sheet, saved_form(own_sheet))
    return render(request, "orders/partials/saved.html", {**context, "sentence": sentence})


def _page_after_refusal(request: HttpRequest, access: GameAccess, sheet: SentSheet, refusal: Refusal) -> HttpResponse:
    match refusal:
        case BadSheet():
            return _unsaved_page(request, access, refusal.sheet, refusal, HTTPStatus.UNPROCESSABLE_ENTITY)
        case NewerOrders():
            # Both versions side by side. Nothing is stored until their writer has chosen.
            view = page_of(access)
            own_sheet = order_sheet(view)
            context = {
                **_form_addresses(access.slug, refusal.sheet.power if access.sheet and access.sheet.gm else ""),
                "view": view,
                "sent": refusal.sheet,
                "receipt": refusal.receipt,
                "comparison": compare_sheets(refusal.saved, refusal.sheet),
                "ready": own_sheet is not None and own_sheet.ready,
            }
            return render(request, "orders/newer.html", context, status=HTTPStatus.CONFLICT)
        case OpenedAgain():
            return _unsaved_page(request, access, sheet, refusal, HTTPStatus.CONFLICT)
        case _:
            return _refusal_page(request, access, sheet, refusal)


def _unsaved_page(
    request: HttpRequest, access: GameAccess, sent_sheet: SentSheet, refusal: Refusal, status: HTTPStatus
) -> HttpResponse:
    """The page with the orders as they were sent and every mistake in them or, if the phase is over, the reason."""
    context = _unsaved_context(access, sent_sheet)
    if context is None or (isinstance(refusal, OpenedAgain) and not context["again"]):
        return _refusal_page(request, access, sent_sheet, refusal)
    if isinstance(refusal, TooOften):
        messages.error(request, refusal.sentence)
    return render(request, "orders/orders.html", context, status=status)


def _unsaved_context(access: GameAccess, sent_sheet: SentSheet) -> dict[str, Any] | None:
    """The context of a page that shows the orders sent; None if their phase is no longer open.

    `again`: the phase was undone and opened again, so the orders were written for another position.
    """
    rows = PhaseRows(access, None)
    sheet = sheet_to_write(rows, sent_sheet)
    if sheet is None or rows.shown is None or rows.shown.ordinal != sent_sheet.ordinal:
        return None
    own_sheet = own_order_sheet(rows, sheet)
    assert own_sheet is not None, "the phase takes orders"
    again = bool(sent_sheet.mark) and sent_sheet.mark != own_sheet.mark
    context = _orders_context(Page(rows, order_sheet=own_sheet), own_sheet, sent_form(own_sheet, sheet))
    after = context["after"] if sent_sheet.after is None else sent_sheet.after
    newer = not again and own_sheet.saved and after != context["after"]
    return {**context, "unsaved": True, "again": again, "after": after, "newer": newer}


def _saved_sentence(receipt: Receipt) -> str:
    """A sentence as in "Orders saved. Still open: A Paris. Units without orders hold. 1 of 3 points unused; …"."""
    words, unused = words_of_phase_kind(receipt.kind), receipt.budget - receipt.spent
    sentences = [_("Orders saved.")]
    if receipt.missing:
        sentences += [_("Still open: {units}.").format(units=", ".join(receipt.missing)), f"{capfirst(words.note)}."]
    elif receipt.orders:
        sentences.append(words.whole)
    if unused > 0:
        message = ngettext(
            "{left} of 1 point unused; unused points are lost.",
            "{left} of {budget} points unused; unused points are lost.",
            receipt.budget,
        )
        sentences.append(message.format(left=unused, budget=receipt.budget))
    if unused < 0:
        sentences.append(_("The bids are for more points than the power has, so all of them are forfeited."))
    if receipt.ready and (receipt.missing or unused > 0):
        sentences.append(_("You’re still ready: take that back if you need more time."))
    return " ".join(map(str, sentences))


def _refusal_page(request: HttpRequest, access: GameAccess, sent_sheet: SentSheet, refusal: Refusal) -> HttpResponse:
    context = {
        **_form_addresses(access.slug, access.sheet.power if access.sheet and access.sheet.gm else ""),
        "view": page_of(access),
        "sent": sent_sheet,
        "refusal": refusal.sentence,
        "over": isinstance(refusal, TooLate),
        "receipt": refusal.receipt if isinstance(refusal, TooLate) else None,
    }
    return render(request, "orders/too_late.html", context, status=HTTPStatus.CONFLICT)


def _orders_context(view: Page, own_sheet: SheetView, form: SheetForm) -> dict[str, Any]:
    board = drawing(view)
    return {
        **_form_addresses(view.game.slug, own_sheet.power if own_sheet.as_gm else ""),
        "view": view,
        "order_sheet": own_sheet,
        "after": own_sheet.receipt.code if own_sheet.receipt else "",
        "drawing": replace(board, units=with_marks_placed(board.units, own_sheet.placed), arrows=own_sheet.arrows),
        "form": form,
        "minor_orders": minor_orders(own_sheet.minors),
        "declares": own_sheet.kind == PhaseKind.DECLARATION.value,
    }


def _form_addresses(slug: str, entered_for: str) -> dict[str, str]:
    """Where the page sends its orders; `entered_for`: the power for which the game master enters them."""
    if entered_for:
        kwargs = {"slug": slug, "power": entered_for}
        return {
            "sheet_url": reverse("games:enter-orders", kwargs=kwargs),
            "read_url": reverse("games:read-entered", kwargs=kwargs),
            "newest_url": reverse("games:newest-entered", kwargs=kwargs),
        }
    pages = {"sheet_url": "games:orders", "read_url": "games:read", "newest_url": "games:newest"}
    return {name: reverse(page, kwargs={"slug": slug}) for name, page in pages.items()}
