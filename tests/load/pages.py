"""How fast pages come over HTTP, one reader after the other and many at once; and what they take in one process."""

from __future__ import annotations

import os
import re
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from html import unescape
from http import HTTPStatus
from http.client import HTTPConnection
from itertools import cycle
from statistics import median
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.deadlines.phases import close_due_phase
from games.kernel.models import Phase
from tests.load.games import fill
from tests.load.processes import say
from tests.load.storm import migrate, now_by_postgres, reset_statements, share_of, statements_made

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.load.processes import Site

GAMES = 60
WARM, IN_A_ROW = 3, 60
AT_ONCE = (1, 8, 32)
SECONDS_AT_ONCE = 3.0
STRANGERS = (
    "/",
    "/games/",
    "/games/?show=running",
    "/games/storm-0/",
    "/games/storm-0/history/",
    "/games/storm-0/talk/everybody/",
    "/games/storm-0/pulse/",
    "/variants/",
    "/variants/1926/",
    "/learn/",
    "/people/player1/",
    "/api/v1/games/",
)
PLAYERS = ("/", "/games/", "/games/storm-0/", "/games/storm-0/orders/", "/games/storm-0/talk/everybody/")
INSIDE = (*PLAYERS[:4], "/games/storm-1/", "/games/storm-1/orders/")
ROUNDS = 100
SAVES = 50
"""A minute takes no more."""
TEXT_BOX = re.compile("<textarea[^>]*>([^<]*)<")


@dataclass(frozen=True)
class Visitor:
    """Somebody with a browser that keeps its connection."""

    site: Site
    cookie: str = ""

    def opened(self) -> HTTPConnection:
        return HTTPConnection("127.0.0.1", self.site.port, timeout=60)

    def read(self, wire: HTTPConnection, path: str, **more: str) -> tuple[float, int, dict[str, str], int]:
        """Seconds, status, headers and bytes of one answer."""
        headers = {"Accept-Encoding": "gzip", **({"Cookie": self.cookie} if self.cookie else {}), **more}
        began = time.perf_counter()
        wire.request("GET", path, headers=headers)
        answer = wire.getresponse()
        size = len(answer.read())
        return time.perf_counter() - began, answer.status, {name.lower(): it for name, it in answer.getheaders()}, size


def pages(site: Site, *, inside: bool = False) -> None:
    """Fill the site with some games, and print for every page what it takes."""
    migrate()
    fill(GAMES)
    if not inside:
        site.start()
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    if inside:
        _inside()
        return
    rates = "   ".join(f"{number:>2} at once" for number in AT_ONCE)
    say(f"{'page':<42} {'p50':>6} {'p95':>6}   {rates}   statements  bytes  kept")
    for visitor, who, paths in ((Visitor(site), "stranger", STRANGERS), (player(site), "player", PLAYERS)):
        for path in paths:
            _measure(visitor, f"{who} {path}", path)


def _inside() -> None:
    """What pages of a player and a save take in this process alone, without a server: `storm-1` is a phase on."""
    client = Client(headers={"accept-encoding": "gzip", "host": "127.0.0.1"})
    client.force_login(get_user_model().objects.get(username="player2"))
    close_due_phase(phase_id=_due("storm-1"))
    say(f"{'page':<42} {'median':>9} {'least':>9}   statements")
    for path in INSIDE:
        _time(f"player {path}", partial(client.get, path), HTTPStatus.OK)
    orders = "/games/storm-0/orders/"
    written = unescape(TEXT_BOX.findall(client.get(orders, headers={"accept-encoding": ""}).content.decode())[0])
    texts = cycle((written, written.rpartition("\n")[0]))
    _time(
        f"save {orders}",
        lambda: client.post(orders, {"ordinal": 0, "use": "text", "text": next(texts)}),
        HTTPStatus.SEE_OTHER,
        rounds=SAVES,
    )


def _due(slug: str) -> int:
    """The open phase of this game, whose deadline passes now."""
    phases = Phase.objects.filter(game__slug=slug, closed__isnull=True)
    phases.update(deadline=now_by_postgres())
    return phases.get().pk


def _time(name: str, ask: Callable[[], Any], status: HTTPStatus, rounds: int = ROUNDS) -> None:
    for _ in range(WARM):
        ask()
    with CaptureQueriesContext(connection) as made:
        assert ask().status_code == status, name
    statements, seconds = len(made), list[float]()
    for _ in range(rounds):
        began = time.process_time()
        ask()
        seconds.append(time.process_time() - began)
    say(f"{name:<42} {1000 * median(seconds):>6.1f} ms {1000 * min(seconds):>6.1f} ms   {statements:>10}")


def player(site: Site) -> Visitor:
    """Somebody who plays."""
    client = Client()
    client.force_login(get_user_model().objects.get(username="player1"))
    return Visitor(site, f"sessionid={client.session.session_key}")


def _measure(visitor: Visitor, name: str, path: str) -> None:
    wire = visitor.opened()
    for _ in range(WARM):
        visitor.read(wire, path)
    reset_statements()
    found = [visitor.read(wire, path) for _ in range(IN_A_ROW)]
    made = statements_made() / IN_A_ROW
    assert {status for _, status, _, _ in found} == {200}, f"{path} answers {found[0][1]}"
    seconds = sorted(each[0] for each in found)
    _, _, headers, size = found[-1]
    half, most = (f"{1000 * share_of(seconds, share):.0f} ms" for share in (0.5, 0.95))
    rates = "   ".join(f"{_rate(visitor, path, number):>8.0f}/s" for number in AT_ONCE)
    kept = headers.get("cache-control", "-") + (" +ETag" if "etag" in headers else "")
    say(f"{name:<42} {half:>6} {most:>6}  {rates}   {made:>10.1f} {size:>6}  {kept}")


def _rate(visitor: Visitor, path: str, number: int) -> float:
    """Answers a second to so many visitors at once."""
    end = time.monotonic() + SECONDS_AT_ONCE

    def browse(_: int) -> int:
        wire, done = visitor.opened(), 0
        while time.monotonic() < end:
            visitor.read(wire, path)
            done += 1
        return done

    began = time.monotonic()
    with ThreadPoolExecutor(number) as pool:
        return sum(pool.map(browse, range(number))) / (time.monotonic() - began)
