"""Strangers from many addresses who each ask for another picture, beside a storm, on the small form of the site."""

from __future__ import annotations

import itertools
import os
import time
from collections import defaultdict
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import F, Value
from django.db.models.functions import Concat, Left
from redis import Redis

from games.kernel.models import Game
from tests.faults.site import children_of
from tests.faults.wires import LOCALHOST
from tests.load import growth, storm
from tests.load.games import fill
from tests.load.memory import pss_of_tree
from tests.load.processes import say

if TYPE_CHECKING:
    from tests.load.processes import Site

FIRST_ADDRESS = "10.0.0.1"
SHOWN = 300
"""Games whose pictures are asked for; they get another name whenever all of them have been asked for."""
CLIENTS = 24
KINDS = ("phases/0/card.png", "phases/0/card.png", "map.svg")
BEFORE_THE_STORM = 5.0
MEGA = 1e6


class Crowd:
    """Clients that ask for one new picture after another, each time from another address."""

    def __init__(self, site: Site, number: int) -> None:
        self.site = site
        self.numbers = iter(range(number))
        self.lock = Lock()
        self.seconds: dict[str, list[float]] = defaultdict(list)
        """By kind and status."""
        self.threads = [Thread(target=self._ask, daemon=True) for _ in range(CLIENTS)]

    def _next(self) -> int | None:
        with self.lock:
            number = next(self.numbers, None)
            if number is not None and number % (SHOWN * len(KINDS)) == 0:
                name = Concat(Left(F("slug"), 12), Value(f" {number}"))
                Game.objects.filter(slug__startswith="grown-").update(name=name)
            return number

    def _ask(self) -> None:
        wire = HTTPConnection(LOCALHOST, self.site.port, timeout=60)
        while (number := self._next()) is not None:
            kind = KINDS[number // SHOWN % len(KINDS)]
            address = str(ip_address(FIRST_ADDRESS) + number)
            began = time.monotonic()
            try:
                path = f"/games/grown-{growth.TEMPLATES + number % SHOWN}/{kind}"
                wire.request("GET", path, headers={"X-Forwarded-For": address, "Accept-Encoding": "gzip"})
                answer = wire.getresponse()
                answer.read()
                status = f"{kind.rpartition('.')[2]} {answer.status}"
            except (OSError, HTTPException) as problem:
                wire.close()
                status = type(problem).__name__
            with self.lock:
                self.seconds[status].append(time.monotonic() - began)


class Scales(Thread):
    """The most that the site has taken at any second: memory of the web and its painters, of Valkey, and the folder."""

    def __init__(self, site: Site) -> None:
        super().__init__(daemon=True)
        self.site, self.over = site, Event()
        self.most: dict[str, float] = defaultdict(float)

    def run(self) -> None:
        redis = Redis.from_url(os.environ["REDIS_URL"])
        while not self.over.wait(1):
            numbers = self.site.numbers()
            info: Any = redis.info("memory")
            web = numbers["web"]
            painters = sum(map(pss_of_tree, children_of(web)))
            self._note("web with its painters", pss_of_tree(web))
            self._note("of which painters", painters)
            self._note("Valkey, used_memory", info["used_memory"] / MEGA)
            self._note("Valkey, used_memory_rss", info["used_memory_rss"] / MEGA)
            self._note("pictures in the folder", _size_of(Path(settings.PICTURES_FOLDER)) / MEGA)

    def _note(self, name: str, megabytes: float) -> None:
        self.most[name] = max(self.most[name], megabytes)


def _size_of(folder: Path) -> int:
    size = 0
    for file in folder.glob("*"):
        with suppress(FileNotFoundError):
            size += file.stat().st_size
    return size


def pictures(site: Site, *, number: int, games: int) -> None:
    """Have so many pictures asked for while so many games are due; print what was answered, and what the site took."""
    storm.migrate()
    fill(max(games, growth.TEMPLATES))
    growth._grow(growth.TEMPLATES, growth.TEMPLATES + SHOWN, growth.TEMPLATES)
    site.start()
    time.sleep(storm.WARM_UP)
    crowd, scales, reader = Crowd(site, number), Scales(site), storm.Reader(site)
    began = time.monotonic()
    for each in (scales, reader, *crowd.threads):
        each.start()
    if games:
        time.sleep(BEFORE_THE_STORM)
        storm._due().update(deadline=storm.now_by_postgres())
        first, seconds = storm._until_nothing_is_due(time.monotonic())
        storm._require_one_result_each(max(games, growth.TEMPLATES))
        say(f"storm of {games}: {seconds:.1f} s, the first after {first:.1f} s, each closed once")
    for each in crowd.threads:
        each.join()
    took = time.monotonic() - began
    for each in (scales, reader):
        each.over.set()
        each.join()
    say(f"{number} requests from as many addresses in {took:.0f} s, {number / took:.0f} a second")
    for status, times in sorted(crowd.seconds.items()):
        late = sorted(times)
        half, most = (1000 * storm.share_of(late, share) for share in (0.5, 0.95))
        say(f"{status:<24} {len(late):>7}, p50 {half:.0f} ms, p95 {most:.0f} ms")
    late = sorted(reader.seconds)
    half, most = (1000 * storm.share_of(late, share) for share in (0.5, 0.95))
    say(f"pages meanwhile: {len(late)}, p50 {half:.0f} ms, p95 {most:.0f} ms")
    for name, megabytes in scales.most.items():
        say(f"{name:<24} {megabytes:>7.1f} MB at most")
    kept = [key for key in Redis.from_url(settings.CACHES["default"]["LOCATION"]).scan_iter() if b"limit:" not in key]
    say(f"keys in the cache's database, apart from limits: {sorted(map(bytes.decode, itertools.islice(kept, 30)))}")
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
