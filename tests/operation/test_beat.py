"""Many beats, of which one sends."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from celery import current_app
from redis import Redis

from diplomacy_site import beat, celery
from diplomacy_site.beat import LEASE_NAME, LEASE_SECONDS, Beat, BeatStep, Lease, SteadyScheduler
from games.kernel.live_tickets import redis_address, redis_client

if TYPE_CHECKING:
    from pathlib import Path

    from pytest_django import Settings

SOON = 60.0


class Sender:
    """In place of the scheduler: counts how often it was its turn."""

    def __init__(self, problem: Exception | None = None) -> None:
        self.sent, self.problem = 0, problem

    def tick(self) -> float:
        self.sent += 1
        if self.problem and self.sent == 1:
            raise self.problem
        return 0.01


@pytest.fixture
def redis() -> Iterator[Redis]:
    found = redis_client(redis_address())
    found.delete(LEASE_NAME)
    yield found
    found.delete(LEASE_NAME)


@pytest.fixture
def begin(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Beat]]:
    monkeypatch.setattr(beat, "LONGEST_SLEEP", 0.02)
    begun: list[Beat] = []

    def start(sender: Sender) -> Beat:
        begun.append(Beat(sender, Lease(redis)))
        begun[-1].start()
        return begun[-1]

    yield start
    for one in begun:
        one.stop()


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_one_of_two_sends_until_it_stops_and_then_the_other(begin: Callable[..., Beat]) -> None:
    first, second = Sender(), Sender()
    sending = begin(first)
    until(lambda: first.sent > 0)
    begin(second)
    until(lambda: first.sent > 20)
    assert second.sent == 0
    sending.stop()
    until(lambda: second.sent > 0)


def test_another_takes_over_from_one_that_was_killed_when_its_lease_has_run_out(redis: Redis) -> None:
    killed, other = Lease(redis), Lease(redis)
    assert killed.hold()
    assert killed.hold()
    assert not other.hold()
    assert 0 < redis.ttl(LEASE_NAME) <= LEASE_SECONDS
    redis.delete(LEASE_NAME)  # as Redis does then
    assert other.hold()
    assert not killed.hold()
    killed.release()
    assert not killed.hold(), "only its holder gives it up"


def test_a_problem_does_not_end_the_beat(begin: Callable[..., Beat]) -> None:
    sender = Sender(problem=ValueError("no broker"))
    begin(sender)
    until(lambda: sender.sent > 2)


def test_nothing_is_sent_without_redis() -> None:
    sender = Sender()
    alone = Beat(sender, Lease(redis_client("redis://127.0.0.1:1")))
    assert alone._send_what_is_due() == beat.LONGEST_SLEEP
    assert sender.sent == 0


def test_the_schedule_sends_what_no_clock_outdates_and_nothing_that_waits_already() -> None:
    scheduler = SteadyScheduler(current_app)
    names = [*current_app.conf.task_queues]
    scheduler.connection.default_channel.client.delete(*names)
    for _ in range(2):
        for entry in scheduler.schedule.values():
            scheduler.apply_async(entry)
    waiting = [
        json.loads(it) for name in names for it in scheduler.connection.default_channel.client.lrange(name, 0, -1)
    ]
    assert len(waiting) == len(scheduler.schedule)
    assert {(it["headers"]["expires"], it["headers"]["eta"]) for it in waiting} == {(None, None)}
    scheduler.connection.default_channel.client.delete("bots")
    assert scheduler.apply_async(scheduler.schedule["let bots play"]) is not None
    scheduler.connection.default_channel.client.delete(*names)


@pytest.mark.parametrize(
    ("queues", "beats"), [("deadlines", False), ("background", True), ("background,deadlines", True)]
)
def test_every_worker_for_more_than_deadlines_has_a_beat(queues: str, beats: bool) -> None:
    worker = current_app.WorkController(queues=queues, pool="solo", loglevel="ERROR")
    assert any(isinstance(step, BeatStep) for step in worker.steps) is beats


def test_a_worker_whose_beat_hangs_shows_no_life(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "alive"
    monkeypatch.setenv("ALIVE_FILE", str(file))
    hanging = Beat(Sender(), Lease(redis_client(redis_address())))
    monkeypatch.setattr(BeatStep, "running", hanging)
    monkeypatch.setattr(hanging, "last_looked", time.monotonic() - beat.ASLEEP_SECONDS - 1)
    celery.touch_alive_file()
    assert not file.exists()
    hanging.last_looked = time.monotonic()
    celery.touch_alive_file()
    assert file.exists()
