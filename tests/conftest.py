"""Shared by all tests."""

import os
import shutil
from collections.abc import Callable, Iterator

import hypothesis
import pytest
from django.conf import settings
from django.core.cache import caches
from django.db import connection
from django.test import TransactionTestCase
from pytest_django import DjangoDbBlocker

from games.history import files
from tests.database import empty_tables, template
from tests.moment import Moment

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first one installed is used. A headless one takes a quarter less time than the others."""
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)


SECONDS = ("games.tasks.SWEEP_SECONDS", "games.news.emails.MOST_SECONDS", "games.delivery.letters.FRESH_SECONDS")
"""After these a task leaves the rest to the next one: on a busy machine, in the middle of a test."""

hypothesis.settings.register_profile(
    "alike", deadline=None, derandomize=True, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("alike")  # the same examples every time, on machines of any speed

LONGEST = "tests/secrecy/test_table.py"
"""Begun first, because it would keep one process busy after the others have ended; and so only one makes its scene."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest tests come first. Skip browser tests without a browser; a build that forgot to install it fails
    instead."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))
    if CHROMIUM or os.environ.get("CI"):
        return
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="needs Chromium: apt install chromium"))


@pytest.fixture(scope="session", autouse=True)
def quick_work() -> Iterator[None]:
    """The same picture is painted once, tables are emptied the quick way, and tasks have time on a busy machine."""
    with pytest.MonkeyPatch.context() as patch:
        for seconds in SECONDS:
            patch.setattr(seconds, 600)
        patch.setattr("games.history.files.svg_to_png", remembered(files.svg_to_png))
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _case: empty_tables())
        yield


def remembered(paint: Callable[..., bytes]) -> Callable[..., bytes]:
    """Cache results by their arguments."""
    known: dict[str, bytes] = {}

    def painted(*words: object) -> bytes:
        key = repr(words)
        if key not in known:
            known[key] = paint(*words)
        return known[key]

    return painted


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings: None, django_db_keepdb: bool, django_db_blocker: DjangoDbBlocker
) -> None:
    """The database of this process becomes a copy, unless it is kept from the last run."""
    creation = connection.creation
    with django_db_blocker.unblock(), creation._nodb_cursor() as cursor:  # type: ignore[attr-defined]
        if not (django_db_keepdb and creation._database_exists(cursor, creation._get_test_db_name())):  # type: ignore[attr-defined]
            connection.settings_dict["TEST"]["TEMPLATE"] = template()


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_keepdb: bool, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """A kept database starts empty, whatever happened in the last run; a page that still asks a live server at the end
    doesn't prevent another from being dropped."""
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
def empty_caches() -> Iterator[None]:
    """No test inherits another's rate limits, pages or pictures."""
    yield
    for each in caches.all(initialized_only=True):
        each.clear()
    shutil.rmtree(settings.PICTURES_FOLDER, ignore_errors=True)


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    """A clock that the test sets by hand."""
    return Moment(monkeypatch)
