"""/events/?ticket=…&ticket=…: a stream of `{"game": slug, "version": version}` for every game on a ticket.

Plain ASGI without Django's handler, which would keep a thread for every open stream. A game's pages carry a ticket for
their readers; the page then asks the site what has changed, and gets what its reader may see by then. An app
gets a ticket for its token on the way here (`asgi.py`).
"""

import asyncio
import json
import resource
from collections.abc import Awaitable, Callable
from functools import cache, partial
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qs

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from diplomacy_site.events.hub import Hub, NotListeningError, Watcher
from diplomacy_site.networks import PerNetwork, TooManyError
from games.kernel import live_tickets

Scope = dict[str, Any]
Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def most_watchers(files: int) -> int:
    """How many streams may be open, so that pages have at least half of the files that the process may open."""
    return 5_000 if files == resource.RLIM_INFINITY else min(5_000, files // 2)


PATH = "/events/"
MOST_TICKETS = 20
MOST_WATCHERS = most_watchers(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
BEAT_SECONDS = 20
LONGEST_STREAM_SECONDS = 600
"""After this a browser has to reconnect with a valid ticket."""

STILL_HERE = b": still here\n\n"
HEADERS = {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    "X-Accel-Buffering": "no",
    "X-Content-Type-Options": "nosniff",
}
REFUSALS = {
    HTTPStatus.METHOD_NOT_ALLOWED: "Only GET is allowed here.",
    HTTPStatus.FORBIDDEN: "Your ticket has expired. Open a page of the game to get a new one.",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many pages in your network have live events. This one keeps asking for changes.",
    HTTPStatus.SERVICE_UNAVAILABLE: "Live events aren’t available now. Pages keep asking for changes instead.",
}

hub = Hub()


async def events(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer one request for the stream."""
    if scope["method"] != "GET":
        return await _refuse(send, HTTPStatus.METHOD_NOT_ALLOWED)
    if not any(name == b"cookie" for name, _ in scope["headers"]):
        send = partial(_send_to_other_sites, send)
    channels = channels_asked_for(scope["query_string"])
    if not channels:
        return await _refuse(send, HTTPStatus.FORBIDDEN)
    if hub.count >= MOST_WATCHERS:
        return await _refuse(send, HTTPStatus.SERVICE_UNAVAILABLE)
    try:
        with streams_per_network().one_more(scope.get("client")):
            await _stream(channels, receive, send)
    except TooManyError:
        await _refuse(send, HTTPStatus.TOO_MANY_REQUESTS)


@cache
def streams_per_network() -> PerNetwork:
    return PerNetwork(settings.EVENT_STREAMS_PER_NETWORK)


async def _send_to_other_sites(send: Send, message: Message) -> None:
    """Send a message that scripts of other sites may read, too, because it came without a cookie."""
    if message["type"] == "http.response.start":
        message = {**message, "headers": [*message["headers"], (b"access-control-allow-origin", b"*")]}
    await send(message)


async def _stream(channels: list[str], receive: Receive, send: Send) -> None:
    try:
        await hub.await_subscription()
    except NotListeningError:
        return await _refuse(send, HTTPStatus.SERVICE_UNAVAILABLE)
    with hub.watching(channels) as watcher:
        task = asyncio.create_task(_end_when_browser_leaves(receive, watcher))
        try:
            await _send_changes(watcher, [name for name in channels if live_tickets.is_channel_of_game(name)], send)
        finally:
            task.cancel()


def channels_asked_for(query: bytes) -> list[str]:
    """The channels of all valid tickets in this query, sorted."""
    try:
        tickets = parse_qs(query.decode("ascii"), max_num_fields=MOST_TICKETS).get("ticket", [])
    except ValueError:
        return []
    return sorted({name for ticket in tickets for name in live_tickets.channels_of_ticket(ticket)})


async def _end_when_browser_leaves(receive: Receive, watcher: Watcher) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
    watcher.end()


async def _send_changes(watcher: Watcher, games: list[str], send: Send) -> None:
    """Send the names of the games, then every change, until the browser leaves or the time is up."""
    await _send_start(send, HTTPStatus.OK, HEADERS)
    await _send_body(send, f"event: hello\ndata: {json.dumps(games)}\n\n".encode(), more=True)
    clock = asyncio.get_running_loop().time
    closing = clock() + LONGEST_STREAM_SECONDS
    while not watcher.is_over and clock() < closing:
        news = await watcher.news(BEAT_SECONDS)
        lines = [f"data: {json.dumps({'game': slug, 'version': news[slug]})}\n\n" for slug in sorted(news)]
        await _send_body(send, "".join(lines).encode() or STILL_HERE, more=True)
    await _send_body(send, b"", more=False)


async def _refuse(send: Send, status: HTTPStatus) -> None:
    await _send_start(send, status, {**HEADERS, "Content-Type": "text/plain; charset=utf-8"})
    await _send_body(send, REFUSALS[status].encode(), more=False)


async def _send_start(send: Send, status: HTTPStatus, headers: dict[str, str]) -> None:
    pairs = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": int(status), "headers": pairs})


async def _send_body(send: Send, body: bytes, *, more: bool) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


@require_safe
def no_events_here(_request: HttpRequest) -> HttpResponse:
    """Answer with no content, which tells the browser without an error that there is no stream."""
    return HttpResponse(status=HTTPStatus.NO_CONTENT)
