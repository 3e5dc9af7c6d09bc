"""A dropped connection to the database is replaced, once, where nothing can have been written through it.

That makes it unnecessary to ask every kept connection whether it is still there before it is used.
"""

from collections.abc import Callable
from typing import Any

from django.db import InterfaceError, OperationalError
from django.db.backends.postgresql.base import DatabaseWrapper
from psycopg.pq import TransactionStatus

READ = "SELECT"


def reconnect(*, connection: DatabaseWrapper, **_signal: object) -> None:
    """Receives the news of a new connection: its statements go through `once_more`."""
    if once_more not in connection.execute_wrappers:
        connection.execute_wrappers.append(once_more)


def once_more(
    execute: Callable[..., object], statement: object, params: object, many: bool, context: dict[str, Any]
) -> object:
    """Execute a statement. If the connection turns out to have been dropped, do so again on a new one, unless the
    statement, or one before it in its transaction, may have written something."""
    wire: DatabaseWrapper = context["connection"]
    is_harmless = _begins_a_transaction(wire) if wire.in_atomic_block else _reads(statement)
    try:
        return execute(statement, params, many, context)
    except (InterfaceError, OperationalError):
        if not is_harmless or not wire.connection.closed:
            raise
    _replace(wire)
    context["cursor"].cursor = wire.create_cursor()
    return execute(statement, params, many, context)


def _begins_a_transaction(wire: DatabaseWrapper) -> bool:
    """Has the server been told nothing of the transaction so far? What its first statement does is undone unless the
    transaction is committed."""
    return bool(wire.connection.info.transaction_status == TransactionStatus.IDLE)


def _reads(statement: object) -> bool:
    return isinstance(statement, str) and statement.lstrip().upper().startswith(READ)


def _replace(wire: DatabaseWrapper) -> None:
    """As `connect` does, which would also forget in which blocks the transaction has begun."""
    wire.connection.close()
    try:
        with wire.wrap_database_errors:
            wire.connection = wire.get_new_connection(wire.get_connection_params())
            wire.connection.autocommit = wire.get_autocommit()
            wire.init_connection_state()
    except (InterfaceError, OperationalError):
        wire.close()
        raise
    wire.errors_occurred = False
