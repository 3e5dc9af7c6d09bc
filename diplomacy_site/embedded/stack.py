"""Both servers together, as one checkout or one test run needs them."""

import contextlib
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path

from diplomacy_site.embedded import EmbeddedError, identity, places
from diplomacy_site.embedded.children import Child
from diplomacy_site.embedded.identity import Identity
from diplomacy_site.embedded.postgres import Postgres
from diplomacy_site.embedded.valkey import Valkey

VARIABLES = ("DATABASE_URL", "REDIS_URL")


class Stack:
    """The embedded servers, except those that the environment replaces."""

    def __init__(self, data: Path, *, durable: bool) -> None:
        self.data = data
        self.runner = identity.choose_runner()
        self.servers: dict[str, Postgres | Valkey] = {}
        if not os.environ.get("REDIS_URL"):
            self.servers["REDIS_URL"] = Valkey(data)
        if not os.environ.get("DATABASE_URL"):
            self.servers["DATABASE_URL"] = Postgres(data, self.runner, durable=durable)

    def start(self) -> None:
        self.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        # The user nobody must be able to pass through this folder to its own.
        is_nobody = self.runner.identity is Identity.NOBODY
        places.make_private_sockets(self.data, 0o711 if is_nobody else 0o700)
        try:
            for server in self.servers.values():
                server.start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        for server in self.servers.values():
            server.stop()

    def is_responding(self) -> bool:
        return all(server.is_responding() for server in self.servers.values())

    def children(self) -> list[Child]:
        return [server.child for server in self.servers.values()]

    def environment(self) -> dict[str, str]:
        """The variables that lead the settings to these servers."""
        return {name: server.address for name, server in self.servers.items()}


@contextlib.contextmanager
def sole_use(data: Path) -> Iterator[bool]:
    """Yield whether only this process may run servers on the data folder, until the end of the block."""
    data.mkdir(mode=0o700, exist_ok=True)
    with (data / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            yield False
        else:
            yield True


@contextlib.contextmanager
def attached_or_started(data: Path = places.DATA) -> Iterator[None]:
    """Use the servers that already run for this checkout, or start them until the end of the block."""
    if all(os.environ.get(name) for name in VARIABLES):
        yield
        return
    with sole_use(data) as is_alone:
        stack = Stack(data, durable=True)
        if is_alone:
            stack.start()
        elif not stack.is_responding():
            raise EmbeddedError(f"Another command is starting or stopping the servers of {data}. Try again.")
        os.environ.update(stack.environment())
        try:
            yield
        finally:
            if is_alone:
                stack.stop()
