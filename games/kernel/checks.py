"""System checks of the database, each with an id."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connection

TABLE_OF_0_1_0 = "games_game"
OF_0_1_0 = (
    "This database was made by version 0.1.0, whose games this version cannot read: nothing was changed, so either go "
    "on with version 0.1.0, or start afresh with an empty database as “From version 0.1.0” in HOSTING.md says."
)


@register(Tags.database)
def data_is_of_this_version(databases: Sequence[str] | None = None, **_arguments: Any) -> list[CheckMessage]:
    """games.E003: checks that the database is not of version 0.1.0. Runs with `migrate`, so before the site starts."""
    if not databases or TABLE_OF_0_1_0 not in connection.introspection.table_names():
        return []
    return [Error(OF_0_1_0, id="games.E003")]
