"""The site with leaks planted on purpose: each must be noticed, or the test of secrecy proves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import connection
from django.http import HttpResponse
from django.urls import include, path

from games.models import Message, Phase, Seat
from games.sealed import store

if TYPE_CHECKING:
    from django.http import HttpRequest


def _bodies() -> dict[str, store.Body]:
    return store._by_power(Phase.objects.order_by("ordinal")[0])


def count(_request: HttpRequest) -> HttpResponse:
    """ "5 of 7 have bid."""
    return HttpResponse(sum("S A" in body.lines for body in _bodies().values()))


def length(_request: HttpRequest) -> HttpResponse:
    """The page is the same, its age is not."""
    return HttpResponse("", headers={"ETag": str(sum(len(body.lines) for body in _bodies().values()))})


def queries(_request: HttpRequest) -> HttpResponse:
    """The page is the same, but every bid costs a query."""
    for body in _bodies().values():
        for _bid in filter(lambda line: line[:1].isdigit(), body.lines.splitlines()):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
    return HttpResponse("")


def sequence(_request: HttpRequest) -> HttpResponse:
    """Who spends most comes first."""
    bodies = _bodies()
    powers = Seat.objects.order_by("power").values_list("power", flat=True)
    return HttpResponse(",".join(sorted(powers, key=lambda power: -len(bodies[power].lines))))


def words(_request: HttpRequest) -> HttpResponse:
    """The newest public message, by its number among all messages."""
    return HttpResponse(str(Message.objects.filter(thread__powers=[]).latest("pk").pk))


app_name = "leaks"
leaks = [
    path("count/", count, name="count"),
    path("length/", length, name="length"),
    path("queries/", queries, name="queries"),
    path("sequence/", sequence, name="sequence"),
    path("words/", words, name="words"),
]
urlpatterns = [
    path("leaks/", include((leaks, app_name))),
    path("", include("diplomacy_site.urls")),
]
