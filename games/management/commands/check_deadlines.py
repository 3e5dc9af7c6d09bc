"""For monitoring: is any phase overdue, or any game on hold?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.deadlines.queries import LATE_SECONDS, Overdue, overdue_phases
from games.kernel.models import Game, Status


class Command(BaseCommand):
    help = "Exit with 1 if a running game’s phase is overdue (one line for each) or a game is on hold."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--grace", type=int, default=LATE_SECONDS, help=f"how many seconds late a phase may be ({LATE_SECONDS})"
        )

    def handle(self, *args: Any, grace: int, **options: Any) -> None:
        overdue = overdue_phases(late_seconds=grace)
        held = Game.objects.filter(status=Status.HELD).count()
        if overdue or held:
            lines = [f"Overdue phases: {len(overdue)}. Games on hold: {held}.", *map(Overdue.sentence, overdue)]
            raise CommandError("\n".join(lines))
        self.stdout.write("No phase is overdue and no game is on hold.")
