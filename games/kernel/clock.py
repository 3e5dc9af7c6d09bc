"""The games' only clock: that of the database, which all workers and web servers share."""

from datetime import datetime
from typing import cast

from django.db import connection
from django.db.models import DateTimeField
from django.db.models.expressions import Combinable, RawSQL


def now() -> datetime:
    """The moment this is called, in UTC, even within a long transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    return cast("datetime", moment)


def now_in_sql() -> Combinable:
    """The same as a column, for rows that are read anyway."""
    return RawSQL("clock_timestamp()", (), DateTimeField())


def when_read(row: object) -> datetime:
    """When a row with such a column `read_at` was read; for any other, the moment this is called."""
    return getattr(row, "read_at", None) or now()
