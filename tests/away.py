"""Parts of the site that are away for a moment: really, not by pretence."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
from django.db import connection
from psycopg import sql

from tests.database import database_address

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHERS = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()"


@contextmanager
def beside() -> Iterator[psycopg.Connection]:
    """A session of the same server, in another database."""
    address = database_address().rsplit("/", 1)[0] + "/postgres"
    with psycopg.connect(address, autocommit=True) as session:
        yield session


def drop_connections() -> None:
    """As when the server, or what stands before it, has ended the sessions that nobody used."""
    with beside() as session:
        session.execute(OTHERS, [connection.settings_dict["NAME"]]).fetchall()


@contextmanager
def database_away() -> Iterator[None]:
    """Everybody is thrown out, and nobody gets in until the end of the block."""
    name = sql.Identifier(connection.settings_dict["NAME"])
    with beside() as session:
        session.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(name))
        try:
            session.execute(OTHERS, [connection.settings_dict["NAME"]]).fetchall()
            yield
        finally:
            session.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS true").format(name))
            connection.close()
