"""Second factors from a terminal: for players who have lost theirs, and after a change of SECRET_KEY."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from diplomacy_site.accounts.second_factor import reencrypt_second_factors, remove_second_factors


class Command(BaseCommand):
    help = "Remove all second factors from an account, or re-encrypt everyone’s with the current SECRET_KEY."

    def add_arguments(self, parser: ArgumentParser) -> None:
        choice = parser.add_mutually_exclusive_group(required=True)
        choice.add_argument("--forget", metavar="NAME")
        choice.add_argument("--seal-again", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["seal_again"]:
            self.stdout.write(
                f"{reencrypt_second_factors()} re-encrypted. You can now remove the old key from SECRET_KEY_FALLBACKS."
            )
        elif remove_second_factors(options["forget"]):
            self.stdout.write(f"{options['forget']} now signs in with the password alone.")
        else:
            raise CommandError(f"{options['forget']!r} has no second factor, or the account doesn’t exist.")
