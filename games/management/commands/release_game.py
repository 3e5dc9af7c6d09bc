"""Lets a held game go on."""

from django.core.management.base import CommandError

from games.deadlines.phases import release
from games.kernel.models import Game, Status
from games.management.one_game import OneGameCommand


class Command(OneGameCommand):
    help = "Let a held game go on with the time that was left on its clock."

    def act(self, game: Game) -> str:
        if game.status != Status.HELD:
            raise CommandError(f"The game is {game.status}, not held.")
        release(game_id=game.pk)
        return "Released."
