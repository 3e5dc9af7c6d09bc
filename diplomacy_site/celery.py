"""The Celery application, and what it reports: that it is alive, and when it swept."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from celery import Celery, Task, signals
from django.conf import settings
from django.db import close_old_connections
from redis.exceptions import RedisError
from structlog.contextvars import bind_contextvars, clear_contextvars

from diplomacy_site import beat, last_resort, shared_counts

if TYPE_CHECKING:
    from celery.worker import WorkController

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_site.settings.production")
os.environ.setdefault("CELERY_SKIP_CHECKS", "1")  # they import every page; `migrate` and the tests check the site

app = Celery("diplomacy_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(beat.BeatStep)
app.steps["worker"].add(last_resort.LastResort)
app.conf["CELERY_DB_REUSE_MAX"] = (
    sys.maxsize
)  # Celery never closes a connection: CONN_MAX_AGE decides, see `close_stale_connections`

SWEEP = "games.tasks.sweep"
COLLECTOR_THRESHOLDS = 20_000, 20, 20
"""How many new objects, and how many rounds, bring the garbage collector."""


def touch_alive_file(**_: object) -> None:
    """Touch the file that a health check looks at, unless the beat hangs."""
    if beat.is_awake():
        _touch("")


def _touch(suffix: str) -> None:
    if path := os.environ.get("ALIVE_FILE"):
        Path(f"{path}{suffix}").touch()


def freeze_imported_objects(**_: object) -> None:
    """Exempt imported objects from garbage collection: checking them repeatedly takes a tenth of a deadline's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTOR_THRESHOLDS)


def lower_priority_of_bots(instance: WorkController, **_: object) -> None:
    """Let a worker that only runs bots have the processor when nothing else needs it."""
    if set(instance.app.amqp.queues.consume_from) == {settings.BOTS}:
        os.nice(10)


def close_stale_connections(task: Task, **_: object) -> None:
    """Close connections to the database that are too old or broken, as after a request."""
    if not task.request.is_eager:
        close_old_connections()


def keep_own_logging(**_: object) -> None:
    """Keep the logs as the settings define them: Celery sets up none of its own if this signal has a receiver."""


def note_start_of_task(task_id: str, task: Task, **_: object) -> None:
    clear_contextvars()
    bind_contextvars(task=task.name, task_id=task_id)


def note_end_of_task(task: Task, state: str, **_: object) -> None:
    """Note that this process works and, after a success, that its queue is worked on; of a sweep, that too."""
    clear_contextvars()
    _touch(".work")
    if state == "SUCCESS":
        queue, sweep = (task.request.delivery_info or {}).get("routing_key"), task.name == SWEEP and shared_counts.SWEEP
        with suppress(RedisError):
            shared_counts.note_moments(*filter(None, (queue, sweep)))


signals.heartbeat_sent.connect(touch_alive_file)
signals.setup_logging.connect(keep_own_logging)
signals.celeryd_after_setup.connect(lower_priority_of_bots)
signals.celeryd_after_setup.connect(
    freeze_imported_objects
)  # before a pool forks, so that its processes share what is imported
signals.worker_ready.connect(freeze_imported_objects)
signals.worker_process_init.connect(freeze_imported_objects)
signals.task_prerun.connect(close_stale_connections)
signals.task_prerun.connect(note_start_of_task)
signals.task_postrun.connect(note_end_of_task)
