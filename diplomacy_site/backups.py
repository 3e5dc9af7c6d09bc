"""The whole database in one file, as it was at one moment, and back again.

A compressed tar file, written and read as a stream: first a manifest (the moment, the version, the migrations, the
counters, the columns of every table), then the rows of each table in pieces, as PostgreSQL's COPY writes them, and at
the end how many rows each has, with their digest. It has no keys: orders are sealed in it as they are in the database,
but those for open phases afresh, so that two backups don't tell for which phases someone has saved in between. Sessions
are left out, so that a stolen file can't be used to sign in.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import json
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import datetime
from io import BytesIO
from itertools import groupby
from typing import IO, Any

import psycopg
from django.conf import settings
from django.core.management import call_command
from django.db import connection, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.utils.encoding import force_bytes
from psycopg import sql

from diplomacy_site.health import unknown_migrations
from games.deadlines.outage import make_up_for_outage
from games.kernel import clock
from games.kernel.checks import OF_0_1_0, TABLE_OF_0_1_0
from games.sealed.rekeying import BadKeys, check_keys, sealer_for_backups

FORMAT = 2
MANIFEST, CHECKS, ROWS = "manifest.json", "checks.json", "rows"
SHEETS, MIGRATIONS = "sealed_sheets", "django_migrations"
TABLES_LEFT_OUT = ("people_session",)
TABLES_FILLED_BY_MIGRATE = ("django_content_type", "auth_permission")
"""The tables with rows in a database without data; the backup's own rows replace them."""
PIECE_BYTES = 1 << 20
AS_LONG_AS_IT_TAKES = "SET LOCAL idle_in_transaction_session_timeout = 0"
"""For what is sent or read slowly elsewhere, between two statements."""
BYTES_IN_COPY = b"\\\\x"
"""How COPY begins a value of bytes."""


class BadBackupError(Exception):
    """The backup cannot be made or restored; the message says why, and what to do."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """The first part of a backup. `counters`: the last number that each has given out; `tables`: the columns of each,
    in the order of the file; `secret_key` shows whether SECRET_KEY is the same, but not what it is."""

    moment: datetime
    version: str
    migrations: frozenset[tuple[str, str]]
    secret_key: str
    counters: dict[str, int | None]
    tables: dict[str, tuple[str, ...]]

    def to_json(self) -> str:
        facts = {
            **asdict(self),
            "format": FORMAT,
            "moment": self.moment.isoformat(),
            "migrations": sorted(map(list, self.migrations)),
        }
        return json.dumps(facts, indent=1, sort_keys=True)

    @classmethod
    def from_json(cls, text: bytes) -> Manifest:
        facts: dict[str, Any] = json.loads(text)
        if facts.pop("format") != FORMAT:
            raise BadBackupError("This backup was made by a newer version of the site. Restore it with that version.")
        return cls(
            **{
                **facts,
                "moment": datetime.fromisoformat(facts["moment"]),
                "migrations": frozenset((app, name) for app, name in facts["migrations"]),
                "tables": {name: tuple(columns) for name, columns in facts["tables"].items()},
            }
        )


@dataclass(frozen=True, slots=True)
class Backup:
    """A whole backup: its manifest, and for each table how many rows it has and the SHA-256 of their text."""

    manifest: Manifest
    checks: dict[str, tuple[int, str]]

    @property
    def rows(self) -> int:
        return sum(rows for rows, _digest in self.checks.values())


def write_backup(file: IO[bytes]) -> Backup:
    """Write everything as one transaction sees it, while the site keeps running. Call it outside of any transaction."""
    with (
        transaction.atomic(durable=True),
        gzip.GzipFile(fileobj=file, mode="wb", compresslevel=6) as packed,
        tarfile.open(fileobj=packed, mode="w|") as archive,
    ):
        _execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _execute(AS_LONG_AS_IT_TAKES)
        # The last number would tell how many rows a table had that is left out.
        unused = tuple(f"{name}_id_seq" for name in TABLES_LEFT_OUT)
        manifest = Manifest(
            moment=clock.now(),
            version=settings.SITE_VERSION,
            migrations=frozenset(MigrationRecorder(connection).applied_migrations()),
            secret_key=_fingerprint_of_key(settings.SECRET_KEY),
            counters={
                name: None if name in unused else last
                for name, last in _select("SELECT sequencename, last_value FROM pg_sequences ORDER BY 1")
            },
            tables={name: _column_names(name) for name in _table_names() if name != MIGRATIONS},
        )
        _add_member(archive, MANIFEST, manifest.to_json().encode())
        checks = {name: _write_table(archive, name, columns) for name, columns in manifest.tables.items()}
        _add_member(archive, CHECKS, json.dumps(checks).encode())
    return Backup(manifest, checks)


def _add_member(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(content)
    archive.addfile(member, BytesIO(content))


def _write_table(archive: tarfile.TarFile, name: str, columns: tuple[str, ...]) -> tuple[int, str]:
    """Write the table's rows in pieces; return how many there are, and their digest."""
    digest, rows = hashlib.sha256(), 0
    as_written = _reencrypt_rows(columns) if name == SHEETS else bytes
    condition = sql.SQL("WHERE false" if name in TABLES_LEFT_OUT else "")
    with connection.cursor() as cursor:
        # In the order on disk they would reveal who has written since: a changed row moves to the end.
        primary_key = connection.introspection.get_primary_key_columns(cursor, name) or ()
        statement = sql.SQL("COPY (SELECT {} FROM {} {} ORDER BY {}) TO STDOUT").format(
            _column_list(columns), sql.Identifier(name), condition, _column_list(primary_key)
        )
        with cursor.copy(statement) as lines:
            for piece in _in_pieces(map(as_written, lines)):
                _add_member(archive, f"{ROWS}/{name}", piece)
                digest.update(piece)
                rows += piece.count(b"\n")  # a line break within a value is written as \\n
    return rows, digest.hexdigest()


