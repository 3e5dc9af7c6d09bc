"""When the open phase of a game ends, and what moves its deadline: absences, extensions, all being ready, a stopped
clock."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from django.db.models import F

from adjudication.options import must_decide
from adjudication.turns import PhaseKind, Turn
from games.deadlines import news
from games.deadlines.models import Absence, Allowance
from games.deadlines.options import Absences, EarlyEnd, Grace, Rhythm
from games.kernel import codec
from games.kernel.after_commit import ring
from games.kernel.days import SECOND
from games.kernel.members import people_of, sitters_of, without_those_sat_for
from games.kernel.models import Game, Occupancy, Phase, Readiness
from games.kernel.news import tell, write_letters

if TYPE_CHECKING:
    from games.kernel.news import News


NO_TIME = timedelta(0)
PUT_OFF_AHEAD = timedelta(days=1)
"""A booking moves the deadline of the open phase only if it is further away than this."""

PUNCTUAL = timedelta(minutes=10)
"""A phase that opens at most this late after a deadline has the fixed times that it would have had at that deadline."""


def tell_of_clock(
    kind: News,
    game: Game,
    phase: Phase,
    now: datetime,
    *,
    by: int | None = None,
    but: Collection[int] = (),
    **facts: str | int,
) -> None:
    """Tell everyone in the game except `but` why the clock of the open phase has changed, once for each moment."""
    players = people_of(game)
    told = {*players, *sitters_of(game, players, now), game.gm_id}.difference(but)
    about = f"{phase.pk} {now.isoformat()}"
    tell(kind, game, at=now, by=by, to=(), about="", ordinal=None, **facts)
    write_letters(news.CLOCK_MOVED, game, told, about=about, at=now, ordinal=phase.ordinal)


def set_first_deadline(game: Game, phase: Phase, deciding: Collection[int], now: datetime) -> None:
    """The deadline of a phase that opens now; `deciding` are the users who must decide in it."""
    kind, timetable = _kind(phase), game.options[Rhythm].timetable
    opened = _on_time(game, phase, now) if timetable.times(kind) else now
    phase.deadline = timetable.next_deadline(opened, kind)
    if _put_off(game, phase, deciding, now):
        tell(news.PLAYER_AWAY, game, at=now, turn=phase.turn)


def _on_time(game: Game, phase: Phase, now: datetime) -> datetime:
    """The deadline that this phase follows, if it has just passed: seconds of work must not cost a day or a week."""
    before = game.phases.filter(ordinal=phase.ordinal - 1).values_list("deadline", flat=True).first()
    return before if before is not None and before <= now <= before + PUNCTUAL else now


def put_off_for_absence(game: Game, phase: Phase, now: datetime) -> None:
    """Move the deadline of the open phase past the days that its players have booked, if it is far enough away."""
    if phase.deadline is None or phase.in_window or phase.deadline - now <= PUT_OFF_AHEAD:
        return
    variant = codec.variant_of(game)
    deciding = people_of(game, must_decide(codec.position_of(phase), variant.ruleset))
    if _put_off(game, phase, deciding, now):
        phase.save(update_fields=["deadline"])
        tell_of_clock(news.PLAYER_AWAY, game, phase, now, turn=phase.turn)


def _put_off(game: Game, phase: Phase, deciding: Collection[int], now: datetime) -> bool:
    """Move the deadline past the days on which players who must decide are away. Returns whether it moved."""
    before = phase.deadline
    assert before is not None, "the clock of this phase runs"
    deciding = without_those_sat_for(game, deciding, before)
    absences = Absence.objects.filter(game=game, user__in=deciding, cancelled__isnull=True)
    away = tuple(absences.filter(ends__gt=now).order_by("begins", "pk").values_list("begins", "ends"))
    if not any(begins <= before < ends for begins, ends in away):
        return False
    phase.deadline = game.options[Rhythm].timetable.from_(before, _kind(phase), away)
    absences.filter(begins__lt=phase.deadline, ends__gt=before).update(moved=True)
    return True


def _kind(phase: Phase) -> PhaseKind:
    return Turn.from_code(phase.turn).kind


def give_grace(game: Game, phase: Phase, without_a_sheet: Collection[str], now: datetime) -> bool:
    """At the deadline, extend it (once per phase) if a player owes orders and has extensions left.

    `without_a_sheet`: the powers that owe orders and have saved none. There is no extension for players who are ready,
    for bots or for vacant seats.
    """
    options = game.options[Grace]
    if phase.graced or not options.grace_times:
        return False
    waiting = _players_to_wait_for(game, phase, without_a_sheet)
    if not waiting:
        return False
    Allowance.objects.filter(game=game, user__in=waiting).update(grace_used=F("grace_used") + 1)
    grace = options.grace_seconds * SECOND
    assert phase.deadline is not None, "the phase is due"
    later = phase.deadline + grace
    phase.deadline = later if later > now else now + grace
    phase.graced = True
    phase.save(update_fields=["deadline", "graced"])
    tell_of_clock(news.GRACE_GIVEN, game, phase, now, turn=phase.turn, seconds=options.grace_seconds)
    return True


def _players_to_wait_for(game: Game, phase: Phase, powers: Collection[str]) -> list[int]:
    seated = Occupancy.objects.filter(
        game=game, until__isnull=True, bot=False, seat__disordered=False, seat__power__in=list(powers)
    )
    unready = seated.exclude(seat__in=Readiness.objects.filter(phase=phase).values("seat"))
    users = list(unready.values_list("user_id", flat=True))
    Allowance.objects.bulk_create((Allowance(game=game, user_id=user) for user in users), ignore_conflicts=True)
    left = Allowance.objects.filter(game=game, user__in=users, grace_used__lt=game.options[Grace].grace_times)
    return list(left.values_list("user_id", flat=True))


def settle_readiness(game: Game, phase: Phase, now: datetime) -> None:
    """Once all are ready, end the phase after the time in which they can take that back. If a player does, undo it."""
    if phase.deadline is None or not game.options[EarlyEnd].all_ready:
        return
    ready = all_are_ready(game, phase)
    if ready == phase.in_window:
        return
    if ready:
        _open_window(game, phase, now)
    else:
        leave_window(phase)
        phase.save(update_fields=["deadline", "window_ends", "before_window"])


def _open_window(game: Game, phase: Phase, now: datetime) -> None:
    assert phase.deadline is not None, "the clock of this phase runs"
    ends = min(phase.deadline, now + game.options[EarlyEnd].panic_seconds * SECOND)
    phase.before_window, phase.window_ends, phase.deadline = phase.deadline, ends, ends
    phase.save(update_fields=["deadline", "window_ends", "before_window"])
    if ends <= now:
        ring("games.tasks.sweep")


def leave_window(phase: Phase) -> None:
    """Restore the deadline from before all were ready. The caller saves the phase."""
    if phase.in_window:
        phase.deadline = phase.before_window
    phase.window_ends = phase.before_window = None


def all_are_ready(game: Game, phase: Phase) -> bool:
    """Vacant seats and powers with nothing to decide do not count."""
    variant = codec.variant_of(game)
    deciding = must_decide(codec.position_of(phase), variant.ruleset)
    seated = Occupancy.objects.filter(game=game, until__isnull=True, seat__power__in=deciding)
    awaited = set(seated.values_list("seat_id", flat=True))
    ready = set(Readiness.objects.filter(phase=phase).values_list("seat_id", flat=True))
    return bool(awaited) and awaited <= ready


def start_clock(phase: Phase, now: datetime) -> None:
    """Restart the clock, with a deadline from the time left and the timetable."""
    game = phase.game
    phase.deadline, phase.remaining = _after_a_stop(game, phase, now), None
    phase.save(update_fields=["deadline", "remaining"])
    if game.options[Absences].absence_days:
        put_off_for_absence(game, phase, now)
    settle_readiness(game, phase, now)


def _after_a_stop(game: Game, phase: Phase, now: datetime) -> datetime:
    """After the time that was left, but not on a day off. A phase whose time was up ends now.

    With fixed times of the week, the next one that leaves at least half of that time, so that a short stop does not
    cost days.
    """
    left, timetable, kind = phase.time_left(now), game.options[Rhythm].timetable, _kind(phase)
    if left <= NO_TIME:
        return now + left
    return timetable.from_(now + (left / 2 if timetable.times(kind) else left), kind)


def without_the_ready(phase: Phase, powers: Collection[str]) -> list[str]:
    """The powers that are not ready. A player who is ready is present, even with no orders saved."""
    ready = set(Readiness.objects.filter(phase=phase).values_list("seat__power", flat=True))
    return [power for power in powers if power not in ready]
