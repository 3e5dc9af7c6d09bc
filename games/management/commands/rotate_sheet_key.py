"""Seals all sheets again with the newest key, while games go on."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.sealed.rekeying import BATCH, BadKeys, rekey


class Command(BaseCommand):
    help = (
        "Seal all sheets again with the first of SEALED_KEYS. Put the new key in front of the old ones, start all "
        "processes of the site anew, and run this; it may be stopped and run again. Then the old keys can go."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", type=int, default=BATCH, help=f"sheets in one transaction ({BATCH})")

    def handle(self, *args: Any, batch: int, **options: Any) -> None:
        done = 0
        try:
            for count in rekey(max(batch, 1)):
                done += count
                self.stdout.write(f"{done} sheets sealed again.")
        except BadKeys as fault:
            raise CommandError(f"{done} sheets were sealed again. {fault}") from fault
        self.stdout.write(
            f"All sheets are sealed with the first key, {done} of them since just now. The older keys can go."
        )
