"""When the open phase of a game ends, and what moves its deadline: absences, all being ready, a stopped clock."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from adjudication.options import must_decide
from adjudication.turns import PhaseKind, Turn
from games.deadlines import news
from games.deadlines.models import Absence
from games.deadlines.options import MOST_EXTENDED_DAYS, Absences, EarlyEnd, Extensions, PhaseLengths
from games.deadlines.readiness import ready_seats_shown_or_not
from games.kernel import codec
from games.kernel.after_commit import start_task_after_commit
from games.kernel.days import ONE_DAY, SECOND
from games.kernel.members import Participants
from games.kernel.models import NO_CLOCK, Game, Occupancy, Phase, Status
from games.kernel.news import News, Stored, tell, write_letters
from games.kernel.refusals import WrongMoment

NO_TIME = timedelta(0)
PUT_OFF_AHEAD = timedelta(days=1)
"""A booking moves the deadline of the open phase only if it is further away than this."""

MOST_LATENESS = timedelta(minutes=10)
"""A phase that opens at most this late after a deadline has the fixed times that it would have had at that deadline."""


def tell_of_clock(
    kind: News,
    game: Game,
    phase: Phase,
    now: datetime,
    *,
    by: int | None = None,
    except_for: Collection[int] = (),
    participants: Participants | None = None,
    **facts: Stored,
) -> None:
    """Tell everyone in the game except these users, once per moment, why the clock of the open phase has moved."""
    readers = (participants or Participants([game])).everyone(game, now).difference(except_for)
    about = f"{phase.pk} {now.isoformat()}"
    tell(kind, game, at=now, by=by, to=(), about="", ordinal=None, **facts)
    write_letters(news.CLOCK_MOVED, game, readers, about=about, at=now, by=by, ordinal=phase.ordinal)


def set_first_deadline(phase: Phase, before: Phase | None, deciders: Collection[int], away: BookedAbsences) -> None:
    """Set the deadline of a phase that opens now, after the phase `before`, if its game has a clock. `deciders`: the
    users who must decide in it."""
    game, now = phase.game, phase.opened
    if not game.options[PhaseLengths].clock:
        phase.remaining = NO_CLOCK
        return
    kind, timetable = _kind_of_phase(phase), game.options[PhaseLengths].timetable
    opened = opening_as_planned(before, now) if timetable.times(kind) else now
    if _set_deadline(phase, timetable.next_deadline(opened, kind), away.of_users(game, deciders), away):
        tell(news.PLAYER_AWAY, game, at=now, turn=phase.turn)


def opening_as_planned(before: Phase | None, now: datetime) -> datetime:
    """When a phase counts as opened: at the last deadline, if just past, so that seconds cost no day; else now."""
    due = before.deadline if before else None
    return due if due is not None and due <= now <= due + MOST_LATENESS else now


class BookedAbsences:
    """The days away that players of some games have booked and that are not over yet."""

    def __init__(self, participants: Participants, now: datetime) -> None:
        self.participants = participants
        rows = Absence.objects.filter(game__in=participants.games, cancelled__isnull=True, ends__gt=now)
        self.rows = list(rows.order_by("begins", "pk"))

    def of_users(self, game: Game, users: Collection[int]) -> list[Absence]:
        return [row for row in self.rows if row.game_id == game.pk and row.user_id in users]

    def of_those_who_decide(self, phase: Phase) -> list[Absence]:
        """The bookings of users who must decide in this phase. Without bookings, it isn't worked out who they are."""
        if not self.rows:
            return []
        variant = codec.variant_of(phase.game)
        return self.of_users(
            phase.game, self.participants.people(phase.game, must_decide(codec.position_of(phase), variant.ruleset))
        )


def absences_booked_in(game: Game, now: datetime) -> BookedAbsences:
    return BookedAbsences(Participants([game]), now)


def put_off_for_absence(game: Game, phase: Phase, now: datetime) -> None:
    """Move the deadline of the open phase past the days that its players have booked, if it is far enough away."""
    if phase.deadline is None or phase.in_window or phase.deadline - now <= PUT_OFF_AHEAD:
        return
    away = absences_booked_in(game, now)
    if _set_deadline(phase, phase.deadline, away.of_those_who_decide(phase), away, base=phase.without_absences):
        save_clock(phase)
        tell_of_clock(news.PLAYER_AWAY, game, phase, now, turn=phase.turn)


def drop_absence_delay(phase: Phase, now: datetime) -> None:
    """When a player leaves, undo the delay that was only for that player's days away, but leave at least a day from
    now, and don't go before the deadline without any days away. The caller settles who is ready afterwards."""
    game = phase.game
    if phase.without_absences is None or phase.deadline is None:
        return
    leave_window(phase)
    before, without_away = phase.deadline, phase.without_absences
    away = absences_booked_in(game, now)
    _set_deadline(
        phase, max(without_away, now + PUT_OFF_AHEAD), away.of_those_who_decide(phase), away, base=without_away
    )
    phase.deadline = min(before, phase.deadline)
    save_clock(phase)
    if phase.deadline < before:
        tell_of_clock(news.NO_LONGER_AWAY, game, phase, now, turn=phase.turn)


