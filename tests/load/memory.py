"""How much memory the site takes at rest, process by process: as `./run` and as each compose file starts it."""

from __future__ import annotations

import importlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import django

from diplomacy_site.embedded import places, postgres, valkey
from tests.faults.site import children_of
from tests.load import compose
from tests.load.processes import Site, say, servers

FILES = {"compose": ["docker-compose.yml"], "small": ["docker-compose.yml", "docker-compose.small.yml"]}
LAUNCHER = "./run itself"
GAMES, WATCHERS = 50, 100
PAGES = ("/", "/games/", "/games/storm-0/", "/games/storm-1/")
PATIENCE = 120.0
KILO = 1024.0


def _name(number: int) -> str:
    return Path(f"/proc/{number}/comm").read_text().strip()


def pss_of_tree(number: int) -> float:
    """In MB, this process and all it has started; what several have in common counts in parts."""
    return _pss(number) + sum(pss_of_tree(child) for child in children_of(number))


def _pss(number: int) -> float:
    try:
        lines = Path(f"/proc/{number}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / KILO for line in lines if line.startswith("Pss:")), 0.0)


def memory(form: str, minutes: float, *, keep: bool) -> None:
    """Start one form of the site, wait, and print what each of its processes takes."""
    if form == "run":
        _as_run(60 * minutes)
    else:
        _as_compose([places.CHECKOUT / name for name in FILES[form]], 60 * minutes, keep=keep)


def _as_run(seconds: float) -> None:
    """With the demonstration game, and everything that the launcher itself does."""
    folder = Path(tempfile.mkdtemp(prefix="diplomacy-load-"))
    site = Site(folder)
    command = [sys.executable, "-m", "tests.load.elsewhere", str(folder), "--port", str(site.port)]
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "tests.load.settings", "LOAD_FOLDER": str(folder)}
    for name in ("DATABASE_URL", "REDIS_URL"):
        environment.pop(name, None)
    running = subprocess.Popen(command, cwd=places.CHECKOUT, env=environment, stdout=subprocess.DEVNULL)
    try:
        site.await_pages(PATIENCE)
        time.sleep(seconds)
        report("./run", {LAUNCHER: running.pid, **{_name(one): one for one in children_of(running.pid)}})
    finally:
        running.send_signal(signal.SIGINT)
        running.wait(PATIENCE)
        shutil.rmtree(folder, ignore_errors=True)


def _as_compose(files: list[Path], seconds: float, *, keep: bool) -> None:
    """With games, and with readers whose streams of events stay open. The proxy is not started."""
    found = compose.Compose(*files)
    postgres.OPTIONS = compose.POSTGRES_OF_ITSELF | found.postgres_options()
    valkey.OPTIONS = found.redis_options()
    with servers(keep=keep) as site:
        django.setup()
        storm, games, watchers = (importlib.import_module(f"tests.load.{it}") for it in ("storm", "games", "watchers"))
        storm.migrate()
        games.fill(GAMES)
        wanted = found.site(site.port)
        _collect_static(wanted["web"].environment)
        site.start(wanted)
        for path in PAGES:
            site.read(path, timeout=60)
        crowd = watchers.Crowd(site.port, [f"storm-{number}" for number in range(GAMES)])
        crowd.gather(WATCHERS)
        time.sleep(seconds)
        assert not crowd.refused
        what = " + ".join(file.name for file in files)
        report(f"{what}, {GAMES} games, {WATCHERS} watchers, without the proxy", site.numbers())


def _collect_static(environment: dict[str, str]) -> None:
    command = [sys.executable, "manage.py", "collectstatic", "--noinput", "--verbosity", "0"]
    subprocess.run(command, check=True, cwd=places.CHECKOUT, env={**os.environ, **environment})


def report(what: str, roots: dict[str, int]) -> None:
    """One line for each process with all that it has started; the launcher's children have lines of their own."""
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    taken = {name: _pss(number) if name == LAUNCHER else pss_of_tree(number) for name, number in roots.items()}
    for name, megabytes in taken.items():
        say(f"{name:<12} {megabytes:>6.1f} MB")
    say(f"{'together':<12} {sum(taken.values()):>6.1f} MB: {what}")
