"""The site as processes that can be killed and started: two servers, the pages and the workers, on one machine or as on
many."""

from __future__ import annotations

import configparser
import ctypes
import os
import random
import shutil
import signal
import socket
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

from redis.exceptions import RedisError

from diplomacy_site import shared_counts
from diplomacy_site.embedded import commands, places
from diplomacy_site.embedded.children import AS_CALLER, Child
from diplomacy_site.embedded.stack import Stack
from diplomacy_site.embedded.valkey import Valkey
from tests.faults.shifted import write_shift
from tests.faults.wires import LOCALHOST, Loop, Postbox, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from redis import Redis

DATABASE, REDIS = "DATABASE_URL", "REDIS_URL"
POOLER = "PgBouncer"
DEADLINES, BOTH = "deadlines", "deadlines,background"


PATIENCE = 90.0
STEP = 0.1
ROOM = 4 << 30
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REMOUNT, MS_REC, MS_PRIVATE = 32, 16384, 1 << 18


@dataclass(frozen=True)
class Layout:
    """The processes. `pools` and `queues` belong to the workers: those for more than deadlines have a beat."""

    webs: tuple[str, ...]
    workers: tuple[str, ...]
    pools: tuple[str, ...]
    queues: tuple[str, ...]
    pooled: bool = False

    @property
    def beats(self) -> tuple[str, ...]:
        return tuple(name for name, queues in zip(self.workers, self.queues, strict=True) if queues == BOTH)


ONE = Layout(("web",), ("worker 1", "worker 2"), ("prefork", "threads"), (DEADLINES, BOTH))
"""One worker forks and does nothing but meet deadlines, as in production; one has threads and does everything."""
MANY = Layout(
    ("web 1", "web 2"),
    ("worker 1", "worker 2", "worker 3"),
    ("prefork", "threads", "prefork"),
    (DEADLINES, BOTH, BOTH),
    pooled=True,
)


class NotUpAgain(Exception):
    """A restarted process doesn't do its work."""


