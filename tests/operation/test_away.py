"""What the site says while the database or Redis is away, and that a dropped connection is replaced unnoticed."""

from __future__ import annotations

import re
from contextlib import contextmanager
from functools import partial
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.contrib.sessions.backends.base import UpdateError
from django.db import InterfaceError, OperationalError, close_old_connections, connection, transaction
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client

from diplomacy_site.celery import close_stale_connections
from diplomacy_site.settings.servers import caches
from games.api.problems import VERSION_1
from games.kernel.models import Game
from games.tasks import sweep
from tests.away import database_away, drop_connections
from tests.cast import PASSWORD
from tests.factories import occupancy_of, running_game
from tests.secrecy.addresses import addresses
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import Settings

pytestmark = pytest.mark.django_db(transaction=True)
NEED_NOTHING = {
    "healthz",
    "robots",
    "events",
    "api:nothing",
    "api:schema",
    "games:lesson-by-number",
    "games:manifest",
    "games:words",
    "games:worker",
    "games:offline",
    "games:play",
    "games:theme",
    "webdiplomacy",
}
SHEET = {"ordinal": 0, "text": "A Mun-Bur", "use": "text"}


@pytest.fixture
def game() -> Game:
    return running_game()


@pytest.fixture
def germany(game: Game) -> Client:
    """Germany's player, who sees pages of errors as browsers do."""
    client = Client(raise_request_exception=False)
    client.force_login(occupancy_of(game, "GERMANY").user)
    return client


def saved(game: Game) -> str:
    order_sheet = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert order_sheet is not None
    return order_sheet.text


def orders_page(game: Game) -> str:
    return f"/games/{game.slug}/orders/"


def test_nobody_notices_that_kept_connections_were_dropped(game: Game, germany: Client) -> None:
    for asked in ("/games/", orders_page(game), f"/api/v1/games/{game.slug}/"):
        drop_unused_connections()
        assert germany.get(asked).status_code == HTTPStatus.OK
    drop_unused_connections()
    assert germany.post(orders_page(game), SHEET).status_code == HTTPStatus.SEE_OTHER
    drop_unused_connections()
    assert saved(game) == "A Mun-Bur"


def test_a_task_finds_a_new_connection_where_the_kept_one_was_dropped(game: Game) -> None:
    Game.objects.exists()
    drop_connections()
    close_stale_connections(sweep)
    with transaction.atomic():
        Game.objects.update(name="renamed")
    assert Game.objects.get().name == "renamed"


def drop_unused_connections() -> None:
    """Between two requests: each begins as here, except those that the framework's own client makes."""
    drop_connections()
    close_old_connections()


def test_what_may_have_been_written_is_never_repeated(game: Game) -> None:
    with pytest.raises((InterfaceError, OperationalError)):
        _rename_and_lose_the_connection()
    assert Game.objects.get().name == game.name


@transaction.atomic
def _rename_and_lose_the_connection() -> None:
    Game.objects.update(name="within a transaction")
    drop_connections()
    Game.objects.exists()


def test_while_the_database_is_away_every_address_says_so_and_then_answers_again(game: Game, germany: Client) -> None:
    with database_away():
        for name, place in addresses(game).items():
            answer = germany.get(place)
            if answer.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                assert name in NEED_NOTHING or answer.status_code == HTTPStatus.METHOD_NOT_ALLOWED, name
            elif name != "readyz":
                assert (answer["Retry-After"], answer["Cache-Control"]) == ("5", "no-store"), name
                wanted = "Unavailable" if place.startswith(VERSION_1) else "Back in a moment"
                assert said(answer, place) == wanted, name
    for page in (orders_page(game), "/games/", f"/api/v1/games/{game.slug}/"):
        assert germany.get(page).status_code == HTTPStatus.OK


def said(answer: Any, place: str) -> str:
    """The code of an API's refusal, or the heading of a page."""
    if place.startswith(VERSION_1):
        return str(answer.json()["code"])
    (heading,) = re.findall("<h1>(.*)</h1>", answer.content.decode())
    return str(heading)


