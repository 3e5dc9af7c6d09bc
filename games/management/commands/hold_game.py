"""Holds a game by hand, until release_game."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Game
from games.services.phases import hold

if TYPE_CHECKING:
    from argparse import ArgumentParser


class Command(BaseCommand):
    help = "Hold a running or paused game: its clock stops, its page says so."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def handle(self, *args: Any, slug: str, **options: Any) -> None:
        game = Game.objects.filter(slug=slug).first()
        if game is None:
            raise CommandError(f"There is no game {slug!r}.")
        incident = hold(game_id=game.pk)
        if not incident:
            raise CommandError(f"The game is {game.status}; only a running or paused game can be held.")
        self.stdout.write(f"Held, incident {incident}.")