def extension_left(phase: Phase, before: Phase | None = None) -> timedelta | None:
    """By how much the open phase may still be extended; None if there is no limit. `before`: the one before it, which
    is not read again then."""
    lengths = phase.game.options[Extensions].most_extended
    if lengths is None:
        return None
    # how long it was to last when it opened, not counting days off; a week, if it has one fixed time a week
    kind, timetable, start = _kind_of_phase(phase), phase.game.options[PhaseLengths].timetable, phase.opened
    if timetable.times(kind) and phase.ordinal:
        start = opening_as_planned(before or phase.game.phases.filter(ordinal=phase.ordinal - 1).first(), start)
    planned = timetable.seconds(kind) * SECOND
    if timetable.week.zone_if_it_matters:
        planned = max(planned, timetable.open_time(start, timetable.next_deadline(start, kind)))
    return max(min(lengths * planned, MOST_EXTENDED_DAYS * ONE_DAY) - phase.extended, NO_TIME)


def extend_phase(phase: Phase, by: timedelta, away: BookedAbsences, now: datetime) -> None:
    """Extend the open phase by this much, even while its clock is stopped. This counts from its deadline or, if that
    passed so long ago that no time would be left, from now. The caller saves the clock."""
    phase.extended += by
    if phase.deadline is None:
        phase.remaining = phase.time_left(now) + by
        phase.announced = phase.announced and phase.game.options[PhaseLengths].timetable.same_time_from(
            phase.announced + by
        )
    elif phase.deadline + by > now:
        base = phase.without_absences and phase.without_absences + by
        put_off_to(phase, phase.deadline + by, away, now, base=base)
    else:
        put_off_to(phase, now + by, away, now)


def refuse_moment_on_day_off(game: Game, moment: datetime) -> None:
    """Raises WrongMoment for a moment on a day without deadlines in this game."""
    lengths = game.options[PhaseLengths]
    next_moment = lengths.timetable.same_time_from(moment)
    if next_moment > moment:
        told = _("{moment} is on a day without deadlines in this game. The next possible moment is {next}.")
        raise WrongMoment(told.format(moment=lengths.in_words(moment), next=lengths.in_words(next_moment)))


def put_off_to(
    phase: Phase, moment: datetime, away: BookedAbsences, now: datetime, *, base: datetime | None = None
) -> None:
    """Let the open phase end at this moment, or at the next one at which it may end. If it ends later because a player
    is away, the log says so. The caller saves the clock and tells everyone that it has moved."""
    if _set_deadline(phase, moment, away.of_those_who_decide(phase), away, base=base):
        tell(news.PLAYER_AWAY, phase.game, at=now, turn=phase.turn)


def _set_deadline(
    phase: Phase, moment: datetime, absences: Sequence[Absence], away: BookedAbsences, *, base: datetime | None = None
) -> bool:
    """Set the deadline to this moment or the next that is neither on a day off nor on days that players who must decide
    have booked, which are `absences`. Return whether a booking put it off.

    A moment that was chosen by hand keeps its wall time on a later day; any other goes to the next fixed time. `base`:
    the moment at which the phase would end without bookings, if it isn't this one.
    """
    game, timetable = phase.game, phase.game.options[PhaseLengths].timetable
    next_moment = timetable.same_time_from(moment)
    phase.deadline = next_moment
    phase.without_absences = base and timetable.same_time_from(base)
    absences = [row for row in absences if row.ends > next_moment]
    if not any(row.begins <= next_moment for row in absences):
        return False
    present = away.participants.without_those_sat_for(game, {row.user_id for row in absences}, next_moment)
    absences = [row for row in absences if row.user_id in present]
    if not any(row.begins <= next_moment for row in absences):
        return False
    spans = tuple((row.begins, row.ends) for row in absences)
    put_off = (
        timetable.same_time_from(next_moment, spans)
        if phase.extended
        else timetable.first_deadline_from(next_moment, _kind_of_phase(phase), spans)
    )
    phase.deadline, phase.without_absences = put_off, phase.without_absences or next_moment
    Absence.objects.filter(pk__in=[row.pk for row in absences if row.begins < put_off]).update(moved=True)
    return True


def _kind_of_phase(phase: Phase) -> PhaseKind:
    return Turn.from_code(phase.turn).kind


