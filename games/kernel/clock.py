"""The one clock of the games: the database's, because every worker and every web server shares it."""

from datetime import datetime
from typing import cast

from django.db import connection


def now() -> datetime:
    """The moment this is called, in UTC, also within a long transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        (moment,) = cursor.fetchone()
    return cast("datetime", moment)
