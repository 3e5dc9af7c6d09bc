"""The processes of the site on servers of their own, and what they have used so far."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from diplomacy_site.embedded import commands, places, postgres
from diplomacy_site.embedded.children import Child
from diplomacy_site.embedded.stack import Stack
from tests.faults.site import children_of, free_port
from tests.faults.wires import LOCALHOST

PATIENCE = 60.0
STEP = 0.1
TICKS = os.sysconf("SC_CLK_TCK")
USED = slice(11, 15)
"""Ticks in user and system mode, the process's own and those of its children that have ended (proc_pid_stat)."""


@dataclass(frozen=True)
class Started:
    """One service: its command, and what its environment has besides ours."""

    command: list[str]
    environment: dict[str, str]


class Site:
    """What `./run` starts, in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.stack = Stack(folder, durable=True)
        self.port = free_port()
        self.children: dict[str, Child] = {}

    def start(self, wanted: dict[str, Started] | None = None) -> None:
        """The services of `./run`, or those wanted."""
        usual = {
            name: Started(command, {}) for name, command in commands.commands_of_services(LOCALHOST, self.port).items()
        }
        for name, one in (wanted or usual).items():
            self.children[name] = Child(name, self.folder / "logs" / f"{name}.log")
            self.children[name].start(
                one.command, folder=places.CHECKOUT, environment={**os.environ, **one.environment}
            )
        self.await_pages(PATIENCE)

    def await_pages(self, patience: float) -> None:
        end = time.monotonic() + patience
        while not self._answers():
            assert time.monotonic() < end, f"the pages do not respond; see {self.folder}/logs"
            time.sleep(STEP)

    def stop(self) -> None:
        for child in self.children.values():
            child.ask_to_stop()
        for child in self.children.values():
            child.await_end(PATIENCE)

    def seconds_used(self) -> dict[str, float]:
        """Processor time by process, forks included."""
        return {name: _used(number) for name, number in self.numbers().items()}

    def numbers(self) -> dict[str, int]:
        """The process ids by name, those of the servers too."""
        children = {**self.children, **{child.name: child for child in self.stack.children()}}
        return {name: number for name, child in children.items() if (number := child.process_id())}

    def read(self, path: str, timeout: float) -> bytes:
        with urlopen(f"http://{LOCALHOST}:{self.port}{path}", timeout=timeout) as answer:
            found: bytes = answer.read()
        return found

    def _answers(self) -> bool:
        try:
            return bool(self.read("/healthz", timeout=5))
        except (URLError, OSError):
            return False


def _used(number: int) -> float:
    try:
        facts = Path(f"/proc/{number}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return 0.0
    return sum(map(int, facts[USED])) / TICKS + sum(map(_used, children_of(number)))


def count_statements() -> None:
    """From the next start of a server on."""
    postgres.OPTIONS |= {"shared_preload_libraries": "pg_stat_statements", "pg_stat_statements.track_utility": "off"}


@contextmanager
def servers(*, keep: bool) -> Iterator[Site]:
    """A site whose servers run; the environment leads to them."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        os.environ.pop(name, None)
    site = Site(Path(tempfile.mkdtemp(prefix="diplomacy-load-")))
    os.environ.update(
        site.stack.environment(),
        DJANGO_SETTINGS_MODULE="tests.load.settings",
        LOAD_FOLDER=str(site.folder),
        PYTHONUNBUFFERED="1",
    )
    site.stack.start()
    try:
        yield site
    finally:
        site.stop()
        site.stack.stop()
        shutil.rmtree(places.folder_of_sockets(site.folder), ignore_errors=True)
        if keep:
            say(f"logs: {site.folder}/logs")
        else:
            shutil.rmtree(site.folder, ignore_errors=True)


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
