"""The last resort: while no sweep is noted, a thread of every worker for deadlines closes what is due.

Tasks come through Redis, which may be gone, silent or full; or no beat runs, or a pool hangs. But the database says
what is due, and closing a phase locks its game, so nothing is done twice.
"""

import logging
from collections.abc import Callable, Mapping
from threading import Event, Thread
from typing import Any

from celery import bootsteps
from django.conf import settings
from django.db import connection
from redis.exceptions import RedisError

from diplomacy_site.shared_counts import SWEEP, last_moments

log = logging.getLogger(__name__)
LATE_SECONDS = 4
"""Sweeps are sent every second. With none noted for so long, perhaps nobody closes phases."""
TASKS = "games.tasks.sweep", "games.tasks.sweep_roll_calls"


class LastResort(bootsteps.StartStopStep):  # type: ignore[misc]  # Celery has no types
    """The thread begins after a pool has forked, and ends with its process: the database undoes what is half done."""

    requires = ("celery.worker.components:Pool",)

    def include_if(self, worker: Any) -> bool:
        return settings.DEADLINES in worker.app.amqp.queues.consume_from

    def start(self, worker: Any) -> None:
        self.over = Event()
        Thread(target=self._look, args=(worker.app.tasks,), name="last resort", daemon=True).start()

    def stop(self, _worker: Any) -> None:
        self.over.set()

    def _look(self, tasks: Mapping[str, Callable[[], object]]) -> None:
        while not self.over.wait(1):
            try:
                sweep = last_moments().get(SWEEP)
            except RedisError:
                sweep = None
            if sweep is None or sweep.age > LATE_SECONDS:
                for name in TASKS:
                    try:
                        tasks[name]()
                    except Exception:
                        log.exception("%s failed in the last resort.", name)
                connection.close()
