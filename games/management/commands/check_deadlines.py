"""For whoever watches the site: is any phase overdue, or any game held?"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.deadlines.overdue import LATE_SECONDS, Overdue, overdue_phases
from games.kernel.models import Game, Status


class Command(BaseCommand):
    help = "Ends with 1 if a running game's phase is overdue, a line for each, or if a game is held."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--grace", type=int, default=LATE_SECONDS, help=f"seconds a phase may be late ({LATE_SECONDS})"
        )

    def handle(self, *args: Any, grace: int, **options: Any) -> None:
        overdue = overdue_phases(late_seconds=grace)
        held = Game.objects.filter(status=Status.HELD).count()
        if overdue or held:
            lines = [f"Phases overdue: {len(overdue)}. Games held: {held}.", *map(Overdue.sentence, overdue)]
            raise CommandError("\n".join(lines))
        self.stdout.write("No phase is overdue and no game is held.")
