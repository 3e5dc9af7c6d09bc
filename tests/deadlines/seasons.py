"""What a game has promised about its deadlines, checked from the outside.

The record of a game is its published terms, its public log, the rows of its phases as they were after every act, and
the days that its players have booked. Nothing here asks the code that sets deadlines.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from games.deadlines.timetable import Slot, Week

DAY, HOUR, NOTHING = timedelta(days=1), timedelta(hours=1), timedelta(0)
PUNCTUAL = timedelta(minutes=10)
"""A phase that opens so soon after a deadline counts as opened then."""
STOPS = {"paused": "resumed", "nobody plays": "played again", "held": "released"}
EXTENSIONS = {"deadline moved", "grace given"}


@dataclass(frozen=True)
class Terms:
    """The published terms. `seconds`: length of each kind of phase; `lengths`: the cap on extensions, if any."""

    week: Week
    seconds: Mapping[str, int]
    lengths: int | None = None
    most: timedelta = timedelta(days=30)

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.week.zone)

    def slots(self, kind: str) -> tuple[Slot, ...]:
        found: tuple[Slot, ...] = getattr(self.week, kind)
        return found

    def is_off(self, moment: datetime) -> bool:
        day = moment.astimezone(self.zone).date()
        holidays = any(one.first <= day <= one.last for one in self.week.holidays)
        return day.weekday() in self.week.days_off or holidays


@dataclass(frozen=True)
class Line:
    """A line of the public log."""

    at: datetime
    kind: str
    seconds: int = 0
    until: datetime | None = None


@dataclass(frozen=True)
class Row:
    """A phase as its row says at some moment. `kind`: movement, retreat or adjustment; `ends`: its deadline or, once
    all are ready, the one that applies if a player takes that back; `players`: those with orders to enter in it.
    `early`: all were ready."""

    at: datetime
    number: int
    kind: str
    opened: datetime
    ends: datetime | None
    closed: datetime | None = None
    early: bool = False
    players: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Booking:
    """Whole days away, from `begins` until `ends`. `left`: when the player cancelled or left the game."""

    player: str
    at: datetime
    begins: datetime
    ends: datetime
    left: datetime | None = None

    def covers(self, moment: datetime) -> bool:
        return self.begins <= moment < self.ends


@dataclass(frozen=True)
class Record:
    terms: Terms
    log: Sequence[Line]
    rows: Sequence[Row]
    bookings: Sequence[Booking] = ()

    def last_rows(self) -> list[Row]:
        """Each phase as its row says last."""
        return list({row.number: row for row in self.rows}.values())

    def of(self, row: Row) -> list[Line]:
        """The lines of the log from the opening of a phase to its end, each stop before what it leads to."""
        until = row.closed or row.at
        found = [line for line in self.log if row.opened <= line.at <= until]
        return sorted(found, key=lambda line: (line.at, line.kind not in {*STOPS, *STOPS.values()}))


def complaints(record: Record) -> list[str]:
    """Everything in which a game has broken its word."""
    rows = record.last_rows()
    before = {one.number: two for two, one in pairwise(rows)}
    return [
        *forbidden_days(record),
        *(each for row in rows for each in too_short(record, row, before.get(row.number))),
        *(each for row in rows for each in too_long(record, row, before.get(row.number))),
        *(each for row in rows for each in too_much(record, row, before.get(row.number))),
        *(each for row in rows for each in off_the_times(record, row)),
    ]


# No deadline on a day on which there is none


def forbidden_days(record: Record) -> Iterator[str]:
    """A deadline on a day off or in a holiday, or on days that a player had booked when it was set."""
    since: dict[int, Row] = {}
    for row in record.rows:
        same = since.get(row.number)
        since[row.number] = set_then = same if same and same.ends == row.ends else row
        if row.ends is not None and record.terms.is_off(row.ends):
            yield f"phase {row.number}: at {row.at} its deadline is on a day off, {row.ends}"
        for one in record.bookings if row.ends is not None else ():
            in_force = one.at < set_then.at and (one.left is None or one.left > row.at)
            if in_force and one.player in row.players and row.ends and one.covers(row.ends):
                yield f"phase {row.number}: at {row.at} its deadline is on a day that {one.player} booked, {row.ends}"


# No phase shorter than promised


def started(terms: Terms, row: Row, before: Row | None) -> datetime:
    """From when its length counts: with fixed times, from the deadline that has just passed."""
    due = before.ends if before and not before.early and terms.slots(row.kind) else None
    return due if due is not None and due <= row.opened <= due + PUNCTUAL else row.opened


def too_short(record: Record, row: Row, before: Row | None) -> Iterator[str]:
    """Where its times are fixed, a whole day may have 23 hours."""
    length = timedelta(seconds=record.terms.seconds[row.kind])
    spare = HOUR if record.terms.slots(row.kind) and length >= DAY else NOTHING
    if row.ends is not None and row.ends < started(record.terms, row, before) + length - spare:
        yield f"phase {row.number}: opened {row.opened}, and ends too soon, {row.ends}"
    if row.closed is not None and not row.early and row.ends is not None and row.closed < row.ends:
        yield f"phase {row.number}: closed {row.closed}, before its deadline, {row.ends}"


# Nor longer than promised plus what the log says was added


def planned(terms: Terms, kind: str, begins: datetime) -> datetime:
    """When such a phase ends if nothing is added."""
    length = timedelta(seconds=terms.seconds[kind])
    if not terms.slots(kind):
        return _next(terms, kind, begins + length, (), fixed=False)
    local = begins.astimezone(terms.zone)
    days = length // DAY
    naive = (local + days * DAY).replace(tzinfo=None)  # by the clocks of the zone
    return _next(terms, kind, naive.replace(tzinfo=terms.zone).astimezone(UTC) + length % DAY, (), fixed=True)


def _next(terms: Terms, kind: str, earliest: datetime, booked: Sequence[Booking], *, fixed: bool) -> datetime:
    """The first moment from then on that is possible: at a fixed time, or at the same time on a later day."""
    local = earliest.astimezone(terms.zone)
    for days in range(400):
        day = (local + days * DAY).date()
        times = [(local.hour, local.minute, local.second)]
        if fixed:
            times = [(slot.hour, slot.minute, 0) for slot in sorted(terms.slots(kind)) if slot.weekday == day.weekday()]
        for hour, minute, second in times:
            wall = datetime(day.year, day.month, day.day, hour, minute, second, local.microsecond, terms.zone)
            moment = earliest if not fixed and not days else wall.astimezone(UTC)
            if moment >= earliest and not terms.is_off(moment) and not any(one.covers(moment) for one in booked):
                return moment
    raise AssertionError("days go on for ever")


def latest(record: Record, row: Row, before: Row | None) -> datetime:
    """The last moment at which a phase may end, by the terms and the log."""
    terms, fixed, lines = record.terms, bool(record.terms.slots(row.kind)), record.of(row)
    end, stopped, slack = planned(terms, row.kind, started(record.terms, row, before)), None, NOTHING
    coarse = DAY if terms.week.days_off or terms.week.holidays or record.bookings else NOTHING
    booked = record.bookings if any(line.kind == "player away" for line in lines) else ()
    end = _next(terms, row.kind, end, booked, fixed=fixed and bool(booked))
    for line in lines:
        if line.kind in STOPS:
            stopped = stopped or line.at
        elif line.kind in STOPS.values() and stopped is not None:
            end, stopped = _next(terms, row.kind, end + (line.at - stopped), booked, fixed=fixed), None
            slack = coarse + HOUR
        elif line.kind in EXTENSIONS and line.seconds:
            end = max(end, line.at) + timedelta(seconds=line.seconds)
        elif line.kind == "deadline set" and line.until:
            end = max(end, line.until + timedelta(minutes=1))
        elif line.kind == "fresh time":
            end += timedelta(seconds=line.seconds)
        if line.kind in {"fresh time", "player away"}:
            slack = coarse + HOUR
        end = _next(terms, row.kind, end, booked, fixed=False)
    return end + slack


def too_long(record: Record, row: Row, before: Row | None) -> Iterator[str]:
    if row.ends is not None and row.ends > (most := latest(record, row, before)):
        yield f"phase {row.number}: opened {row.opened}, ends {row.ends}, at the latest promised {most}"


# Nor extended by more than agreed


def too_much(record: Record, row: Row, before: Row | None) -> Iterator[str]:
    terms = record.terms
    if terms.lengths is None:
        return
    begins = started(record.terms, row, before)
    length = max(open_time(terms, begins, planned(terms, row.kind, begins)), timedelta(seconds=terms.seconds[row.kind]))
    most = min(terms.lengths * length, terms.most)
    added = sum((_added(record, row, line) for line in record.of(row)), NOTHING)
    if added > most:
        yield f"phase {row.number}: extended by {added}, at most promised {most}"


def _added(record: Record, row: Row, line: Line) -> timedelta:
    if line.kind in EXTENSIONS:
        return timedelta(seconds=line.seconds)
    if line.kind == "deadline set" and line.until:
        seen = [it.ends for it in record.rows if it.number == row.number and it.at < line.at and it.ends]
        return open_time(record.terms, seen[-1], line.until) if seen else NOTHING
    return NOTHING


def open_time(terms: Terms, begins: datetime, ends: datetime) -> timedelta:
    """How much of this span is on no day off."""
    found, at = NOTHING, begins
    while at < ends:
        local = at.astimezone(terms.zone)
        tomorrow = (local + DAY).date()
        midnight = datetime(tomorrow.year, tomorrow.month, tomorrow.day, tzinfo=terms.zone).astimezone(UTC)
        step = min(max(midnight, at + timedelta(seconds=1)), ends)
        if not terms.is_off(at):
            found += step - at
        at = step
    return found


# At the fixed times, unless it was extended


def off_the_times(record: Record, row: Row) -> Iterator[str]:
    times, lines = record.terms.slots(row.kind), record.of(row)
    by_hand = {*EXTENSIONS, "deadline set", "fresh time", "player away"}
    if row.ends is None or not times or any(line.kind in by_hand for line in lines):
        return
    local = row.ends.astimezone(record.terms.zone)
    skipped = (local - HOUR).utcoffset() != local.utcoffset()  # then the deadline falls just after the change
    if not skipped and (local.weekday(), local.hour, local.minute) not in {
        (it.weekday, it.hour, it.minute) for it in times
    }:
        yield f"phase {row.number}: its deadline, {row.ends}, is at none of the fixed times"
