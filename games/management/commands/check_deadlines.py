"""For whoever watches the site: is any phase overdue, or any game held?"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from games import clock
from games.models import Game, Status
from games.selectors import overdue_since

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Ends with 1 if a running game's phase is overdue, or a game is held."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--grace", type=int, default=300, help="seconds a phase may be late (300)")

    def handle(self, *args: Any, grace: int, **options: Any) -> None:
        overdue = overdue_since(clock.now() - timedelta(seconds=grace))
        held = Game.objects.filter(status=Status.HELD).count()
        if overdue or held:
            raise CommandError(f"Phases overdue: {overdue}. Games held: {held}.")
        self.stdout.write("No phase is overdue and no game is held.")
