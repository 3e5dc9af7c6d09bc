"""A user on the site's pages, without a real browser."""

from __future__ import annotations

from django.test import Client
from django.urls import reverse

from games.kernel.models import Game
from tests.cast import person

EVE = "eve"


def visitor(name: str | None = EVE) -> Client:
    """A browser in which this user has signed in; Eve has no account."""
    client = Client()
    if name and name != EVE:
        client.force_login(person(name))
    return client


def address(name: str, game: Game, **more: object) -> str:
    """The game's page of this name."""
    return reverse(f"games:{name}", kwargs={"slug": game.slug, **more})
