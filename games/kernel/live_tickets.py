"""The wire from a commit to open pages: its channels, and the tickets that let browsers and apps listen to games.

It carries only a game's slug and public version. Pages also ask now and then, so they find out if something is lost. It
knows no models, so the event server needs none.
"""

from collections.abc import Mapping
from functools import cache

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

TICKET_SECONDS = 900
"""How long a ticket lets its bearer in. Every answer to a page that asks for news contains a fresh one."""

PATIENCE_SECONDS = 2
SALT = "games.wire"


def ticket_for(*slugs: str) -> str:
    """Lets its bearer listen to these games; for viewers who may see them."""
    return TimestampSigner(salt=SALT).sign(",".join(slugs))


def games_on(ticket: str) -> list[str]:
    """The slugs of the games that the ticket is for; none if it is forged or too old."""
    try:
        return TimestampSigner(salt=SALT).unsign(ticket, max_age=TICKET_SECONDS).split(",")
    except BadSignature:
        return []


def address() -> str:
    """The Redis that carries the wire: that of the cache, which keeps nothing for long either."""
    found: str = settings.CACHES["default"]["LOCATION"]
    return found


def prefix() -> str:
    """The prefix of every channel's name. It contains the database's number, because channels span all databases of a
    server."""
    return f"live.{client(address()).connection_pool.connection_kwargs.get('db', 0)}."


def send(versions: Mapping[str, str]) -> bool:
    """Tell every listener the versions of these games, by slug; False if Redis is away."""
    wire = client(address()).pipeline(transaction=False)
    for slug, version in versions.items():
        wire.publish(prefix() + slug, version)
    try:
        wire.execute()
    except RedisError:
        return False
    return True


@cache
def client(at: str) -> Redis:
    """The Redis at this address, with a short timeout."""
    return Redis.from_url(
        at, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS, retry=Retry(NoBackoff(), 0)
    )
