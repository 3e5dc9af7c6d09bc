"""A Redis that is full, gone, silent or refuses to write: deadlines are met, saves are kept, and no worker ends."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from celery import Celery
from django.conf import settings as site
from django.test import Client
from redis import Redis
from redis.exceptions import RedisError

from diplomacy_site import celery, shared_counts, trouble
from diplomacy_site.beat import Lease
from diplomacy_site.embedded import commands, places
from diplomacy_site.embedded.valkey import Valkey
from diplomacy_site.settings.servers import broker_address, caches
from games.kernel import clock, live_tickets
from games.kernel.after_commit import MOST_WAITING, start_task_after_commit
from games.kernel.limits import VisitorThrottle
from games.kernel.live_tickets import OnlyOnce
from games.kernel.models import Game, Phase
from tests.database import database_address
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE_SECONDS = 60.0
REFUSING = "min-replicas-to-write"
"""Makes a server without replicas refuse every write, as a full disk does."""


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    places.make_private_sockets(tmp_path, 0o700)
    server = Valkey(tmp_path)
    server.start()
    yield server
    server.child.ask_to_stop(signal.SIGCONT)
    server.stop()


@pytest.fixture
def own(valkey: Valkey, settings: Settings) -> Iterator[Valkey]:
    """The whole site of this test uses this server, also for its tasks."""
    settings.CACHES = caches(valkey.address)
    before, ours = celery.app, Celery(broker=broker_address(valkey.address))
    ours.conf.update({name: before.conf[name] for name in ("task_default_queue", "task_queues", "task_routes")})
    ours.set_current()
    yield valkey
    before.set_current()
    OnlyOnce.silent_until = 0.0


@contextmanager
def worker_for_deadlines(log: Path, redis: str) -> Iterator[subprocess.Popen[bytes]]:
    its_own = {"DATABASE_URL": database_address(), "REDIS_URL": redis, "PYTEST_XDIST_WORKER": "gw0"}
    environment = {**os.environ, **its_own}
    with log.open("wb") as said:
        command = commands.command_of_worker(site.DEADLINES)
        child = subprocess.Popen(command, env=environment, cwd=site.BASE_DIR, stdout=said, stderr=said)
        try:
            yield child
        finally:
            child.terminate()
            child.wait(PATIENCE_SECONDS)


def stranger(number: int) -> Any:
    """A request from one of many networks."""
    address = f"10.{number >> 16}.{number >> 8 & 255}.{number & 255}"
    return SimpleNamespace(META={"REMOTE_ADDR": address}, user=SimpleNamespace(is_authenticated=False))


def until(done: Callable[[], object]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not done():
        assert time.monotonic() < end
        time.sleep(0.05)


def await_next_phase(game: Game) -> None:
    """Let the deadline pass, and wait until somebody notices."""
    ordinal = open_phase(game).ordinal
    Phase.objects.filter(game=game, closed=None).update(deadline=clock.now())
    until(lambda: open_phase(game).ordinal > ordinal)


def test_a_worker_meets_deadlines_whatever_redis_does_and_afterwards_takes_tasks_again(
    valkey: Valkey, tmp_path: Path
) -> None:
    game, log = running_game(), tmp_path / "worker.log"
    with worker_for_deadlines(log, valkey.address) as worker:
        until(lambda: b"ready" in log.read_bytes())
        valkey.client.config_set(REFUSING, 1)
        until(lambda: b"NOREPLICAS" in log.read_bytes())
        await_next_phase(game)
        valkey.child.ask_to_stop(signal.SIGSTOP)
        await_next_phase(game)
        valkey.child.kill()
        await_next_phase(game)
        valkey.start()
        beat = Celery(broker=broker_address(valkey.address), set_as_current=False)
        with Redis.from_url(caches(valkey.address)["default"]["LOCATION"]) as redis:
            noted = partial(redis.exists, shared_counts.MOMENTS_KEY)
            until(lambda: beat.send_task("games.tasks.sweep", queue="deadlines") and noted())
        assert worker.poll() is None


def test_saves_pages_and_phases_go_on_while_redis_refuses_to_write(own: Valkey) -> None:
    game = running_game()
    germany = Client()
    germany.force_login(occupancy_of(game, "GERMANY").user)
    own.client.config_set(REFUSING, 1)
    sheet = {"ordinal": 0, "text": "A Mun-Bur", "use": "text"}
    assert germany.post(f"/games/{game.slug}/orders/", sheet).status_code == 303
    Story(game).deadline()
    assert open_phase(game).ordinal == 1
    for page in ("/", f"/games/{game.slug}/", f"/api/v1/games/{game.slug}/"):
        assert germany.get(page).status_code == Client().get(page).status_code == 200, page
    assert not shared_counts.redis_works()
    assert {one.kind: one.value for one in trouble.measures()}["redis_away"] == 1


def test_nobody_waits_again_for_a_redis_that_was_silent_a_moment_ago(own: Valkey, settings: Settings) -> None:
    own.child.ask_to_stop(signal.SIGSTOP)
    with pytest.raises(RedisError, match="Timeout"):
        live_tickets.redis_client(live_tickets.redis_address()).ping()
    with pytest.raises(RedisError) as second:
        live_tickets.redis_client(live_tickets.redis_address()).ping()
    assert str(second.value) == "", "nobody was asked"
    start_task_after_commit("games.tasks.sweep")


def test_hints_do_not_pile_up_where_no_worker_takes_them(own: Valkey) -> None:
    for _ in range(MOST_WAITING + 20):
        start_task_after_commit("games.tasks.play_bots")
    with Redis.from_url(own.address) as broker:
        assert broker.llen(site.BOTS) == MOST_WAITING


def test_strangers_who_fill_redis_push_out_nothing_that_is_needed(own: Valkey) -> None:
    game = running_game()
    redis = live_tickets.redis_client(live_tickets.redis_address())
    lease = Lease(redis)
    assert lease.hold()
    shared_counts.note_moments(shared_counts.SWEEP)
    start_task_after_commit("games.tasks.play_bots")
    shared_counts.note_pages({("games:lobby", "0"): 1})
    own.client.config_set("maxmemory", int(own.client.info("memory")["used_memory"]) + 300_000)
    number = 0
    while own.client.info("stats")["evicted_keys"] < 500:
        assert lease.hold() or number % 10
        assert VisitorThrottle("pictures", "12/min").allow_request(stranger(number), None)
        number += 1
    with Redis.from_url(own.address) as broker:
        assert broker.llen(site.BOTS) == 1
    assert shared_counts.SWEEP in shared_counts.last_moments()
    assert shared_counts.page_tallies()
    assert shared_counts.redis_works()
    assert {one.kind for one in trouble.measures() if one.value > one.limit} >= {"redis_used_share"}
    Story(game).deadline()
    assert open_phase(game).ordinal == 1
