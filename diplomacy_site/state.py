"""How the site is doing, in numbers that reveal nothing about any game or player."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Min
from redis.exceptions import RedisError

from diplomacy_site import shared_counts
from games.deadlines.overdue import LATE_SECONDS, overdue_phases
from games.kernel import clock
from games.kernel.models import Game, Status
from games.news.outboxes import OUTBOXES


@dataclass(frozen=True, slots=True)
class State:
    """`due`: open phases whose deadline has passed; `overdue`: those late by more than LATE_SECONDS; ages in
    seconds."""

    version: str
    running: int
    due: int
    overdue: int
    overdue_since: datetime | None
    late_seconds: float
    swept: datetime | None
    sweep_age: float | None


def site_state() -> State:
    """The state now, in three queries; without the sweep if Redis is down."""
    now = clock.now()
    due = overdue_phases(late_seconds=0)
    late = [phase.since for phase in due if (now - phase.since).total_seconds() > LATE_SECONDS]
    swept, sweep_age = _sweep()
    return State(
        version=settings.SITE_VERSION,
        running=Game.objects.of_people().filter(status=Status.RUNNING).count(),
        due=len(due),
        overdue=len(late),
        overdue_since=late[0] if late else None,
        late_seconds=(now - late[0]).total_seconds() if late else 0.0,
        swept=swept,
        sweep_age=sweep_age,
    )


def _sweep() -> tuple[datetime, float] | tuple[None, None]:
    try:
        return shared_counts.last_sweep() or (None, None)
    except RedisError:
        return None, None


def waiting_letters() -> tuple[int, float]:
    """How many emails are due, and for how many seconds the oldest has waited."""
    now = clock.now()
    waiting = [box.rows.filter(sent__isnull=True, next_try__lte=now) for box in OUTBOXES]
    oldest = [found for rows in waiting if (found := rows.aggregate(oldest=Min("written"))["oldest"])]
    age = (now - min(oldest)).total_seconds() if oldest else 0.0
    return sum(rows.count() for rows in waiting), age
