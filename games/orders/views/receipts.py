"""Checking the site: a player's own receipts, the published record of a game, and a page that explains how."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import access_for_visitor, own_page
from games.orders.queries import receipt_file_of
from games.orders.records import record_view


@require_safe
def check_us(request: HttpRequest) -> HttpResponse:
    """How anyone can check that no orders were changed and no result was made up."""
    return render(request, "orders/check_us.html")


@signed_in
@own_page
def receipt(request: HttpRequest, slug: str, ordinal: int) -> HttpResponse:
    """The receipt for your saved orders, as a file to keep."""
    text = receipt_file_of(access_for_visitor(request, slug), ordinal)
    name = f"receipt-{slug}-{ordinal}.txt"
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@own_page
def record(request: HttpRequest, slug: str) -> HttpResponse:
    """The published record of the game, as a file."""
    document = record_view(access_for_visitor(request, slug))
    return JsonResponse(
        document,
        json_dumps_params={"ensure_ascii": False, "indent": 1},
        headers={"Content-Disposition": f'attachment; filename="record-{slug}.json"'},
    )
