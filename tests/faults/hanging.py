"""`python -m tests.faults.hanging`: what is told of a hung pool, a mail server that drips, and clocks that are wrong.

It starts what docker-compose.yml starts, as processes. Each part prints how late deadlines were closed meanwhile, and
when the administrators' letter arrived; `--clocks` needs libfaketime. Exits with an error if one was late.
"""

from __future__ import annotations

import argparse
import importlib
import os
import re
import signal
import time
from datetime import timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import django
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.utils import timezone

from tests.faults.site import children_of
from tests.faults.wires import LOCALHOST, Loop, Postbox
from tests.load.compose import MADE_UP, Compose
from tests.load.processes import Started, say, servers

if TYPE_CHECKING:
    from tests.load.processes import Site

COMPOSE = Path(__file__).parents[2] / "docker-compose.yml"
FAKETIME = "/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1"
WRONG, STARTS = (10, -10, 90, -90, 86_400, -86_400), (-90, 86_400)
"""In seconds; and those with which the process is started again too."""
NOTED = 11.0
"""Every queue has had a task meanwhile."""
ADMINISTRATOR = "host@example.org"
TOKEN = "a token of thirty-two characters or more"
SOON = timedelta(seconds=4)
LONGEST_LATE = 5.0
TOLD_WITHIN = 120.0
STEP = 0.2
SETTLED = 25.0
QUICK = 125.0
CLOCK = re.compile(r'diplomacy_clock_difference\{process="(\w+)"\} ([\d.e+]+)')


