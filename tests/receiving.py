"""A real external site: accepts posts and responds with a status."""

from __future__ import annotations

import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from types import TracebackType


class Receiver:
    """On this machine, at `place` ("127.0.0.1:4711"). `got` has the headers and body of each post, in sequence; each
    response has the `status`, redirects elsewhere, and its body is what is `said`. Used with `with`, it ends."""

    def __init__(self, status: int) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.status = status
        self.said = b""
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.got.append((dict(self.headers), body))
                self.send_response(receiver.status)
                self.send_header("Location", "/elsewhere")
                self.end_headers()
                if receiver.status != HTTPStatus.NO_CONTENT:
                    self.wfile.write(receiver.said)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the library's name
                pass

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.place = f"127.0.0.1:{self.server.server_port}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.server.shutdown()
        self.server.server_close()
