"""Commands for one game, named by the last part of its address."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.kernel.models import Game


class OneGameCommand(BaseCommand):
    """Calls `act` with the game and prints what it returns. CommandError if there is no such game."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")

    def handle(self, *_args: Any, slug: str, **_options: Any) -> None:
        game = Game.objects.filter(slug=slug).first()
        if game is None:
            raise CommandError(f"There is no game {slug!r}.")
        self.stdout.write(self.act(game))

    def act(self, game: Game) -> str:
        raise NotImplementedError
