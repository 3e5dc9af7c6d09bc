"""What happens to games when the site is restored to an earlier state."""

from datetime import datetime, timedelta

from django.db import transaction

from adjudication.turns import Turn
from games.deadlines import news
from games.deadlines.options import PhaseLengths
from games.deadlines.timing import absences_booked_in, end_early_if_all_are_ready, leave_window, put_off_to, save_clock
from games.kernel import clock
from games.kernel.hooks import time_lost
from games.kernel.locking import lock_game
from games.kernel.models import OVER, Game, Phase, Status
from games.kernel.news import tell


@transaction.atomic
def make_up_for_outage(*, since: datetime) -> int:
    """Make up for the time lost since `since`, the moment to which the site was restored. Returns how many games are
    not over.

    Every deadline and the end of every roll call move by the time since then, but never to a day off. Stopped clocks
    stay stopped. One line in the log of each game says so.
    """
    now = clock.now()
    outage = max(now - since, timedelta(0))
    games = list(Game.objects.exclude(status__in=OVER).order_by("pk").values_list("pk", flat=True))
    for game_id in games:
        game = lock_game(game_id)
        phase = game.phases.filter(closed__isnull=True).first()
        if game.status == Status.RUNNING and phase is not None and _put_off_deadline(game, phase, outage, now):
            put_off = "deadline"
        else:
            put_off = "roll_call" if time_lost(game, outage) else ""
        lost = int(outage.total_seconds())
        tell(
            news.RESTORED, game, at=now, until="", sentence="",
            moment=since.isoformat(), lost=lost, what=put_off,
        )  # fmt: skip
    return len(games)


def _put_off_deadline(game: Game, phase: Phase, outage: timedelta, now: datetime) -> bool:
    """Move the deadline by this outage; if all were ready, they can take it back. False without a clock."""
    leave_window(phase)
    if phase.deadline is not None:
        kind, timetable = Turn.from_code(phase.turn).kind, game.options[PhaseLengths].timetable
        put_off_to(
            phase, timetable.first_deadline_from(phase.deadline + outage, kind), absences_booked_in(game, now), now
        )
    save_clock(phase)
    end_early_if_all_are_ready(game, phase, now)
    return game.options[PhaseLengths].clock
