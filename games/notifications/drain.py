"""Taking what waits out of an outbox, one after the other, and not for ever: the next beat goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Waiting = TypeVar("Waiting")
Answer = TypeVar("Answer")

MOST_AT_ONCE = 200
MOST_SECONDS = 20
"""Far below the time after which a task is stopped: what is stopped while it sends would leave twice."""


def drained(claim: Callable[[], Waiting | None], deal: Callable[[Waiting], Answer]) -> Iterator[Answer]:
    """What `deal` answers for each that is claimed, until nothing waits or the time is over."""
    end = time.monotonic() + MOST_SECONDS
    for _ in range(MOST_AT_ONCE):
        waiting = claim() if time.monotonic() < end else None
        if waiting is None:
            break
        yield deal(waiting)
