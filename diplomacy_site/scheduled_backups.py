"""Makes an encrypted backup every hour in BACKUP_TO, a folder or S3. Older ones are deleted as players were promised.

Once a month a backup is also restored while it is written, into a database that is then dropped.
"""

from __future__ import annotations

import logging
import os
import re
import subprocess
import sys
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

import obstore
import psycopg
from django.conf import settings
from django.core.cache import cache
from obstore.store import LocalStore, from_url
from psycopg import sql
from redis.exceptions import RedisError

from diplomacy_site import age, env
from diplomacy_site.backups import write_backup
from diplomacy_site.embedded import places
from diplomacy_site.shared_counts import BACKUP, PROOF, last_moments, note_moments
from games.kernel import clock

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import LiteralString

    from obstore.store import ObjectStore

log = logging.getLogger(__name__)
NAME = re.compile(r"(?:^|/)site-(\d{4}-\d\d-\d\dT\d\d)Z\.backup\.age$")
HOURLY_FOR, DAILY_FOR = timedelta(days=2), timedelta(days=14)
PROVED_EVERY = timedelta(days=30)
PROOF_PATIENCE = 3600.0
BUSY, BUSY_SECONDS = "backing-up", 3600
"""One worker at a time; if it is killed, the next tries after so long."""
THROWAWAY, DROPPED = "_proof", "DROP DATABASE IF EXISTS {} WITH (FORCE)"
"""How the name of the database ends in which a backup is proved: another site's on the same server has another."""
NOWHERE = "redis://127.0.0.1:1"
"""The Redis of what is restored to prove it: open pages must not be told what happens to games there."""


def storage() -> ObjectStore:
    """The store that BACKUP_TO names. S3 takes its keys, region and address from its usual variables, AWS_ACCESS_KEY_ID
    and so on."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        os.environ.update({name: env.text(name, ""), f"{name}_FILE": ""})  # it does not read files
    for name in [name for name, value in os.environ.items() if name.startswith("AWS_") and not value]:
        del os.environ[name]  # the compose file sets them all, and the library takes an empty address for one
    if "://" in settings.BACKUP_TO:
        return from_url(settings.BACKUP_TO)
    return LocalStore(settings.BACKUP_TO, mkdir=True)


def make_scheduled_backup() -> None:
    """Write this hour's backup, unless there is one or another worker writes it, and delete those that are too old."""
    moment = clock.now()
    noted = {name: it.at for name, it in last_moments().items()}
    has_one = BACKUP in noted and name_of(noted[BACKUP]) == name_of(moment)
    if has_one or not cache.add(BUSY, True, timeout=BUSY_SECONDS):
        return
    try:
        store = storage()
        proved = noted.get(PROOF)
        target = obstore.open_writer(store, name_of(moment))
        with age.encrypted(target, age.public_key(settings.BACKUP_KEY)) as encrypted:
            if proved is None or abs(moment - proved) >= PROVED_EVERY:  # it may have been put back
                _write_and_prove(encrypted, moment)
            else:
                write_backup(encrypted)
        target.close()
        with suppress(RedisError):  # the next hour notes it again
            note_moments(BACKUP, at=moment)
        names = [each["path"] for each in obstore.list_with_delimiter(store)["objects"]]  # folders in it are not ours
        obstore.delete(store, list(names_to_delete(names, moment)))
        if isinstance(store, LocalStore):  # workers that were killed leave halves, which the library never lists
            for half in Path(settings.BACKUP_TO).glob("site-*.backup.age#*"):
                if half.stat().st_mtime < (moment - HOURLY_FOR).timestamp():
                    half.unlink()
    finally:
        cache.delete(BUSY)


def names_to_delete(names: Iterable[str], now: datetime) -> Iterator[str]:
    """The names of our backups that are older than two weeks, or older than two days and not the first of their day."""
    kept_days = set()
    for name, made in sorted((name, made) for name in names if (made := _moment_in(name))):
        is_first = made.date() not in kept_days
        kept_days.add(made.date())
        if now - made > DAILY_FOR or (now - made > HOURLY_FOR and not is_first):
            yield name


def name_of(moment: datetime) -> str:
    """The file of this hour."""
    return f"site-{moment.replace(tzinfo=None).isoformat(timespec='hours')}Z.backup.age"


def _moment_in(name: str) -> datetime | None:
    hour = NAME.search(name)
    return datetime.fromisoformat(hour[1]).replace(tzinfo=UTC) if hour else None


class _Both:
    """Writes to two streams, and only to the first once the second fails: no backup is lost because its proof fails."""

    def __init__(self, first: IO[bytes], second: IO[bytes]) -> None:
        self.first, self.second = first, second

    def write(self, piece: bytes) -> int:
        try:
            self.second.write(piece)
        except OSError:
            self.write = self.first.write  # type: ignore[method-assign,assignment]  # from now on without it
        return self.first.write(piece)


def _write_and_prove(encrypted: IO[bytes], moment: datetime) -> None:
    with ExitStack() as proof:
        try:
            process = proof.enter_context(_restoring())
        except (psycopg.Error, OSError, subprocess.SubprocessError):  # no right to create databases, or no server
            log.exception("No backup can be restored as a test.")
            write_backup(encrypted)
            return
        assert process.stdin
        write_backup(_Both(encrypted, process.stdin))  # type: ignore[arg-type]  # all that is asked of a file
        with suppress(OSError, subprocess.TimeoutExpired, RedisError):  # the next hour tries again
            process.stdin.close()
            if process.wait(PROOF_PATIENCE) == 0:
                note_moments(PROOF, at=moment)


@contextmanager
def _restoring() -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process that restores what it is sent into a new database, which is dropped afterwards."""
    address = env.text("POSTGRES_URL", "") or env.text("DATABASE_URL")
    name = urlsplit(address).path.removeprefix("/") + THROWAWAY
    elsewhere = urlsplit(address)._replace(path=f"/{name}").geturl()
    told = {"DATABASE_URL": elsewhere, "POSTGRES_URL": "", "PGBOUNCER": "", "REDIS_URL": NOWHERE}
    environment = {**os.environ, **told, **{f"{name}_FILE": "" for name in told}}
    manage = [sys.executable, "manage.py"]
    how: dict[str, Any] = {"cwd": places.CHECKOUT, "env": environment, "stdout": subprocess.DEVNULL}
    _execute_beside(address, name, DROPPED, "CREATE DATABASE {}")
    try:
        # Before the backup begins: PgBouncer ends a transaction that waits for so long.
        subprocess.run([*manage, "migrate", "--noinput"], check=True, **how)
        with subprocess.Popen([*manage, "restore", "-"], stdin=subprocess.PIPE, **how) as process:
            try:
                yield process
            finally:
                process.kill()
    finally:
        with suppress(psycopg.Error):  # the next proof drops it
            _execute_beside(address, name, DROPPED)


def _execute_beside(address: str, name: str, *statements: LiteralString) -> None:
    with psycopg.connect(address, autocommit=True) as beside:
        for statement in statements:
            beside.execute(sql.SQL(statement).format(sql.Identifier(name)))
