"""An open game waits for players: how long such games take, and when it gives up."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.deadlines.news import GAME_OVER
from games.kernel import clock
from games.kernel.models import Game, Letter, Phase, Status
from games.seating.filling import seconds_to_fill
from games.seating.options import LIVE_WAIT_DAYS, SLOW_WAIT_DAYS
from games.seating.services.joining import close_unfilled_game, games_that_waited_too_long, join_game
from games.tasks import sweep_waiting
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, VARIANT, running_game, waiting_game
from tests.seating.test_joining_pages import words

if TYPE_CHECKING:
    from typing import Any

pytestmark = pytest.mark.django_db

DAY = 24 * HOUR
SMALL: dict[str, Any] = {"variant": "three-way-balkan-battle"}


def aged(game: Game, **ago: int) -> Game:
    Game.objects.filter(pk=game.pk).update(created=clock.now() - timedelta(**ago))
    game.refresh_from_db()
    return game


def test_a_game_that_does_not_fill_in_time_is_closed_and_all_in_it_are_told() -> None:
    game = aged(waiting_game(wait_days=7, seats="random"), days=6, hours=23)
    join_game(game_id=game.pk, user_id=person("alice").pk)
    sweep_waiting()
    game.refresh_from_db()
    assert game.status == Status.OPEN
    assert not close_unfilled_game(game_id=game.pk)
    aged(game, days=7)
    sweep_waiting()
    game.refresh_from_db()
    assert game.status == Status.CLOSED
    assert game.verdict is not None
    assert game.verdict["winners"] == []
    assert game.verdict_sentence == "The game was closed because too few players joined within 7 days."
    told = Letter.objects.filter(kind=GAME_OVER.letter).values_list("user__username", flat=True)
    assert set(told) == {"alice", CAROL}
    assert games_that_waited_too_long() == []


def test_it_waits_for_a_roll_call_to_end_and_for_ever_if_that_was_chosen() -> None:
    called: dict[str, Any] = {"wait_days": 7, "seats": "random", "roll_call_seconds": DAY}
    for options in (called, {}):
        game = aged(waiting_game(**SMALL, **options), days=400)
        for name in PLAYERS[:3] if options else ():
            join_game(game_id=game.pk, user_id=person(name).pk)
        assert not close_unfilled_game(game_id=game.pk)
        sweep_waiting()
        game.refresh_from_db()
        assert game.status == Status.OPEN


def test_a_game_older_than_the_choice_waits_for_ever() -> None:
    game = aged(waiting_game(wait_days=1), days=400)
    game.stored_options = {name: value for name, value in game.stored_options.items() if name != "wait_days"}
    game.save(update_fields=["stored_options"])
    assert games_that_waited_too_long() == []


@pytest.mark.parametrize(("seconds", "days"), [(DAY, SLOW_WAIT_DAYS), (900, LIVE_WAIT_DAYS)])
def test_without_a_choice_it_waits_as_its_pace_says(seconds: int, days: int) -> None:
    game = waiting_game(movement_seconds=seconds, wait_days=None)
    assert game.stored_options["wait_days"] == days


def started_after(hours: int, **options: Any) -> None:
    game = running_game(**SMALL, players=PLAYERS[:3], **options)
    Phase.objects.filter(game=game).update(opened=game.created + timedelta(hours=hours))


def test_such_games_took_as_long_as_the_one_in_the_middle_of_at_least_three() -> None:
    slow, live = (SMALL["variant"], False), (SMALL["variant"], True)
    started_after(10)
    started_after(20)
    started_after(1, movement_seconds=900)
    started_after(500, by_invitation=True)
    assert seconds_to_fill([slow, live, slow]) == {}
    started_after(90)
    assert seconds_to_fill([slow, live, (VARIANT, False)]) == {slow: 20 * HOUR}
    with CaptureQueriesContext(connection) as statements:
        seconds_to_fill([slow, live])
        assert seconds_to_fill([]) == {}
    assert len(statements) == 1


def test_the_page_of_an_open_game_takes_as_many_statements_however_many_have_joined() -> None:
    game, counts = waiting_game(seats="random"), set[int]()
    for name in PLAYERS[:3]:
        cache.clear()
        with CaptureQueriesContext(connection) as statements:
            Client().get(reverse("games:game", args=[game.slug]))
        counts.add(len(statements))
        join_game(game_id=game.pk, user_id=person(name).pk)
    (count,) = counts
    assert count <= 11


def test_the_lobby_and_the_game_say_both() -> None:
    for hours in (70, 71, 200):
        started_after(hours)
    game = waiting_game(**SMALL, wait_days=30)
    row = words(Client().get(reverse("games:lobby"), {"show": "open"}))
    assert "similar games took about 3 days · waits until" in row
    page = words(visitor(DAVE).get(reverse("games:game", args=[game.slug])))
    assert "Similar games took about 3 days to start, so this one may start around <time" in page
    assert "If it isn’t full by <time" in page
    aged(game, days=5)
    page = words(visitor(DAVE).get(reverse("games:game", args=[game.slug])))
    assert "Similar games took about 3 days to start.</p>" in page
    assert "is not full 30 days after it was created" in words(Client().get(reverse("games:terms", args=[game.slug])))
