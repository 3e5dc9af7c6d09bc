"""The games' only clock: that of the database, which all workers and web servers share."""

from datetime import datetime
from typing import cast

from django.db import connection


def now() -> datetime:
    """The moment this is called, in UTC, even within a long transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    return cast("datetime", moment)
