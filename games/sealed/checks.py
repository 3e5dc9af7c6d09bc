"""System checks of the keys, each with an id."""

from collections.abc import Sequence
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import DatabaseError, connection

from games.sealed.rekeying import check_keys

KEY_BYTES = 32
SHEETS = "sealed_sheets"


@register
def sheets_can_be_sealed(**_arguments: Any) -> list[CheckMessage]:
    """games.E001: without a key of 32 bytes no sheet can be sealed."""
    keys = getattr(settings, "SEALED_KEYS", ())
    if keys and all(isinstance(key, bytes) and len(key) == KEY_BYTES for key in keys):
        return []
    return [Error("SEALED_KEYS must contain at least one key, and every key must have 32 bytes.", id="games.E001")]


@register(Tags.database)
def keys_open_what_is_sealed(databases: Sequence[str] | None = None, **_arguments: Any) -> list[CheckMessage]:
    """games.E002: the keys are not those of this database. Runs with `migrate`, so before the site starts."""
    if not databases or SHEETS not in connection.introspection.table_names():
        return []
    try:
        fault = check_keys()
    except DatabaseError:
        return []  # the tables are of another version, which the migrations will report
    return [Error(fault, id="games.E002")] if fault else []
