"""Slow and greedy clients: they keep no one else waiting, and are told why they are refused."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from contextlib import asynccontextmanager
from http import HTTPStatus
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

import pytest
from django.test import Client
from uvicorn.config import Config
from uvicorn.server import ServerState

from diplomacy_site import asgi, connections, patience
from diplomacy_site.connections import Connection
from diplomacy_site.networks import PerNetwork, TooManyError
from diplomacy_site.patience import ArrivingBody, PatientPages, Reply
from games.api.problems import problem
from games.kernel.live_tickets import ticket_for
from games.sealed import store
from tests.cast import PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.faults.people import session_of
from tests.faults.wires import LOCALHOST
from tests.load.slow import HEALTH, KINDS, PATIENCE, WAYS, Mob, OpenSheet
from tests.served import served

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from diplomacy_site.events.stream import Message, Receive, Scope, Send
    from diplomacy_site.patience import Pages

    Wire = tuple[asyncio.StreamReader, asyncio.StreamWriter]

ALICE = PLAYERS[0]
EACH = 12
SOON = 60
SHORT, A_WHILE = 0.05, 0.5
ASK = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
ASK_LAST = b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
HERE = ("192.0.2.7", 1)
GONE = {"type": "http.disconnect"}
PAGE = "/games/locarno/orders/"
BINDING = {"content-type", "content-length", "vary", "set-cookie", "cache-control", "connection", "retry-after"}
"""Headers that say something of one answer."""


# -- the whole site
@pytest.mark.django_db(transaction=True)
def test_everybody_else_is_answered_while_slow_clients_hang(tmp_path: Path) -> None:
    game = running_game()
    with served(tmp_path / "web.log") as address:
        port = urlsplit(address).port
        assert port
        mobs = [Mob(port, act, way) for act in KINDS.values() for way in WAYS.values()]
        for mob in mobs:
            mob.gather(EACH)
        await_that(lambda: all(mob.open for mob in mobs))
        page = OpenSheet(port, game.slug, session_of(person(ALICE)))
        page.save("F Lon-NTH")
        page.wire.close()
        assert [status_of(port, path) for path in (HEALTH, f"/games/{game.slug}/", "/api/v1/games/")] == [200, 200, 200]
        assert status_of(port, f"/events/?ticket={quote(ticket_for(game.slug))}") == 200
        hanging = [mob.open for mob in mobs]
        for mob in mobs:
            mob.leave()
    assert all(hanging)
    assert store.read_own(occupancy_of(game, "BRITAIN"), open_phase(game)).lines.strip() == "F LON - NTH"


def await_that(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end
        time.sleep(SHORT)


def status_of(port: int, path: str) -> int:
    wire = HTTPConnection(LOCALHOST, port, timeout=PATIENCE)
    wire.request("GET", path)
    answer = wire.getresponse()
    wire.close()
    return answer.status


# -- requests
class Visit:
    """One request, as the server would pass it on."""

    def __init__(self, *parts: bytes, method: str = "POST", path: str = PAGE, says: int | None = None) -> None:
        headers = [(b"host", b"testserver"), *([(b"content-length", b"%d" % says)] if says is not None else [])]
        self.scope: Scope = {
            "type": "http",
            "method": method,
            "path": path,
            "query_string": b"",
            "headers": headers,
            "http_version": "1.1",
            "client": HERE,
        }
        ends = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
        self.coming: list[Message] = [*ends, {"type": "http.request", "body": b"", "more_body": False}]
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        if not self.coming:
            await asyncio.sleep(SOON)
        return self.coming.pop(0)

    async def send(self, message: Message) -> None:
        self.sent.append(message)

    def hangs(self) -> Visit:
        """It never finishes."""
        self.coming.pop()
        return self

    def leaves(self) -> Visit:
        self.coming[-1] = GONE
        return self

    @property
    def status(self) -> int:
        found: int = self.sent[0]["status"]
        return found

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}

    @property
    def text(self) -> str:
        return b"".join(message.get("body", b"") for message in self.sent[1:]).decode()


async def echo(_scope: Scope, body: bytes) -> Reply:
    """Pages that answer with what they have been sent."""
    return Reply(200, [], body)


def met(*visits: Visit, pages: Pages = echo) -> Visit:
    """All of them at once; returns the last."""

    async def meet() -> None:
        reception = PatientPages(pages)
        async with asyncio.timeout(SOON):
            await asyncio.gather(*(reception(one.scope, one.receive, one.send) for one in visits))

    asyncio.run(meet())
    assert (ArrivingBody.together, ArrivingBody.arriving) == (0, {})
    return visits[-1]


def test_pages_are_asked_once_a_body_has_arrived_and_their_answer_is_sent_as_a_whole() -> None:
    visit = met(Visit(b"orders=", b"F+Lon-NTH"))
    assert (visit.status, visit.text) == (200, "orders=F+Lon-NTH")
    assert [message.get("more_body") for message in visit.sent] == [None, True, False]


@pytest.mark.parametrize(
    ("visit", "most"),
    [
        (Visit(says=0), 256 * 1024),
        (Visit(says=0, path="/api/v1/games/locarno/sheet/", method="PUT"), 64 * 1024),
        (Visit(says=0, method="GET"), 0),
    ],
    ids=["form", "api", "reading"],
)
def test_what_is_too_long_is_refused_whether_it_says_so_or_not(visit: Visit, most: int) -> None:
    def sized(size: int, says: int | None) -> int:
        facts = {"method": visit.scope["method"], "path": visit.scope["path"]}
        return met(Visit(b"x" * (size // 2), b"x" * (size - size // 2), says=says, **facts)).status

    assert [sized(most, most), sized(most, None)] == [200, 200]
    assert [sized(most + 1, None), sized(0, most + 1)] == [HTTPStatus.REQUEST_ENTITY_TOO_LARGE] * 2


def test_what_is_too_slow_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patience, "BODY_SECONDS", SHORT)
    visit = met(Visit(b"logi").hangs())
    assert (visit.status, visit.headers["connection"]) == (HTTPStatus.REQUEST_TIMEOUT, "close")


def test_nobody_is_asked_or_answered_for_a_client_that_leaves() -> None:
    async def never(*_: object) -> Reply:
        pytest.fail("a page was asked")

    assert met(Visit(b"logi").leaves(), pages=never).sent == []


@pytest.mark.django_db
def test_a_refusal_is_a_short_page_with_the_headers_of_every_page_and_for_apps_a_sentence() -> None:
    page, api = met(Visit(says=10**6)), met(Visit(says=10**6, path="/api/v1/games/"))
    assert "What you sent is longer than the site accepts, so nothing was done." in page.text
    assert json.loads(api.text) == problem(
        "TooLarge", "What you sent is longer than the site accepts, so nothing was done."
    )
    missing = {name.lower(): value for name, value in Client().get("/nowhere/").items()}
    for visit in (page, api):
        assert {name: value for name, value in visit.headers.items() if name not in BINDING} == {
            name: value for name, value in missing.items() if name not in BINDING
        }


def test_a_network_has_only_so_many_requests_open(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    monkeypatch.setattr(patience, "BODY_SECONDS", SHORT)
    settings.OPEN_REQUESTS_PER_NETWORK = 2
    crowd = [Visit(b"logi").hangs() for _ in range(3)]
    last = Visit()
    last.scope["client"] = ("192.0.2.8", 1)
    met(*crowd, last)
    assert [visit.status for visit in crowd] == [408, 408, 429]
    assert (crowd[2].headers["retry-after"], last.status) == ("5", 200)


def test_a_household_with_many_addresses_is_one_network() -> None:
    limit, inside = PerNetwork(1), []

    def come(address: str) -> None:
        with limit.one_more((address, 1)):
            inside.append(address)

    with limit.one_more(("2001:db8:1:2::3", 1)):
        come("2001:db8:1:3::3")
        with pytest.raises(TooManyError):
            come("2001:db8:1:2::4")
    come("2001:db8:1:2::4")
    assert inside == ["2001:db8:1:3::3", "2001:db8:1:2::4"]


def test_when_there_is_no_more_room_the_body_that_has_been_arriving_longest_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(patience, "MOST_BYTES_TOGETHER", 100)
    slow, other = Visit(b"x" * 60).hangs(), Visit(b"x" * 60)
    met(slow, other)
    assert [slow.status, other.status] == [HTTPStatus.REQUEST_TIMEOUT, 200]


# -- threads
def test_pages_of_one_network_leave_threads_to_others_and_health_waits_for_no_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    at_work, most = 0, 0

    async def works(*_: object) -> Reply:
        nonlocal at_work, most
        at_work += 1
        most = max(most, at_work)
        await asyncio.sleep(SHORT)
        at_work -= 1
        return Reply(200, [], b"")

    async def ask_often() -> None:
        await asyncio.gather(*(asgi.answer_request(Visit().scope, b"") for _ in range(20)))

    monkeypatch.setattr(asgi, "answer_in_thread", works)
    asyncio.run(ask_often())
    assert (at_work, most, dict(asgi.turns_of_networks)) == (0, asgi.THREADS // 2, {})


def test_a_process_whose_pages_all_hang_says_that_it_lives() -> None:
    over = threading.Event()

    async def ask() -> Visit:
        threads = asgi.page_threads
        hanging = [asyncio.get_running_loop().run_in_executor(threads, over.wait) for _ in range(asgi.THREADS)]
        visit = Visit(method="GET", path=HEALTH)
        try:
            async with asyncio.timeout(SOON):
                await asgi.application(visit.scope, visit.receive, visit.send)
        finally:
            over.set()
        await asyncio.gather(*hanging)
        return visit

    visit = asyncio.run(ask())
    assert (visit.status, visit.text) == (200, "alive\n")


# -- connections
async def large(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"30000000")]})
    await send({"type": "http.response.body", "body": b"x" * 30_000_000, "more_body": True})
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def small(_scope: Scope, _receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok", "more_body": False})


@asynccontextmanager
async def listening(app: Any, **options: Any) -> AsyncIterator[Callable[[], Awaitable[Wire]]]:
    """A server with our connections; yields how to connect to it."""
    config = Config(app, lifespan="off", log_config=None, **{"timeout_keep_alive": SOON, **options})
    config.load()
    state = ServerState()
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(config, state, {}, loop), LOCALHOST, 0)
    port = server.sockets[0].getsockname()[1]
    opened = []

    async def connect() -> Wire:
        opened.append(await asyncio.open_connection(LOCALHOST, port))
        return opened[-1]

    try:
        async with server, asyncio.timeout(SOON):
            yield connect
    finally:
        for _, writer in opened:
            writer.transport.abort()


def told(sent: bytes, app: Any = small, **options: Any) -> bytes:
    """Everything that a client is told until the server closes the connection."""

    async def talk() -> bytes:
        async with listening(app, **options) as connect:
            reader, writer = await connect()
            writer.write(sent)
            return await everything(reader)

    return asyncio.run(talk())


async def everything(reader: asyncio.StreamReader) -> bytes:
    try:
        return await reader.read()
    except ConnectionResetError:
        return b""


def test_half_a_header_is_waited_for_only_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", SHORT)
    assert told(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slo").startswith(b"HTTP/1.1 408 ")
    assert told(b"\r\n\r\n").startswith(b"HTTP/1.1 408 ")
    assert told(ASK + b"GET / HT", timeout_keep_alive=A_WHILE).endswith(b"ok")


def test_the_rest_of_a_refused_body_is_waited_for_only_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_SECONDS", SHORT)

    async def trickle() -> bytes:
        async with listening(small) as connect:
            reader, writer = await connect()
            writer.write(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\nlogi")
            head: bytes = await reader.readuntil(b"ok")
            writer.write(b"n")
            return head + await reader.read()

    assert asyncio.run(trickle()).startswith(b"HTTP/1.1 200 ")


def test_large_headers_are_refused() -> None:
    filler = b"X-Large: " + b"x" * 20_000 + b"\r\n"
    assert told(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n" + filler + b"\r\n").startswith(b"HTTP/1.1 200 ")
    assert told(b"GET / HTTP/1.1\r\nHost: x\r\n" + 2 * filler + b"\r\n").startswith(b"HTTP/1.1 431 ")
    assert told(b"GET /" + b"x" * 40_000).startswith(b"HTTP/1.1 431 ")


def test_what_follows_a_body_is_neither_a_header_nor_without_end() -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
    seen = []

    async def named(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive()).get("more_body"):
            pass
        seen.append({name for name, _ in scope["headers"]})
        await small(scope, receive, send)

    body = b"8000\r\n" + b"x" * 0x8000 + b"\r\n" + b"9000\r\n" + b"x" * 0x9000 + b"\r\n0\r\n"
    assert told(head + body + b"Cookie: theme=dark\r\n\r\n", named).startswith(b"HTTP/1.1 200 ")
    assert seen == [{b"host", b"transfer-encoding", b"connection"}]
    endless = b"".join(b"T: " + b"a" * 1000 + b"\r\n" for _ in range(80))
    assert told(head + body + endless, named) == b""


def test_a_client_sends_only_so_many_requests_ahead() -> None:
    assert told(ASK * 10 + ASK_LAST).count(b"HTTP/1.1 200 ") == 11
    assert told(ASK * 1_000) == b""


def test_a_large_body_is_no_large_header() -> None:
    body = b"x" * 100_000
    head = b"POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 100000\r\n\r\n"

    async def reads_all(scope: Scope, receive: Receive, send: Send) -> None:
        while (await receive())["more_body"]:
            pass
        await small(scope, receive, send)

    assert told(head + body, reads_all).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("sent", [b"", ASK])
def test_a_connection_rests_only_for_so_long_before_and_after_a_request(sent: bytes) -> None:
    assert told(sent, timeout_keep_alive=A_WHILE).count(b"HTTP/1.1 200 ") == bool(sent)


def test_a_client_that_does_not_read_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "READING_SECONDS", SHORT)

    async def ignore() -> int:
        async with listening(large) as connect:
            reader, writer = await connect()
            writer.write(ASK)
            while not Connection.unread_bytes:
                await asyncio.sleep(0)
            while Connection.unread_bytes:
                await asyncio.sleep(SHORT)
            return len(await everything(reader))

    assert asyncio.run(ignore()) < 30_000_000


def test_when_too_much_is_unread_the_longest_reader_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MOST_UNREAD_BYTES", 40_000_000)

    async def ignore() -> list[bool]:
        async with listening(large) as connect:
            kept: list[Connection] = []
            for _ in range(2):
                _, writer = await connect()
                writer.write(ASK)
                while not (unread := set(Connection.unread_bytes)) or unread == set(kept[-1:]):
                    await asyncio.sleep(0)
                kept.extend(unread)
            return [each.transport.is_closing() for each in kept]

    assert asyncio.run(ignore()) == [True, False]


@pytest.mark.parametrize(("proxies", "welcome"), [("192.0.2.1", [True, True, False]), (LOCALHOST, [True, True, True])])
def test_a_network_has_only_so_many_connections_and_a_proxy_any_number(
    proxies: str, welcome: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit = PerNetwork(2)
    monkeypatch.setattr(connections, "connections_per_network", lambda: limit)

    async def come() -> list[bool]:
        async with listening(small, forwarded_allow_ips=proxies) as connect:
            wires = [await connect() for _ in welcome]
            for _, writer in wires:
                writer.write(ASK_LAST)
            return [bool(await everything(reader)) for reader, _ in wires]

    assert asyncio.run(come()) == welcome


def test_connections_leave_files_to_spare(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "most_connections", lambda: 0)
    assert told(ASK) == b""
