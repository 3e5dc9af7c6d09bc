"""The database of the tests."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from urllib.parse import quote

import psycopg
from django.core.management import call_command
from django.db import connection
from psycopg import sql

from diplomacy_site.embedded import places

KEPT = {"django_migrations", "django_content_type", "auth_permission"}
"""The settings that the tables were made with."""
ENDED = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = {}"


def database_address() -> str:
    """The database of this test, for another process."""
    facts = {key: quote(str(value), safe="") for key, value in connection.settings_dict.items() if key.isupper()}
    port = f":{facts['PORT']}" if facts["PORT"] else ""
    password = f":{facts['PASSWORD']}" if facts["PASSWORD"] else ""
    return f"postgresql://{facts['USER']}{password}@{facts['HOST']}{port}/{facts['NAME']}"


def fingerprint(checkout: Path = places.CHECKOUT) -> str:
    """Of everything that defines tables: the migrations, and the libraries that bring some."""
    found = [path for app in ("diplomacy_site", "games") for path in (checkout / app).rglob("migrations/*.py")]
    digest = hashlib.sha256()
    for path in (checkout / "requirements-dev.lock", *sorted(found)):
        digest.update(f"{path.relative_to(checkout)}\n".encode() + path.read_bytes())
    return digest.hexdigest()


def template() -> str:
    """The name of a database with empty tables, which every process of a run copies: to migrate one takes seconds. The
    first that needs it makes it; on servers that stay, it is kept for the next run."""
    name = f"template_{fingerprint()[:12]}"
    draft, own = f"{name}_draft", connection.settings_dict["NAME"]
    with _beside() as beside:
        beside.execute("SELECT pg_advisory_lock(hashtext(%s))", [name])
        if beside.execute("SELECT FROM pg_database WHERE datname = %s", [name]).fetchone() is None:
            beside.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(draft)))
            beside.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(draft)))
            use_database(draft)
            call_command("migrate", verbosity=0, interactive=False)
            use_database(own)
            renamed = sql.SQL("ALTER DATABASE {} RENAME TO {}")
            beside.execute(renamed.format(sql.Identifier(draft), sql.Identifier(name)))
    return name


@contextmanager
def copy_of_database() -> Iterator[str]:
    """The name of another database with all that is in this one now. Afterwards the site uses this one again."""
    before = connection.settings_dict["NAME"]
    name = f"{before}_copy"
    connection.close()
    _execute_beside("DROP DATABASE IF EXISTS {}", name)
    # A database in use can't be copied, and threads of earlier tests may keep sessions.
    _execute_beside("ALTER DATABASE {} ALLOW_CONNECTIONS false", before)
    _execute_beside(sql.SQL(ENDED).format(before))
    _execute_beside("CREATE DATABASE {} TEMPLATE {}", name, before)
    for each in (before, name):
        _execute_beside("ALTER DATABASE {} ALLOW_CONNECTIONS true", each)
    yield name
    use_database(before)
    _execute_beside("DROP DATABASE {}", name)


@contextmanager
def new_database() -> Iterator[None]:
    """The site uses another database, without tables; afterwards this one again."""
    before = connection.settings_dict["NAME"]
    name = f"{before}_new"
    _execute_beside("DROP DATABASE IF EXISTS {}", name)
    _execute_beside("CREATE DATABASE {}", name)
    use_database(name)
    try:
        yield
    finally:
        use_database(before)
        _execute_beside("DROP DATABASE {}", name)


def _execute_beside(what: str | sql.Composed, *names: str) -> None:
    with _beside() as beside:
        beside.execute(sql.SQL(what).format(*map(sql.Identifier, names)) if isinstance(what, str) else what)


def _beside() -> psycopg.Connection:
    """A session on the same server, in no database of the tests."""
    given = {**connection.get_connection_params(), "dbname": "postgres"}
    known = {key: given[key] for key in ("dbname", "host", "port", "user", "password") if given.get(key)}
    return psycopg.connect(**known, autocommit=True)


def use_database(name: str) -> None:
    """The site uses this database from here on."""
    connection.close()
    connection.settings_dict["NAME"] = name


def empty_tables() -> None:
    """Delete what a test has committed: takes milliseconds, where TRUNCATE recreates a hundred files."""
    with connection.cursor() as cursor:
        if may_leave_triggers_out():
            cursor.execute(deletion())
        else:
            call_command("flush", verbosity=0, interactive=False, reset_sequences=False)


@cache
def may_leave_triggers_out() -> bool:
    """Whether the user of the tests is a superuser, as on the embedded server."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
        return bool(cursor.fetchone()[0])


@cache
def deletion() -> sql.Composable:
    """For all tables at once: no trigger prevents deleting the log, and no foreign key dictates an order."""
    tables = sorted({*connection.introspection.django_table_names(only_existing=True)} - KEPT)
    return sql.SQL("; ").join(
        [
            sql.SQL("SET session_replication_role = replica"),
            *(sql.SQL("DELETE FROM {}").format(sql.Identifier(table)) for table in tables),
            sql.SQL("SET session_replication_role = DEFAULT"),
        ]
    )
