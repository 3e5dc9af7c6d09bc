"""The same game several times, from one beginning, so that two worlds differ only in what was written."""

from __future__ import annotations

from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
import time_machine
from django.db import connection, transaction

from games.kernel.prepared import PreparedQuery
from tests.moment import set_clock

if TYPE_CHECKING:
    from collections.abc import Iterator


Counters = tuple[list[str], list[int], list[bool]]
"""The names of counters, where each stands, and whether that was used."""
NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)


@contextmanager
def standing_still() -> Iterator[None]:
    """Every clock stands still: the site's own, and the one behind sessions and headers. The queries that are put
    together meanwhile name this moment, and are forgotten with it."""
    made: dict[PreparedQuery[Any], Any] = {}
    with pytest.MonkeyPatch.context() as patch, time_machine.travel(NOON, tick=False):
        set_clock(patch, lambda: NOON)
        patch.setattr(PreparedQuery, "keeps", True)
        patch.setattr(PreparedQuery, "made", property(made.get, made.__setitem__), raising=False)
        yield


@contextmanager
def world() -> Iterator[None]:
    """What happens inside is undone at the end, including the counters of all tables."""
    before = counters()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    put_back(before)


def counters() -> Counters:
    """The counters of all tables."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT schemaname || '.' || sequencename, last_value FROM pg_sequences")
        names, lasts = zip(*cursor.fetchall(), strict=True)
    return list(names), [last or 1 for last in lasts], [last is not None for last in lasts]


def put_back(found: Counters) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(name, last, used) FROM unnest(%s::text[], %s::bigint[], %s::bool[]) "
            "AS counters (name, last, used)",
            found,
        )
