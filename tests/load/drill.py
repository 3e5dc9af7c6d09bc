"""A disaster: a site in the middle of play is destroyed and restored elsewhere, from a backup and the keys alone."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

from django.db import connection
from django.db.models import Count

from diplomacy_site.backups import opened_backup
from diplomacy_site.embedded import places
from diplomacy_site.settings.servers import databases
from games.kernel.models import OVER, Event, Game, Phase, Result
from games.people.models import Scope, Session
from games.people.tokens import make_token
from games.sealed import store
from tests.faults.people import People
from tests.faults.wires import LOCALHOST
from tests.load.processes import Site, say
from tests.load.storm import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from diplomacy_site.backups import Manifest

AFTER_THE_BACKUP = 60.0
LONGEST, PAUSE = 600.0, 1.0
OK, TOO_LATE = 200, 409
GRANTED = timedelta(seconds=10)
"""Between the moment a deadline is moved for the first game of a restored site and for the last."""

Sheet = tuple[int, int, str]
"""Game, ordinal and power."""


@dataclass
class Players:
    """They save for every seat, again and again, each time something else, with tokens that outlive a restored site."""

    people: People
    port: int
    tokens: dict[str, str]
    acknowledged: dict[Sheet, list[tuple[datetime, str]]] = field(default_factory=dict)
    count: int = 0
    late: int = 0

    def save_all(self) -> None:
        line = HTTPConnection(LOCALHOST, self.port, timeout=60)
        for game, slug, ordinal in open_phases():
            for power, name in self.people.players[game].items():
                self.count += 1
                text = f"# {self.count}"
                facts = json.dumps({"ordinal": ordinal, "text": text})
                headers = {"Authorization": f"Bearer {self.tokens[name]}", "Content-Type": "application/json"}
                line.request("PUT", f"/api/v1/games/{slug}/sheet/", facts, headers)
                answer = line.getresponse()
                answer.read()
                if answer.status == TOO_LATE:
                    self.late += 1
                    continue
                assert answer.status == OK, f"a save was answered with {answer.status}"
                self.acknowledged.setdefault((game, ordinal, power), []).append((datetime.now(UTC), text))
        line.close()

    def play_until(self, done: Callable[[], bool]) -> None:
        end = time.monotonic() + LONGEST
        while not done():
            assert time.monotonic() < end, "the games do not go on"
            self.save_all()
            time.sleep(PAUSE)

    def saved_since(self, moment: datetime) -> int:
        return sum(at > moment for saves in self.acknowledged.values() for at, _ in saves)


def drill(site: Site, games: int) -> None:
    """Print how many minutes the site was away and what was lost. AssertionError if anything else went wrong."""
    migrate()
    people = People(games)
    for _ in range(games):
        people.make_game()
    tokens = {
        name: make_token(user_id=user.pk, name="drill", scopes=[Scope.ORDERS], days=30)
        for name, user in people.users.items()
    }
    site.start()
    players = Players(people, site.port, tokens)
    players.play_until(lambda: each_has_results(1))
    say(f"{games} games are running, {Result.objects.count()} phases adjudicated, {players.count} saves sent")
    with tempfile.TemporaryDirectory(prefix="diplomacy-drill-") as elsewhere:
        file = Path(elsewhere) / "site.backup"
        seconds = backed_up(file, players)
        backup = manifest_of(file)
        say(f"backup: {seconds:.1f} s while they play, {file.stat().st_size / 1024:.0f} kB")
        end = time.monotonic() + AFTER_THE_BACKUP
        players.play_until(lambda: time.monotonic() > end)
        lost = losses(backup, players)
        destroy(site)
        with another_site() as second:
            restored_site(second, file, backup, players)
    for loss in lost:
        say(f"lost: {loss}")


def backed_up(file: Path, players: Players) -> float:
    """While the players go on. How many seconds it took."""
    began = time.monotonic()
    running = manage("backup", str(file))
    while running.poll() is None:
        players.save_all()
    assert running.returncode == 0, "there is no backup"
    return time.monotonic() - began


def losses(backup: Manifest, players: Players) -> list[str]:
    """What the restored site cannot have."""
    age = datetime.now(UTC) - backup.moment
    return [
        f"{age.total_seconds():.0f} s of play, as old as the backup was",
        f"{players.saved_since(backup.moment)} saves",
        f"{Result.objects.filter(phase__closed__gt=backup.moment).count()} results, adjudicated again later",
        f"{Session.objects.count()} sessions: everyone signs in again",
    ]


def destroy(site: Site) -> None:
    """All processes at once, as a power cut would, and every file."""
    connection.close()
    for child in (*site.children.values(), *site.stack.children()):
        child.kill()
    shutil.rmtree(places.folder_of_sockets(site.folder), ignore_errors=True)
    shutil.rmtree(site.folder)


@contextmanager
def another_site() -> Iterator[Site]:
    """Other servers in another folder, on another port; the environment leads to them."""
    for name in ("DATABASE_URL", "REDIS_URL"):
        del os.environ[name]
    folder = Path(tempfile.mkdtemp(prefix="diplomacy-load-"))
    site = Site(folder)
    os.environ.update(site.stack.environment(), LOAD_FOLDER=str(folder))
    try:
        yield site
    finally:
        connection.close()
        site.stop()
        site.stack.stop()
        shutil.rmtree(places.folder_of_sockets(folder), ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


def restored_site(site: Site, file: Path, backup: Manifest, players: Players) -> None:
    """From nothing to the next result of every game."""
    began = time.monotonic()
    site.stack.start()
    connection.settings_dict.update(databases(os.environ["DATABASE_URL"])["default"])
    assert manage("restore", str(file)).wait(LONGEST) == 0, "nothing was restored"
    report("restored", began)
    games = Game.objects.count()
    results = dict(Result.objects.values_list("phase__game").annotate(Count("pk")))
    found_as_saved(backup, players)
    deadlines_moved(backup)
    assert not Session.objects.exists(), "someone is still signed in"
    players.acknowledged.clear()
    players.port = site.port
    site.start()
    report("the pages respond", began)
    players.save_all()
    report(f"saved for every seat of {games} games", began)
    players.play_until(lambda: each_has_results(1, besides=results))
    report("every game has its next result", began)
    assert not Game.objects.filter(status="held").exists(), "a game is on hold"
    counted = counted_as_acknowledged(players, results)
    say(f"{counted} sheets counted as last acknowledged; {players.late} saves came too late for their phase")


def report(what: str, began: float) -> None:
    say(f"{what} after {(time.monotonic() - began) / 60:.1f} minutes")


def found_as_saved(backup: Manifest, players: Players) -> None:
    """Each open sheet is the last one acknowledged before the backup, or one that was on its way then."""
    whole = 0
    for phase in Phase.objects.filter(closed__isnull=True):
        for power, body in store._bodies_by_power([phase])[phase.pk].items():
            saves = players.acknowledged.get((phase.game_id, phase.ordinal, power), [])
            before = [text for at, text in saves if at <= backup.moment]
            on_its_way = [text for at, text in saves if at > backup.moment][:1]
            assert body.typed in {*(before[-1:] or [""]), *on_its_way}, f"the sheet of {power} in {phase.pk}"
            whole += body.saved
    say(f"{whole} open sheets as they were saved before the backup")


def deadlines_moved(backup: Manifest) -> None:
    """All by the time since the backup, which every game's log says."""
    lost = [
        phase.deadline - phase.opened - timedelta(seconds=seconds)
        for phase in Phase.objects.filter(closed__isnull=True, deadline__isnull=False).select_related("game")
        if phase.deadline and (seconds := phase.game.stored_options["movement_seconds"])
    ]
    now = datetime.now(UTC)
    assert bool(lost), "no game is running"
    assert max(lost) - min(lost) < GRANTED, "the deadlines have not moved alike"
    assert now - backup.moment - GRANTED < min(lost) <= now - backup.moment, (
        "the deadlines have not moved by the outage"
    )
    told = Event.objects.filter(kind="site restored").count()
    assert told == Game.objects.exclude(status__in=OVER).count(), "the log does not say so in every game"
    say(f"deadlines moved by {min(lost).total_seconds():.0f} s, the time since the backup")