def _in_pieces(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines joined into pieces of about PIECE_BYTES."""
    piece = bytearray()
    for line in lines:
        piece += line
        if len(piece) >= PIECE_BYTES:
            yield bytes(piece)
            piece.clear()
    if piece:
        yield bytes(piece)


def _reencrypt_rows(columns: tuple[str, ...]) -> Callable[[bytes | memoryview], bytes]:
    """Return a function that seals a row of sheets afresh. COPY yields one row at a time, with bytes in hexadecimal."""
    seal, number, content = sealer_for_backups(), columns.index("phase_id"), columns.index("sealed")

    def sealed_afresh(line: bytes | memoryview) -> bytes:
        fields = bytes(line).rstrip(b"\n").split(b"\t")
        sealed = bytes.fromhex(fields[content].removeprefix(BYTES_IN_COPY).decode())
        try:
            fields[content] = BYTES_IN_COPY + seal(int(fields[number]), sealed).hex().encode()
        except BadKeys as fault:
            raise BadBackupError(f"Nothing was backed up. {fault}") from fault
        return b"\t".join(fields) + b"\n"

    return sealed_afresh


@contextmanager
def opened_backup(file: IO[bytes]) -> Iterator[tuple[Manifest, tarfile.TarFile]]:
    """Yield the backup's manifest and its archive, which can be read once. BadBackupError if there is no manifest, it
    is from another version, or something that the block reads is damaged."""
    try:
        with gzip.GzipFile(fileobj=file) as packed, tarfile.open(fileobj=packed, mode="r|") as archive:
            manifest = _read_manifest(archive)
            # Its tables must be those of this version or of an older one, but not older than all that migrations
            # replace.
            in_backup = manifest.migrations
            oldest = {name for migration in MigrationLoader(None).replacements.values() for name in migration.replaces}
            unknown = unknown_migrations(in_backup)
            if unknown or oldest - in_backup:
                differing = ", ".join(sorted(f"{app}.{name}" for app, name in unknown | (oldest - in_backup)))
                raise BadBackupError(
                    f"This backup was made by version {manifest.version}, which has different tables ({differing}). "
                    "Restore it with that version, then upgrade."
                )
            yield manifest, archive
    except (tarfile.TarError, gzip.BadGzipFile, zlib.error, EOFError) as fault:
        raise BadBackupError(
            "This file isn’t a backup, or it is incomplete. (Backups of version 0.2.0 are restored with that version.)"
        ) from fault


def _read_manifest(archive: tarfile.TarFile) -> Manifest:
    first = archive.next()
    try:
        if first is None or first.name != MANIFEST:
            raise ValueError("no manifest")
        return Manifest.from_json(_content(archive, first))
    except (KeyError, TypeError, ValueError) as fault:
        raise BadBackupError("This isn’t a backup of the site: it has no readable manifest.") from fault


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    stream = archive.extractfile(member)
    return stream.read() if stream else b""


def restore_backup(file: IO[bytes]) -> tuple[Backup, int]:
    """Restore everything into a database without data, in one transaction; return how many games are not over.

    The tables become what they were when the backup was made, and once its rows are in them, those of this version.
    Every deadline moves by the time since then. BadBackupError, and nothing is changed, if there is data, the file is
    damaged, or the keys here do not open its orders.
    """
    with opened_backup(file) as (manifest, archive):
        if TABLE_OF_0_1_0 in _table_names():
            raise BadBackupError(OF_0_1_0)
        _insist_on_no_data()
        migrate_to(manifest.migrations)
        try:
            with transaction.atomic(durable=True):
                backup = _restore_rows(archive, manifest)
                call_command("migrate", interactive=False, verbosity=0)
                if problem := check_keys():
                    raise BadBackupError(f"Nothing was restored. {problem}")
                return backup, make_up_for_outage(since=manifest.moment)
        except psycopg.DataError as fault:
            raise BadBackupError(f"The backup is damaged: {fault}") from fault


def migrate_to(migrations: frozenset[tuple[str, str]]) -> None:
    """Migrate forwards or back, until exactly these (app, name) are applied. One that replaces others may be named
    itself, as `showmigrations` does, or by all that it replaces."""
    executor = MigrationExecutor(connection)
    nodes = executor.loader.graph.nodes.items()
    applied = [key for key, it in nodes if key in migrations or (it.replaces and migrations.issuperset(it.replaces))]
    newest = {**dict.fromkeys(executor.loader.migrated_apps), **dict(sorted(applied))}  # of each app; None for none
    executor.migrate([*newest.items()])


def _insist_on_no_data() -> None:
    for name in _table_names():
        query = sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(name))
        if name not in {*TABLES_FILLED_BY_MIGRATE, MIGRATIONS} and _select(query):
            raise BadBackupError(
                f"This database is in use: the table {name} has rows. Restore into a new, empty database."
            )


def _restore_rows(archive: tarfile.TarFile, manifest: Manifest) -> Backup:
    """Restore the rows as they were, with triggers off that would refuse or add rows."""
    tables = [sql.Identifier(name) for name in manifest.tables]
    _execute(AS_LONG_AS_IT_TAKES)
    _execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(sql.SQL(", ").join(tables)))
    _insist_on_no_data()
    filled_tables = sql.SQL(", ").join(map(sql.Identifier, TABLES_FILLED_BY_MIGRATE))
    _execute(sql.SQL("TRUNCATE {} CASCADE").format(filled_tables))
    for table in tables:
        _execute(sql.SQL("ALTER TABLE {} DISABLE TRIGGER USER").format(table))
    backup = Backup(manifest, _restore_tables(archive, manifest))
    _execute("SET CONSTRAINTS ALL IMMEDIATE")
    for table in tables:
        _execute(sql.SQL("ALTER TABLE {} ENABLE TRIGGER USER").format(table))
    for name in manifest.counters.keys() - {f"{MIGRATIONS}_id_seq"}:  # which has counted this database's own rows
        last = manifest.counters[name]
        _execute("SELECT setval(%s, %s, %s)", [f'"{name}"', last or 1, last is not None])
    return backup


def _restore_tables(archive: tarfile.TarFile, manifest: Manifest) -> dict[str, tuple[int, str]]:
    """Restore all tables; return each one's rows and digest. BadBackupError unless the backup ends with the same."""
    checks: dict[str, tuple[int, str]] | None = None
    restored = dict.fromkeys(manifest.tables, (0, hashlib.sha256().hexdigest()))
    for name, members in groupby(iter(archive.next, None), key=lambda member: member.name):
        pieces = (_content(archive, member) for member in members)
        if name == CHECKS:
            checks = {table: (rows, digest) for table, (rows, digest) in json.loads(b"".join(pieces)).items()}
            continue
        table = name.removeprefix(f"{ROWS}/")
        digest, rows = hashlib.sha256(), 0
        statement = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table), _column_list(manifest.tables[table])
        )
        with connection.cursor() as cursor, cursor.copy(statement) as copying:
            for piece in pieces:
                copying.write(piece)
                digest.update(piece)
                rows += piece.count(b"\n")
        restored[table] = rows, digest.hexdigest()
    if checks is None:
        raise EOFError
    if damaged := [name for name in restored if checks.get(name) != restored[name]]:
        raise BadBackupError(f"The backup is damaged: the rows of {damaged[0]} have changed since it was made.")
    return checks


def same_secret_key(manifest: Manifest) -> bool:
    """Was the backup made with the current SECRET_KEY or one of its fallbacks?"""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return any(hmac.compare_digest(manifest.secret_key, _fingerprint_of_key(key)) for key in keys)


def _fingerprint_of_key(key: str | bytes) -> str:
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


def _column_list(columns: Iterable[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))


def _execute(statement: str | sql.Composable, values: list[Any] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def _select(statement: str | sql.Composable, values: list[Any] | None = None) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return list(cursor.fetchall())
