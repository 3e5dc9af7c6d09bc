"""Idle readers with an open page, each with a stream of events: what they cost, and how soon all are told."""

from __future__ import annotations

import asyncio
import os
import resource
import time
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import quote

from games.kernel.live_tickets import ticket_for
from games.kernel.models import Phase
from tests.faults.wires import LOCALHOST, Loop
from tests.load.games import fill
from tests.load.memory import pss_of_tree
from tests.load.processes import say
from tests.load.storm import migrate, now_by_postgres

if TYPE_CHECKING:
    from tests.load.processes import Site

AT_ONCE = 200
PATIENCE = 120.0
SPARE_FILES = 500
REST = 5.0
GAME = "storm-0"
FIRST_ADDRESS = "10.0.0.1"


class Crowd:
    """So many open streams, each from a network of its own; `told` has the moment at which each learned of a change."""

    def __init__(self, port: int, games: list[str]) -> None:
        self.port = port
        self.games = games
        self.loop = Loop()
        self.writers: list[asyncio.StreamWriter] = []
        self.readers: set[asyncio.Task[None]] = set()
        self.told: list[float] = []
        self.refused = 0

    def gather(self, number: int) -> None:
        """Return once every stream has begun."""
        self.loop.run(self._gather(number))

    async def _gather(self, number: int) -> int:
        for first in range(0, number, AT_ONCE):
            some = range(first, min(first + AT_ONCE, number))
            await asyncio.gather(*(self._open(self.games[one % len(self.games)], one) for one in some))
        return number

    async def _open(self, game: str, number: int) -> None:
        reader, writer = await asyncio.open_connection(LOCALHOST, self.port)
        self.writers.append(writer)
        headers = f"Host: {LOCALHOST}\r\nX-Forwarded-For: {ip_address(FIRST_ADDRESS) + number}\r\n"
        writer.write(f"GET /events/?ticket={quote(ticket_for(game))} HTTP/1.1\r\n{headers}\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            self.refused += 1
            return
        await reader.readuntil(b"\n\n")
        listening = asyncio.create_task(self._listen(reader))
        self.readers.add(listening)

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        while line := await reader.readline():
            if line.startswith(b"data:"):
                self.told.append(time.time())
                return


def watchers(site: Site, number: int) -> None:
    """Let so many watch one game, close its phase, and print what that took."""
    raise_open_files(2 * number + SPARE_FILES)
    migrate()
    fill(1)
    site.start()
    web = site.children["web"].process_id()
    assert web
    site.read(f"/games/{GAME}/", timeout=60)
    before = pss_of_tree(web)
    crowd = Crowd(site.port, [GAME])
    began = time.monotonic()
    crowd.gather(number)
    seconds = time.monotonic() - began
    time.sleep(REST)
    after = pss_of_tree(web)
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    say(f"{number} watchers in {seconds:.1f} s, {crowd.refused} refused")
    say(f"web: {before:.0f} MB before, {after:.0f} MB with all of them")
    Phase.objects.update(deadline=now_by_postgres())
    _await_told(crowd, number - crowd.refused)
    closed = Phase.objects.get(ordinal=0).closed
    assert closed
    first, last = min(crowd.told) - closed.timestamp(), max(crowd.told) - closed.timestamp()
    say(f"told {len(crowd.told)}: the first {first:.2f} s after the phase closed, the last {last:.2f} s after it")


def _await_told(crowd: Crowd, number: int) -> None:
    end = time.monotonic() + PATIENCE
    while len(crowd.told) < number:
        assert time.monotonic() < end, f"only {len(crowd.told)} of {number} were told"
        time.sleep(0.05)


def raise_open_files(number: int) -> None:
    """For this process and those that it starts from now on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < number:
        resource.setrlimit(resource.RLIMIT_NOFILE, (number, max(number, hard)))
