"""Lets a held game go on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Game, Status
from games.services.phases import release

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Let a held game go on with the time that was left on its clock."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        game = Game.objects.filter(slug=slug).first()
        if game is None:
            raise CommandError(f"There is no game {slug!r}.")
        if game.status != Status.HELD:
            raise CommandError(f"The game is {game.status}, not held.")
        release(game_id=game.pk)
        self.stdout.write("Released.")
