"""Calls a task by its name after commit, so that services need not know the tasks.

A call is only a hint that the database has work to do. If one is lost, the next beat does the work.
"""

import logging
from functools import partial

from celery import current_app
from django.db import transaction
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)
STALE_SECONDS = 30


def ring(task: str, *args: int) -> None:
    """Send the task with these ids once the current transaction is committed."""
    transaction.on_commit(partial(_send, task, args))


def _send(task: str, args: tuple[int, ...]) -> None:
    try:
        current_app.send_task(task, args=args, retry=False, expires=STALE_SECONDS)
    except OperationalError:
        log.warning("The broker did not take %s; the next beat will do the work.", task)
