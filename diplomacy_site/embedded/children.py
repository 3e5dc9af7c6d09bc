"""Children: servers and commands that this process starts, watches and ends."""

import os
import signal
import subprocess
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Protocol

from diplomacy_site.embedded import EmbeddedError
from diplomacy_site.embedded.identity import Identity, PopenArguments, Runner

AS_CALLER = Runner(Identity.CALLER)
LAST_LINES = 15
STEP = 0.02


class StartedCommand(Protocol):
    """The part of Popen that Child uses."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> object: ...
    def send_signal(self, sig: signal.Signals, /) -> None: ...
    def kill(self) -> None: ...


class Child:
    """One long-running command; its output goes to its log."""

    def __init__(self, name: str, log: Path) -> None:
        self.name, self.log = name, log
        self._process: StartedCommand | None = None

    def start(
        self,
        command: list[str],
        *,
        folder: Path,
        environment: dict[str, str] | None = None,
        runner: Runner = AS_CALLER,
        death_signal: signal.Signals = signal.SIGTERM,
    ) -> None:
        """Start it in its own session, so that Ctrl-C in the terminal reaches only this process."""
        self.log.parent.mkdir(parents=True, exist_ok=True)
        # The log starts afresh with every launcher and continues when the child is restarted.
        with self.log.open("ab" if self._process else "wb") as output:
            self._process = self._begin(command, folder, output, environment, runner.arguments(death_signal))

    def _begin(
        self,
        command: list[str],
        folder: Path,
        output: IO[bytes],
        environment: dict[str, str] | None,
        arguments: PopenArguments,
    ) -> StartedCommand:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **arguments,
        )

    def exit_code(self) -> int | None:
        """The exit code; None while it runs or before it was started."""
        return self._process.poll() if self._process else None

    def process_id(self) -> int | None:
        """Its process id; None before it was started."""
        return self._process.pid if self._process else None

    def kill(self, *, group: bool = True) -> None:
        """Kill it as a power cut would, with its own children unless told otherwise."""
        if self._process is None or self._process.poll() is not None:
            return
        if group:
            os.killpg(self._process.pid, signal.SIGKILL)  # it has a session of its own
        else:
            self._process.kill()
        self._process.wait()

    def ask_to_stop(self, stop_signal: signal.Signals = signal.SIGTERM) -> None:
        if self._process and self._process.poll() is None:
            self._process.send_signal(stop_signal)

    def await_end(self, patience: float) -> None:
        """Wait for its end for that many seconds, then kill it."""
        if self._process is None:
            return
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def await_start(self, is_ready: Callable[[], bool], patience: float) -> None:
        """Wait until it is ready. Raises EmbeddedError with the end of its log if it ends or isn't ready after so many
        seconds."""
        end = time.monotonic() + patience
        while not is_ready():
            if self.exit_code() is not None or time.monotonic() > end:
                raise EmbeddedError(f"{self.name} did not start. It said:\n{self.end_of_log()}")
            time.sleep(STEP)

    def end_of_log(self) -> str:
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join(lines[-LAST_LINES:])


def find_program(package: str, pattern: str) -> Path:
    """The program that matches the pattern below the package. Raises EmbeddedError if this machine has none."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for program in sorted(Path(folder).glob(pattern)):
            return program
    raise EmbeddedError(f"This machine doesn’t have {package}. Set DATABASE_URL and REDIS_URL to servers of your own.")
