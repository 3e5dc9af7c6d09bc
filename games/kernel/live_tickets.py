"""How a commit reaches open pages: Redis channels, and the tickets that let browsers and apps listen to games.

A channel has the name of its game, or is PUBLIC for public games that begin, or `channel_of_user` for all games that a
user is in. It carries only a game's slug and public version. Pages also ask now and then, so they find out if a message
is lost. This module imports no models, so the event server needs none.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.core.signing import BadSignature, TimestampSigner
from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.exceptions import TimeoutError as NoAnswer
from redis.retry import Retry

TICKET_SECONDS = 900
"""How long a ticket lets its bearer in. Every answer to a page that asks for news contains a fresh one."""

PATIENCE_SECONDS = 2
REST_SECONDS = 5
SALT = "games.wire"
PUBLIC = "@public"


def channel_of_user(user_id: int) -> str:
    return f"@{user_id}"


def is_channel_of_game(channel: str) -> bool:
    return not channel.startswith("@")


def ticket_for(*channels: str) -> str:
    """A ticket that lets its bearer listen to these games and channels; only for viewers who may see them."""
    return TimestampSigner(salt=SALT).sign(",".join(channels))


def channels_of_ticket(ticket: str) -> list[str]:
    """The channels that the ticket is for; none if it is forged or too old."""
    try:
        return TimestampSigner(salt=SALT).unsign(ticket, max_age=TICKET_SECONDS).split(",")
    except BadSignature:
        return []


def redis_address() -> str:
    """The Redis that carries the channels: that of the cache, which also keeps nothing for long."""
    return str(settings.CACHES["default"]["LOCATION"])


def channel_prefix() -> str:
    """The prefix of every channel's name, with the database's number: channels span all databases of a server."""
    return f"live.{redis_client(redis_address()).connection_pool.connection_kwargs.get('db', 0)}."


def publish_versions(versions: Mapping[str, str], also: Mapping[str, Iterable[str]] = MappingProxyType({})) -> bool:
    """Publish the versions of these games, by slug, on their channels and those in `also`; False if Redis is down."""
    pipeline, before = redis_client(redis_address()).pipeline(transaction=False), channel_prefix()
    for slug, version in versions.items():
        pipeline.publish(before + slug, version)
        for channel in also.get(slug, ()):
            pipeline.publish(before + channel, f"{slug} {version}")
    try:
        pipeline.execute()
    except RedisError:
        return False
    return True


class OnlyOnce(Retry):
    """Nothing is tried again, and once Redis has been silent, nobody in this process asks it for some seconds: a page
    or a deadline that asks it ten times must not wait ten times."""

    silent_until = 0.0

    def call_with_retry(self, do: Callable[[], Any], *args: Any, **options: Any) -> Any:
        if time.monotonic() < OnlyOnce.silent_until:
            raise NoAnswer
        try:
            return super().call_with_retry(do, *args, **options)
        except NoAnswer:
            OnlyOnce.silent_until = time.monotonic() + REST_SECONDS
            raise


@cache
def redis_client(at: str) -> Redis:
    """The Redis at this address, with a short timeout."""
    wait = {"socket_timeout": PATIENCE_SECONDS, "socket_connect_timeout": PATIENCE_SECONDS}
    return Redis.from_url(at, **wait, retry=OnlyOnce(NoBackoff(), 0))
