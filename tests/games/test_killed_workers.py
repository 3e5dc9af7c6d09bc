"""A hundred deadlines at once, and the workers killed in the middle: no phase is lost, none is judged twice."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import pytest
from celery import current_app
from django.conf import settings
from django.db import connection
from django.db.models import Count

from games import clock
from games.models import Game, Letter, LetterKind, Phase, Result, Status
from games.sealed.models import Sheet
from games.services.game_master import start_game
from games.services.lobby import take_seat
from tests.cast import CAROL, person
from tests.factories import powers_of, waiting_game

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.django_db(transaction=True)

GAMES = 100
KILLS_AFTER = (20, 45, 70)
"""A worker is killed whenever so many phases have been judged."""
PATIENCE_SECONDS = 150
WORKER = [sys.executable, "-m", "celery", "--quiet", "--app", "diplomacy_site.celery", "worker"]
ALONE = [
    "--pool",
    "threads",
    "--concurrency",
    "2",
    "--without-gossip",
    "--without-mingle",
    "--loglevel",
    "ERROR",
]


def database_address() -> str:
    """The database of this test, for another process."""
    facts = {
        key: quote(str(value), safe="") for key, value in connection.settings_dict.items() if key.isupper()
    }
    port = f":{facts['PORT']}" if facts["PORT"] else ""
    password = f":{facts['PASSWORD']}" if facts["PASSWORD"] else ""
    return f"postgresql://{facts['USER']}{password}@{facts['HOST']}{port}/{facts['NAME']}"


class Worker:
    """A real worker in a process of its own."""

    def __init__(self, number: int, log: Path) -> None:
        with log.open("ab") as said:
            self.process = subprocess.Popen(
                [*WORKER, *ALONE, "--hostname", f"victim{number}@%h"],
                env={**os.environ, "DATABASE_URL": database_address()},
                cwd=settings.BASE_DIR,
                stdout=said,
                stderr=said,
            )

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


def games_that_are_due() -> None:
    """A hundred games with one player each, all past their deadline."""
    alice, carol = person("alice").pk, person(CAROL).pk
    for number in range(GAMES):
        game = waiting_game(name=f"Game {number}")
        take_seat(game_id=game.pk, user_id=alice, power=powers_of(game)[0])
        start_game(game_id=game.pk, by=carol)
    Phase.objects.update(deadline=clock.now() - timedelta(seconds=1))


def until(done: Callable[[], bool], log: Path) -> None:
    """Sweep, as the beat does, until it is done."""
    end = time.monotonic() + PATIENCE_SECONDS
    pause = threading.Event()
    while not done():
        assert time.monotonic() < end, (
            f"judged {Result.objects.count()} of {GAMES}:\n{log.read_text()[-2000:]}"
        )
        current_app.send_task("games.tasks.sweep", expires=5)
        pause.wait(0.25)


def test_killing_workers_in_the_middle_loses_no_phase_and_doubles_none(tmp_path: Path) -> None:
    current_app.control.purge()
    games_that_are_due()
    log = tmp_path / "workers.log"
    with ExitStack() as stack:
        workers = [Worker(number, log) for number in range(2)]
        for worker in workers:
            stack.callback(worker.kill)
        for number, judged in enumerate(KILLS_AFTER, start=len(workers)):
            until(lambda judged=judged: Result.objects.count() >= judged, log)  # type: ignore[misc]
            workers.pop(0).kill()
            workers.append(Worker(number, log))
            stack.callback(workers[-1].kill)
        until(lambda: Result.objects.count() >= GAMES, log)
    assert Game.objects.filter(status=Status.RUNNING).count() == GAMES, "none is held"
    assert Result.objects.count() == Result.objects.values("phase__game").distinct().count() == GAMES
    assert Phase.objects.filter(ordinal=0, closed__isnull=False, result__isnull=False).count() == GAMES
    assert Phase.objects.filter(ordinal=1, closed__isnull=True).count() == GAMES
    assert Phase.objects.count() == 2 * GAMES
    sheets = Sheet.rows.values("phase").annotate(number=Count("pk")).values_list("number", flat=True)
    assert set(sheets) == {len(powers_of(Game.objects.all()[0]))}
    assert Letter.objects.filter(kind=LetterKind.NEW_PHASE, ordinal=1).count() == GAMES
