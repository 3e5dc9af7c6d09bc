"""The site as `./run` and production serve it, for a test."""

from __future__ import annotations

import os
import socket
import subprocess
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

from django.conf import settings as site

from diplomacy_site.embedded import commands
from tests.database import database_address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PATIENCE_SECONDS = 60


@contextmanager
def served(log: Path, **environment: str) -> Iterator[str]:
    """The whole site as it is served in production, on the database of this test; its address."""
    made = {**os.environ, "DATABASE_URL": database_address(), **environment}
    with socket.create_server(("127.0.0.1", 0)) as door, log.open("wb") as said:
        number = door.fileno()
        server = subprocess.Popen(
            [*commands.command_of_pages("127.0.0.1", 0), "--fd", str(number)],
            pass_fds=[number],
            env=made,
            cwd=site.BASE_DIR,
            stdout=said,
            stderr=said,
        )
        try:
            address = f"http://127.0.0.1:{door.getsockname()[1]}"
            await_answer(f"{address}/healthz", server)
            yield address
        finally:
            server.terminate()
            server.wait(PATIENCE_SECONDS)


def await_answer(address: str, server: subprocess.Popen[bytes]) -> None:
    """However busy the machine is: only the end of the server ends the waiting, or that of the test."""
    while server.poll() is None:
        try:
            urlopen(address, timeout=PATIENCE_SECONDS).close()  # noqa: S310 - our own
        except URLError:
            threading.Event().wait(0.1)
        else:
            return
    raise AssertionError(f"{address} does not answer, as its server has ended with {server.returncode}")
