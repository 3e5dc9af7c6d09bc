"""Children: servers and commands that this process starts, watches and ends."""

import os
import signal
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Protocol

from diplomacy_site.embedded import EmbeddedError
from diplomacy_site.embedded.identity import Identity, PopenArguments, Runner

AS_CALLER = Runner(Identity.CALLER)
LINES_SHOWN = 15


class Running(Protocol):
    """What a started command is asked."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> object: ...
    def send_signal(self, sig: signal.Signals, /) -> None: ...
    def kill(self) -> None: ...


class Child:
    """One long-running command; its output goes to its log."""

    def __init__(self, name: str, log: Path) -> None:
        self.name, self.log = name, log
        self._running: Running | None = None

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
        with self.log.open("ab" if self._running else "wb") as output:
            self._running = self._begin(command, folder, output, environment, runner.arguments(death_signal))

    def _begin(
        self,
        command: list[str],
        folder: Path,
        output: IO[bytes],
        environment: dict[str, str] | None,
        more: PopenArguments,
    ) -> Running:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            **more,
        )

    def exit_code(self) -> int | None:
        """None while it runs or before it was started."""
        return self._running.poll() if self._running else None

    def number(self) -> int | None:
        """Its process id; None before it was started."""
        return self._running.pid if self._running else None

    def kill(self, *, group: bool = True) -> None:
        """Kill it as a power cut would, with its own children unless told otherwise."""
        if self._running is None or self._running.poll() is not None:
            return
        if group:
            os.killpg(self._running.pid, signal.SIGKILL)  # it has a session of its own
        else:
            self._running.kill()
        self._running.wait()

    def ask_to_stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self._running and self._running.poll() is None:
            self._running.send_signal(how)

    def await_end(self, patience: float) -> None:
        """Wait that many seconds, then kill it."""
        if self._running is None:
            return
        try:
            self._running.wait(patience)
        except subprocess.TimeoutExpired:
            self._running.kill()
            self._running.wait()

    def last_words(self) -> str:
        """The end of its log."""
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join(lines[-LINES_SHOWN:])


def find_program(package: str, pattern: str) -> Path:
    """The program that matches the pattern below the package; EmbeddedError if this machine has none."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations or ()) if spec else ():
        for program in sorted(Path(folder).glob(pattern)):
            return program
    raise EmbeddedError(f"This machine doesn’t have {package}. Set DATABASE_URL and REDIS_URL to servers of your own.")
