"""The settings that follow from the addresses of Postgres and Redis."""

import json
from typing import Any
from urllib.parse import urlsplit

import dj_database_url
from django.core.exceptions import ImproperlyConfigured
from redis.backoff import NoBackoff

from games.kernel.live_tickets import PATIENCE_SECONDS, OnlyOnce

MOST_PARTS, PARTS_SECONDS = 400, 3600
"""How many parts of pages a process keeps, some 20 kB each, and for how long."""
MOST_PAGES = 120
"""How many whole pages for strangers a process keeps: in all, no more than 16 MB."""
SOCKET = "unix://"
POSTGRES_SCHEMES = ("postgresql", "postgres")
REDIS_SCHEMES = ("redis", "rediss", "unix")


SILENT_SECONDS = 20
"""Longer than any of our transactions waits between two queries. A client that is silent for longer has died or is cut
off, and must not keep a game locked: the network may take hours to report it."""
OPTIONS_AGAINST_SILENCE = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 2,
    "tcp_user_timeout": SILENT_SECONDS * 1000,
    "options": f"-c idle_in_transaction_session_timeout={SILENT_SECONDS}s -c tcp_keepalives_idle=10 "
    "-c tcp_keepalives_interval=5 -c tcp_keepalives_count=2",
}


REHEARSAL, OF_THE_PROJECT = "trial", "postgres"
"""The project of a rehearsal, as in `docker compose -p trial`, and the host of the database that each project has."""


def refuse_live_database(address: str, project: str) -> None:
    """Raises ImproperlyConfigured in a rehearsal whose database is not its own: with the `.env` of a node, it would be
    that of the live site."""
    if project == REHEARSAL and urlsplit(address).hostname != OF_THE_PROJECT:
        raise ImproperlyConfigured(
            "This is a rehearsal (-p trial), but DATABASE_URL names a database that is not its own and may be that of "
            "the live site. Nothing was changed. Run docker compose -f docker-compose.yml -p trial instead; see "
            "“Upgrading” in HOSTING.md."
        )


def databases(address: str, *, pooled: bool = False) -> dict[str, Any]:
    """DATABASES for postgresql://user:password@host:port/name; a socket folder is a percent-encoded host.

    `pooled` means that PgBouncer is there, in transaction mode, where no cursor outlives its transaction.
    """
    database = dj_database_url.parse(address, conn_max_age=60, conn_health_checks=True)
    if database.get("ENGINE") != "django.db.backends.postgresql":
        raise ImproperlyConfigured("DATABASE_URL must name a PostgreSQL database.")
    # PgBouncer does not pass on "options": `pgbouncer.ini` sets them instead.
    ours = {name: value for name, value in OPTIONS_AGAINST_SILENCE.items() if not (pooled and name == "options")}
    options = {**ours, **database.get("OPTIONS", {}), "prepare_threshold": None}
    database |= {"OPTIONS": options, "ATOMIC_REQUESTS": False, "DISABLE_SERVER_SIDE_CURSORS": pooled}
    return {"default": database}


def redis_address(address: str, number: int) -> str:
    """The address of one numbered database, for redis-py: redis://host/1 or unix:///path?db=1."""
    if address.startswith(SOCKET):
        return f"{address.partition('?')[0]}?db={number}"
    return urlsplit(address)._replace(path=f"/{number}").geturl()


def broker_address(address: str, number: int = 0) -> str:
    """The address for Celery, which writes sockets as redis+socket:///path?virtual_host=0."""
    if address.startswith(SOCKET):
        path = address.removeprefix(SOCKET).partition("?")[0]
        return f"redis+socket://{path}?virtual_host={number}"
    return redis_address(address, number)


def caches(address: str, number: int = 1) -> dict[str, Any]:
    """CACHES on one numbered database."""
    return {
        "default": {
            "BACKEND": "django.core.cache.backends.redis.RedisCache",
            "LOCATION": redis_address(address, number),
            "OPTIONS": {
                "serializer": "diplomacy_site.settings.servers.PlainValues",
                "socket_timeout": PATIENCE_SECONDS,
                "socket_connect_timeout": PATIENCE_SECONDS,
                "retry": OnlyOnce(NoBackoff(), 0),
            },
            "VERSION": 3,  # values written in another format are not read
        },
        "parts": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "TIMEOUT": PARTS_SECONDS,
            "OPTIONS": {"MAX_ENTRIES": MOST_PARTS},
        },
        "pages": {
            "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
            "LOCATION": "pages",  # otherwise it would be the same as the parts
            "OPTIONS": {"MAX_ENTRIES": MOST_PAGES},
        },
    }


class PlainValues:
    """JSON, which is also how Redis counts. The framework would pickle values, and then anyone who can write to Redis
    could run code in the site's processes."""

    def dumps(self, value: Any) -> bytes:
        return json.dumps(value).encode()

    def loads(self, data: bytes) -> Any:
        return json.loads(data)
