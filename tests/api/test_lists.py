"""Lists in the API: page after page, each row once."""

from __future__ import annotations

from base64 import b64encode
from datetime import timedelta
from typing import Any

import pytest
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


def test_every_list_goes_on_to_its_last_game() -> None:
    made = [waiting_game(name=f"Game {number}") for number in range(5)]
    Game.objects.filter(pk__in=[game.pk for game in made[1:4]]).update(created=made[1].created)
    lobby = visitor().get(reverse("api:games")).json()
    newest = [game.slug for game in reversed(made)]
    assert [game["slug"] for game in lobby["open"]] == newest[:2]
    assert lobby["next"].keys() == {"open"}
    assert walked(lobby["next"]["open"]) == (newest[2:], 2)
    assert walked(reverse("api:list", args=["open"])) == (newest, 3)


def test_a_page_names_the_one_before_it() -> None:
    for number in range(3):
        waiting_game(name=f"Game {number}")
    first = visitor().get(reverse("api:list", args=["open"])).json()
    second = visitor().get(first["next"]).json()
    assert visitor().get(second["previous"]).json()["results"] == first["results"]
    assert (first["previous"], second["next"]) == (None, None)


def test_finished_games_are_searched_as_on_the_page() -> None:
    made = []
    for number in range(3):
        made.append(running_game(name=f"Geneva {number}"))
        close_game(game_id=made[-1].pk, by=person(CAROL).pk)
    Game.objects.filter(pk=made[0].pk).update(created=made[0].created - timedelta(days=800))
    running_game(name="Geneva goes on")
    address = reverse("api:list", args=["finished"])
    assert walked(f"{address}?name=geneva&player=alice") == ([game.slug for game in reversed(made)], 2)
    assert walked(f"{address}?year={made[0].created.year}")[0] == [made[2].slug, made[1].slug]
    wrong: Any = visitor().get(address, {"player": "nobody", "year": "soon"})
    fields = {one["field"] for one in wrong.json()["problems"]}
    assert (wrong.status_code, fields) == (400, {"player", "year"})


def test_what_is_no_list_and_no_cursor_is_not_there() -> None:
    assert visitor().get(reverse("api:list", args=["closed"])).status_code == 404
    for forged in (b"", b"p=now", b"p=\0", b"p=99999-01-01", b"p=0001-01-01 00:00:00%2B14:00", b"o=1&p=infinity"):
        cursor = b64encode(forged).decode() if forged else "forged"
        assert visitor().get(reverse("api:list", args=["open"]), {"cursor": cursor}).status_code == 404


def test_my_own_list_is_empty_for_a_stranger() -> None:
    waiting_game()
    address = reverse("api:list", args=["mine"])
    assert visitor().get(address).json()["results"] == []
    assert len(visitor(CAROL).get(address).json()["results"]) == 1