class Disk:
    """A separate disk for Postgres, in memory, if this machine permits that; it can become full."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.library = ctypes.CDLL(None, use_errno=True)
        folder.mkdir(parents=True, mode=0o700)
        self.mounted = self._own_mounts() and self._mount(b"tmpfs", 0, f"size={ROOM},mode=0700")

    def _own_mounts(self) -> bool:
        """A private view of the file systems, so that it disappears with this process."""
        user, group = os.geteuid(), os.getegid()
        if user == 0:
            alone = self.library.unshare(CLONE_NEWNS) == 0
        elif alone := self.library.unshare(CLONE_NEWNS | CLONE_NEWUSER) == 0:
            Path("/proc/self/setgroups").write_text("deny")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1")
        return alone and bool(self.library.mount(b"none", b"/", None, MS_REC | MS_PRIVATE, None) == 0)

    def _mount(self, kind: bytes, flags: int, options: str) -> bool:
        where = str(self.folder).encode()
        return bool(self.library.mount(kind, where, kind, flags, options.encode()) == 0)

    def fill(self) -> None:
        """Leave no room for another byte."""
        found = os.statvfs(self.folder)
        used = (found.f_blocks - found.f_bfree) * found.f_frsize
        assert self._mount(b"tmpfs", MS_REMOUNT, f"size={used}"), "the disk could not be filled"

    def empty(self) -> None:
        assert self._mount(b"tmpfs", MS_REMOUNT, f"size={ROOM}"), "the disk could not be emptied"


def pgbouncer() -> str | None:
    """The program, if it is installed."""
    return shutil.which("pgbouncer", path=f"{os.environ['PATH']}:/usr/sbin")


def write_pooler_settings(file: Path, port: int, server: str, server_port: int) -> None:
    """Those of the repository, except for places and passwords."""
    found = configparser.ConfigParser()
    found.read(places.CHECKOUT / "pgbouncer.ini")
    users = file.with_name("users.txt")
    users.write_text(f'"{places.DATABASE_NAME}" ""\n')
    found["databases"][places.DATABASE_NAME] = f"host={server} port={server_port}"
    here = {"listen_addr": LOCALHOST, "listen_port": port, "auth_type": "trust", "auth_file": users}
    found["pgbouncer"].update({**{name: str(value) for name, value in here.items()}, "unix_socket_dir": ""})
    with file.open("w") as written:
        found.write(written)


class Site:
    """Everything that runs, and what can happen to it."""

    def __init__(self, folder: Path, layout: Layout = ONE) -> None:
        self.folder, self.layout = folder, layout
        self.pooler = pgbouncer() if layout.pooled else None
        self.disk = Disk(folder / "postgres")
        self.stack = Stack(folder, durable=True)
        self.loop = Loop()
        self.postbox = Postbox(self.loop)
        self.shift = 0.0
        self.shifts = [(time.monotonic(), 0.0)]
        self.clock = folder / "clock"
        write_shift(self.clock, 0)
        self.ports = [free_port() for _ in layout.webs]
        self.pooler_port = free_port()
        self.deaths = 0
        self.wires: dict[tuple[str, str], Wire] = {}
        self.services: dict[str, Child] = {}

    def start(self) -> None:
        """The servers, and the network that the other processes see of them."""
        self.stack.start()
        postgres = places.postgres_sockets(self.folder) / ".s.PGSQL.5432"
        redis = places.valkey_socket(self.folder)
        for name in (*self.layout.webs, *self.layout.workers):
            self.wires[name, DATABASE] = Wire(self.loop, self.pooler_port if self.pooler else postgres)
            self.wires[name, REDIS] = Wire(self.loop, redis)
        if self.pooler:
            self.wires[POOLER, DATABASE] = Wire(self.loop, postgres)
            write_pooler_settings(self.pooler_settings, self.pooler_port, LOCALHOST, self.wires[POOLER, DATABASE].port)
        self.services = {
            name: Child(name, self.folder / "logs" / f"{name.replace(' ', '-')}.log") for name in self.commands
        }

    @property
    def pooler_settings(self) -> Path:
        return self.folder / "pgbouncer.ini"

    def stop(self) -> None:
        for child in self.services.values():
            child.kill()
        self.stack.stop()
        shutil.rmtree(places.folder_of_sockets(self.folder), ignore_errors=True)

    @property
    def commands(self) -> dict[str, list[str]]:
        wrapped = [sys.executable, "-m", "tests.faults.shifted", str(self.clock)]

        def on_this_clock(command: list[str]) -> list[str]:
            assert command[:2] == [sys.executable, "-m"]
            return [*wrapped, *command[2:]]

        made = {POOLER: [self.pooler, str(self.pooler_settings)]} if self.pooler else {}
        for name, port in zip(self.layout.webs, self.ports, strict=True):
            made[name] = on_this_clock(commands.command_of_pages(LOCALHOST, port))
        of_workers = zip(self.layout.workers, self.layout.pools, self.layout.queues, strict=True)
        for name, pool, queues in of_workers:
            command = on_this_clock(commands.command_of_worker(queues))
            command[command.index("threads")] = pool
            command[command.index(f"{queues}@%h")] = f"{name.replace(' ', '')}@%h"
            made[name] = [*command, "--heartbeat-interval", "1"]
        return made

    def environment(self, name: str) -> dict[str, str]:
        """The environment that leads a process to the servers, over wires that can be cut."""
        own = places.DATABASE_NAME
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            DATABASE: f"postgresql://{own}@{LOCALHOST}:{self.wires[name, DATABASE].port}/{own}",
            REDIS: f"redis://{LOCALHOST}:{self.wires[name, REDIS].port}",
            "EMAIL_PORT": str(self.postbox.port),
            "PGBOUNCER": "yes" if self.pooler else "no",
            "ALIVE_FILE": str(self.alive_file(name)),
            "PYTHONUNBUFFERED": "1",
        }

    def alive_file(self, name: str) -> Path:
        return self.folder / f"alive-{name.replace(' ', '-')}"

    def start_service(self, name: str) -> None:
        """PgBouncer does not run as root either, so it gets Postgres's user."""
        runner = self.stack.runner if name == POOLER else AS_CALLER
        environment = {} if name == POOLER else self.environment(name)
        self.services[name].start(self.commands[name], folder=places.CHECKOUT, environment=environment, runner=runner)

    def kill(self, names: Iterable[str]) -> None:
        """kill -9, with whatever it has forked."""
        for name in names:
            self.services[name].kill()

    def kill_redis(self) -> None:
        """Everything that it stored is lost."""
        self.stack.servers[REDIS].child.kill()

    @property
    def redis(self) -> Redis:
        server = self.stack.servers[REDIS]
        assert isinstance(server, Valkey)
        return server.client

    def kill_postgres(self) -> None:
        self.stack.servers[DATABASE].child.kill(group=False)

    def kill_session(self) -> None:
        """Kill one of Postgres's processes, so that it disconnects everyone and recovers automatically."""
        postmaster = self.stack.servers[DATABASE].child.process_id()
        sessions = [number for number in children_of(postmaster) if b": diplomacy " in name_of(number)]
        if sessions:
            os.kill(random.choice(sessions), signal.SIGKILL)

    def supervise(self) -> None:
        """Restart what has ended, as any site's supervisor does."""
        for server in self.stack.servers.values():
            if server.child.exit_code() is not None:
                server.start()
        for name, child in self.services.items():
            if child.process_id() is None or child.exit_code() is not None:
                self.deaths += 1
                self.start_service(name)

    def set_clock(self, shift: float) -> None:
        self.shift = shift
        self.shifts.append((time.monotonic(), shift))
        write_shift(self.clock, shift)

    def await_up(self) -> float:
        """Wait until every process does its work again; return how many seconds it took. NotUpAgain if one does not."""
        began, wall = time.monotonic(), time.time()
        for port in self.ports:
            self._await(began, lambda port=port: pages_answer(port), "the pages do not respond")  # type: ignore[misc]
        for name in self.layout.workers:
            self._await(began, lambda name=name: self._touched(name, wall), f"{name} does nothing")  # type: ignore[misc]
        self._await(began, lambda: swept_since(began), "no beat sends, or nobody sweeps")
        return time.monotonic() - began

    def _await(self, began: float, done: Callable[[], bool], complaint: str) -> None:
        while not done():
            self.supervise()
            if time.monotonic() > began + PATIENCE:
                raise NotUpAgain(complaint)
            time.sleep(STEP)

    def _touched(self, name: str, after: float) -> bool:
        file = self.alive_file(name)
        return file.exists() and file.stat().st_mtime > after


def pages_answer(port: int) -> bool:
    try:
        with urlopen(f"http://{LOCALHOST}:{port}/healthz", timeout=10) as answer:
            return bool(answer.status == 200)
    except (URLError, OSError):
        return False


def swept_since(moment: float) -> bool:
    """Whether a sweep that a beat sent has ended since then, to the second."""
    try:
        found = shared_counts.last_moments().get(shared_counts.SWEEP)
    except RedisError:
        return False
    return found is not None and found.age <= time.monotonic() - moment


def free_port() -> int:
    with socket.create_server((LOCALHOST, 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def children_of(parent: int | None) -> list[int]:
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            facts = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(facts[1]) == parent:
            found.append(int(folder.name))
    return found


def name_of(number: int) -> bytes:
    try:
        return Path(f"/proc/{number}/cmdline").read_bytes()
    except OSError:
        return b""
