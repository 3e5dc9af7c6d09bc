"""The same game several times, from one beginning, so that two worlds differ in nothing but what was written."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from django.db import connection, transaction

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def world() -> Iterator[None]:
    """What happens inside is undone at the end, the counters of all tables as well."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT schemaname || '.' || sequencename, last_value FROM pg_sequences")
        counters = cursor.fetchall()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    with connection.cursor() as cursor:
        for name, last in counters:
            cursor.execute("SELECT setval(%s, %s, %s)", [name, last or 1, last is not None])
