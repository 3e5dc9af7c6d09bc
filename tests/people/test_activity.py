"""How many people played yesterday: one figure, from facts that everyone can read."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel import clock
from games.kernel.models import Phase
from games.people.profiles import count_players_yesterday
from games.seating.services.new_game import let_bot_play
from tests.cast import PLAYERS
from tests.factories import occupancy_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

A, R, T = "AUSTRIA", "RUSSIA", "TURKEY"


def midnight() -> datetime:
    return clock.now().astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def played(*powers: str, **options: Any) -> Game:
    """A game of three whose first phase closed yesterday, with orders of these powers."""
    choices: dict[str, Any] = {"variant": "three-way-balkan-battle", "players": PLAYERS[:3], **options}
    story = Story(running_game(**choices))
    for power in powers:
        story.order(power)
    story.deadline()
    closed(story.game, midnight() - timedelta(hours=12))
    return story.game


def closed(game: Game, when: datetime) -> None:
    game.occupancies.update(since=when - timedelta(days=1))
    Phase.objects.filter(game=game, ordinal=0).update(closed=when)


def test_it_counts_people_who_had_saved_orders_once_however_much_they_play() -> None:
    assert count_players_yesterday() == 0
    played(A, R)
    played(A, R, players=(PLAYERS[0], "kate", "liam"))
    assert count_players_yesterday() == 3


def test_only_yesterday_counts_and_no_open_phase() -> None:
    game = played(A, R)
    Story(game).order(T)
    assert count_players_yesterday() == 2
    for when in (midnight(), midnight() - timedelta(days=1, seconds=1)):
        closed(game, when)
        assert count_players_yesterday() == 0


def test_bots_and_games_by_invitation_do_not_count() -> None:
    game = played(A, R)
    let_bot_play(occupancy_id=occupancy_of(game, R).pk)
    played(A, R, T, by_invitation=True)
    assert count_players_yesterday() == 1


def test_it_does_not_tell_who_plays_in_two_anonymous_games() -> None:
    figures = set()
    for second in (PLAYERS[:3], ("kate", "liam", "mona")):
        Phase.objects.filter(closed__isnull=False).update(closed=midnight() - timedelta(days=9))
        for players in (PLAYERS[:3], second):
            played(A, R, hidden_names=True, players=players)
        figures.add(count_players_yesterday())
    assert figures == {4}


def test_the_first_page_and_the_lobby_say_it_in_one_more_statement() -> None:
    pages = (reverse("games:home"), reverse("games:lobby"))
    assert all("played here yesterday" not in Client().get(page).content.decode() for page in pages)
    played(A, R)
    assert all("2 people played here yesterday." in Client().get(page).content.decode() for page in pages)
    with CaptureQueriesContext(connection) as statements:
        count_players_yesterday()
    assert len(statements) == 1
