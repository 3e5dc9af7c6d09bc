"""The tests run on real servers."""

import pytest
from django.core.cache import cache
from django.db import connection

pytestmark = pytest.mark.django_db


def test_the_database_is_postgres_18() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert int(cursor.fetchone()[0]) >= 180_000


def test_the_cache_keeps_what_it_is_given() -> None:
    cache.set("fleet", "NTH")
    assert cache.get("fleet") == "NTH"
