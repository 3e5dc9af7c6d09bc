"""The site for an ASGI server: its pages, and the events that tell open pages when a game has changed.

Django answers in threads, several times faster than with its own ASGI handler.
"""

import asyncio
import json
import time
from asyncio import Semaphore
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from http import HTTPStatus
from io import BytesIO
from typing import Any
from urllib.parse import urlencode
from weakref import WeakValueDictionary

from a2wsgi.wsgi import build_environ
from django.core.wsgi import get_wsgi_application
from django.urls import reverse

from diplomacy_site.events.stream import PATH, Receive, Scope, Send, events
from diplomacy_site.networks import network_of_client
from diplomacy_site.page_counts import ARRIVED, waiting
from diplomacy_site.patience import PatientPages, Reply

pages = get_wsgi_application()
THREADS = 8
THREADS_OF_A_NETWORK = THREADS // 2
HEALTH = "/healthz"
turns_of_networks: WeakValueDictionary[str, Semaphore] = WeakValueDictionary()
"""Of the networks that use threads now, so that none can use them all."""
page_threads = ThreadPoolExecutor(THREADS)
health_thread = ThreadPoolExecutor(1)


async def answer_request(scope: Scope, body: bytes) -> Reply:
    """Answer a page in its network's turn, but the question whether this process is alive at once."""
    if scope["path"] == HEALTH:
        return await answer_in_thread(health_thread, scope, body)
    arrival_time = time.monotonic()
    async with turns_of_networks.setdefault(network_of_client(scope.get("client")), Semaphore(THREADS_OF_A_NETWORK)):
        return await answer_in_thread(page_threads, {**scope, ARRIVED: arrival_time}, body)


async def answer_in_thread(threads: ThreadPoolExecutor, scope: Scope, body: bytes) -> Reply:
    """Have Django answer in one of these threads."""
    environ: dict[str, Any] = build_environ(scope, BytesIO(body))  # type: ignore[arg-type, assignment]  # typed narrowly
    environ["CONTENT_LENGTH"] = str(len(body))
    environ[ARRIVED] = scope.get(ARRIVED)
    return await asyncio.get_running_loop().run_in_executor(threads, copy_context().run, run_django, environ)


def run_django(environ: dict[str, Any]) -> Reply:
    responses: list[tuple[str, Iterable[tuple[str, str]]]] = []
    parts = pages(environ, lambda status, headers, _problem=None: responses.append((status, headers)))  # type: ignore[arg-type]  # nothing is written before
    try:
        body = b"".join(parts)
    finally:
        parts.close()
    ((status, headers),) = responses
    return Reply(int(status.split()[0]), list(headers), body)


patient_pages = PatientPages(answer_request)


async def end_with_server(receive: Receive, send: Send) -> None:
    """Answer the server when it starts, and start the watch; when it stops, first store the counts that wait."""
    from diplomacy_site.watch import Watch  # noqa: PLC0415 - it needs models, which are there once `pages` is

    watch = Watch()
    watch.start()
    while (await receive())["type"] == "lifespan.startup":
        await send({"type": "lifespan.startup.complete"})
    watch.over.set()
    waiting.flush()
    await send({"type": "lifespan.shutdown.complete"})


async def application(scope: Scope, receive: Receive, send: Send) -> None:
    """Send requests for events to their stream, and all others to Django. An app that sends its token first gets its
    ticket from the API, or the API's refusal; the API also tells browsers whether other sites' scripts may send one."""
    if scope["type"] == "lifespan":
        await end_with_server(receive, send)
        return
    if scope["path"] != PATH:
        await patient_pages(scope, receive, send)
        return
    method_and_headers = {(scope["method"], name) for name, _ in scope["headers"]}
    if method_and_headers & {("GET", b"authorization"), ("OPTIONS", b"access-control-request-method")}:
        path, headers = reverse("api:events"), [it for it in scope["headers"] if it[0] != b"accept-encoding"]
        ticket_scope = {**scope, "path": path, "raw_path": path.encode(), "headers": headers}
        answer = await answer_request(ticket_scope, b"")
        if answer.status != HTTPStatus.OK:
            await answer.deliver(send)
            return
        scope = {**scope, "query_string": urlencode({"ticket": json.loads(answer.body)["ticket"]}).encode()}
    await events(scope, receive, send)
