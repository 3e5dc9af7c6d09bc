"""When the open phase of a game ends, and what moves its deadline: absences, all being ready, a stopped clock."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from adjudication.options import must_decide
from adjudication.turns import PhaseKind, Turn
from games.deadlines import news
from games.deadlines.models import Absence
from games.deadlines.options import Absences, EarlyEnd, Rhythm
from games.deadlines.readiness import seats_ready
from games.kernel import codec
from games.kernel.after_commit import ring
from games.kernel.days import SECOND
from games.kernel.members import Company
from games.kernel.models import NO_CLOCK, Game, Occupancy, Phase, Status
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
    company: Company | None = None,
    **facts: str | int,
) -> None:
    """Tell everyone in the game except `but` why the clock of the open phase has changed, once for each moment."""
    told = (company or Company([game])).everyone(game, now).difference(but)
    about = f"{phase.pk} {now.isoformat()}"
    tell(kind, game, at=now, by=by, to=(), about="", ordinal=None, **facts)
    write_letters(news.CLOCK_MOVED, game, told, about=about, at=now, ordinal=phase.ordinal)


def set_first_deadline(phase: Phase, before: Phase | None, deciding: Collection[int], away: Away) -> None:
    """The deadline of a phase that opens now, after the one `before`, if its game has a clock; `deciding` are the users
    who must decide in it."""
    game, now = phase.game, phase.opened
    if not game.options[Rhythm].clock:
        phase.remaining = NO_CLOCK
        return
    kind, timetable = _kind(phase), game.options[Rhythm].timetable
    opened = on_time(before, now) if timetable.times(kind) else now
    phase.deadline = timetable.next_deadline(opened, kind)
    if _put_off(game, phase, deciding, away):
        tell(news.PLAYER_AWAY, game, at=now, turn=phase.turn)


def on_time(before: Phase | None, now: datetime) -> datetime:
    """The deadline that this phase follows, if it has just passed: seconds of work must not cost a day or a week."""
    due = before.deadline if before else None
    return due if due is not None and due <= now <= due + PUNCTUAL else now


class Away:
    """The days that players of some games have booked and that are not over yet."""

    def __init__(self, company: Company, now: datetime) -> None:
        self.company = company
        rows = Absence.objects.filter(game__in=company.games, cancelled__isnull=True, ends__gt=now)
        self.rows = list(rows.order_by("begins", "pk"))

    def of(self, game: Game, users: Collection[int]) -> list[Absence]:
        return [row for row in self.rows if row.game_id == game.pk and row.user_id in users]


def put_off_for_absence(game: Game, phase: Phase, now: datetime) -> None:
    """Move the deadline of the open phase past the days that its players have booked, if it is far enough away."""
    if phase.deadline is None or phase.in_window or phase.deadline - now <= PUT_OFF_AHEAD:
        return
    variant = codec.variant_of(game)
    company = Company([game])
    deciding = company.people(game, must_decide(codec.position_of(phase), variant.ruleset))
    if _put_off(game, phase, deciding, Away(company, now)):
        phase.save(update_fields=["deadline"])
        tell_of_clock(news.PLAYER_AWAY, game, phase, now, turn=phase.turn)


def _put_off(game: Game, phase: Phase, deciding: Collection[int], away: Away) -> bool:
    """Move the deadline past the days on which players who must decide are away. Returns whether it moved."""
    before = phase.deadline
    assert before is not None, "the clock of this phase runs"
    absences = away.of(game, deciding)
    if not any(row.begins <= before < row.ends for row in absences):
        return False
    present = away.company.without_those_sat_for(game, deciding, before)
    absences = away.of(game, present)
    if not any(row.begins <= before < row.ends for row in absences):
        return False
    spans = tuple((row.begins, row.ends) for row in absences)
    later = phase.deadline = game.options[Rhythm].timetable.from_(before, _kind(phase), spans)
    moved = [row.pk for row in absences if row.begins < later and row.ends > before]
    Absence.objects.filter(pk__in=moved).update(moved=True)
    return True


def _kind(phase: Phase) -> PhaseKind:
    return Turn.from_code(phase.turn).kind


def settle_readiness(game: Game, phase: Phase, now: datetime) -> None:
    """Once all are ready, end the phase after the time in which they can take that back. If a player does, undo it."""
    is_running = phase.deadline is not None or (phase.is_untimed and game.status == Status.RUNNING)
    if not is_running or not game.options[EarlyEnd].all_ready:
        return
    ready = all_are_ready(game, phase)
    if ready == phase.in_window:
        return
    if ready:
        _open_window(game, phase, now)
    else:
        leave_window(phase)
        save_clock(phase)


def _open_window(game: Game, phase: Phase, now: datetime) -> None:
    ends = min(now + phase.time_left(now), now + game.options[EarlyEnd].panic_seconds * SECOND)
    phase.before_window, phase.window_ends, phase.deadline, phase.remaining = phase.deadline, ends, ends, None
    save_clock(phase)
    if ends <= now:
        ring("games.tasks.sweep")


def leave_window(phase: Phase) -> None:
    """Restore the deadline, or the lack of one, from before all were ready. The caller saves the phase."""
    if phase.in_window:
        phase.deadline = phase.before_window
        phase.remaining = None if phase.deadline else NO_CLOCK
    phase.window_ends = phase.before_window = None


def save_clock(phase: Phase) -> None:
    """Store what the clock of the phase says now."""
    phase.save(update_fields=["deadline", "remaining", "window_ends", "before_window"])


def all_are_ready(game: Game, phase: Phase) -> bool:
    """Vacant seats and powers with nothing to decide do not count."""
    variant = codec.variant_of(game)
    deciding = must_decide(codec.position_of(phase), variant.ruleset)
    seated = Occupancy.objects.filter(game=game, until__isnull=True, seat__power__in=deciding)
    awaited = set(seated.values_list("seat_id", flat=True))
    return bool(awaited) and awaited <= seats_ready(game, phase)


def start_clock(phase: Phase, now: datetime) -> None:
    """Restart the clock, with a deadline from the time left and the timetable, but never before the one announced."""
    game = phase.game
    if not phase.is_untimed:
        phase.deadline = max(_after_a_stop(game, phase, now), phase.announced or now)
        phase.remaining = phase.announced = None
        phase.save(update_fields=["deadline", "remaining", "announced"])
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
