"""One connection of a browser or proxy to the server, with limits on unfinished requests.

The server itself limits only how long a connection may be idle between requests, so half a header could wait for ever.
"""

from __future__ import annotations

import resource
from asyncio import BaseTransport, TimerHandle, Transport
from contextlib import ExitStack
from functools import cache
from http import HTTPStatus
from typing import Any, ClassVar, cast

from django.conf import settings
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from diplomacy_site.networks import PerNetwork, TooManyError

HEAD_SECONDS = 10
HEAD_BYTES = 32 * 1024
READING_SECONDS = 60
"""For the client to read what it has been sent, apart from what the system keeps for it."""
MOST_PIPELINED = 10
"""Requests that are sent before the answers to earlier ones; each takes kilobytes, and browsers send none."""
MOST_CONNECTIONS = 20_000
MOST_UNREAD_BYTES = 64 * 1024 * 1024
SPARE_FILES = 128
"""Files that the process needs for everything but connections."""


class Connection(HttpToolsProtocol):
    """Closes unless headers are small and arrive in time, and the client reads the answers. Each network may open only
    so many, unless it is a proxy that says whose requests it passes on. When unread answers take too much memory
    together, the connection that has been reading for longest is closed."""

    unread_bytes: ClassVar[dict[Connection, int]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._counted_for_network = ExitStack()
        self._timer_for_head: TimerHandle | None = None
        self._timer_for_reading: TimerHandle | None = None
        self._await_head()

    def connection_made(self, transport: BaseTransport) -> None:
        connection = cast("Transport", transport)
        super().connection_made(connection)
        connection.set_write_buffer_limits(high=0)  # then `pause_writing` tells as soon as anything waits
        if not self._is_welcome():
            connection.abort()
            return
        self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._counted_for_network.close()
        self._stop_waiting_for_reader()
        self._stop_waiting_for_head()

    def data_received(self, data: bytes) -> None:
        while data and not self.transport.is_closing():
            part, data = data[: self._bytes_left], data[self._bytes_left :]
            self._bytes_left -= len(part)
            super().data_received(part)
            if self._bytes_left <= 0:
                self._refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE)
            if len(self.pipeline) > MOST_PIPELINED:
                self.transport.abort()
        if not self._timer_for_head and not self._is_answering() and not self.transport.is_closing():
            self._timer_for_head = self.loop.call_later(HEAD_SECONDS, self._end_unfinished)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Ignore headers after a body, which would replace those that have been checked."""
        if self._in_head:
            super().on_header(name, value)

    def on_body(self, body: bytes) -> None:
        self._bytes_left = HEAD_BYTES
        super().on_body(body)

    def on_headers_complete(self) -> None:
        self._in_head = False
        self._stop_waiting_for_head()
        super().on_headers_complete()

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._await_head()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._timer_for_reading = self.loop.call_later(READING_SECONDS, self.transport.abort)
        Connection.unread_bytes[self] = self.transport.get_write_buffer_size()
        while sum(Connection.unread_bytes.values()) > MOST_UNREAD_BYTES:
            slowest = next(iter(Connection.unread_bytes))
            slowest._stop_waiting_for_reader()
            slowest.transport.abort()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._stop_waiting_for_reader()

    def _stop_waiting_for_reader(self) -> None:
        Connection.unread_bytes.pop(self, None)
        if self._timer_for_reading:
            self._timer_for_reading.cancel()
            self._timer_for_reading = None

    def _stop_waiting_for_head(self) -> None:
        if self._timer_for_head:
            self._timer_for_head.cancel()
            self._timer_for_head = None

    def _await_head(self) -> None:
        self._in_head = True
        self._bytes_left = HEAD_BYTES

    def _is_welcome(self) -> bool:
        if len(self.connections) > most_connections():
            return False
        proxies = self.app.trusted_hosts if isinstance(self.app, ProxyHeadersMiddleware) else ()
        if self.client and self.client[0] not in proxies:
            try:
                self._counted_for_network.enter_context(connections_per_network().one_more(self.client))
            except TooManyError:
                return False
        return True

    def _is_answering(self) -> bool:
        return self.cycle is not None and not self.cycle.response_complete

    def _end_unfinished(self) -> None:
        """Close a connection that has waited too long for the rest of a header or of a refused body."""
        self._timer_for_head = None
        if self._is_answering():
            return
        if self._in_head:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT)
        else:
            self.transport.close()

    def _refuse(self, status: HTTPStatus) -> None:
        if not self._is_answering():
            line = f"HTTP/1.1 {status.value} {status.phrase}\r\n"
            self.transport.write(f"{line}content-length: 0\r\nconnection: close\r\n\r\n".encode())
        self.transport.close()


@cache
def connections_per_network() -> PerNetwork:
    """The count of open connections. A network may have as many as it may have streams and requests together."""
    return PerNetwork(settings.EVENT_STREAMS_PER_NETWORK + settings.OPEN_REQUESTS_PER_NETWORK)


@cache
def most_connections() -> int:
    """The most connections of all networks together that still let the process open the files it needs."""
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return MOST_CONNECTIONS if files == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, files - SPARE_FILES)