def test_a_page_that_did_not_save_orders_keeps_them_to_be_sent_again(game: Game, germany: Client) -> None:
    with database_away():
        germany.cookies["theme"] = "dark"
        answer = germany.post(orders_page(game), SHEET)
    page = answer.content.decode()
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "Your orders were not saved" in page
    assert 'data-theme="dark"' in page
    fields = dict(re.findall('<input type="hidden" name="(.*?)" value="(.*?)">', page))
    assert fields == {name: str(value) for name, value in SHEET.items()}
    assert germany.post(orders_page(game), fields).status_code == HTTPStatus.SEE_OTHER
    assert saved(game) == SHEET["text"]


@contextmanager
def tables_of_another_version(*, newer: bool) -> Iterator[None]:
    """One column has another name, and one migration is recorded more, or one less."""
    recorded = MigrationRecorder.Migration.objects
    one = (
        MigrationRecorder.Migration(app="kernel", name="9999_newer")
        if newer
        else recorded.filter(app="kernel").latest("name")
    )
    record, forget = partial(one.save, force_insert=True), one.delete
    rename = "ALTER TABLE kernel_phase RENAME COLUMN {} TO {}"
    with connection.cursor() as cursor:
        cursor.execute(rename.format("deadline", "later"))
        (record if newer else forget)()
        try:
            yield
        finally:
            (forget if newer else record)()
            cursor.execute(rename.format("later", "deadline"))


@pytest.mark.parametrize("newer", [True, False])
def test_pages_on_tables_of_another_version_are_away_for_a_moment(game: Game, germany: Client, newer: bool) -> None:
    """As on a machine that is upgraded last, or whose tables are."""
    place = orders_page(game)
    with tables_of_another_version(newer=newer):
        answer, told = germany.get(place), germany.get(f"/api/v1/games/{game.slug}/")
    assert (answer.status_code, answer["Retry-After"], said(answer, place)) == (503, "5", "Back in a moment")
    assert (told.status_code, told.json()["code"]) == (503, "Unavailable")


def test_what_is_wrong_on_our_own_tables_is_an_error_as_ever(game: Game, germany: Client) -> None:
    with tables_of_another_version(newer=True):
        MigrationRecorder.Migration.objects.filter(name="9999_newer").update(app="kernel", name="0001_initial")
        assert germany.get(orders_page(game)).status_code == HTTPStatus.INTERNAL_SERVER_ERROR


def test_nothing_else_that_was_sent_is_shown_again(germany: Client) -> None:
    with database_away():
        answer = germany.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    page = answer.content.decode()
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE
    assert "Treat what you just sent as not saved" in page
    assert PASSWORD not in page


def test_a_session_that_the_database_could_not_keep_is_not_called_ended(game: Game, germany: Client) -> None:
    session = germany.session
    session["seen"] = "something"
    with database_away(), pytest.raises(OperationalError):
        session.save()
    session.save()
    germany.logout()
    with pytest.raises(UpdateError):
        session.save()


def test_while_redis_is_away_all_but_signing_in_goes_on(game: Game, germany: Client, settings: Settings) -> None:
    settings.CACHES = caches("redis://127.0.0.1:1")
    for page in ("/", "/games/", "/profile/", f"/games/{game.slug}/talk/", orders_page(game)):
        assert germany.get(page).status_code == HTTPStatus.OK, page
    assert germany.post(orders_page(game), SHEET).status_code == HTTPStatus.SEE_OTHER
    assert Client().get(f"/games/{game.slug}/").status_code == HTTPStatus.OK
    assert germany.get(f"/games/{game.slug}/phases/0/map.png").status_code == HTTPStatus.OK
    stranger = Client(raise_request_exception=False)
    answer = stranger.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert answer.status_code == HTTPStatus.SERVICE_UNAVAILABLE, "guesses could not be counted"