def counted_as_acknowledged(players: Players, before: dict[int, int]) -> int:
    """In every phase closed since, the last acknowledged sheet counted."""
    count = 0
    for phase in Phase.objects.filter(result__isnull=False):
        if phase.ordinal < before.get(phase.game_id, 0):
            continue
        for power, body in store.read_closed(phase).items():
            saves = players.acknowledged.get((phase.game_id, phase.ordinal, power))
            if saves is not None:
                assert body.typed == saves[-1][1], f"{power} in phase {phase.pk}: not the last save counted"
                count += 1
    return count


def each_has_results(number: int, besides: dict[int, int] | None = None) -> bool:
    """Does every game that goes on have so many results, besides those it had?"""
    before = besides or {}
    rows = Game.objects.exclude(status__in=OVER).annotate(results=Count("phases__result"))
    return all(results >= before.get(pk, 0) + number for pk, results in rows.values_list("pk", "results"))


def open_phases() -> Iterable[tuple[int, str, int]]:
    rows = Phase.objects.filter(closed__isnull=True).exclude(game__status__in=OVER)
    return list(rows.values_list("game", "game__slug", "ordinal").order_by("deadline"))


def manifest_of(file: Path) -> Manifest:
    with file.open("rb") as content, opened_backup(content) as (manifest, _archive):
        return manifest


def manage(*command: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "manage.py", *command], cwd=places.CHECKOUT, stdout=subprocess.DEVNULL)
