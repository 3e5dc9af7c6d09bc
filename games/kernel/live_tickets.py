"""The wire from a commit to open pages: its channels, and the tickets that let browsers and apps listen to games.

A channel is called like its game, or PUBLIC for public games that begin, or `channel_of_user` for all games in which
someone is. It carries only a game's slug and public version. Pages also ask now and then, so they find out if
something is lost. It knows no models, so the event server needs none.
"""

from collections.abc import Iterable, Mapping
from functools import cache
from types import MappingProxyType

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
PUBLIC = "@public"


def channel_of_user(user_id: int) -> str:
    return f"@{user_id}"


def is_channel_of_game(channel: str) -> bool:
    return not channel.startswith("@")


def ticket_for(*channels: str) -> str:
    """Lets its bearer listen to these games and channels; for viewers who may see them."""
    return TimestampSigner(salt=SALT).sign(",".join(channels))


def channels_of_ticket(ticket: str) -> list[str]:
    """The channels that the ticket is for; none if it is forged or too old."""
    try:
        return TimestampSigner(salt=SALT).unsign(ticket, max_age=TICKET_SECONDS).split(",")
    except BadSignature:
        return []


def redis_address() -> str:
    """The Redis that carries the wire: that of the cache, which keeps nothing for long either."""
    address: str = settings.CACHES["default"]["LOCATION"]
    return address


def channel_prefix() -> str:
    """The prefix of every channel's name. It contains the database's number, because channels span all databases of a
    server."""
    return f"live.{redis_client(redis_address()).connection_pool.connection_kwargs.get('db', 0)}."


def publish_versions(versions: Mapping[str, str], also: Mapping[str, Iterable[str]] = MappingProxyType({})) -> bool:
    """Tell every listener the versions of these games, by slug, `also` those to these channels; False if Redis is
    away."""
    wire, before = redis_client(redis_address()).pipeline(transaction=False), channel_prefix()
    for slug, version in versions.items():
        wire.publish(before + slug, version)
        for channel in also.get(slug, ()):
            wire.publish(before + channel, f"{slug} {version}")
    try:
        wire.execute()
    except RedisError:
        return False
    return True


@cache
def redis_client(at: str) -> Redis:
    """The Redis at this address, with a short timeout."""
    return Redis.from_url(
        at, socket_timeout=PATIENCE_SECONDS, socket_connect_timeout=PATIENCE_SECONDS, retry=Retry(NoBackoff(), 0)
    )
