"""Phases that should have ended by now, for a watchdog, a health page and a metric."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from adjudication.turns import Turn
from games.kernel import clock
from games.kernel.models import Phase, Status
from games.kernel.wording import moment_words

LATE_SECONDS = 60
"""A phase adjudicated within this many seconds of its deadline is on time, even after a fault."""


@dataclass(frozen=True, slots=True)
class Overdue:
    """A phase of a running game that is still open after its deadline. `game` is the game's slug."""

    game: str
    phase: str
    since: datetime

    def sentence(self) -> str:
        return f"{self.game}: {self.phase} has been overdue since {moment_words(self.since)}."


def overdue_phases(*, late_seconds: int = LATE_SECONDS) -> tuple[Overdue, ...]:
    """The phases of running games whose deadline passed more than `late_seconds` ago, oldest first.

    One query. It names games that only invited people may see, so it is for the people who run the site. Others may
    learn only how many phases are overdue, and since when.
    """
    moment = clock.now() - timedelta(seconds=late_seconds)
    late = Phase.objects.filter(closed__isnull=True, deadline__lt=moment, game__status=Status.RUNNING)
    rows = late.order_by("deadline", "pk").values_list("game__slug", "turn", "deadline")
    found = [(game, Turn.from_code(code), since) for game, code, since in rows if since]
    return tuple(Overdue(game, f"{turn.title} ({turn.kind_title})", since) for game, turn, since in found)
