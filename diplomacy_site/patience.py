"""What stands between clients and the pages, so that slow or greedy clients keep no one else waiting.

The pages get a request once all of it has arrived, and its answer is sent once it is complete: no thread ever waits for
a client. Waiting requests take only memory, which is limited too.
"""

from __future__ import annotations

import asyncio
import tomllib
from collections.abc import Awaitable, Callable, Sequence
from functools import cache
from http import HTTPStatus
from pathlib import Path
from typing import ClassVar, NamedTuple

from csp.middleware import CSPMiddleware
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.security import SecurityMiddleware
from django.template import loader
from django.utils.translation import gettext as _

from diplomacy_site.events.stream import Receive, Scope, Send
from diplomacy_site.middleware import CautiousHeaders
from diplomacy_site.networks import PerNetwork, TooManyError
from games.api.problems import VERSION_1, problem_answer

BODY_SECONDS = 20
API_BYTES = 64 * 1024
WITHOUT_BODY = ("GET", "HEAD", "OPTIONS", "TRACE")
MOST_BYTES_TOGETHER = 64 * 1024 * 1024
REFUSALS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))


class RequestRefusedError(Exception):
    """The request is refused with this status."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


class ClientGoneError(Exception):
    """The client has disconnected."""


class ArrivingBody:
    """The body of a request while it arrives. When all bodies together take too much memory, the one that has been
    arriving for longest is given up."""

    arriving: ClassVar[dict[ArrivingBody, None]] = {}
    together: ClassVar[int] = 0

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._is_given_up = False
        self._time: asyncio.Timeout

    def __enter__(self) -> ArrivingBody:
        return self

    def __exit__(self, *_: object) -> None:
        self._give_memory_back()

    def joined(self) -> bytes:
        return b"".join(self._parts)

    async def arrive(self, receive: Receive, limit: int) -> None:
        """Receive the body. Raises RequestRefusedError (too long, too late or given up) or ClientGoneError."""
        try:
            async with asyncio.timeout(BODY_SECONDS) as self._time:
                ArrivingBody.arriving[self] = None
                while await self._receive(receive):
                    if self._size > limit:
                        raise RequestRefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        except TimeoutError:
            self._is_given_up = True
        finally:
            ArrivingBody.arriving.pop(self, None)
        if self._is_given_up:
            raise RequestRefusedError(HTTPStatus.REQUEST_TIMEOUT)

    async def _receive(self, receive: Receive) -> bool:
        """Receive the next piece; return whether more may come."""
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientGoneError
        self._parts.append(message.get("body", b""))
        self._size += len(self._parts[-1])
        ArrivingBody.together += len(self._parts[-1])
        while ArrivingBody.together > MOST_BYTES_TOGETHER:
            next(iter(ArrivingBody.arriving))._give_up()
        return bool(message.get("more_body"))

    def _give_up(self) -> None:
        self._is_given_up = True
        self._time.reschedule(asyncio.get_running_loop().time())
        del ArrivingBody.arriving[self]
        self._give_memory_back()

    def _give_memory_back(self) -> None:
        ArrivingBody.together -= self._size
        self._size = 0
        self._parts.clear()


class Reply(NamedTuple):
    """A complete response."""

    status: int
    headers: Sequence[tuple[str, str]]
    body: bytes

    async def deliver(self, send: Send) -> None:
        """Send it, and return once the client has received it."""
        headers = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in self.headers]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": self.body, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})  # waits for all before it


Pages = Callable[[Scope, bytes], Awaitable[Reply]]


class PatientPages:
    """Waits for clients, so that the pages don't have to."""

    def __init__(self, pages: Pages) -> None:
        self.pages = pages
        self.requests = PerNetwork(settings.OPEN_REQUESTS_PER_NETWORK)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_api = scope["path"].startswith(VERSION_1)
        try:
            with self.requests.one_more(scope.get("client")):
                limit = most_bytes(scope)
                # The server has checked that the length in the header is a number.
                if any(int(value) > limit for name, value in scope["headers"] if name == b"content-length"):
                    raise RequestRefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
                with ArrivingBody() as body:
                    await body.arrive(receive, limit)
                    answer = await self.pages(scope, body.joined())
                await answer.deliver(send)
        except TooManyError:
            await reply_of_refusal(HTTPStatus.TOO_MANY_REQUESTS, for_apps=is_api).deliver(send)
        except RequestRefusedError as refused:
            await reply_of_refusal(refused.status, for_apps=is_api).deliver(send)
        except ClientGoneError:
            pass


def most_bytes(scope: Scope) -> int:
    """How long a body may be: of a form, of a call of the API, of a page that takes files, or of anything else."""
    if scope["method"] in WITHOUT_BODY:
        return 0
    if scope["path"] == settings.FILES_PATH:
        return settings.LONGEST_FILE
    start, end = settings.ROSTERS
    if scope["path"].startswith(start) and scope["path"].endswith(end):
        return settings.LONGEST_ROSTER
    return API_BYTES if scope["path"].startswith(VERSION_1) else settings.DATA_UPLOAD_MAX_MEMORY_SIZE


@cache
def reply_of_refusal(status: HTTPStatus, *, for_apps: bool) -> Reply:
    """A short page, or a sentence for an app, with the headers that all pages have. Made only once."""
    words = {name: _(text).format(count=BODY_SECONDS) for name, text in REFUSALS[str(status.value)].items()}
    answer: HttpResponse
    if for_apps:
        answer = problem_answer(words["code"], words["sentence"])
    else:
        answer = HttpResponse(loader.get_template("refused.html").render(words), status=status)
    answer["Content-Length"] = str(len(answer.content))
    answer["Cache-Control"] = "no-store"
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        answer["Retry-After"] = "5"
    if status == HTTPStatus.REQUEST_TIMEOUT:
        answer["Connection"] = "close"
    for middleware in (SecurityMiddleware, XFrameOptionsMiddleware, CSPMiddleware, CautiousHeaders):
        middleware(lambda _: answer).process_response(HttpRequest(), answer)
    return Reply(status, list(answer.items()), answer.content)
