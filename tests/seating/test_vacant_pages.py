"""The vacant seats of more games than fit on a page."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel import clock
from games.kernel.models import Occupancy
from tests.factories import occupancy_of, running_game

pytestmark = pytest.mark.django_db


def test_every_vacant_seat_is_on_exactly_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.seating.queries.MOST_CARDS", 2)
    games = [running_game(name=f"Game {number}") for number in range(5)]
    for game in games:
        for power in ("ITALY", "TURKEY"):
            Occupancy.objects.filter(pk=occupancy_of(game, power).pk).update(until=clock.now())
    shown, lengths, path = list[str](), list[int](), reverse("games:seats")
    while path:
        page = Client().get(path).content.decode()
        found = re.findall(r'href="(/games/[^/]+/seats/[A-Z]+/)"', page)
        shown, lengths = [*shown, *found], [*lengths, len(found)]
        link = re.search(r'href="(\?[^"]*)" rel="next">Seats in older games<', page)
        path = reverse("games:seats") + link[1] if link else ""
    assert lengths == [4, 4, 2]
    every = [reverse("games:vacant", args=[game.slug, power]) for game in games for power in ("ITALY", "TURKEY")]
    assert sorted(shown) == sorted(every)
