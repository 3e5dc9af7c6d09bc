"""The table of all bids of a game that published them at its end, as a page and as a file."""

from collections.abc import Iterable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from games.kernel.page import page_of
from games.kernel.view_helpers import access_for_visitor, own_page
from games.kernel.zipping import gzip_page
from games.orders.bid_table import bids_as_csv
from games.orders.bids import published_bid_tables
from games.orders.parts import PhaseBids


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
