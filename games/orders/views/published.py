"""What a game publishes of its orders: its record and bids, with players' own receipts and how to check all of it."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.kernel.page import page_of
from games.kernel.signing_in import signed_in
from games.kernel.view_helpers import access_for_visitor, own_page
from games.kernel.zipping import gzip_page
from games.orders.bid_table import bids_as_csv
from games.orders.bids import published_bid_tables
from games.orders.parts import PhaseBids
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


@gzip_page
@own_page
def bid_table(request: HttpRequest, slug: str) -> HttpResponse:
    """The table of all bids; raises Http404 while bids are secret."""
    access = access_for_visitor(request, slug)
    table = published_bid_tables(access.game)
    if table is None:
        raise Http404
    if request.GET.get("as") == "csv":
        return csv_file(table, slug)
    return render(request, "orders/bid_table.html", {"view": page_of(access), "phases": table})


def csv_file(table: Iterable[PhaseBids], slug: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="bids-{slug}.csv"'}
    return HttpResponse(bids_as_csv(table), content_type="text/csv; charset=utf-8", headers=headers)
