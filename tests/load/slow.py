"""Clients that are slow on purpose, beside a player who saves orders."""

from __future__ import annotations

import asyncio
import itertools
import os
import re
import socket
import time
from collections.abc import Callable, Coroutine
from contextlib import suppress
from http import HTTPStatus
from http.client import HTTPConnection
from ipaddress import ip_address
from threading import Event, Thread
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from django.conf import settings

from games.kernel.models import Occupancy
from tests.faults.people import session_of
from tests.faults.wires import LOCALHOST, Loop
from tests.load.games import fill
from tests.load.processes import say
from tests.load.storm import migrate, share_of
from tests.load.watchers import FIRST_ADDRESS, GAME, SPARE_FILES, raise_open_files

if TYPE_CHECKING:
    from tests.load.processes import Site

Act = Callable[[asyncio.StreamReader, asyncio.StreamWriter, str], Coroutine[None, None, None]]
"""What a client does; the text is more headers for its request."""
Way = Callable[[int], tuple[str, str]]
"""The address from which the client of this number comes, and more headers for its request."""
HEALTH, SIGN_IN, LARGE = "/healthz", "/accounts/login/", "/variants/1926/"
FIRST_OWN = "127.1.0.1"
"""Of the addresses of this machine that the server does not take for its proxy's."""
BETWEEN_BYTES = 1.0
BEFORE_ANOTHER = 1.0
SMALL_BUFFER = 4096
SMALL_SEGMENT = 536
"""As on a poor line. For the large ones of this machine the system would keep megabytes that nobody reads."""
SECONDS = 12.0
REST = 2.0
BETWEEN_SAVES = 0.25
PATIENCE = 30.0
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="(\w+)"')


async def half_a_header(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter, more: str) -> None:
    """A header that grows by a byte a second."""
    writer.write(f"GET / HTTP/1.1\r\nHost: {LOCALHOST}\r\n{more}X-Slow: ".encode())
    await _dribble(writer)


async def half_a_form(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter, more: str) -> None:
    """A form of which four bytes come at once, and then one a second."""
    kind = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n"
    writer.write(f"POST {SIGN_IN} HTTP/1.1\r\nHost: {LOCALHOST}\r\n{more}{kind}\r\nlogi".encode())
    await _dribble(writer)


async def slow_reader(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, more: str) -> None:
    """A large file, of which a byte a second is read."""
    writer.write(f"GET {LARGE} HTTP/1.1\r\nHost: {LOCALHOST}\r\n{more}\r\n".encode())
    while await reader.read(1):
        await asyncio.sleep(BETWEEN_BYTES)


async def never_closes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, more: str) -> None:
    """One quick request, and then nothing."""
    writer.write(f"GET {HEALTH} HTTP/1.1\r\nHost: {LOCALHOST}\r\n{more}\r\n".encode())
    while await reader.read(SMALL_BUFFER):
        pass


async def _dribble(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        await asyncio.sleep(BETWEEN_BYTES)
        writer.write(b"x")
        await writer.drain()


KINDS: dict[str, Act] = {
    "slow headers": half_a_header,
    "slow bodies": half_a_form,
    "slow reading": slow_reader,
    "never closing": never_closes,
}


def one_address(_number: int) -> tuple[str, str]:
    return FIRST_OWN, ""


def own_address(number: int) -> tuple[str, str]:
    return str(ip_address(FIRST_OWN) + number), ""


def through_the_proxy(number: int) -> tuple[str, str]:
    return LOCALHOST, f"X-Forwarded-For: {ip_address(FIRST_ADDRESS) + number}\r\n"


WAYS: dict[str, Way] = {
    "from one address": one_address,
    "from as many addresses": own_address,
    "from as many, through the proxy": through_the_proxy,
}


class Mob:
    """So many slow clients of one kind, which come again whenever they are cut off."""

    def __init__(self, port: int, act: Act, way: Way) -> None:
        self.port, self.act, self.way = port, act, way
        self.open = 0
        self.cut = 0
        self.loop = Loop()
        self.clients: list[asyncio.Task[None]] = []

    def gather(self, number: int) -> None:
        self.loop.run(self._gather(number))

    def leave(self) -> None:
        self.loop.run(self._leave())

    async def _gather(self, number: int) -> int:
        self.clients = [asyncio.create_task(self._come_again(*self.way(one))) for one in range(number)]
        return number

    async def _leave(self) -> int:
        for client in self.clients:
            client.cancel()
        await asyncio.gather(*self.clients, return_exceptions=True)
        return len(self.clients)

    async def _come_again(self, address: str, more: str) -> None:
        while True:
            with suppress(OSError):
                await self._come(address, more)
            self.cut += 1
            await asyncio.sleep(BEFORE_ANOTHER)

    async def _come(self, address: str, more: str) -> None:
        with socket.socket() as wire:
            wire.setblocking(False)
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER)
            wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, SMALL_SEGMENT)
            wire.bind((address, 0))
            await asyncio.get_running_loop().sock_connect(wire, (LOCALHOST, self.port))
            reader, writer = await asyncio.open_connection(sock=wire, limit=SMALL_BUFFER)
            self.open += 1
            try:
                await self.act(reader, writer, more)
            finally:
                self.open -= 1
                writer.transport.abort()


