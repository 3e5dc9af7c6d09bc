"""Second factors from a terminal: for somebody who has lost everything, and after a change of SECRET_KEY."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from diplomacy_site.accounts.second_factor import forget, seal_again


class Command(BaseCommand):
    help = "Take all second factors from an account, or with --seal-again seal all with the SECRET_KEY of today."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group(required=True)
        what.add_argument("--forget", metavar="NAME")
        what.add_argument("--seal-again", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["seal_again"]:
            self.stdout.write(f"{seal_again()} sealed again. The old key may leave SECRET_KEY_FALLBACKS.")
        elif forget(options["forget"]):
            self.stdout.write(f"{options['forget']} signs in with the password alone.")
        else:
            raise CommandError(f"{options['forget']!r} has no second factor, or there is no such account.")
