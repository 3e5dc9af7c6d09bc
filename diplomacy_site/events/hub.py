"""The process's one subscription to changes of games, and the browsers that listen to it."""

import asyncio
import logging
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Any

from redis.asyncio import Redis
from redis.exceptions import RedisError

from diplomacy_site.shared_counts import WATCHERS_KEY, WATCHERS_LAST_SECONDS
from games.kernel import live_tickets

log = logging.getLogger(__name__)
PATIENCE_SECONDS = 3
QUIET_SECONDS = 20
PAUSE_SECONDS = 1
COUNT_SECONDS = 10


class NotListeningError(Exception):
    """The process is not receiving changes at present."""


class Watcher:
    """One connected browser. News that it has not been told is stored by game, so that repeated news costs nothing."""

    def __init__(self) -> None:
        self.is_over = False
        self._news: dict[str, str] = {}
        self._heard: dict[str, str] = {}
        self._woken = asyncio.Event()

    def tell(self, slug: str, version: str) -> None:
        """Store a game's new version, unless it has already come through another channel."""
        if self._heard.get(slug) != version:
            self._heard[slug] = self._news[slug] = version
            self._woken.set()

    def end(self) -> None:
        self.is_over = True
        self._woken.set()

    async def news(self, patience: float) -> dict[str, str]:
        """Game -> version, as soon as there is news; empty after that many seconds or at the end."""
        try:
            async with asyncio.timeout(patience):
                await self._woken.wait()
        except TimeoutError:
            return {}
        self._woken.clear()
        news, self._news = self._news, {}
        return news


class Hub:
    """Starts listening when the first browser connects, and never stops. `count`: how many are connected now."""

    def __init__(self) -> None:
        self.count = 0
        self.watchers: dict[str, set[Watcher]] = defaultdict(set)
        self._is_subscribed = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None
        self._name = WATCHERS_KEY + secrets.token_hex(8)

    async def await_subscription(self) -> None:
        """Wait until changes are received; raises NotListeningError if Redis does not respond soon."""
        if self._listening is None or self._listening.done():
            self._listening = asyncio.create_task(self._listen())
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                await self._is_subscribed.wait()
        except TimeoutError:
            raise NotListeningError from None

    @contextmanager
    def watching(self, channels: Collection[str]) -> Iterator[Watcher]:
        """Yield a watcher of these channels until the end of the block."""
        watcher = Watcher()
        self.count += 1
        for channel in channels:
            self.watchers[channel].add(watcher)
        try:
            yield watcher
        finally:
            self.count -= 1
            for channel in channels:
                self.watchers[channel].discard(watcher)
                if not self.watchers[channel]:
                    del self.watchers[channel]

    async def _listen(self) -> None:
        """Listen, and reconnect after failures. Browsers that may have missed something are disconnected."""
        while True:
            try:
                await self._listen_once()
            except (RedisError, OSError) as lost:
                log.warning("The connection for live pages is down: %s", type(lost).__name__)
            finally:
                self._is_subscribed.clear()
                self._end_all_watchers()
            _end_if_cancelled()
            await asyncio.sleep(PAUSE_SECONDS)

    def _end_all_watchers(self) -> None:
        for among in self.watchers.values():
            for watcher in among:
                watcher.end()

    async def _listen_once(self) -> None:
        prefix = live_tickets.channel_prefix()
        async with (
            Redis.from_url(live_tickets.redis_address(), socket_connect_timeout=PATIENCE_SECONDS) as redis,
            redis.pubsub() as subscription,
            self._count_reported(redis),
        ):
            await subscription.psubscribe(f"{prefix}*")
            while True:
                _end_if_cancelled()
                message = await subscription.get_message(timeout=QUIET_SECONDS)
                if message is None:
                    await subscription.ping()  # a broken connection is silent, so ask
                elif message["type"] == "psubscribe":
                    if self._is_subscribed.is_set():  # the client has silently reconnected
                        self._end_all_watchers()
                    self._is_subscribed.set()
                elif message["type"] == "pmessage":
                    self._pass_on(message, prefix)

    @asynccontextmanager
    async def _count_reported(self, redis: Redis) -> AsyncIterator[None]:
        """During the block, tell Redis every few seconds how many browsers are connected."""
        task = asyncio.create_task(self._report_count(redis))
        try:
            yield
        finally:
            task.cancel()

    async def _report_count(self, redis: Redis) -> None:
        while True:
            with suppress(RedisError, OSError):  # `_listen_once` notices, and `_listen` reconnects
                await redis.set(self._name, self.count, ex=WATCHERS_LAST_SECONDS)
            _end_if_cancelled()
            await asyncio.sleep(COUNT_SECONDS)

    def _pass_on(self, message: dict[str, Any], prefix: str) -> None:
        channel, data = message["channel"].decode().removeprefix(prefix), message["data"].decode()
        slug, _, version = (channel, "", data) if live_tickets.is_channel_of_game(channel) else data.partition(" ")
        for watcher in self.watchers.get(channel, ()):
            watcher.tell(slug, version)


def _end_if_cancelled() -> None:
    """End the current task if it was cancelled: sometimes the Redis client turns that into an error of its own, and the
    process would never stop. Raises CancelledError."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError
