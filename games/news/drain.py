"""Taking what waits out of an outbox, one after the other, and not for ever: the next beat goes on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


Waiting = TypeVar("Waiting")

Answer = TypeVar("Answer")

MOST_AT_ONCE = 200

MOST_SECONDS = 60
"""For all outboxes of a task together, which is stopped after 100: what is stopped while it sends would leave twice."""


def closing_time() -> float:
    """When a task that begins now should begin nothing more, on the clock that never jumps."""
    return time.monotonic() + MOST_SECONDS


def drained(
    claim: Callable[[], Waiting | None], deal: Callable[[Waiting], Answer], until: float
) -> Iterator[Answer]:
    """What `deal` answers for each that is claimed, until nothing waits or the time is over."""
    for _ in range(MOST_AT_ONCE):
        waiting = claim() if time.monotonic() < until else None
        if waiting is None:
            break
        yield deal(waiting)
