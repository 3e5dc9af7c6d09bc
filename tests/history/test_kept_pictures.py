"""Where painted pictures are kept, how many, and what it costs to ask for others."""

from __future__ import annotations

import os
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from http import HTTPStatus
from ipaddress import ip_address
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from redis import Redis

from games.history import views
from games.history.files import END_OF_PNG, PNG, PictureFile, keep_picture, kept_picture, paint_new_cards
from games.kernel.page import page_for_strangers
from tests.browsers import address, visitor
from tests.cast import PLAYERS
from tests.factories import running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from pytest_django.fixtures import Settings

    from games.kernel.models import Game

SIZE, ROOM_FOR = 1_000, 10


@pytest.fixture
def folder(settings: Settings, tmp_path: Path) -> Path:
    """Room for ten pictures of a kilobyte."""
    settings.PICTURES_FOLDER, settings.PICTURES_BYTES = tmp_path / "pictures", ROOM_FOR * SIZE
    return tmp_path / "pictures"


def bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def picture(number: int) -> bytes:
    return str(number).encode().rjust(SIZE - len(END_OF_PNG)) + END_OF_PNG


def played() -> Game:
    game = running_game()
    Story(game).deadline()
    return game


def test_pictures_stay_within_their_bound_and_those_painted_first_go_first(folder: Path) -> None:
    for number in range(25):
        keep_picture(str(number), picture(number))
        os.utime(folder / str(number), (number, number))
        assert bytes_in(folder) <= settings.PICTURES_BYTES
    assert {file.name for file in folder.iterdir()} == {str(number) for number in range(15, 25)}
    assert kept_picture("24") == picture(24)
    assert kept_picture("14") is None


def test_a_picture_larger_than_the_bound_is_not_kept(folder: Path) -> None:
    keep_picture("large", b" " * ROOM_FOR * SIZE + END_OF_PNG)
    assert bytes_in(folder) == 0


def test_many_who_make_room_at_once_keep_the_bound_but_for_a_picture_each(folder: Path) -> None:
    writers = 4
    with ThreadPoolExecutor(writers) as pool:
        list(pool.map(lambda number: keep_picture(str(number), picture(number)), range(200)))
    assert (ROOM_FOR - writers) * SIZE <= bytes_in(folder) <= (ROOM_FOR + writers) * SIZE
    keep_picture("last", picture(0))
    assert bytes_in(folder) <= settings.PICTURES_BYTES


def test_what_a_kill_or_a_power_cut_leaves_is_never_shown_and_goes_in_its_turn(folder: Path) -> None:
    keep_picture("whole", picture(1))
    draft, half = folder / "killed.0123", folder / "half"
    for file in (draft, half):
        file.write_bytes(picture(2)[: SIZE // 2])
        os.utime(file, (1, 1))
    assert kept_picture("killed") is kept_picture("half") is None
    for number in range(ROOM_FOR):
        keep_picture(str(number), picture(number))
    assert not draft.exists()
    assert not half.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("addresses", [1, 1_000])
def test_new_pictures_stay_within_their_bound_from_however_many_addresses(folder: Path, addresses: int) -> None:
    view, first = page_for_strangers(played().slug), ip_address("10.0.0.1")
    answers: Counter[int] = Counter()
    for number in range(1_000):
        request = RequestFactory().get("/", REMOTE_ADDR=str(first + number % addresses))
        request.user = AnonymousUser()
        quick = PictureFile(PNG, str(number), partial(picture, number))
        answers[views._file_response(request, view, quick).status_code] += 1
    made = 12 if addresses == 1 else 1_000
    assert answers == Counter({HTTPStatus.OK: made, HTTPStatus.TOO_MANY_REQUESTS: 1_000 - made})
    assert bytes_in(folder) == ROOM_FOR * SIZE


@pytest.mark.django_db
def test_no_page_and_no_picture_that_strangers_ask_for_lies_in_redis() -> None:
    game = played()
    own = {"slug": game.slug}
    of_phase = [address(name, game, ordinal=0) for name in ("phase", "map", "picture", "card", "print")]
    whole = ("game", "history", "board", "newest-map", "newest-picture")
    of_game = [reverse(f"games:{name}", kwargs=own) for name in whole]
    others = [reverse(f"games:{name}") for name in ("home", "lobby", "variants", "learn")]
    api = [f"/api/v1/games/{game.slug}/", "/api/v1/games/", f"/api/v1/variants/{game.variant_slug}/map.svg"]
    for path in (*of_phase, *of_game, *others, *api):
        assert visitor().get(path).status_code == HTTPStatus.OK, path
    paint_new_cards(lambda: False)
    redis = Redis.from_url(settings.CACHES["default"]["LOCATION"])
    sizes = {key: redis.memory_usage(key) or 0 for key in redis.keys("*")}
    assert max(sizes.values()) < 2_000, sizes


@pytest.mark.django_db
def test_a_disk_that_takes_nothing_costs_only_another_painting(settings: Settings, tmp_path: Path) -> None:
    settings.PICTURES_FOLDER = tmp_path / "file" / "pictures"
    settings.PICTURES_FOLDER.parent.write_text("no folder")
    path = address("picture", played(), ordinal=0)
    first, again = visitor().get(path), visitor().get(path)
    assert (first.status_code, again.status_code, again.content) == (HTTPStatus.OK, HTTPStatus.OK, first.content)


@pytest.fixture
def busy() -> Iterator[None]:
    """Every place at the painters is taken."""
    with ExitStack() as places:
        for _ in range(4):
            places.enter_context(views.QUEUE)
        yield


@pytest.mark.django_db
def test_while_painters_are_busy_others_are_refused_before_anything_is_read(request: pytest.FixtureRequest) -> None:
    game = played()
    shown = visitor().get(address("picture", game, ordinal=0))
    request.getfixturevalue("busy")
    with CaptureQueriesContext(connection) as statements:
        refused = Client().get(address("card", game, ordinal=0))
    assert (refused.status_code, refused["Retry-After"], len(statements)) == (HTTPStatus.TOO_MANY_REQUESTS, "5", 0)
    assert visitor().get(address("picture", game, ordinal=0)).content == shown.content
    assert visitor().get(address("map", game, ordinal=0)).status_code == HTTPStatus.OK
    assert visitor().get(reverse("games:newest-map", kwargs={"slug": game.slug})).status_code == HTTPStatus.OK


@pytest.mark.django_db
def test_a_picture_of_a_game_by_invitation_tells_busy_strangers_nothing(request: pytest.FixtureRequest) -> None:
    game = running_game(by_invitation=True)
    Story(game).deadline()
    assert visitor(PLAYERS[0]).get(address("picture", game, ordinal=0)).status_code == HTTPStatus.OK
    request.getfixturevalue("busy")
    unknown = address("picture", game, ordinal=0).replace(game.slug, "no-such-game")
    answers = {(it.status_code, it.content) for it in map(Client().get, (address("picture", game, ordinal=0), unknown))}
    assert len(answers) == 1
