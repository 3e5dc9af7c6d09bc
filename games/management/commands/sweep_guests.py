"""Deleting the old games of guests at once, instead of within the hour."""

from typing import Any

from django.core.management.base import BaseCommand

from adjudication.english import amount
from games.practice.services import sweep_guests


class Command(BaseCommand):
    help = "Delete the games of guests that are more than a week old, and guests without a game."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(f"Deleted {amount(sweep_guests(), 'game')}.")
