"""A game against bots, played by program."""

from __future__ import annotations

from typing import Any

from django.test import Client
from django.urls import reverse

from diplomacy_site.accounts.models import User
from games.bots.services import open_bot_turns, play_bot_turn
from games.deadlines.phases import close_due_phase
from games.kernel.models import Game, Occupancy
from games.orders.services import set_ready
from tests.factories import due_phases
from variants.bots import Level

HOME = "http://testserver"


def tap(client: Client | None = None, variant: str = "", **headers: str) -> tuple[Client, Any]:
    """Press the button that starts a game; the browser and the answer."""
    client = client or Client()
    return client, client.post(reverse("games:play"), {"variant": variant}, headers={"Origin": HOME, **headers})


def game_of(client: Client) -> Game:
    """The newest practice game of this browser."""
    return Game.objects.filter(occupancies__user=user_of(client), practice=True).latest("pk")


def user_of(client: Client) -> User:
    return User.objects.get(pk=client.session["_auth_user_id"])


def seat_of(game: Game) -> Occupancy:
    """The seat of the person."""
    return Occupancy.objects.select_related("seat", "user").get(game=game, user__is_bot=False)


def bots_play(game: Game) -> None:
    """As the quickest of them do."""
    Occupancy.objects.filter(game=game).exclude(bot="").update(bot=Level.EASY.value)
    for asked in open_bot_turns([game.pk]):
        play_bot_turn(occupancy_id=asked.occupancy_id, ordinal=asked.ordinal)


def play_phase(game: Game) -> None:
    """The bots save, the person says ready, and what is then due is adjudicated."""
    bots_play(game)
    phase = game.phases.get(closed__isnull=True)
    if phase.remaining is not None:
        set_ready(occupancy_id=seat_of(game).pk, ordinal=phase.ordinal, ready=True)
    for number in due_phases():
        close_due_phase(phase_id=number)
    game.refresh_from_db()
