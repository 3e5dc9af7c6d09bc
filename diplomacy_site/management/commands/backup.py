"""Writes the whole database into one file while the site runs."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from diplomacy_site.backups import Backup, BadBackupError, write_backup
from games.kernel.wording import moment_words

STANDARD_OUTPUT = "-"
FOR_OWNER_ONLY = 0o600


class Command(BaseCommand):
    help = (
        "Write the whole database, as it is at one moment, to a new file, or to stdout for -. The file holds "
        "messages and addresses in plain text, but no keys. Encrypt it, and keep the keys somewhere else."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file that does not exist yet, or -")

    def handle(self, *args: Any, file: str, **options: Any) -> None:
        to_a_file = file != STANDARD_OUTPUT
        try:
            backup = _write_file(Path(file)) if to_a_file else write_backup(sys.stdout.buffer)
        except BadBackupError as fault:
            raise CommandError(str(fault)) from fault
        self.stderr.write(
            f"{backup.rows} rows of {len(backup.tables)} tables, as they were at {moment_words(backup.moment)}."
        )


def _write_file(path: Path) -> Backup:
    """Under another name until it is complete, so that half a backup is never mistaken for one."""
    if path.exists():
        raise CommandError(f"{path} already exists. Name a new file.")
    draft = path.with_name(f"{path.name}.unfinished")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FOR_OWNER_ONLY), "wb") as file:
            backup = write_backup(file)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    draft.rename(path)
    return backup
