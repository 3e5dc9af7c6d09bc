"""Holds a game by hand, until release_game."""

from django.core.management.base import CommandError

from games.deadlines.phases import hold
from games.kernel.models import Game
from games.management.one_game import OneGameCommand


class Command(OneGameCommand):
    help = "Hold a running or paused game: its clock stops, its page says so."

    def act(self, game: Game) -> str:
        incident = hold(game_id=game.pk)
        if not incident:
            raise CommandError(f"The game is {game.status}; only a running or paused game can be held.")
        return f"Held, incident {incident}."
