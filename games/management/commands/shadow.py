"""Compares the results of the current code with the stored ones, before a release."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from adjudication.english import amount
from games.mastering.judging import Shadow, shadows


class Command(BaseCommand):
    help = (
        "Adjudicate every closed phase of every game again from its sealed orders with the current code, and change "
        "nothing. Lists the games and phases that differ, but no orders. Exit with 1 if there are any."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        seen: list[Shadow] = []
        for shadow in shadows():
            seen.append(shadow)
            for difference in shadow.differences:
                self.stdout.write(f"game {shadow.game_id} differs: {difference}")
            if shadow.not_compared:
                self.stdout.write(f"game {shadow.game_id} is over and was not compared: {shadow.not_compared}")
        differing = sum(bool(shadow.differences) for shadow in seen)
        phases = sum(shadow.phases for shadow in seen)
        if differing:
            raise CommandError(
                f"{differing} of {amount(len(seen), 'game')} with differences; {amount(phases, 'phase')} compared."
            )
        self.stdout.write(f"{amount(len(seen), 'game')}, {amount(phases, 'phase')}: no differences.")
