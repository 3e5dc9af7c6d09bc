"""Restores a backup into a new database."""

from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from diplomacy_site.backups import BadBackupError, restore_backup, same_secret_key
from games.kernel.wording import moment_words

STANDARD_INPUT = "-"
BEGINNING_IF_ENCRYPTED = b"age-encryption.org/"


class Command(BaseCommand):
    help = (
        "Restore a backup of this or an older version into an empty database, all or nothing. Every open deadline "
        "moves by the time since the backup was made, and the log of each game says so."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="a file written by `backup`, or - for stdin")
        parser.add_argument(
            "--key",
            type=Path,
            help="the file with the private key, if the backup is encrypted; - if it is the first line of stdin",
        )

    def handle(self, *args: Any, file: str, key: Path | None, **options: Any) -> None:
        try:
            with (
                open(0 if file == STANDARD_INPUT else file, "rb") as content,  # noqa: PTH123 - no path leads to stdin
                _in_plain(content, key) as plain,
            ):
                backup, games = restore_backup(plain)
        except OSError as fault:
            raise CommandError(
                f"{fault.filename or 'The backup'} cannot be read: {fault.strerror or fault}."
            ) from fault
        except BadBackupError as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(
            f"Restored: {backup.rows} rows of {len(backup.checks)} tables, as they were at "
            f"{moment_words(backup.manifest.moment)}. Games still being played: {games}. Their deadlines moved by the "
            "time since then."
        )
        if not same_secret_key(backup.manifest):
            self.stdout.write(
                "SECRET_KEY has changed since the backup was made. Without the old one in SECRET_KEY_FALLBACKS, second "
                "factors and links in emails don’t work, and the names of deleted accounts can be taken."
            )


@contextmanager
def _in_plain(content: BufferedReader, key: Path | None) -> Iterator[IO[bytes]]:
    is_first_line = str(key) == STANDARD_INPUT
    private_key = key and (content.readline().decode() if is_first_line else key.read_text(errors="replace"))
    if not content.peek(len(BEGINNING_IF_ENCRYPTED)).startswith(BEGINNING_IF_ENCRYPTED):
        yield content
    elif not private_key:
        raise CommandError("This backup is encrypted. Name the file with its private key, too.")
    else:
        from diplomacy_site import age  # noqa: PLC0415 - most sites on one machine don't have what it needs

        with age.decrypted(content, age.private_key(private_key)) as plain:
            yield plain
