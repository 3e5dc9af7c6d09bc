"""Many deadlines at the same moment: how fast the results come, and what everyone else notices."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import TYPE_CHECKING
from urllib.error import URLError

from django.core.management import call_command
from django.db import connection

from diplomacy_site.embedded import commands, places
from diplomacy_site.embedded.children import Child
from games.bots.services import turns_nobody_has_claimed
from games.kernel.models import Letter, Phase, Result
from tests.faults.site import free_port, pgbouncer, write_pooler_settings
from tests.faults.wires import LOCALHOST
from tests.load.games import fill
from tests.load.processes import say

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from tests.load.processes import Site

PAGES = ("/", "/games/", "/games/storm-0/", "/games/storm-1/", "/games/storm-0/phases/0/")
PAUSE = 0.5
LOOKS = 0.25
LONGEST = 1800.0
LETTERS_WATCHED = 120.0
WARM_UP = 12.0


@dataclass
class Reader(Thread):
    """A stranger who opens one public page after another, two a second."""

    site: Site
    seconds: list[float] = field(default_factory=list)
    over: Event = field(default_factory=Event)

    def __post_init__(self) -> None:
        super().__init__(daemon=True)

    def __hash__(self) -> int:
        return id(self)

    def run(self) -> None:
        number = 0
        while not self.over.wait(PAUSE):
            began = time.monotonic()
            try:
                self.site.read(PAGES[number % len(PAGES)], timeout=60)
            except (URLError, OSError):
                continue
            finally:
                number += 1
            self.seconds.append(time.monotonic() - began)


def storm(site: Site, games: int, bots: int, *, nodes: bool) -> None:
    """Fill the site, let all deadlines pass at once, and print what happens; beside so many games that keep the bots
    busy, or by two nodes of which one dies meanwhile."""
    migrate()
    began = time.monotonic()
    fill(games, bots=bots)
    say(f"{games} games filled in {time.monotonic() - began:.1f} s")
    if nodes:
        start_pooler(site)
    site.start()
    if nodes:
        start_second_node(site)
    time.sleep(WARM_UP)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM ANALYZE")
    reset_statements()
    reader = Reader(site)
    before, began = site.seconds_used(), time.monotonic()
    _due().update(deadline=now_by_postgres())
    reader.start()
    if nodes:
        kill_second_node(site, once_closed=games // 3)
    first, seconds = _until_nothing_is_due(began)
    used, statements = site.seconds_used(), statements_made()
    reader.over.set()
    reader.join()
    _require_one_result_each(games)
    sent = Letter.objects.filter(sent__isnull=False).count()
    say(f"storm of {games}: {seconds:.1f} s, {games / seconds:.1f} games/s, the first after {first:.1f} s")
    if bots:
        say(f"seats that bots have still to play in {bots} other games: {len(turns_nobody_has_claimed())}")
    say(f"load of the machine: {' '.join(f'{one:.1f}' for one in os.getloadavg())} on {os.cpu_count()} cores")
    say(f"statements: {statements / games:.1f} a game")
    spent = {name: 1000 * (used[name] - before[name]) / games for name in used if used[name]}  # not what was killed
    say(f"CPU: {sum(spent.values()):.1f} ms a game: {', '.join(f'{name} {ms:.1f}' for name, ms in spent.items())}")
    if reader.seconds:
        late = sorted(reader.seconds)
        half, most = (1000 * share_of(late, share) for share in (0.5, 0.95))
        say(f"pages meanwhile: {len(late)}, p50 {half:.0f} ms, p95 {most:.0f} ms")
    say(f"letters sent meanwhile: {sent}; then {_letters_a_second(site)}")


def start_pooler(site: Site) -> None:
    """PgBouncer between Postgres and what is started from here on, if it is installed."""
    program, port, file = pgbouncer(), free_port(), site.folder / "pgbouncer.ini"
    if program is None:
        say("without PgBouncer, which is not installed")
        return
    write_pooler_settings(file, port, str(places.postgres_sockets(site.folder)), 5432)
    site.children["pgbouncer"] = Child("pgbouncer", site.folder / "logs" / "pgbouncer.log")
    site.children["pgbouncer"].start([program, str(file)], folder=places.CHECKOUT, runner=site.stack.runner)
    address = f"postgresql://{places.DATABASE_NAME}@{LOCALHOST}:{port}/{places.DATABASE_NAME}"
    os.environ.update(DATABASE_URL=address, PGBOUNCER="yes")


def start_second_node(site: Site) -> None:
    """The same services once more."""
    usual = commands.commands_of_services(LOCALHOST, free_port())
    for name, command in usual.items():
        child = Child(f"second-{name}", site.folder / "logs" / f"second-{name}.log")
        child.start(command, folder=places.CHECKOUT, environment=dict(os.environ))
        site.children[child.name] = child


def kill_second_node(site: Site, once_closed: int) -> None:
    """As a power cut would, once so many phases are closed."""
    while (closed := Result.objects.count()) < once_closed:
        time.sleep(0.05)
    for name, child in site.children.items():
        if name.startswith("second-"):
            child.kill()
    say(f"the second node was killed when {closed} phases were closed")


def _due() -> QuerySet[Phase]:
    return Phase.objects.filter(game__slug__startswith="storm-")


def migrate() -> None:
    """Lay out the database, which counts statements from now on."""
    call_command("migrate", verbosity=0)
    with connection.cursor() as cursor:
        cursor.execute("CREATE EXTENSION IF NOT EXISTS pg_stat_statements")


def now_by_postgres() -> object:
    """By the clock of the database."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def _until_nothing_is_due(began: float) -> tuple[float, float]:
    """When the first phase and when the last was closed."""
    first = 0.0
    while _due().filter(ordinal=0, closed__isnull=True).exists():
        now = time.monotonic() - began
        assert now < LONGEST, "phases stay due"
        if not first and Result.objects.exists():
            first = now
        time.sleep(LOOKS)
    seconds = time.monotonic() - began
    return first or seconds, seconds


def _require_one_result_each(games: int) -> None:
    assert Result.objects.count() == games
    assert _due().filter(ordinal=1, closed__isnull=True).count() == games


def _letters_a_second(site: Site) -> str:
    """How fast the rest is sent, once nothing is due."""
    letters = Letter.objects.filter(sent__isnull=True)
    waiting, began, before = letters.count(), time.monotonic(), site.seconds_used()
    reset_statements()
    while (left := letters.count()) and time.monotonic() < began + LETTERS_WATCHED:
        time.sleep(LOOKS)
    seconds, used, sent = time.monotonic() - began, site.seconds_used(), waiting - left
    if not sent:
        return f"none of {waiting}"
    cpu = 1000 * (sum(used.values()) - sum(before.values())) / sent
    each = f"{cpu:.1f} ms and {statements_made() / sent:.1f} statements each"
    return f"{sent} in {seconds:.1f} s, {sent / seconds:.1f}/s, {each}"


def reset_statements() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_statements_reset()")


def statements_made() -> int:
    """Counted by Postgres, all processes together, without its own checks of foreign keys at a commit."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT coalesce(sum(calls), 0) FROM pg_stat_statements WHERE query NOT LIKE %s", ["%FROM ONLY%"]
        )
        (calls,) = cursor.fetchone()
    return int(calls)


def share_of(values: list[float], share: float) -> float:
    return values[min(len(values) - 1, int(share * len(values)))]
