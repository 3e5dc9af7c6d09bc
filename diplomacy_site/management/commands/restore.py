"""Restores a backup into a new database."""

import shutil
import sys
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from diplomacy_site.backups import BadBackupError, restore_backup, same_secret_key
from games.kernel.wording import moment_words

STANDARD_INPUT = "-"


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty database, all or nothing; its tables are created first. Every open deadline "
        "moves by the time since the backup was made, and the log of each game says so."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file written by `backup`, or - for stdin")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        try:
            with _open_seekable(file) as content:
                backup, games = restore_backup(content)
        except OSError as fault:
            raise CommandError(f"{file} cannot be read: {fault.strerror}.") from fault
        except BadBackupError as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(
            f"Restored: {backup.rows} rows of {len(backup.tables)} tables, as they were at "
            f"{moment_words(backup.moment)}. Games still being played: {games}. Their deadlines moved by the "
            "time since then. Everyone has to sign in again."
        )
        if not same_secret_key(backup):
            self.stdout.write(
                "SECRET_KEY has changed since the backup was made. Without the old one in SECRET_KEY_FALLBACKS, second "
                "factors and links in emails don’t work, and the names of deleted accounts can be taken."
            )


def _open_seekable(file: str) -> IO[bytes]:
    """A seekable file."""
    if file != STANDARD_INPUT:
        return Path(file).open("rb")
    whole = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(sys.stdin.buffer, whole)
    whole.seek(0)
    return whole
