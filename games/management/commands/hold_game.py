"""Puts a game on hold by hand, until release_game."""

from django.core.management.base import CommandError

from games.deadlines.phases import hold
from games.kernel.models import Game
from games.management.one_game import OneGameCommand


class Command(OneGameCommand):
    help = "Put a running or paused game on hold. Its clock stops, and its page says so."

    def act(self, game: Game) -> str:
        incident = hold(game_id=game.pk)
        if not incident:
            raise CommandError(f"The game is {game.status}. Only a running or paused game can be put on hold.")
        return f"The game is on hold (incident {incident})."
