"""What several processes count together, in Redis, in the cache's numbered database, where nothing lasts.

Only the moments of the last sweep, backup and proof of a backup, the number of open event streams, and how long
adjudication took, in coarse steps.
"""

from dataclasses import dataclass
from datetime import UTC, datetime

from redis import Redis
from redis.exceptions import RedisError

from games.kernel.live_tickets import redis_address, redis_client

SWEEP_KEY, JUDGED_KEY = "tally.sweep", "tally.judged"
BACKUP_KEY, PROOF_KEY = "tally.backup", "tally.proof"
FAILED_FIELD = "failed"
WATCHERS_KEY = "tally.watchers."
WATCHERS_LAST_SECONDS = 45
"""A process reports its watchers several times in this period; a dead one's count expires after it."""
STEPS_SECONDS = (0.1, 0.5, 2.0, 10.0)
"""The upper bounds of the steps, in seconds. Few, because adjudication time may depend on the bids."""


@dataclass(frozen=True, slots=True)
class JudgeTally:
    """How many phases were adjudicated within each of STEPS and beyond, and the failures."""

    counts: tuple[int, ...]
    failed: int

    @property
    def seconds(self) -> float:
        """The total, each counted at its step's bound: a sum of exact times would reveal each one."""
        return sum(count * bound for count, bound in zip(self.counts, (*STEPS_SECONDS, STEPS_SECONDS[-1]), strict=True))


def note_sweep() -> None:
    """Note that a sweep for due phases has ended. The time is that of Redis, so that no machine's clock matters."""
    redis = _redis()
    redis.set(SWEEP_KEY, redis.time()[0])


def last_sweep() -> tuple[datetime, float] | None:
    """When the last sweep ended, and how many seconds ago; None if Redis knows of none."""
    redis = _redis()
    last, now = redis.get(SWEEP_KEY), redis.time()[0]
    if last is None:
        return None
    return datetime.fromtimestamp(int(last), UTC), float(now - int(last))


@dataclass(frozen=True, slots=True)
class BackupRecord:
    """When the newest complete backup was made, and the newest that has been restored to prove it. None if Redis knows
    of none: it may have lost its data since, and knows again with the next."""

    made: datetime | None
    proved: datetime | None


def note_backup(moment: datetime) -> None:
    _redis().set(BACKUP_KEY, moment.isoformat())


def note_proof(moment: datetime) -> None:
    _redis().set(PROOF_KEY, moment.isoformat())


def backup_record() -> BackupRecord:
    made, proved = _redis().mget(BACKUP_KEY, PROOF_KEY)
    return BackupRecord(*(datetime.fromisoformat(_text(noted)) if noted else None for noted in (made, proved)))


def note_judged(seconds: float, phases: int) -> None:
    """Count phases that were adjudicated and followed by the next, and the seconds that each took on average."""
    step = sum(seconds > bound for bound in STEPS_SECONDS)
    _redis().hincrby(JUDGED_KEY, str(step), phases)


def note_failed(phases: int) -> None:
    """Count phases that could not be adjudicated."""
    _redis().hincrby(JUDGED_KEY, FAILED_FIELD, phases)


def judge_tally() -> JudgeTally:
    """The counts since Redis was last emptied."""
    values = {_text(name): value for name, value in _redis().hgetall(JUDGED_KEY).items()}
    counts = tuple(int(values.get(str(step), 0)) for step in range(len(STEPS_SECONDS) + 1))
    return JudgeTally(counts, int(values.get(FAILED_FIELD, 0)))


def _text(sent: bytes | str) -> str:
    return sent.decode() if isinstance(sent, bytes) else sent


def count_watchers() -> int:
    """How many event streams are open, in all processes together."""
    redis = _redis()
    names = list(redis.scan_iter(f"{WATCHERS_KEY}*"))
    return sum(int(count) for count in redis.mget(names) if count) if names else 0


def redis_answers() -> bool:
    try:
        return bool(_redis().ping())
    except RedisError:
        return False


def _redis() -> Redis:
    return redis_client(redis_address())
