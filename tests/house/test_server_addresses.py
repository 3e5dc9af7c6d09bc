"""One REDIS_URL gives the broker and the cache separate databases; DATABASE_URL must be PostgreSQL."""

import configparser
import pickle
from typing import Any

import pytest
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured

from diplomacy_site.embedded import places
from diplomacy_site.settings import servers


@pytest.mark.parametrize(
    ("address", "broker", "cache"),
    [
        ("redis://host:6379/0", "redis://host:6379/0", "redis://host:6379/1"),
        ("rediss://:word@host", "rediss://:word@host/0", "rediss://:word@host/1"),
        ("unix:///tmp/a.sock", "redis+socket:///tmp/a.sock?virtual_host=0", "unix:///tmp/a.sock?db=1"),
        ("unix:///tmp/a.sock?db=7", "redis+socket:///tmp/a.sock?virtual_host=0", "unix:///tmp/a.sock?db=1"),
    ],
)
def test_broker_and_cache_have_databases_of_their_own(address: str, broker: str, cache: str) -> None:
    assert servers.broker_address(address) == broker
    assert servers.caches(address)["default"]["LOCATION"] == cache


@pytest.mark.parametrize("value", [7, 0, True, "y", "12", [1.5, 2.5], {"a": [None]}])
def test_the_cache_gives_back_what_it_was_given(value: Any) -> None:
    cache.set("kept", value, 5)
    assert (cache.get("kept"), type(cache.get("kept"))) == (value, type(value))


def test_the_cache_counts_on_and_refuses_what_is_no_json() -> None:
    cache.set("kept", 7, 5)
    assert cache.incr("kept") == cache.get("kept") == 8
    with pytest.raises(TypeError):
        cache.set("kept", b"7", 5)


def test_the_cache_runs_nothing_that_somebody_wrote_into_redis() -> None:
    cache.set("kept", 1, 5)
    client = cache._cache.get_client()  # type: ignore[attr-defined]  # where another process would write
    client.set(cache.make_key("kept"), pickle.dumps(print))
    with pytest.raises(ValueError, match="codec can't decode"):
        cache.get("kept")
    cache.delete("kept")


def test_connections_are_kept_and_looked_after() -> None:
    database = servers.databases("postgresql://who:w%40rd@host:5433/name")["default"]
    assert (database["USER"], database["PASSWORD"], database["HOST"]) == ("who", "w@rd", "host")
    assert (database["PORT"], database["NAME"]) == (5433, "name")
    assert (database["CONN_MAX_AGE"], database["CONN_HEALTH_CHECKS"]) == (60, True)
    assert database["ATOMIC_REQUESTS"] is False
    assert (database["OPTIONS"]["connect_timeout"], database["OPTIONS"]["keepalives_idle"]) == (5, 10)
    assert "idle_in_transaction_session_timeout=20s" in database["OPTIONS"]["options"]


def test_a_socket_folder_stands_as_host() -> None:
    assert servers.databases("postgresql://who@%2Frun%2Fpg/name")["default"]["HOST"] == "/run/pg"


def test_another_database_is_refused() -> None:
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL must name a PostgreSQL database"):
        servers.databases("sqlite:///games.db")


def test_behind_pgbouncer_nothing_outlives_a_transaction() -> None:
    pooled = servers.databases("postgresql://who@host/name", pooled=True)["default"]
    assert pooled["DISABLE_SERVER_SIDE_CURSORS"]
    assert pooled["OPTIONS"]["prepare_threshold"] is None
    assert "options" not in pooled["OPTIONS"], "PgBouncer refuses settings of a session"


def test_pgbouncer_sets_the_limits_that_the_site_otherwise_asks_for() -> None:
    found = configparser.ConfigParser()
    found.read(places.CHECKOUT / "pgbouncer.ini")
    told = found["pgbouncer"]
    assert told["pool_mode"] == "transaction"
    assert int(told["idle_transaction_timeout"]) == servers.SILENT_SECONDS
    assert int(told["tcp_user_timeout"]) == servers.OPTIONS_AGAINST_SILENCE["tcp_user_timeout"]
    for ours, theirs in (("idle", "idle"), ("interval", "intvl"), ("count", "cnt")):
        assert int(told[f"tcp_keep{theirs}"]) == servers.OPTIONS_AGAINST_SILENCE[f"keepalives_{ours}"]
