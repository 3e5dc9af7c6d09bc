"""The beat: it sends the tasks of the schedule, each at its time, from a thread of every background worker.

One of them sends at a time. The others look every second whether they have to take over.
"""

from __future__ import annotations

import json
import logging
import time
from contextlib import suppress
from threading import Event, Thread
from typing import TYPE_CHECKING, Any

from celery import bootsteps
from celery.beat import Scheduler
from django.conf import settings
from redis.exceptions import LockError, RedisError

from games.kernel.after_commit import MOST_WAITING
from games.kernel.live_tickets import redis_address, redis_client

if TYPE_CHECKING:
    from celery.beat import ScheduleEntry
    from celery.worker import WorkController
    from kombu.messaging import Producer
    from redis import Redis

log = logging.getLogger(__name__)
LONGEST_SLEEP = 1
"""In seconds: how soon it notices that the clock was put back, or that another has stopped."""
LEASE_NAME, LEASE_SECONDS = "beat", 5
ASLEEP_SECONDS = 60
"""A beat that has not looked at its schedule for so long hangs."""


class SteadyScheduler(Scheduler):  # type: ignore[misc]  # Celery has no types
    """Keeps sending if the clock is put back, where Celery's own scheduler would stop until it catches up. What still
    waits for a worker is not sent again, so a worker that hangs finds one task of a kind, whatever the clocks say.

    The schedule is in the settings, so it needs no file and no table.
    """

    max_interval = LONGEST_SLEEP

    def tick(self, *args: object, **options: object) -> float:
        """Send what is due, with anything sent "in the future" as sent now; return how many seconds to sleep."""
        future_entries = [entry for entry in self.schedule.values() if entry.last_run_at > entry.default_now()]
        for entry in future_entries:
            entry.last_run_at = entry.default_now()
        if future_entries:
            self._heap = None  # it is sorted again
        return float(super().tick(*args, **options))

    def apply_async(self, entry: ScheduleEntry, producer: Producer | None = None, *args: Any, **options: Any) -> object:
        """Send the task of this entry; None if it waits already."""
        queue = self.app.amqp.router.route(dict(entry.options), entry.task)["queue"].name
        waiting = self.producer.channel.client.lrange(queue, 0, MOST_WAITING)
        if len(waiting) > MOST_WAITING or entry.task in {json.loads(it)["headers"].get("task") for it in waiting}:
            return None
        return super().apply_async(entry, producer, *args, **options)


class Lease:
    """The right to send, which only one beat has. It lasts a few seconds by Redis's clock and is renewed by its holder,
    so that another takes over from one that has died."""

    def __init__(self, redis: Redis) -> None:
        self.lock = redis.lock(LEASE_NAME, LEASE_SECONDS, blocking=False, thread_local=False)

    def hold(self) -> bool:
        """Take or renew the lease, and return whether that worked. Raises RedisError if Redis does not respond."""
        with suppress(LockError):
            return bool(self.lock.reacquire())
        return bool(self.lock.acquire())

    def release(self) -> None:
        with suppress(LockError):
            self.lock.release()


class Beat(Thread):
    """The thread that sends tasks; it ends when its process does."""

    def __init__(self, scheduler: Scheduler, lease: Lease) -> None:
        super().__init__(name="beat", daemon=True)
        self.scheduler, self.lease = scheduler, lease
        self.over = Event()
        self.last_looked = time.monotonic()

    def run(self) -> None:
        while not self.over.wait(self._send_what_is_due()):
            self.last_looked = time.monotonic()
        try:
            self.lease.release()
        except RedisError:
            log.info("Redis is not answering, so the next beat waits until the lease has run out.")

    def _send_what_is_due(self) -> float:
        """Send what is due if this beat has the lease; return how many seconds to sleep. Never raise an exception."""
        try:
            return float(self.scheduler.tick()) if self.lease.hold() else LONGEST_SLEEP
        except RedisError:
            return LONGEST_SLEEP
        except Exception:
            log.exception("The beat could not send what is due.")
            return LONGEST_SLEEP

    def stop(self) -> None:
        self.over.set()
        if self.is_alive():
            self.join(LEASE_SECONDS)


class BeatStep(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
    """Starts the beat in each worker that does more than meet deadlines. Celery calls the parts of a worker steps."""

    requires = ("celery.worker.components:Pool",)  # a pool forks its first processes before the thread begins
    running: Beat | None = None

    def include_if(self, worker: WorkController) -> bool:
        return settings.BACKGROUND in worker.app.amqp.queues.consume_from

    def create(self, worker: WorkController) -> Beat:
        BeatStep.running = Beat(SteadyScheduler(worker.app), Lease(redis_client(redis_address())))
        return BeatStep.running


def is_awake() -> bool:
    """Is the beat of this process working, or has it none?"""
    running = BeatStep.running
    return running is None or time.monotonic() - running.last_looked < ASLEEP_SECONDS
