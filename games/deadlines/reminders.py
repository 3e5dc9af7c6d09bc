"""Reminders for players who have saved nothing when the deadline is near.

A row is written for everyone who owes orders, so none shows who has saved. Only when reminders are sent, each player's
own sheet decides whether one is needed, and nothing records the decision.
"""

from datetime import datetime, timedelta

from django.db import transaction

from games.deadlines.models import Reminder
from games.deadlines.options import ExtraReminder
from games.deadlines.phases import powers_owing_orders
from games.kernel import clock, codec
from games.kernel.after_commit import start_task_after_commit
from games.kernel.locking import lock_game
from games.kernel.members import Participants
from games.kernel.models import Game, Phase, Status

HOURS = timedelta(hours=1)
NO_TIME, SHORTEST_REMINDED = timedelta(0), timedelta(minutes=10)
SHORTEST_WITH_ONE, SHORTEST_WITH_TWO = 8 * HOURS, 48 * HOURS


def reminder_times(start: datetime, deadline: datetime, time_before: timedelta = NO_TIME) -> tuple[datetime, ...]:
    """When players are reminded: a day and two hours before the deadline, only two hours before, or after three
    quarters of a short phase; and the `time_before` time before that the terms name, if the phase is longer."""
    length = deadline - start
    times = {deadline - length / 4} if length >= SHORTEST_REMINDED else set()
    if length >= SHORTEST_WITH_ONE:
        times = {deadline - 2 * HOURS}
    if length >= SHORTEST_WITH_TWO:
        times.add(deadline - 24 * HOURS)
    if NO_TIME < time_before < length:
        times.add(deadline - time_before)
    return tuple(sorted(times))


def phases_to_remind_of() -> list[int]:
    """The open phases of running games for which reminders are due."""
    now = clock.now()
    running = Phase.objects.filter(closed__isnull=True, deadline__gt=now, game__status=Status.RUNNING)
    rows = running.select_related("game").defer("position").order_by("deadline", "pk")
    return [phase.pk for phase in rows if _reminder_due(phase, now)]


def _reminder_due(phase: Phase, now: datetime) -> datetime | None:
    """The moment of reminders that are due but not yet written; None if there are none."""
    if phase.deadline is None or phase.in_window:
        return None
    extra = timedelta(seconds=phase.game.options[ExtraReminder].remind_before)
    past_moments = [moment for moment in reminder_times(phase.opened, phase.deadline, extra) if moment <= now]
    return past_moments[-1] if past_moments and past_moments[-1] != phase.reminded else None


@transaction.atomic
def remind_of_phase(*, phase_id: int) -> None:
    """Write a reminder to the players and sitters of all powers that owe orders, once for each moment."""
    game = lock_game(Phase.every.get(pk=phase_id).game_id)
    phase = game.phases.filter(pk=phase_id, closed__isnull=True).first()
    now = clock.now()
    moment = _reminder_due(phase, now) if phase else None
    if phase is None or moment is None or game.status != Status.RUNNING:
        return
    phase.reminded = moment
    phase.save(update_fields=["reminded"])
    write_reminders(game, phase, moment, now)


def write_reminders(game: Game, phase: Phase, moment: datetime, now: datetime, *, by_gm: bool = False) -> None:
    """Write reminders to the players and sitters of all powers that owe orders. The caller has locked the game."""
    participants = Participants([game])
    players = participants.people(game, powers_owing_orders(codec.position_of(phase), codec.variant_to_judge(game)))
    users = [*players, *participants.sitters(game, players, now)]
    Reminder.objects.bulk_create(
        (Reminder(phase=phase, user_id=user, due=moment, by_gm=by_gm, written=now, next_try=now) for user in users),
        ignore_conflicts=True,
    )
    start_task_after_commit("games.tasks.deliver")


def forget_old_reminders() -> None:
    """Delete the reminders of phases that have closed."""
    Reminder.objects.filter(phase__closed__isnull=False).delete()
