"""Compares what the code that is here makes of every phase with what came of it, before it is released."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.mastering.judging import Shadow, shadows


class Command(BaseCommand):
    help = (
        "Judge every closed phase of every game once more from its sealed sheets, with the code that is here, and "
        "change nothing. Names games and phases that come out otherwise, and no order; ends with 1 if there are any."
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
            raise CommandError(f"{differing} of {len(seen)} games differ; {phases} phases were compared.")
        self.stdout.write(f"{len(seen)} games, {phases} phases: every one as it was.")
