"""Starts tasks by name after commit, so that services need not import them.

A call is only a hint that the database has work to do. If one is lost, the next beat does the work.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar

from celery import current_app
from django.db import transaction
from kombu.exceptions import ChannelError, OperationalError
from redis.exceptions import RedisError

from games.kernel.live_tickets import redis_address, redis_client

log = logging.getLogger(__name__)
MOST_WAITING = 100
"""A queue in which so many tasks wait has no need of hints."""


_gathered: ContextVar[dict[Callable[[list[Any]], None], list[Any]] | None] = ContextVar("gathered", default=None)
T = TypeVar("T")


@contextmanager
def merging_calls() -> Iterator[None]:
    """At the end of this block, handle everything that `call_merged` was given inside it, in one call for each handler.

    The block is inside a transaction; if it fails, nothing is handled.
    """
    calls: dict[Callable[[list[Any]], None], list[Any]] = {}
    token = _gathered.set(calls)
    try:
        yield
    finally:
        _gathered.reset(token)
    for handle, values in calls.items():
        handle(values)


def call_merged(handle: Callable[[list[T]], None], values: list[T]) -> None:
    """Call `handle` with these values: at once or, inside `merging_calls`, together with those of other calls."""
    calls = _gathered.get()
    if calls is None:
        handle(values)
    else:
        calls.setdefault(handle, []).extend(values)


def start_task_after_commit(task: str, *args: int) -> None:
    """Send the task with these ids once the current transaction is committed; inside `merging_calls` only once."""
    call_merged(_start_after_commit, [(task, args)])


def _start_after_commit(calls: list[tuple[str, tuple[int, ...]]]) -> None:
    for task, args in dict.fromkeys(calls):
        transaction.on_commit(partial(_send, task, args))


def _send(task: str, args: tuple[int, ...]) -> None:
    try:
        redis_client(redis_address()).ping()  # the broker would wait for longer until it calls Redis silent
        with current_app.producer_pool.acquire(block=True) as producer:
            queue = current_app.amqp.router.route({}, task)["queue"].name
            if producer.channel.client.llen(queue) < MOST_WAITING:
                current_app.send_task(task, args=args, retry=False, producer=producer)
    except (RedisError, OperationalError, ChannelError):
        log.warning("The broker did not take %s; the next beat will do the work.", task)