def end_early_if_all_are_ready(game: Game, phase: Phase, now: datetime) -> None:
    """Once all are ready, let the phase end after the time to change their minds. If a player does, undo this."""
    is_running = phase.deadline is not None or (phase.is_untimed and game.status == Status.RUNNING)
    if not is_running or not game.options[EarlyEnd].all_ready:
        return
    # Are all seats ready, not counting vacant ones and those of powers with nothing to decide?
    variant = codec.variant_of(game)
    deciding = must_decide(codec.position_of(phase), variant.ruleset)
    seated = Occupancy.objects.filter(game=game, until__isnull=True, seat__power__in=deciding)
    awaited = set(seated.values_list("seat_id", flat=True))
    is_ready = bool(awaited) and awaited <= ready_seats_shown_or_not(game, phase)
    if is_ready == phase.in_window:
        return
    if not is_ready:
        leave_window(phase)
        save_clock(phase)
        return
    end = min(now + phase.time_left(now), now + game.options[EarlyEnd].panic_seconds * SECOND)
    phase.before_window, phase.window_ends, phase.deadline, phase.remaining = phase.deadline, end, end, None
    save_clock(phase)
    if end <= now:
        start_task_after_commit("games.tasks.sweep")


def pause_game(game: Game, phase: Phase, now: datetime) -> None:
    stop_clock(phase, now)
    game.status = Status.PAUSED
    game.save(update_fields=["status"])


def resume_game(game: Game, phase: Phase, now: datetime) -> None:
    start_clock(phase, now)
    game.status = Status.RUNNING
    game.save(update_fields=["status"])


def stop_for_lack_of_players(game: Game, phase: Phase, now: datetime) -> None:
    """Stop the clock until a seat is taken, because nobody plays. The caller holds the lock on the game."""
    pause_game(game, phase, now)
    tell_of_clock(news.NOBODY_PLAYS, game, phase, now)


def lacks_players(game: Game) -> bool:
    """Is the game paused because nobody plays, and not by its game master?"""
    if game.status != Status.PAUSED:
        return False
    stops = game.events.filter(kind__in=[kind.log for kind in (news.NOBODY_PLAYS, news.PAUSED, news.RESUMED)])
    return stops.order_by("-pk").values_list("kind", flat=True).first() == news.NOBODY_PLAYS.log


def resume_with_players(game: Game, phase: Phase, now: datetime) -> None:
    """Start the clock when a seat is taken, if it was stopped for lack of players. The caller has locked the game."""
    if not lacks_players(game):
        return
    resume_game(game, phase, now)
    tell_of_clock(news.PLAYED_AGAIN, game, phase, now)


def leave_window(phase: Phase) -> None:
    """Restore the deadline, or the lack of one, from before all were ready. The caller saves the phase."""
    if phase.in_window:
        phase.deadline = phase.before_window
        phase.remaining = None if phase.deadline else NO_CLOCK
    phase.window_ends = phase.before_window = None


CLOCK_FIELDS = ("deadline", "remaining", "announced", "window_ends", "before_window", "without_absences", "extended")
"""The fields of a phase that its clock is made of."""


def save_clock(phase: Phase) -> None:
    """Store what the clock of the phase says now."""
    phase.save(update_fields=CLOCK_FIELDS)


def start_clock(phase: Phase, now: datetime) -> None:
    """Restart the clock. The deadline follows from the time left and the timetable, never before the announced one."""
    game = phase.game
    if not phase.is_untimed:
        end = max(_deadline_after_stop(phase, now), phase.announced or now)
        phase.deadline, phase.remaining, phase.announced = end, None, None
        if end > now and game.options[Absences].absence_days:
            put_off_to(phase, end, absences_booked_in(game, now), now)
        save_clock(phase)
    end_early_if_all_are_ready(game, phase, now)


def _deadline_after_stop(phase: Phase, now: datetime) -> datetime:
    """The deadline after the time that was left, not counting days off; now, if no time was left. If there are fixed
    times of the week, the one announced before the stop or, if it leaves less than half of the time, the next of them
    that leaves more, so that a short stop does not cost days."""
    time_left, timetable, kind = phase.time_left(now), phase.game.options[PhaseLengths].timetable, _kind_of_phase(phase)
    if time_left <= NO_TIME:
        return now + time_left
    if timetable.times(kind):
        earliest = timetable.after(now, time_left / 2)
        announced = phase.announced
        if announced is not None and earliest <= announced == timetable.same_time_from(announced):
            return announced
        return timetable.first_deadline_from(earliest, kind)
    return timetable.after(now, time_left)


def stop_clock(phase: Phase, now: datetime) -> None:
    """Replace the deadline by the time left, not counting days off and booked days. If all are ready, count from the
    deadline before they were."""
    leave_window(phase)
    phase.announced = phase.deadline or phase.announced
    if phase.deadline is not None:
        spans = tuple((row.begins, row.ends) for row in absences_booked_in(phase.game, now).of_those_who_decide(phase))
        left = phase.game.options[PhaseLengths].timetable.open_time(now, max(now, phase.deadline), spans)
        phase.remaining, phase.deadline = left, None
    phase.without_absences = None
    save_clock(phase)
