"""Transactions that begin again after Postgres ended them because of another."""

from collections.abc import Callable
from functools import partial, wraps
from typing import ParamSpec, TypeVar

from django.db import OperationalError, connection, transaction

P = ParamSpec("P")
R = TypeVar("R")

CONFLICTS = {"40001", "40P01"}
"""What Postgres calls a serialisation failure and a deadlock. It has undone everything."""
MOST_TRIES = 4


def atomic_again(act: Callable[P, R]) -> Callable[P, R]:
    """Like `transaction.atomic`, and do it again, at most three times, after a conflict with another transaction,
    unless it was committed. Only the outermost transaction can begin again: inside another, this is
    `transaction.atomic`. The act reads afresh what it changes: an object that it was given may have changed before."""
    once = transaction.atomic(act)

    @wraps(act)
    def again(*args: P.args, **kwargs: P.kwargs) -> R:
        if connection.in_atomic_block:
            return once(*args, **kwargs)
        for tries_left in reversed(range(MOST_TRIES)):
            committed: list[bool] = []
            try:
                with transaction.atomic():
                    transaction.on_commit(partial(committed.append, True))
                    return act(*args, **kwargs)
            except OperationalError as error:
                if committed or not tries_left or getattr(error.__cause__, "sqlstate", "") not in CONFLICTS:
                    raise
        raise AssertionError(tries_left)

    return again
