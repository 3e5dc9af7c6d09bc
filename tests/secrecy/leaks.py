"""The site with leaks planted on purpose: each must be noticed, or the test of secrecy proves nothing."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.urls import include, path

from games.deadlines.news import GAME_STARTED
from games.kernel import clock
from games.kernel.after_commit import start_task_after_commit
from games.kernel.live import announce_change
from games.kernel.models import Phase, Seat
from games.kernel.news import write_letters
from games.press.models import Message
from games.sealed import store
from tests.secrecy.roles import OPEN

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.http import HttpRequest

    from games.kernel.models import Occupancy

log = logging.getLogger("games.leaks")


def _bodies() -> dict[str, store.Body]:
    phase = Phase.objects.get(game__name=OPEN, ordinal=0)
    return store._bodies_by_power([phase])[phase.pk]


def count(_request: HttpRequest) -> HttpResponse:
    """ "5 of 7 have bid."""
    return HttpResponse(sum("S A" in body.lines for body in _bodies().values()))


def length(_request: HttpRequest) -> HttpResponse:
    """As many spaces as the length of what was written."""
    return HttpResponse(" " * sum(len(body.lines) for body in _bodies().values()))


def header(_request: HttpRequest) -> HttpResponse:
    """The page is the same, but its age is not."""
    return HttpResponse("", headers={"ETag": str(hash(tuple(body.lines for body in _bodies().values())))})


def queries(_request: HttpRequest) -> HttpResponse:
    """The page is the same, but every bid costs a query."""
    for body in _bodies().values():
        for _bid in filter(lambda line: line[:1].isdigit(), body.lines.splitlines()):
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1")
    return HttpResponse("")


def sequence(_request: HttpRequest) -> HttpResponse:
    """The highest spender comes first."""
    bodies = _bodies()
    powers = Seat.objects.order_by("power").values_list("power", flat=True)
    return HttpResponse(",".join(sorted(powers, key=lambda power: -len(bodies[power].lines))))


def words(_request: HttpRequest) -> HttpResponse:
    """The newest public message, by its number among all messages."""
    return HttpResponse(f"{Message.objects.filter(thread__powers=[]).latest('pk').pk:09}")


def line(_request: HttpRequest) -> HttpResponse:
    """The page is the same, but the log knows more."""
    log.info("Shown: %s", [body.lines for body in _bodies().values()])
    return HttpResponse("")


def kept(request: HttpRequest) -> HttpResponse:
    """A page for those who have signed in, which everyone gets once it has been made."""
    return HttpResponse(
        cache.get_or_set("leak", count(request).content.decode() if request.user.is_authenticated else "")
    )


def tomorrow(request: HttpRequest, **_unknown: str) -> HttpResponse:
    """A page that an upgrade of a library brings."""
    return count(request)


def remembered(_request: HttpRequest) -> HttpResponse:
    """How much this process remembers to have saved; no row says so."""
    return HttpResponse(len(SAVED))


tomorrow.__module__ = "allauth.account.views"

SAVED: list[int] = []
PAGES = {view.__name__: view for view in (count, length, header, queries, sequence, words, line, kept, remembered)}
"""Leaks at addresses of their own."""


def a_bid_in_the_log(phase: Phase) -> None:
    log.info(
        "Phase %s: %s", phase.pk, sorted(body.lines for body in store._bodies_by_power([phase])[phase.pk].values())
    )


def a_task_for_every_bid(phase: Phase) -> None:
    """The more was bid, the later the phase is published."""
    bodies = store._bodies_by_power([phase])[phase.pk].values()
    bids = [line for body in bodies for line in body.lines.splitlines() if line[:1].isdigit()]
    for number, _bid in enumerate(bids):
        start_task_after_commit("games.tasks.end_roll_call", number)


def a_query_for_every_bid(phase: Phase) -> None:
    for body in store._bodies_by_power([phase])[phase.pk].values():
        for _bid in filter(lambda line: line[:1].isdigit(), body.lines.splitlines()):
            Seat.objects.count()


def a_letter_about_saving(occupancy: Occupancy, phase: Phase) -> None:
    game = phase.game
    write_letters(GAME_STARTED, game, [game.gm_id], about=f"{phase.pk} {occupancy.pk}", at=clock.now())


def an_event_about_saving(_occupancy: Occupancy, phase: Phase) -> None:
    announce_change(phase.game_id)


AT_THE_DEADLINE = {a_bid_in_the_log: "log", a_task_for_every_bid: "tasks", a_query_for_every_bid: "steps of a deadline"}
WHEN_SAVED = {a_letter_about_saving: "letters", an_event_about_saving: "events for open pages"}
"""The channel by which each is noticed."""


@contextmanager
def planted() -> Iterator[None]:
    """The site leaks in all these ways during the block."""
    read_all, write_own = store.read_all_at_closing, store.write_own

    def leaky_reading(phases: list[Phase]) -> dict[int, dict[str, store.Body]]:
        for phase in phases:
            for leak in AT_THE_DEADLINE:
                leak(phase)
        return read_all(phases)

    def leaky_writing(occupancy: Occupancy, phase: Phase, *what: Any) -> tuple[store.Body, store.Body]:
        for leak in WHEN_SAVED:
            leak(occupancy, phase)
        return write_own(occupancy, phase, *what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "read_all_at_closing", leaky_reading)
        patch.setattr(store, "write_own", leaky_writing)
        yield


@contextmanager
def remembering() -> Iterator[None]:
    """The process notes every save for `remembered`."""
    write_own = store.write_own

    def noting(occupancy: Occupancy, phase: Phase, *what: Any) -> tuple[store.Body, store.Body]:
        SAVED.append(phase.pk)
        return write_own(occupancy, phase, *what)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "write_own", noting)
        yield


app_name = "leaks"
leaks = [path(f"{name}/", view, name=name) for name, view in PAGES.items()]
urlpatterns = [
    path("leaks/", include((leaks, app_name))),
    path("accounts/tomorrow/<uuid:what>/", tomorrow, name="account_tomorrow"),
    path("accounts/ours/", count, name="account_ours"),
    path("", include("diplomacy_site.urls")),
]
