"""Seals all orders again with the newest key while games continue."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.sealed.rekeying import BATCH, BadKeys, rekey
from variants.words.english import amount


class Command(BaseCommand):
    help = (
        "Seal all saved orders again with the first of SEALED_KEYS. Put the new key before the old ones, restart all "
        "processes of the site, then run this. You can stop it and run it again. Then remove the old keys."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--batch", type=int, default=BATCH, help=f"phases per transaction ({BATCH})")

    def handle(self, *args: Any, batch: int, **options: Any) -> None:
        sealed = 0
        try:
            for count in rekey(max(batch, 1)):
                sealed += count
                self.stdout.write(f"The orders of {amount(sealed, 'phase')} sealed again.")
        except BadKeys as fault:
            raise CommandError(f"The orders of {amount(sealed, 'phase')} sealed again. {fault}") from fault
        self.stdout.write(
            f"All orders are sealed with the first key ({amount(sealed, 'phase')} resealed just now). "
            "You can remove the older keys."
        )