class Watched:
    """The running site, and its games, of which one is due when we like."""

    def __init__(self, site: Site, postbox: Postbox) -> None:
        self.site, self.postbox = site, postbox
        self.shifts = site.folder / "shifts"
        self.shifts.mkdir()
        self.due = 0

    def services(self, *, shifted: bool) -> dict[str, Started]:
        found = Compose(COMPOSE).site(self.site.port)
        ours = {"ADMIN_EMAIL": ADMINISTRATOR, "METRICS_TOKEN": TOKEN, "EMAIL_USE_TLS": "false"}
        for name, one in found.items():
            one.environment.update(ours, EMAIL_PORT=str(self.postbox.port), ALIVE_FILE=str(self.alive_file(name)))
            if shifted:
                self.shift(name, 0)
                one.environment.update(
                    LD_PRELOAD=FAKETIME,
                    FAKETIME_TIMESTAMP_FILE=str(self.shifts / name),
                    FAKETIME_NO_CACHE="1",
                    FAKETIME_DONT_FAKE_MONOTONIC="1",
                )
        return found

    def alive_file(self, name: str) -> Path:
        return self.site.folder / f"alive-{name}"

    def shift(self, name: str, seconds: int) -> None:
        draft = self.shifts / f"{name}.new"
        draft.write_text(f"{seconds:+}")
        draft.rename(self.shifts / name)

    def restart(self, name: str) -> None:
        child = self.site.children[name]
        child.kill()
        one = self.services_now[name]
        child.start(one.command, folder=COMPOSE.parent, environment={**os.environ, **one.environment})
        self.site.await_pages(60)

    def start(self, *, shifted: bool) -> None:
        self.services_now = self.services(shifted=shifted)
        self.site.start(self.services_now)

    def seconds_late(self) -> float:
        """How late a phase is closed whose deadline comes now."""
        from games.kernel import clock  # noqa: PLC0415 - the settings come first
        from games.kernel.models import Phase  # noqa: PLC0415

        phase = Phase.objects.get(game__slug=f"storm-{self.due}", ordinal=0)
        self.due += 1
        phase.deadline = clock.now() + SOON
        phase.save(update_fields=["deadline"])
        end = time.monotonic() + 120
        while phase.closed is None and time.monotonic() < end:
            time.sleep(STEP)
            phase.refresh_from_db()
        assert phase.closed is not None, "the phase was not closed in two minutes"
        return (phase.closed - phase.deadline).total_seconds()

    def ready(self) -> str:
        line = HTTPConnection(LOCALHOST, self.site.port, timeout=20)
        line.request("GET", "/readyz")
        found = line.getresponse().read().decode()
        line.close()
        return found

    def differences(self) -> dict[str, float]:
        """Process -> by how many seconds the site says that its clock is wrong."""
        line = HTTPConnection(LOCALHOST, self.site.port, timeout=20)
        line.request("GET", "/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
        found = {name: float(value) for name, value in CLOCK.findall(line.getresponse().read().decode())}
        line.close()
        return found

    def told(self) -> list[float]:
        return [mail.at for mail in self.postbox.arrived if mail.to == ADMINISTRATOR]

    def await_letter(self, began: float) -> float:
        while not self.told():
            assert time.monotonic() - began < 2 * TOLD_WITHIN, "no letter"
            time.sleep(STEP)
        return self.told()[0] - began


def load() -> str:
    return f"load {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores"


def pool(watched: Watched) -> None:
    """Both processes of the background pool are stopped."""
    watched.start(shifted=False)
    time.sleep(QUICK)
    assert not watched.told()
    children = children_of(watched.site.numbers()["background"])
    for child in children:
        os.kill(child, signal.SIGSTOP)
    began = time.monotonic()
    say(f"stopped {len(children)} processes of the pool")
    late = watched.seconds_late()
    seconds = watched.await_letter(began)
    say(f"hung pool: told after {seconds:.0f} s; a deadline meanwhile was {late:.1f} s late; {load()}")
    say(watched.ready())
    age = time.time() - Path(f"{watched.alive_file('background')}.work").stat().st_mtime
    say(f"the file of work is {age:.0f} s old")
    time.sleep(60)
    assert len(watched.told()) == 1, "one letter"
    for child in children:
        os.kill(child, signal.SIGCONT)
    began = time.monotonic()
    while '"background": false' in watched.ready():
        time.sleep(STEP)
    say(f"working again after {time.monotonic() - began:.1f} s")
    assert seconds < TOLD_WITHIN
    assert late < LONGEST_LATE


def mail(watched: Watched) -> None:
    """The mail server drips for all letters but the administrators'."""
    watched.start(shifted=False)
    time.sleep(QUICK)
    assert not watched.told()
    watched.postbox.drips_to_all_but = ADMINISTRATOR.upper().encode()
    late = watched.seconds_late()  # its letters are the first that drip
    began = time.monotonic()
    seconds = watched.await_letter(began)
    again = watched.seconds_late()
    say(f"mail server that drips: told after {seconds:.0f} s; deadlines {late:.1f} and {again:.1f} s late; {load()}")
    say(watched.ready())
    time.sleep(60)
    assert len(watched.told()) == 1, "one letter"
    watched.postbox.drips_to_all_but = b""
    began, before = time.monotonic(), len(watched.postbox.arrived)
    while len(watched.postbox.arrived) < before + 10:
        assert time.monotonic() - began < 300, "letters stay"
        time.sleep(STEP)
    say(f"ten letters arrived within {time.monotonic() - began:.0f} s of its recovery")
    assert seconds < TOLD_WITHIN
    assert max(late, again) < LONGEST_LATE


def clocks(watched: Watched) -> None:
    """One process's clock at a time jumps, and is wrong when the process starts."""
    watched.start(shifted=True)
    time.sleep(SETTLED)
    say(f"right clocks: {watched.seconds_late():.1f} s late, differences {watched.differences()}")
    worst = 0.0
    for name in ("deadlines", "background", "bots", "web"):
        for seconds in WRONG:
            watched.shift(name, seconds)
            late = {"jump": watched.seconds_late()}
            if seconds in STARTS:
                watched.restart(name)
                late["start"] = watched.seconds_late()
            time.sleep(NOTED)
            differs = {process: round(wrong) for process, wrong in watched.differences().items()}
            say(f"{name} {seconds:+} s: seconds late after a {late}; differences told: {differs}")
            worst = max(worst, *late.values())
        watched.shift(name, 0)
    say(f"latest {worst:.1f} s; {load()}")
    assert worst < 4 * LONGEST_LATE


def main() -> None:
    made = argparse.ArgumentParser(prog="python -m tests.faults.hanging", allow_abbrev=False)
    made.add_argument("part", choices=("pool", "mail", "clocks"))
    made.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    options = made.parse_args()
    with servers(keep=options.keep) as site:
        os.environ.update(MADE_UP, ADMIN_EMAIL=ADMINISTRATOR)
        django.setup()
        call_command("migrate", verbosity=0)
        importlib.import_module("tests.load.games").fill(60)  # it needs the settings
        get_user_model().objects.update(last_login=timezone.now())  # only confirmed addresses get letters
        globals()[options.part](Watched(site, Postbox(Loop())))


if __name__ == "__main__":
    main()
