"""System checks of the database, each with an id."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

TABLE_OF_0_1_0 = "games_game"


@register(Tags.database)
def data_is_of_this_version(databases: Sequence[str] | None = None, **_arguments: Any) -> list[CheckMessage]:
    """games.E003: the database was filled by version 0.1.0. Runs with `migrate`, so before the site starts."""
    if not databases or TABLE_OF_0_1_0 not in connection.introspection.table_names():
        return []
    fault = "This database was made by version 0.1.0, which this version cannot read."
    return [Error(fault, hint="Start afresh with an empty database: ./run reset", id="games.E003")]
