"""How long each page took, in coarse steps, and how often it failed: by the names of pages, for all games together.

A request only adds to numbers in its process; every few seconds, and when the process ends, they go to Redis. All that
is sent counts as one page, FORM: how long a save takes, or that there was one, tells of no address.
"""

import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from http import HTTPStatus
from threading import Lock, Timer

from django.http import HttpRequest, HttpResponse
from redis.exceptions import RedisError

from diplomacy_site import shared_counts

FLUSH_SECONDS = 5.0
ARRIVED = "diplomacy_site.arrived"
"""What a request says of when it had arrived, on the steady clock, before it waited for a thread."""
FORM = "form"
OF_WATCHING = {"healthz", "readyz", "metrics"}
"""Pages that are asked for all the time, and whose 503 is an answer."""


class CountPages:
    """Middleware: counts every request that leads to a page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        start = request.META.get(ARRIVED) or time.monotonic()
        answer = self.get_response(request)
        match = request.resolver_match
        if match is not None and match.view_name not in OF_WATCHING:
            page = match.view_name if request.method in {"GET", "HEAD"} else FORM
            waiting.note(page, time.monotonic() - start, answer.status_code >= HTTPStatus.INTERNAL_SERVER_ERROR)
        return answer


class WaitingCounts:
    """What this process has counted and Redis does not know yet."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._counts: Counter[tuple[str, str]] = Counter()
        self._timer: Timer | None = None

    def note(self, page: str, seconds: float, has_failed: bool) -> None:
        """Count one request, and see to it that the counts are flushed some seconds later."""
        with self._lock:
            self._counts[page, shared_counts.step_of(seconds)] += 1
            if has_failed:
                self._counts[page, shared_counts.FAILED_FIELD] += 1
            if self._timer is None:
                timer = Timer(FLUSH_SECONDS, self.flush)
                timer.daemon = True
                with suppress(RuntimeError):  # no thread can be had: the next page tries again
                    timer.start()
                    self._timer = timer

    def flush(self) -> None:
        """Write the counts to Redis. If it is away, they wait for the next time."""
        with self._lock:
            counts, self._counts, self._timer = self._counts, Counter(), None
        try:
            shared_counts.note_pages(counts)
        except RedisError:
            with self._lock:
                self._counts.update(counts)


waiting = WaitingCounts()
