"""The tests run on real servers."""

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client

pytestmark = pytest.mark.django_db


def test_the_database_is_postgres_18() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SHOW server_version_num")
        assert int(cursor.fetchone()[0]) >= 180_000


def test_the_cache_keeps_what_it_is_given() -> None:
    cache.set("fleet", "NTH")
    assert cache.get("fleet") == "NTH"


def test_the_site_says_that_it_is_healthy(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.json()) == (200, {"database": True, "redis": True})
