"""The site as processes that can be killed and started: two servers, the pages, two workers and the beat."""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import signal
import socket
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

from diplomacy_site.embedded import commands, places
from diplomacy_site.embedded.children import Child
from diplomacy_site.embedded.stack import Stack
from tests.faults.shifted import write_shift
from tests.faults.wires import LOCALHOST, Loop, Postbox, Wire

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

DATABASE, REDIS = "DATABASE_URL", "REDIS_URL"
WORKERS = ("worker 1", "worker 2")
"""One forks and does nothing but meet deadlines, as in production; one has threads and does everything, as under
./run."""
PROCESSES = ("web", *WORKERS, "beat")
POOLS = {"worker 1": "prefork", "worker 2": "threads"}
QUEUES = {"worker 1": "deadlines", "worker 2": "deadlines,background"}
PATIENCE = 90.0
STEP = 0.1
ROOM = 4 << 30
CLONE_NEWNS, CLONE_NEWUSER = 0x00020000, 0x10000000
MS_REMOUNT, MS_REC, MS_PRIVATE = 32, 16384, 1 << 18


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


class Site:
    """Everything that runs, and what can happen to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.disk = Disk(folder / "postgres")
        self.stack = Stack(folder, durable=True)
        self.loop = Loop()
        self.postbox = Postbox(self.loop)
        self.shift = 0.0
        self.shifts = [(time.monotonic(), 0.0)]
        self.clock = folder / "clock"
        write_shift(self.clock, 0)
        self.port = free_port()
        self.deaths = 0
        self.wires: dict[tuple[str, str], Wire] = {}
        self.services: dict[str, Child] = {}

    def start(self) -> None:
        """The servers, and the network that the other processes see of them."""
        self.stack.start()
        sockets = {
            DATABASE: places.postgres_sockets(self.folder) / ".s.PGSQL.5432",
            REDIS: places.valkey_socket(self.folder),
        }
        self.wires = {(who, name): Wire(self.loop, path) for who in PROCESSES for name, path in sockets.items()}
        self.services = {
            name: Child(name, self.folder / "logs" / f"{name.replace(' ', '-')}.log") for name in self.commands
        }

    def stop(self) -> None:
        for child in self.services.values():
            child.kill()
        self.stack.stop()
        shutil.rmtree(places.sockets(self.folder), ignore_errors=True)

    @property
    def commands(self) -> dict[str, list[str]]:
        wrapped = [sys.executable, "-m", "tests.faults.shifted", str(self.clock)]

        def on_this_clock(command: list[str]) -> list[str]:
            assert command[:2] == [sys.executable, "-m"]
            return [*wrapped, *command[2:]]

        found = commands.services(LOCALHOST, self.port)
        made = {name: on_this_clock(found[name]) for name in PROCESSES if name in found}
        for name in WORKERS:
            command = on_this_clock(commands.worker(QUEUES[name]))
            command[command.index("threads")] = POOLS[name]
            command[command.index(f"{QUEUES[name]}@%h")] = f"{name.replace(' ', '')}@%h"
            made[name] = [*command, "--heartbeat-interval", "1"]
        return made

    def environment(self, name: str) -> dict[str, str]:
        """The environment that leads a process to the servers, over wires that can be cut."""
        return {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "tests.faults.settings",
            DATABASE: f"postgresql://{places.NAME}@{LOCALHOST}:{self.wires[name, DATABASE].port}/{places.NAME}",
            REDIS: f"redis://{LOCALHOST}:{self.wires[name, REDIS].port}",
            "EMAIL_PORT": str(self.postbox.port),
            "ALIVE_FILE": str(self.alive_file(name)),
            "PYTHONUNBUFFERED": "1",
        }

    def alive_file(self, name: str) -> Path:
        return self.folder / f"alive-{name.replace(' ', '-')}"

    def start_service(self, name: str) -> None:
        self.services[name].start(self.commands[name], folder=places.CHECKOUT, environment=self.environment(name))

    def kill(self, names: Iterable[str]) -> None:
        """kill -9, with whatever it has forked."""
        for name in names:
            self.services[name].kill()

    def kill_redis(self) -> None:
        """Everything that it stored is lost."""
        self.stack.servers[REDIS].child.kill()
        shutil.rmtree(self.folder / "valkey", ignore_errors=True)

    def kill_postgres(self) -> None:
        self.stack.servers[DATABASE].child.kill(group=False)

    def kill_session(self) -> None:
        """Kill one of Postgres's processes, so that it disconnects everyone and recovers automatically."""
        postmaster = self.stack.servers[DATABASE].child.number()
        sessions = [number for number in children_of(postmaster) if b": diplomacy " in name_of(number)]
        if sessions:
            os.kill(random.choice(sessions), signal.SIGKILL)

    def supervise(self) -> None:
        """Restart what has ended, as any site's supervisor does."""
        for server in self.stack.servers.values():
            if server.child.exit_code() is not None:
                server.start()
        for name, child in self.services.items():
            if child.number() is None or child.exit_code() is not None:
                self.deaths += 1
                self.start_service(name)

    def set_clock(self, shift: float) -> None:
        self.shift = shift
        self.shifts.append((time.monotonic(), shift))
        write_shift(self.clock, shift)

    def await_up(self) -> float:
        """Wait until every process does its work again; return how many seconds it took. NotUpAgain if one does not."""
        began, wall = time.monotonic(), time.time()
        self._await(began, self.pages_answer, "the pages do not respond")
        for name in (*WORKERS, "beat"):
            self._await(began, lambda name=name: self._touched(name, wall), f"{name} does nothing")  # type: ignore[misc]
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

    def pages_answer(self) -> bool:
        try:
            with urlopen(f"http://{LOCALHOST}:{self.port}/healthz", timeout=10) as answer:
                return bool(answer.status == 200)
        except (URLError, OSError):
            return False


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
