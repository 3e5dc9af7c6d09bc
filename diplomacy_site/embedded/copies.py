"""Child processes that are copies of this one, so that what it has imported is in memory only once."""

import ctypes
import gc
import math
import os
import runpy
import signal
import subprocess
import sys
import time
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import IO

import django

from diplomacy_site.embedded.children import AS_CALLER, Child
from diplomacy_site.embedded.identity import LINUX

CAN_COPY = LINUX
"""On macOS, a process that has used the system's libraries must not go on as a copy."""
IMPORTED_BY_ALL = (
    *("diplomacy_site.urls", "uvicorn.main", "diplomacy_site.connections", "a2wsgi"),
    *(
        "celery.apps.worker",
        "celery.bin.worker",
        "celery.concurrency.thread",
        "celery.concurrency.solo",
        "celery.worker.consumer",
    ),
)
PR_SET_NAME = 15
PLACE_OF_MODULE = 2
"""Where the module stands in `python -m MODULE …`."""
MOST_OPEN_FILES = 1024
STEP = 0.02


def import_site(environment: dict[str, str]) -> None:
    """Import the site with these variables; nothing connects to a server yet."""
    os.environ.update(environment)
    django.setup()
    for name in IMPORTED_BY_ALL:
        import_module(name)
    import_module("diplomacy_site.celery").app.loader.import_default_modules()
    gc.collect()
    gc.freeze()  # the collector would otherwise write to every object and so give each copy its own


class CopiedProcess:
    """The part of Popen that `Child` needs, for a command `python -m MODULE …`."""

    def __init__(self, name: str, command: list[str], folder: Path, output: IO[bytes]) -> None:
        prepare = AS_CALLER.arguments(signal.SIGTERM)["preexec_fn"]

        def become() -> None:
            prepare()
            ctypes.CDLL(None).prctl(PR_SET_NAME, name.encode(), 0, 0, 0)
            detach_from_original(folder, output)
            sys.argv = command[PLACE_OF_MODULE:]
            runpy.run_module(command[PLACE_OF_MODULE], run_name="__main__", alter_sys=True)

        self._process = get_context("fork").Process(target=become, name=name)
        self._process.start()
        assert self._process.pid
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> None:
        """Wait without `join`, which waits for a file that the copy has closed."""
        end = time.monotonic() + (math.inf if timeout is None else timeout)
        while self.poll() is None:
            if time.monotonic() > end:
                raise subprocess.TimeoutExpired(self._process.name, timeout or 0)
            time.sleep(STEP)

    def send_signal(self, number: signal.Signals) -> None:
        os.kill(self.pid, number)

    def kill(self) -> None:
        self._process.kill()


def detach_from_original(folder: Path, output: IO[bytes]) -> None:
    """As `exec` would, give the copy its own session and log, and no signals or open files of the original."""
    os.setsid()
    os.chdir(folder)
    for name in ("SIGTERM", "SIGHUP"):
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in enumerate((nothing, output.fileno(), output.fileno())):
        os.dup2(file, number)
    os.closerange(3, MOST_OPEN_FILES)
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]  # the launcher's own is a text file


class CopiedChild(Child):
    """A child that runs as a copy."""

    def _begin(self, command: list[str], folder: Path, output: IO[bytes], *_: object) -> CopiedProcess:
        return CopiedProcess(self.name, command, folder, output)
