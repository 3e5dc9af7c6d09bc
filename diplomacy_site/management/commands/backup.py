"""Writes the whole database into one file while the site runs."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from diplomacy_site.backups import Backup, BadBackupError, write_backup
from games.kernel.wording import moment_words

STANDARD_OUTPUT = "-"
FOR_OWNER_ONLY = 0o600


class Command(BaseCommand):
    help = (
        "Write the whole database, as it is at one moment, to a new file, or to stdout for -. With BACKUP_KEY, it is "
        "encrypted to that key. Otherwise it holds messages and addresses in plain text. It never holds the site’s "
        "keys: keep them somewhere else."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file that does not exist yet, or -")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            backup = write_encrypted(sys.stdout.buffer) if file == STANDARD_OUTPUT else _write_file(Path(file))
        except BadBackupError as fault:
            raise CommandError(str(fault)) from fault
        self.stderr.write(
            f"{backup.rows} rows of {len(backup.checks)} tables, as they were at "
            f"{moment_words(backup.manifest.moment)}, {'encrypted' if settings.BACKUP_KEY else 'not encrypted'}."
        )


def write_encrypted(file: IO[bytes]) -> Backup:
    """Write a backup, encrypted if there is a key for backups."""
    if not settings.BACKUP_KEY:
        return write_backup(file)
    from diplomacy_site import age  # noqa: PLC0415 - most sites on one machine don't have what it needs

    with age.encrypted(file, age.public_key(settings.BACKUP_KEY)) as plain:
        return write_backup(plain)


def _write_file(path: Path) -> Backup:
    """Write it under another name until it is complete, so that half a backup is never mistaken for a whole one."""
    if path.exists():
        raise CommandError(f"{path} already exists. Name a new file.")
    draft = path.with_name(f"{path.name}.unfinished")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FOR_OWNER_ONLY), "wb") as file:
            backup = write_encrypted(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    draft.rename(path)
    return backup
