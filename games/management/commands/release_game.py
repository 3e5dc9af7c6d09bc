"""Resumes a game that is on hold."""

from django.core.management.base import CommandError

from games.deadlines.phases import release
from games.kernel.models import Game, Status
from games.management.one_game import OneGameCommand


class Command(OneGameCommand):
    help = "Resume a game that is on hold, with the time that was left on its clock."

    def act(self, game: Game) -> str:
        if game.status != Status.HELD:
            raise CommandError(f"The game is {game.status}, not on hold.")
        release(game_id=game.pk)
        return "Released."
