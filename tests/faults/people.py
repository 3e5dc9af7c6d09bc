"""The games for the rounds, and the accounts that play them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.contrib.auth import get_user_model
from django.test import Client

from games.kernel.models import Game, Occupancy
from games.seating.services.new_game import create_game, take_seat

if TYPE_CHECKING:
    from diplomacy_site.accounts.models import User

VARIANT = "balkan-battle"
"""Two powers with a unit each: its phases are adjudicated in a millisecond."""
PAIRS = 20
SHORTEST, SECONDS_FOR_EACH_GAME = 30, 1
"""So that about one phase a second falls due, however many games there are."""
MASTER = "master"


class People:
    """One game master for all games, and players in pairs. The more games, the longer their phases."""

    def __init__(self, games: int) -> None:
        self.seconds = max(SHORTEST, games * SECONDS_FOR_EACH_GAME)
        names = [MASTER, *(f"player{number}" for number in range(2 * PAIRS))]
        users = get_user_model().objects
        self.users = {
            name: users.create_user(username=name, email=f"{name}@example.org", password=None) for name in names
        }
        self.sessions = {name: session_of(user) for name, user in self.users.items()}
        self.players: dict[int, dict[str, str]] = {}
        self.made = 0

    def make_game(self) -> None:
        """A running game; `players` says who plays which power of it."""
        slug = create_game(
            by=self.users[MASTER].pk,
            name=f"Round {self.made}",
            variant=VARIANT,
            movement_seconds=self.seconds,
            retreat_seconds=self.seconds,
            adjustment_seconds=self.seconds,
            all_ready=True,
            gm_processes_early=True,
            open_votes=True,
            press="public",
        )
        game = Game.objects.get(slug=slug)
        pair = self.made % PAIRS
        powers = sorted(game.seats.values_list("power", flat=True))
        for number, power in enumerate(powers):
            name = f"player{2 * pair + number}"
            take_seat(game_id=game.pk, user_id=self.users[name].pk, power=power)
        self.players[game.pk] = {
            sitting.seat.power: sitting.user.get_username()
            for sitting in Occupancy.objects.filter(game=game).select_related("seat", "user")
        }
        self.made += 1


def session_of(user: User) -> str:
    """The key of a session in which this account is signed in."""
    browser = Client()
    browser.force_login(user)
    return browser.cookies[settings.SESSION_COOKIE_NAME].value
