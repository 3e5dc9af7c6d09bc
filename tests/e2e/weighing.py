"""What a browser really fetches, counted on the wire, with everything served as on a public site."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from django.conf import settings as site

from games.bots.services import play_bot_turn
from games.seating.services.new_game import let_bot_play
from tests.factories import occupancy_of, open_phase, powers_of, running_game
from tests.served import served

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from playwright.sync_api import CDPSession, Page

    from games.kernel.models import Game

SETTINGS = "tests.e2e.packed"
UNSEEN = ("--ignore", "admin", "--ignore", "rest_framework")
"""What no player loads; to compress it takes longer than the rest."""
COLLECT = [sys.executable, "-m", "django", "collectstatic", "--noinput", "--verbosity", "0", *UNSEEN]


@contextmanager
def served_packed(folder: Path) -> Iterator[str]:
    """The site as in production, its files compressed, on the database of this test; its address."""
    packed = {"DJANGO_SETTINGS_MODULE": SETTINGS, "PACKED_STATIC": str(folder / "static")}
    subprocess.run(COLLECT, env={**os.environ, **packed}, cwd=site.BASE_DIR, check=True)
    with served(folder / "web.log", **packed) as address:
        yield address


class Scales:
    """Counts what a page has fetched since the last count, including response headers."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.line: CDPSession = page.context.new_cdp_session(page)
        self.line.send("Network.enable")
        self.paths: dict[str, str] = {}
        self.fetched: dict[str, int] = {}
        self.under_way: set[str] = set()
        self.line.on("Network.requestWillBeSent", self._asked)
        self.line.on("Network.dataReceived", lambda data: self._came(data["requestId"], data["encodedDataLength"]))
        self.line.on("Network.loadingFinished", self._finished)
        self.line.on("Network.loadingFailed", lambda data: self.under_way.discard(data["requestId"]))

    def weight(self) -> dict[str, int]:
        """Bytes by address, of everything that was asked for before."""
        while self.under_way:
            self.page.wait_for_timeout(20)
        fetched, self.fetched = self.fetched, {}
        weights: dict[str, int] = {}
        for request, size in fetched.items():
            path = self.paths.get(request, "?")
            weights[path] = weights.get(path, 0) + size
        return weights

    def _asked(self, data: dict[str, Any]) -> None:
        self.paths[data["requestId"]] = data["request"]["url"]
        if data.get("type") != "EventSource":
            self.under_way.add(data["requestId"])

    def _came(self, request: str, size: int) -> None:
        self.fetched[request] = self.fetched.get(request, 0) + size

    def _finished(self, data: dict[str, Any]) -> None:
        self.fetched[data["requestId"]] = int(data["encodedDataLength"])
        self.under_way.discard(data["requestId"])


def busy_game() -> Game:
    """Bots give orders for every power and bid for the minor powers, so every unit on the board has an order."""
    game = running_game()
    for power in powers_of(game):
        let_bot_play(occupancy_id=occupancy_of(game, power).pk)
        play_bot_turn(occupancy_id=occupancy_of(game, power).pk, ordinal=open_phase(game).ordinal)
    return game
