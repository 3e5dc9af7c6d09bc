"""Tests run on real servers."""

import pytest
from django.contrib.auth.models import Permission
from django.core.cache import cache
from django.db import IntegrityError, connection

from games.kernel.models import Event, Game
from tests.database import empty_tables
from tests.factories import running_game

pytestmark = pytest.mark.django_db


def test_the_database_is_postgres_18() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert int(cursor.fetchone()[0]) >= 180_000


def test_the_cache_keeps_what_it_is_given() -> None:
    cache.set("fleet", "NTH")
    assert cache.get("fleet") == "NTH"


@pytest.mark.django_db(transaction=True)
def test_what_a_test_has_committed_is_forgotten_even_the_log_that_only_grows() -> None:
    running_game()
    assert Event.objects.exists()
    empty_tables()
    assert not Event.objects.exists()
    assert not Game.objects.exists()
    assert Permission.objects.exists()
    with pytest.raises(IntegrityError, match="the public log only grows"):
        Event.objects.filter(game=running_game()).delete()
