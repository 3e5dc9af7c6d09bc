"""What all tests share."""

import gc
import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker
from resvg_py import svg_to_bytes

from tests.database import empty_tables
from tests.moment import Moment

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first of them that is there is used. One without windows needs three quarters of the time of the others."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what needs a browser where there is none; a build that forgot to install it fails instead."""
    if CHROMIUM or os.environ.get("CI"):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="needs Chromium: apt install chromium"))


def pytest_collection_finish() -> None:
    """What has been imported stays: looking through it again and again for rubbish is a seventh of all time."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.fixture(scope="session", autouse=True)
def quick_work() -> Iterator[None]:
    """The same picture is painted once, and tables are emptied the quick way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("games.history.pictures.svg_to_bytes", remembered(svg_to_bytes))
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: empty_tables())
        yield


def remembered(paint: Callable[..., bytes]) -> Callable[..., bytes]:
    """The same answer to the same words without asking again."""
    known: dict[str, bytes] = {}

    def painted(**words: object) -> bytes:
        key = repr(words)
        if key not in known:
            known[key] = paint(**words)
        return known[key]

    return painted


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_keepdb: bool, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A database that is kept begins empty, whatever became of the last run; a page that still asks a live server at
    the end does not keep another from being dropped."""
    if django_db_keepdb:
        with django_db_blocker.unblock():
            empty_tables()
        yield
        return
    yield
    name = connection.settings_dict["NAME"]
    connection.close()
    with django_db_blocker.unblock(), connection.creation._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        cursor.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        cursor.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


@pytest.fixture(autouse=True)
def empty_cache() -> Iterator[None]:
    """No test inherits another's rate limits."""
    yield
    cache.clear()


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    """A clock that the test sets by hand."""
    return Moment(monkeypatch)
