"""The bell forgets what has been seen on the page of the game itself."""

from __future__ import annotations

import pytest
from django.urls import reverse

from games.delivery.inbox import count_unseen
from tests.browsers import visitor
from tests.cast import PLAYERS, person
from tests.factories import running_game
from tests.story import Story

pytestmark = pytest.mark.django_db


def test_who_looks_at_a_game_has_seen_what_they_were_told_of_it_and_of_no_other() -> None:
    first, second = running_game(), running_game(name="Another")
    for game in (first, second):
        Story(game).deadline()
    alice = person(PLAYERS[0]).pk
    before = count_unseen(alice)
    visitor(PLAYERS[0]).get(reverse("games:game", args=[first.slug]))
    assert 0 < count_unseen(alice) == before // 2
    assert count_unseen(person(PLAYERS[1]).pk) == before
