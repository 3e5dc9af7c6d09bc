"""The whole database in one file, as it was at one moment, and back again.

A zip file with the rows of every table, as PostgreSQL's COPY writes them, and a manifest: the moment, the version, the
migrations, the counters, and for every table its columns, the number of its rows and their digest. It has no keys:
orders are sealed in it as they are in the database, but those for open phases afresh, so that two backups don't tell
for which phases someone has saved in between. Sessions are left out, so that a stolen file can't be used to sign in.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import IO, Any

from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.utils.encoding import force_bytes
from psycopg import sql

from diplomacy_site.health import known_migrations
from games.deadlines.outage import make_up_for_outage
from games.kernel import clock
from games.kernel.checks import OF_0_1_0, TABLE_OF_0_1_0
from games.sealed.rekeying import BadKeys, check_keys, sealer_for_backups

FORMAT = 1
MANIFEST = "manifest.json"
SHEETS, MIGRATIONS = "sealed_sheets", "django_migrations"
TABLES_LEFT_OUT = ("people_session",)
TABLES_FILLED_BY_MIGRATE = ("django_content_type", "auth_permission")
"""The tables with rows in a database without data; the backup's own rows replace them."""
PIECE_BYTES = 1 << 20
BYTES_IN_COPY = b"\\\\x"
"""How COPY begins a value of bytes."""


class BadBackupError(Exception):
    """The backup cannot be made or restored; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its columns in the sequence of the file, how many rows, and the SHA-256 of their text."""

    columns: tuple[str, ...]
    rows: int
    digest: str


@dataclass(frozen=True, slots=True)
class Backup:
    """The contents of a manifest. `secret_key` shows whether SECRET_KEY is the same, but not what it is."""

    moment: datetime
    version: str
    migrations: frozenset[tuple[str, str]]
    secret_key: str
    counters: dict[str, int | None]
    tables: dict[str, Table]

    @property
    def rows(self) -> int:
        return sum(table.rows for table in self.tables.values())

    def to_json(self) -> str:
        facts = {
            **asdict(self),
            "format": FORMAT,
            "moment": self.moment.isoformat(),
            "migrations": sorted(map(list, self.migrations)),
        }
        return json.dumps(facts, indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: bytes) -> Backup:
        facts: dict[str, Any] = json.loads(text)
        if facts.pop("format") != FORMAT:
            raise BadBackupError("This backup was made by a newer version of the site. Restore it with that version.")
        return cls(
            **{
                **facts,
                "moment": datetime.fromisoformat(facts["moment"]),
                "migrations": frozenset((app, name) for app, name in facts["migrations"]),
                "tables": {
                    name: Table(tuple(facts_of_table["columns"]), facts_of_table["rows"], facts_of_table["digest"])
                    for name, facts_of_table in facts["tables"].items()
                },
            }
        )


def write_backup(file: IO[bytes]) -> Backup:
    """Write everything as one transaction sees it, while the site keeps running. Call it outside of any transaction."""
    with transaction.atomic(durable=True), zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        moment = clock.now()
        tables = {name: _write_table(archive, name) for name in _table_names() if name != MIGRATIONS}
        backup = Backup(
            moment=moment,
            version=settings.SITE_VERSION,
            migrations=frozenset(MigrationRecorder(connection).applied_migrations()),
            secret_key=_mark_of_key(settings.SECRET_KEY),
            counters=_counters(),
            tables=tables,
        )
        archive.writestr(MANIFEST, backup.to_json())
    return backup


def _counters() -> dict[str, int | None]:
    """The last number that each counter has given out; none for tables that are left out, which would tell how many
    rows they had."""
    unused = tuple(f"{name}_id_seq" for name in TABLES_LEFT_OUT)
    rows = _select("SELECT sequencename, last_value FROM pg_sequences ORDER BY 1")
    return {name: None if name in unused else last for name, last in rows}


def _write_table(archive: zipfile.ZipFile, name: str) -> Table:
    columns, digest, rows = _column_names(name), hashlib.sha256(), 0
    as_written = _reencrypt_rows(columns) if name == SHEETS else bytes
    none = sql.SQL("WHERE false" if name in TABLES_LEFT_OUT else "")
    what = sql.SQL("COPY (SELECT {} FROM {} {} ORDER BY {}) TO STDOUT").format(
        _column_list(columns), sql.Identifier(name), none, _column_list(_primary_key(name))
    )
    with (
        archive.open(f"tables/{name}", "w", force_zip64=True) as member,
        connection.cursor() as cursor,
        cursor.copy(what) as lines,
    ):
        for line in map(as_written, lines):
            member.write(line)
            digest.update(line)
            rows += line.count(b"\n")  # a line break within a value is written as \\n
    return Table(columns, rows, digest.hexdigest())


def _reencrypt_rows(columns: tuple[str, ...]) -> Callable[[bytes | memoryview], bytes]:
    """How a row of sealed sheets is written. COPY yields one row at a time, with bytes in hexadecimal."""
    afresh, number, content = sealer_for_backups(), columns.index("phase_id"), columns.index("sealed")

    def written(line: bytes | memoryview) -> bytes:
        fields = bytes(line).rstrip(b"\n").split(b"\t")
        sealed = bytes.fromhex(fields[content].removeprefix(BYTES_IN_COPY).decode())
        try:
            fields[content] = BYTES_IN_COPY + afresh(int(fields[number]), sealed).hex().encode()
        except BadKeys as fault:
            raise BadBackupError(f"Nothing was backed up. {fault}") from fault
        return b"\t".join(fields) + b"\n"

    return written


