"""`./run`: both servers, the pages and two workers, until Ctrl-C."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from types import FrameType

from diplomacy_site.embedded import EmbeddedError, commands, copies, places, ports
from diplomacy_site.embedded.children import AS_CALLER, Child
from diplomacy_site.embedded.stack import Stack, sole_use

STOPPING_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
STEP = 0.3
PATIENCE = 60.0
PATIENCE_AT_THE_END = 15.0
SHORT_LIFE = 10.0
SHORT_LIVES_BORNE = 3
FOLDERS_WITH_WORDS = ("templates", "games", "variants", "diplomacy_site", "static/js")
SUFFIXES_WITH_WORDS = (".html", ".js", ".py", ".txt")
PSEUDO_CATALOGUE = places.DATA / "locale" / "xa" / "LC_MESSAGES" / "djangojs.mo"


class Watched:
    """A child that is restarted when it ends, unless it keeps ending right away. `start` starts it."""

    def __init__(self, child: Child, start: Callable[[], None]) -> None:
        self.child, self._start = child, start
        self.started = time.monotonic()
        self.short_lives = 0

    def start(self) -> None:
        self.started = time.monotonic()
        self._start()

    def watch(self) -> None:
        """Restart it if it ended; raises EmbeddedError with the end of its log if it keeps ending."""
        code = self.child.exit_code()
        if code is None:
            return
        self.short_lives = self.short_lives + 1 if time.monotonic() - self.started < SHORT_LIFE else 0
        if self.short_lives == SHORT_LIVES_BORNE:
            raise EmbeddedError(
                f"the process {self.child.name} keeps ending ({code}). It said:\n{self.child.end_of_log()}"
            )
        say(f"the process {self.child.name} ended ({code}) and is being restarted")
        try:
            self.start()
        except EmbeddedError as problem:  # it has ended again, and that counts
            say(str(problem))


def say(sentence: str) -> None:
    print(f"run: {sentence}", file=sys.stderr, flush=True)


def main(*, host: str, port: int, demonstration: bool) -> int:
    stop_on_signals()
    try:
        with sole_use(places.DATA) as is_alone:
            if not is_alone:
                raise EmbeddedError("another ./run (or manage.py) is already using this checkout. Stop it first.")
            ports.insist_on_free(host, port)
            stack = Stack(places.DATA, durable=True)
            names = " and ".join(child.name for child in stack.children())
            say(f"starting {names or 'with the servers you named'}")
            stack.start()
            try:
                serve_site(stack, host, port, demonstration=demonstration)
            finally:
                stack.stop()
    except KeyboardInterrupt:
        say("stopped; your games are kept for the next ./run")
    return 0


def stop_on_signals() -> None:
    """Let other signals that ask a program to end work like Ctrl-C."""

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        for number in STOPPING_SIGNALS:
            signal.signal(number, signal.SIG_IGN)  # the second Ctrl-C must not leave servers behind
        raise KeyboardInterrupt

    for number in STOPPING_SIGNALS:
        signal.signal(number, interrupt)


def serve_site(stack: Stack, host: str, port: int, *, demonstration: bool) -> None:
    environment = commands.environment_of_commands(stack, host, port)
    made_here = find_spec("babel") is not None  # one of the developers' tools
    if made_here and is_out_of_date(PSEUDO_CATALOGUE, *(places.CHECKOUT / folder for folder in FOLDERS_WITH_WORDS)):
        run_to_its_end(commands.PSEUDO_LANGUAGE, {**environment, "SITE_LANGUAGE": ""})
    say("updating the database tables")
    run_to_its_end(commands.MIGRATE, environment)
    accounts = ""
    if demonstration:
        say("setting up the demo games")
        accounts = run_to_its_end(commands.SEED, environment)
    if copies.CAN_COPY:
        copies.import_site(environment)
    with started_services(commands.commands_of_services(host, port), environment) as services:
        await_pages(services, host, port)
        announce(host, port, accounts)
        children = [*(Watched(server.child, server.start) for server in stack.servers.values()), *services]
        while True:  # until a signal arrives
            for child in children:
                child.watch()
            time.sleep(STEP)


def is_out_of_date(catalogue: Path, *folders: Path) -> bool:
    """Is the catalogue missing, or older than a file in these folders that has words for it?"""
    sources = (path for folder in folders for path in folder.rglob("*.*") if path.suffix in SUFFIXES_WITH_WORDS)
    return not catalogue.exists() or catalogue.stat().st_mtime < max(path.stat().st_mtime for path in sources)


def run_to_its_end(command: list[str], environment: dict[str, str]) -> str:
    """Run a command to its end and return its output; its errors go to the terminal."""
    result = subprocess.run(
        command,
        check=False,
        cwd=places.CHECKOUT,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **AS_CALLER.arguments(signal.SIGTERM),
    )
    if result.returncode:
        raise EmbeddedError(f"{' '.join(command[1:])} failed ({result.returncode}).\n{result.stdout}")
    return result.stdout


@contextlib.contextmanager
def started_services(command_lines: dict[str, list[str]], environment: dict[str, str]) -> Iterator[list[Watched]]:
    kind, services = copies.CopiedChild if copies.CAN_COPY else Child, list[Watched]()
    for name, command in command_lines.items():
        child = kind(name, places.DATA / "logs" / f"{name}.log")
        start = partial(child.start, command, folder=places.CHECKOUT, environment=environment)
        services.append(Watched(child, start))
    try:
        for each in services:
            each.start()
        yield services
    finally:
        for each in services:
            each.child.ask_to_stop()
        for each in services:
            each.child.await_end(PATIENCE_AT_THE_END)


def await_pages(services: list[Watched], host: str, port: int) -> None:
    end = time.monotonic() + PATIENCE
    while not ports.pages_answer(host, port):
        for each in services:
            each.watch()
        if time.monotonic() > end:
            raise EmbeddedError(f"the pages do not respond. See {places.DATA / 'logs'}.")
        time.sleep(STEP)


def announce(host: str, port: int, accounts: str) -> None:
    mail = os.path.relpath(places.DATA / "mail", places.CHECKOUT)
    print()
    print(f"The site is running at {ports.address_in_browser(host, port)}")
    if accounts.strip():
        print(f"\n{accounts.strip()}")
    print(
        f"\nEmails are not sent; they are written to {mail}/. Ctrl-C stops everything and keeps your games.", flush=True
    )
