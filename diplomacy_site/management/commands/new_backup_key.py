"""Prints a new pair of keys for backups."""

from typing import Any

import pyrage
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Print a new pair of keys of age, as age-keygen does: the private one opens what the public one encrypts."

    def handle(self, *args: Any, **options: Any) -> None:
        identity = pyrage.x25519.Identity.generate()
        self.stdout.write(f"# public key, for BACKUP_KEY: {identity.to_public()}\n{identity}")