def read_manifest(archive: zipfile.ZipFile) -> Backup:
    """The backup's manifest. BadBackupError if it has none, or is from another version."""
    try:
        backup = Backup.from_json(archive.read(MANIFEST))
    except (KeyError, TypeError, ValueError) as fault:
        raise BadBackupError("This isn’t a backup of the site: it has no readable manifest.") from fault
    _insist_on_same_migrations(backup)
    return backup


def _insist_on_same_migrations(backup: Backup) -> None:
    known, in_backup = known_migrations(), backup.migrations
    if known != in_backup:
        differing = ", ".join(sorted(f"{app}.{name}" for app, name in known ^ in_backup))
        raise BadBackupError(
            f"This backup was made by version {backup.version}, which has different tables ({differing}). "
            "Restore it with that version, then upgrade."
        )


def restore_backup(file: IO[bytes]) -> tuple[Backup, int]:
    """Restore everything into a database without data, in one transaction; return how many games are not over.

    Every deadline moves by the time since the backup was made. BadBackupError, and nothing is changed, if there is
    data, the file is damaged, or the keys here do not open its orders.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            backup = read_manifest(archive)
            for name, table in backup.tables.items():
                _insist_on_whole(archive, name, table)
            _make_tables()
            with transaction.atomic(durable=True):
                return backup, _restore_rows(archive, backup)
    except zipfile.BadZipFile as fault:
        raise BadBackupError("This file isn’t a backup, or it is incomplete.") from fault


def _insist_on_whole(archive: zipfile.ZipFile, name: str, table: Table) -> None:
    digest = hashlib.sha256()
    for piece in _pieces_of_table(archive, name):
        digest.update(piece)
    if digest.hexdigest() != table.digest:
        raise BadBackupError(f"The backup is damaged: the rows of {name} have changed since it was made.")


def _pieces_of_table(archive: zipfile.ZipFile, name: str) -> Iterator[bytes]:
    with archive.open(f"tables/{name}") as member:
        while piece := member.read(PIECE_BYTES):
            yield piece


def _make_tables() -> None:
    """Migrate a new database; refuse one with data first, and one with other tables."""
    if TABLE_OF_0_1_0 in _table_names():
        raise BadBackupError(OF_0_1_0)
    _insist_on_no_data()
    call_command("migrate", interactive=False, verbosity=0)


def _insist_on_no_data() -> None:
    for name in _table_names():
        if name in {*TABLES_FILLED_BY_MIGRATE, MIGRATIONS}:
            continue
        if _select(sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(name))):
            raise BadBackupError(
                f"This database is in use: the table {name} has rows. Restore into a new, empty database."
            )


def _restore_rows(archive: zipfile.ZipFile, backup: Backup) -> int:
    tables = [sql.Identifier(name) for name in backup.tables]
    _execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.SQL(", ").join(tables)))
    _insist_on_no_data()
    filled_tables = sql.SQL(", ").join(map(sql.Identifier, TABLES_FILLED_BY_MIGRATE))
    _execute(sql.SQL("TRUNCATE {} CASCADE").format(filled_tables))
    for name, table in backup.tables.items():
        _restore_table(archive, name, table)
    _execute("SET CONSTRAINTS ALL IMMEDIATE")
    for name in backup.tables:
        _execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(sql.Identifier(name)))
    for name, last in backup.counters.items():
        _execute("SELECT setval(%s, %s, %s)", [f'"{name}"', last or 1, last is not None])
    if problem := check_keys():
        raise BadBackupError(f"Nothing was restored. {problem}")
    return make_up_for_outage(since=backup.moment)


def _restore_table(archive: zipfile.ZipFile, name: str, table: Table) -> None:
    """Rows are restored as they were, so triggers that refuse or add rows stay off until all are."""
    _execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(sql.Identifier(name)))
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(sql.Identifier(name), _column_list(table.columns))
    with connection.cursor() as cursor, cursor.copy(statement) as copying:
        for piece in _pieces_of_table(archive, name):
            copying.write(piece)


def same_secret_key(backup: Backup) -> bool:
    """Was the backup made with the current SECRET_KEY or one of its fallbacks?"""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(backup.secret_key, _mark_of_key(key)) for key in keys)


def _mark_of_key(key: str | bytes) -> str:
    return hmac.new(force_bytes(key), b"which key is this", hashlib.sha256).hexdigest()[:16]


def _table_names() -> list[str]:
    rows = _select("SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY 1")
    return [name for (name,) in rows]


def _column_names(table: str) -> tuple[str, ...]:
    rows = _select(
        "SELECT column_name FROM information_schema.columns WHERE table_schema = current_schema() "
        "AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
        [table],
    )
    return tuple(name for (name,) in rows)


def _primary_key(table: str) -> tuple[str, ...]:
    """The columns by which rows are sorted in the file. Their order on disk would reveal who has written since: a
    changed row moves to the end."""
    with connection.cursor() as cursor:
        return tuple(connection.introspection.get_primary_key_columns(cursor, table) or ())


def _column_list(columns: tuple[str, ...]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _execute(what: str | sql.Composable, values: list[Any] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(what, values)


def _select(what: str | sql.Composable, values: list[Any] | None = None) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(what, values)
        rows: list[Any] = cursor.fetchall()
        return rows
