"""The Celery application, and what it reports: that it is alive, when it swept, how long adjudication took."""

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from celery import Celery, Task
from celery.signals import after_task_publish, heartbeat_sent, setup_logging, task_postrun, task_prerun
from redis.exceptions import RedisError

from diplomacy_site import logs, shared_counts

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "diplomacy_site.settings.production")

app = Celery("diplomacy_site")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

SWEEP, JUDGING = "games.tasks.sweep", "games.tasks.phase_advance"
_begun: dict[str, float] = {}


def show_life(**_: object) -> None:
    """Touch the file that a health check looks at."""
    if path := os.environ.get("ALIVE_FILE"):
        Path(path).touch()


def keep_logging(**_: object) -> None:
    """Celery sets up no logs of its own if this signal has a receiver: those from the settings stay."""


def note_beginning(task_id: str, task: Task, **_: object) -> None:
    logs.task_begins(task_id, task.name)
    _begun[task_id] = time.monotonic()


def note_end(task_id: str, task: Task, retval: Any, state: str, **_: object) -> None:
    """Count successful sweeps, and phases that were or could not be adjudicated."""
    logs.task_ends()
    seconds = time.monotonic() - _begun.pop(task_id, time.monotonic())
    with suppress(RedisError):
        if task.name == SWEEP and state == "SUCCESS":
            shared_counts.note_sweep()
        elif task.name == JUDGING and state == "FAILURE":
            shared_counts.note_failed()
        elif task.name == JUDGING and retval is True:
            shared_counts.note_judged(seconds)


heartbeat_sent.connect(show_life)
after_task_publish.connect(show_life)
setup_logging.connect(keep_logging)
task_prerun.connect(note_beginning)
task_postrun.connect(note_end)
