"""Counts that several processes share, in the cache's numbered database of Redis, where nothing lasts.

Only the moments of the last work on each queue, sweep, failure of the mail server, backup and proof of a backup, the
number of open event streams, and how long adjudication and pages took, in coarse steps.
"""

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime

from redis import Redis
from redis.exceptions import RedisError

from games.kernel.live_tickets import redis_address, redis_client

MOMENTS_KEY, JUDGED_KEY, PAGES_KEY = "tally.moments", "tally.judged", "tally.pages"
SWEEP, MAIL_FAILS, BACKUP, PROOF = "sweep", "mail fails", "backup", "proof"
RECENT_KEY, RECENT_SECONDS = "tally.recent.", 600
"""Requests of this period and the one before."""
FEWEST_RECENT = 20
"""Fewer have no share that means anything."""
FAILED_FIELD = "failed"
WATCHERS_KEY, TAKEN_KEY = "tally.watchers.", "tally.taken"
WATCHERS_LAST_SECONDS = 45
"""A process reports its watchers several times in this period; a dead one's count expires after it."""
STEPS_SECONDS = (0.1, 0.5, 2.0, 10.0)
"""The upper bounds of the steps, in seconds. Few, because adjudication time may depend on the bids."""


@dataclass(frozen=True, slots=True)
class Tally:
    """How many phases or requests took no longer than each of the steps or longer than all, and how many failed."""

    counts: tuple[int, ...]
    failed: int

    @classmethod
    def of(cls, values: Mapping[str, int]) -> "Tally":
        """The tally in the fields of a stored count."""
        return cls(
            tuple(values.get(str(step), 0) for step in range(len(STEPS_SECONDS) + 1)), values.get(FAILED_FIELD, 0)
        )

    @property
    def seconds(self) -> float:
        """The total, with each phase counted as its step's bound: a sum of exact times would reveal single ones."""
        return sum(count * bound for count, bound in zip(self.counts, (*STEPS_SECONDS, STEPS_SECONDS[-1]), strict=True))


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was noted, how many seconds ago, and how far the clock there was ahead of this process's."""

    at: datetime
    age: float
    ahead: float


def note_moments(*names: str, at: datetime | None = None, keep_first: bool = False) -> None:
    """Note that this happened then or now, by Redis's clock, so that those of the machines don't matter; and by this
    one's."""
    redis = _redis()
    value = f"{int(at.timestamp()) if at else redis.time()[0]} {time.time():.0f}"
    for name in names:
        (redis.hsetnx if keep_first else redis.hset)(MOMENTS_KEY, name, value)


def note_mail(*, taken: bool) -> None:
    """Note whether the mail server takes letters, and if not, since when. If Redis is down, that is lost."""
    with suppress(RedisError):
        if taken:
            _redis().hdel(MOMENTS_KEY, MAIL_FAILS)
        else:
            note_moments(MAIL_FAILS, keep_first=True)


def last_moments() -> dict[str, Moment]:
    """Those of the queues on which something was done, of SWEEP, of MAIL_FAILS if it does, of the newest BACKUP, and of
    the newest that was restored as its PROOF. Redis may have lost some since, and knows again with the next."""
    redis = _redis()
    noted = {_text(name): _text(value).split() for name, value in redis.hgetall(MOMENTS_KEY).items()}
    now = redis.time()[0]
    ahead = time.time() - now

    def moment(at: int, there: int) -> Moment:
        return Moment(datetime.fromtimestamp(at, UTC), now - at, there - at - ahead)

    return {name: moment(*map(int, value)) for name, value in noted.items()}


def note_closing(closed_count: int, failed_count: int, seconds: float) -> None:
    """Count committed phases: those closed within so many seconds, and those that failed. Lost without Redis."""
    with suppress(RedisError):
        if closed_count:
            _redis().hincrby(JUDGED_KEY, step_of(seconds / closed_count), closed_count)
        if failed_count:
            _redis().hincrby(JUDGED_KEY, FAILED_FIELD, failed_count)


def step_of(seconds: float) -> str:
    """The field that counts what took so long."""
    return str(sum(seconds > bound for bound in STEPS_SECONDS))


def judge_tally() -> Tally:
    """The tally of adjudicated phases since Redis was last emptied."""
    return Tally.of(_numbers(JUDGED_KEY))


def note_pages(counts: Mapping[tuple[str, str], int]) -> None:
    """Count requests by the name of their page and the field for their step or FAILED_FIELD, in one round trip."""
    recent_key = f"{RECENT_KEY}{int(time.time()) // RECENT_SECONDS}"
    with _redis().pipeline() as pipe:
        for (page, field), count in counts.items():
            pipe.hincrby(PAGES_KEY, f"{page} {field}", count)
            pipe.hincrby(recent_key, field, count)
        pipe.expire(recent_key, 2 * RECENT_SECONDS)
        pipe.execute()


def page_tallies() -> dict[str, Tally]:
    """Name of a page -> the tally of its requests."""
    fields: dict[str, dict[str, int]] = {}
    for name, count in _numbers(PAGES_KEY).items():
        page, _space, field = name.rpartition(" ")
        fields.setdefault(page, {})[field] = count
    return {page: Tally.of(fields[page]) for page in sorted(fields)}


def recent_shares() -> tuple[float, float]:
    """Of the requests of the last ten to twenty minutes, the shares that failed and that took over two seconds."""
    period = int(time.time()) // RECENT_SECONDS
    counts = Counter(_numbers(f"{RECENT_KEY}{period}")) + Counter(_numbers(f"{RECENT_KEY}{period - 1}"))
    tally = Tally.of(counts)
    number = sum(tally.counts)
    return (tally.failed / number, sum(tally.counts[3:]) / number) if number >= FEWEST_RECENT else (0.0, 0.0)


def _numbers(key: str) -> dict[str, int]:
    return {_text(name): int(value) for name, value in _redis().hgetall(key).items()}


def _text(value: bytes | str) -> str:
    return value.decode() if isinstance(value, bytes) else value


def count_watchers() -> int:
    """How many event streams are open, in all processes together."""
    redis = _redis()
    names = list(redis.scan_iter(f"{WATCHERS_KEY}*"))
    return sum(int(count) for count in redis.mget(names) if count) if names else 0


def redis_works() -> bool:
    """Does Redis answer, and take what it is given?"""
    try:
        return bool(_redis().set(TAKEN_KEY, 1))
    except RedisError:
        return False


def share_of_redis_used() -> float | None:
    """How full Redis is; None if it may take all that its machine has."""
    memory = _redis().info("memory")
    return memory["used_memory"] / memory["maxmemory"] if memory["maxmemory"] else None


def _redis() -> Redis:
    return redis_client(redis_address())
