"""Lists in the API: page after page, each row once."""

from __future__ import annotations

from base64 import b64encode
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from games.api.lists import NewestFirst
from games.kernel.models import Game
from games.mastering.services.desk import close_game
from tests.browsers import visitor
from tests.cast import CAROL, person
from tests.factories import running_game, waiting_game

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _short_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(NewestFirst, "page_size", 2)


def walked(address: str) -> tuple[list[str], int]:
    """The games of all pages from here on, and how many pages there were."""
    shown, pages = [], 0
    while address:
        page = visitor().get(address).json()
        shown += [game["slug"] for game in page["results"]]
        address, pages = page["next"] or "", pages + 1
    return shown, pages


def listed(show: str, viewer: str | None = None, **asked: Any) -> list[str]:
    page = visitor(viewer).get(reverse("api:games"), {"show": show, **asked}).json()
    return [game["slug"] for game in page["results"]]


def test_games_are_listed_by_what_can_be_done_with_them() -> None:
    running, waiting, private = running_game(), waiting_game(name="Waiting"), waiting_game(by_invitation=True)
    assert listed("running") == [running.slug]
    assert listed("open") == [waiting.slug]
    assert visitor().get(reverse("api:games")).json()["results"][0]["wants"] is None
    assert listed("public") == [waiting.slug, running.slug]
    assert (listed("mine"), listed("finished")) == ([], [])
    assert listed("mine", CAROL) == [private.slug, waiting.slug]
    alice = visitor("alice").get(reverse("api:games"), {"show": "mine"}).json()["results"]
    assert [(game["slug"], game["my_power"], game["wants"]) for game in alice] == [
        (running.slug, "BRITAIN", "orders missing")
    ]


def test_every_list_goes_on_to_its_last_game() -> None:
    made = [waiting_game(name=f"Game {number}") for number in range(5)]
    Game.objects.filter(pk__in=[game.pk for game in made[1:4]]).update(created=made[1].created)
    assert walked(f"{reverse('api:games')}?show=open") == ([game.slug for game in reversed(made)], 3)


def test_a_page_names_the_one_before_it() -> None:
    for number in range(3):
        waiting_game(name=f"Game {number}")
    first = Client(SERVER_NAME="localhost").get(reverse("api:games")).json()
    assert first["next"].startswith("http://testserver/api/v1/games/?cursor=")
    second = visitor().get(first["next"]).json()
    assert visitor().get(second["previous"]).json()["results"] == first["results"]
    assert (first["previous"], second["next"]) == (None, None)


def test_finished_games_are_searched_as_on_the_page() -> None:
    made = []
    for number in range(3):
        made.append(running_game(name=f"Geneva {number}"))
        close_game(game_id=made[-1].pk, by=person(CAROL).pk)
    Game.objects.filter(pk=made[0].pk).update(created=made[0].created - timedelta(days=800))
    runs = running_game(name="Geneva goes on")
    address = f"{reverse('api:games')}?show=finished"
    assert walked(f"{address}&name=geneva&player=alice") == ([game.slug for game in reversed(made)], 2)
    assert walked(f"{address}&year={made[0].created.year}")[0] == [made[2].slug, made[1].slug]
    assert listed("public", name="geneva goes") == [runs.slug]


@pytest.mark.parametrize(
    ("asked", "wrong"),
    [
        ({"show": "closed"}, {"show"}),
        ({"variant": "chess", "pace": "soon"}, {"variant", "pace"}),
        ({"show": "finished", "player": "nobody", "name": "x"}, {"player", "name"}),
        ({"player": "alice"}, {"player"}),
        ({"year": "soon"}, {"year"}),
        ({"cursor": "forged"}, {"cursor"}),
        *(
            ({"cursor": b64encode(forged).decode()}, {"cursor"})
            for forged in (b"p=now", b"p=\0", b"p=99999-01-01", b"p=0001-01-01 00:00:00%2B14:00", b"o=1&p=infinity")
        ),
    ],
)
def test_a_list_that_there_cannot_be_is_refused_field_by_field(asked: dict[str, str], wrong: set[str]) -> None:
    answer = visitor().get(reverse("api:games"), asked)
    assert (answer.status_code, {one["field"] for one in answer.json()["problems"]}) == (400, wrong)
