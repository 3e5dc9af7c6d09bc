"""The games' only clock: the database's, which all workers and web servers share."""

from datetime import datetime
from typing import cast

from django.db import connection
from django.db.models import DateTimeField
from django.db.models.expressions import Combinable, RawSQL


def now() -> datetime:
    """The present moment in UTC, even within a long transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    return cast("datetime", moment)


def now_in_sql() -> Combinable:
    """The present moment as a column, for queries that read rows anyway."""
    return RawSQL("clock_timestamp()", (), DateTimeField())


def when_read(row: object) -> datetime:
    """The moment at which a row with the column `read_at` was read; for other rows, the present moment."""
    return getattr(row, "read_at", None) or now()