class Saving(Thread):
    """Saves orders and asks for the site's health, four times a second, by turns for several players, because each may
    save only once a second."""

    def __init__(self, port: int, sessions: list[str]) -> None:
        super().__init__(daemon=True)
        self.sheets = itertools.cycle([OpenSheet(port, GAME, session) for session in sessions])
        self.port = port
        self.over = Event()
        self.saves: list[float] = []
        self.health: list[float] = []

    def run(self) -> None:
        while not self.over.wait(BETWEEN_SAVES):
            self.saves.append(next(self.sheets).save())
            began = time.monotonic()
            wire = HTTPConnection(LOCALHOST, self.port, timeout=PATIENCE)
            wire.request("GET", HEALTH)
            assert wire.getresponse().status == HTTPStatus.OK
            self.health.append(time.monotonic() - began)
            wire.close()

    def stop(self) -> None:
        self.over.set()
        self.join()


class OpenSheet:
    """The order page of a game in a browser with this session."""

    def __init__(self, port: int, game: str, session: str) -> None:
        self.wire = HTTPConnection(LOCALHOST, port, timeout=PATIENCE)
        self.path = f"/games/{game}/orders/"
        cookie = f"{settings.SESSION_COOKIE_NAME}={session}"
        self.wire.request("GET", self.path, headers={"Cookie": cookie})
        page = self.wire.getresponse()
        found = TOKEN.search(page.read().decode())
        assert found, f"no form to save: {page.status}"
        self.sent = {"csrfmiddlewaretoken": found[1], "ordinal": "0", "use": "text"}
        cookies = f"{cookie}; {page.getheader('Set-Cookie', '').split(';')[0]}"
        self.headers = {"Cookie": cookies, "Content-Type": "application/x-www-form-urlencoded"}

    def save(self, text: str = "") -> float:
        """How many seconds it took."""
        began = time.monotonic()
        self.wire.request("POST", self.path, urlencode({**self.sent, "text": text}), self.headers)
        answer = self.wire.getresponse()
        answer.read()
        assert answer.status == HTTPStatus.SEE_OTHER, f"not saved: {answer.status}"
        return time.monotonic() - began


def slow(site: Site, number: int) -> None:
    """Print how long saving takes beside so many slow clients of each kind."""
    raise_open_files(4 * number + SPARE_FILES)
    migrate()
    fill(1)
    site.start()
    sessions = [session_of(seat.user) for seat in Occupancy.objects.filter(game__slug=GAME).select_related("user")]
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    say(f"{'clients':<47} {'open':>5} {'cut off':>8}   {'saved in':>8} {'at most':>8}   {'healthy in, at most':>19}")
    _beside(site, sessions, "no one", None)
    for kind, act in KINDS.items():
        for origin, way in WAYS.items():
            mob = Mob(site.port, act, way)
            mob.gather(number)
            time.sleep(REST)
            _beside(site, sessions, f"{kind}, {origin}", mob)
            mob.leave()
            time.sleep(REST)


def _beside(site: Site, sessions: list[str], who: str, mob: Mob | None) -> None:
    player = Saving(site.port, sessions)
    player.start()
    time.sleep(SECONDS)
    counts = f"{mob.open:>5} {mob.cut:>8}" if mob else f"{'-':>5} {'-':>8}"
    player.stop()
    half, most, health = share_of(sorted(player.saves), 0.5), max(player.saves), max(player.health)
    say(f"{who:<47} {counts}   {1000 * half:>5.0f} ms {1000 * most:>5.0f} ms   {1000 * health:>16.0f} ms")
