"""The wire from a commit to open pages: its channels, and the tickets that let a browser listen to a game.

It carries a game's slug and public version, and nothing else. Whatever is lost on it, a page finds by asking now and
then. It knows no models, so that the server of the events needs none.
"""

from functools import cache

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

TICKET_SECONDS = 900
"""How long a ticket lets a browser in; every answer to a page that asks what is new holds a fresh one."""

PATIENCE_SECONDS = 2
SALT = "games.wire"


def ticket_for(slug: str) -> str:
    """Lets its bearer hear of this game; for pages of viewers who may see the game."""
    return TimestampSigner(salt=SALT).sign(slug)


def game_on(ticket: str) -> str | None:
    """The slug of the game that the ticket is for; None if it is forged or too old."""
    try:
        return TimestampSigner(salt=SALT).unsign(ticket, max_age=TICKET_SECONDS)
    except BadSignature:
        return None


def address() -> str:
    """The Redis that carries the wire: the one of the cache, where nothing lasts either."""
    found: str = settings.CACHES["default"]["LOCATION"]
    return found


def prefix() -> str:
    """How every channel begins. Channels span the numbered databases of a server, so the number is in the name."""
    return f"live.{client(address()).connection_pool.connection_kwargs.get('db', 0)}."


def send(slug: str, version: str) -> bool:
    """Tell whoever listens; False if Redis is away."""
    try:
        client(address()).publish(prefix() + slug, version)
    except RedisError:
        return False
    return True


@cache
def client(at: str) -> Redis:
    """The Redis at this address, which is not waited for long."""
    return Redis.from_url(
        at, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS, retry=Retry(NoBackoff(), 0)
    )
