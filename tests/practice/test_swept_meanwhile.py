"""A practice game is deleted at the same moment as something else happens to it, on a real server."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Event
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth import get_user_model
from django.db import connection, connections, transaction
from django.urls import reverse

from games.kernel.locking import lock_game
from games.kernel.models import Game
from games.practice.services import delete_all_practice, erase_practice_game
from tests.browsers import visitor
from tests.cast import DAVE, PASSWORD, person
from tests.practice.table import game_of, tap, user_of

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.django_db(transaction=True)

WAITING = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
PATIENCE_SECONDS = 20


@contextmanager
def swept_meanwhile(game: Game) -> Iterator[None]:
    """Delete the game in a transaction that ends only once what is done here waits for it."""
    erased = Event()

    def sweep() -> None:
        try:
            with transaction.atomic():
                erase_practice_game(lock_game(game.pk))
                erased.set()
                _until_someone_waits()
        finally:
            erased.set()
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        swept = pool.submit(sweep)
        erased.wait()
        yield
        swept.result()


def _until_someone_waits() -> None:
    for _ in range(PATIENCE_SECONDS * 100):
        with connection.cursor() as cursor:
            cursor.execute(WAITING)
            if cursor.fetchone()[0]:
                return
        time.sleep(0.01)
    pytest.fail("No one waited for the game.")


def test_signing_in_while_the_guests_game_is_swept_signs_in() -> None:
    client, _answer = tap()
    person(DAVE)
    guest = user_of(client)
    with swept_meanwhile(game_of(client)):
        answer = client.post(reverse("account_login"), {"login": DAVE, "password": PASSWORD})
    assert answer.status_code == 302
    assert user_of(client).username == DAVE
    assert not get_user_model().objects.filter(pk=guest.pk).exists()


def test_signing_up_while_the_guests_game_is_swept_signs_up() -> None:
    client, _answer = tap()
    sent = {"username": "erin", "email": "erin@example.org", "password1": PASSWORD}
    with swept_meanwhile(game_of(client)):
        answer = client.post(reverse("account_signup"), sent)
    assert answer.status_code == 302
    assert user_of(client).username == "erin"


def test_of_two_games_the_one_that_is_not_swept_is_kept() -> None:
    client, _answer = tap()
    old = game_of(client)
    tap(client)
    new = game_of(client)
    person(DAVE)
    with swept_meanwhile(old):
        client.post(reverse("account_login"), {"login": DAVE, "password": PASSWORD})
    assert list(Game.objects.all()) == [new]
    assert client.get(reverse("games:game", args=[new.slug])).status_code == 200


def test_a_game_deleted_in_two_tabs_at_once_is_deleted() -> None:
    person(DAVE)
    client, _answer = tap(visitor(DAVE))
    game = game_of(client)
    with swept_meanwhile(game):
        answer = client.post(reverse("games:delete-practice", args=[game.slug]))
    assert answer.status_code in (302, 303)
    assert not Game.objects.exists()


def test_an_account_is_left_while_its_game_is_deleted() -> None:
    person(DAVE)
    client, _answer = tap(visitor(DAVE))
    with swept_meanwhile(game_of(client)):
        delete_all_practice(user_id=person(DAVE).pk)
    assert not Game.objects.exists()


def test_orders_for_a_game_that_is_swept_are_refused_with_a_sentence() -> None:
    client, _answer = tap()
    game = game_of(client)
    with swept_meanwhile(game):
        answer = client.post(reverse("games:orders", args=[game.slug]), {"use": "text", "text": "", "ordinal": "0"})
    assert answer.status_code < 500
