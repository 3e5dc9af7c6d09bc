"""When phases end: lengths, or fixed times of the week in a time zone, avoiding days off and holidays. Pure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from itertools import chain, count, takewhile
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from adjudication.turns import PhaseKind
from games.kernel.days import DAY, ONE_DAY, SECOND, at_wall_time, problem_with_day, start_and_end_of_days
from games.kernel.languages import later, later_as
from games.kernel.marks import InApi
from games.kernel.wording import day_words, length_in_words
from games.kernel.zones import zones
from variants.words.english import listed

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""As people type them."""
WEEKDAYS = (
    *(later("Mondays"), later("Tuesdays"), later("Wednesdays"), later("Thursdays")),
    *(later("Fridays"), later("Saturdays"), later("Sundays")),
)
MOST_TIMES = 14
MOST_HOLIDAYS = 12
LONGEST_HOLIDAY_DAYS = 60
LONGEST_HOLIDAY_NAME = 40

CLOCK_CHANGES = later(
    "If the clocks go forward and skip a deadline’s time, the deadline falls just after the change. "
    "If they go back and the time occurs twice, the first one counts."
)

Span = tuple[datetime, datetime]
"""From one instant up to, but not including, another."""


class BadTimetable(ValueError):
    """An impossible timetable; `problems` maps fields of a `Week` to sentences."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        super().__init__(" ".join(map(str, problems.values())))
        self.problems = dict(problems)


@dataclass(frozen=True, slots=True, order=True)
class Slot:
    """A time of the week."""

    weekday: Annotated[int, InApi("From 0, Monday, to 6, Sunday.")]
    hour: Annotated[int, InApi("From 0 to 23, in the zone of the timetable.")]
    minute: Annotated[int, InApi("From 0 to 59.")]

    @property
    def clock(self) -> str:
        """The time of day, as in "19:00"."""
        return f"{self.hour:02}:{self.minute:02}"


@dataclass(frozen=True, slots=True)
class Holiday:
    """Days without a deadline."""

    first: Annotated[date, InApi("The first day.")]
    last: Annotated[date, InApi("The last day, which belongs to it.")]
    name: Annotated[str, InApi("What it is called; may be empty.")] = ""

    def problem(self) -> str:
        """Why nobody can add these days now; "" if they can. A stored timetable may have others."""
        return problem_with_day(self.first) or problem_with_day(self.last)


@dataclass(frozen=True, slots=True)
class Week:
    """The days and times on which deadlines may fall. Phases of a kind without fixed times end after their length.

    BadTimetable for impossible ones.
    """

    zone: Annotated[str, InApi("The time zone of all these times, as in “Europe/Berlin”.")] = "UTC"
    movement: Annotated[
        tuple[Slot, ...], InApi("The fixed times at which movement phases end; empty if their length alone counts.")
    ] = ()
    retreat: Annotated[tuple[Slot, ...], InApi("The same for retreats.")] = ()
    adjustment: Annotated[tuple[Slot, ...], InApi("The same for builds, removals and declarations.")] = ()
    days_off: Annotated[tuple[int, ...], InApi("Weekdays without a deadline, from 0, Monday.")] = ()
    holidays: Annotated[tuple[Holiday, ...], InApi("Days without a deadline.")] = ()

    def __post_init__(self) -> None:
        problems = dict(_problems_with_week(self))
        if problems:
            raise BadTimetable(problems)

    @property
    def zone_if_it_matters(self) -> str:
        """The zone, if there is a fixed time or a day off; otherwise ""."""
        matters = self.movement or self.retreat or self.adjustment or self.days_off or self.holidays
        return self.zone if matters else ""

    def is_free(self, day: date) -> bool:
        return day.weekday() in self.days_off or any(one.first <= day <= one.last for one in self.holidays)

    def to_json(self) -> dict[str, Any]:
        times = {name: [[one.weekday, one.hour, one.minute] for one in getattr(self, name)] for name in TIMES_FIELDS}
        holidays = [[one.first.isoformat(), one.last.isoformat(), one.name] for one in self.holidays]
        return {"zone": self.zone, **times, "days_off": list(self.days_off), "holidays": holidays}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Week:
        times = {name: tuple(Slot(*one) for one in values[name]) for name in TIMES_FIELDS}
        holidays = tuple(
            Holiday(date.fromisoformat(first), date.fromisoformat(last), name)
            for first, last, name in values["holidays"]
        )
        return cls(zone=values["zone"], **times, days_off=tuple(values["days_off"]), holidays=holidays)


TIMES_FIELDS = ("movement", "retreat", "adjustment")


def _problems_with_week(week: Week) -> Iterator[tuple[str, str]]:
    if week.zone not in zones():
        yield "zone", _("“{zone}” is not a time zone. Choose one such as Europe/London.").format(zone=week.zone)
    for name in TIMES_FIELDS:
        times: tuple[Slot, ...] = getattr(week, name)
        if len(times) > MOST_TIMES:
            yield name, _("Choose at most {most} times a week.").format(most=MOST_TIMES)
        elif times and all(one.weekday in week.days_off for one in times):
            yield name, _("All these times fall on days off. Choose another time or fewer days off.")
    if len(set(week.days_off)) == len(DAYS):
        yield "days_off", _("Leave at least one day of the week on which a deadline may fall.")
    if len(week.holidays) > MOST_HOLIDAYS:
        yield "holidays", _("Enter at most {most} holidays.").format(most=MOST_HOLIDAYS)
    elif problem := next(filter(None, map(_problem_with_holiday, week.holidays)), ""):
        yield "holidays", problem


def _problem_with_holiday(holiday: Holiday) -> str:
    if holiday.last < holiday.first:
        return _("This holiday ends before it begins: {first} to {last}.").format(
            first=day_words(holiday.first), last=day_words(holiday.last)
        )
    if (holiday.last - holiday.first).days >= LONGEST_HOLIDAY_DAYS:
        return _("A holiday can last at most {most} days.").format(most=LONGEST_HOLIDAY_DAYS)
    if len(holiday.name) > LONGEST_HOLIDAY_NAME:
        return _("The name of a holiday can have at most {most} characters.").format(most=LONGEST_HOLIDAY_NAME)
    return ""


@dataclass(frozen=True, slots=True)
class Timetable:
    """A week, and how many seconds each kind of phase lasts, or lasts at least if it has fixed times."""

    week: Week
    movement_seconds: int
    retreat_seconds: int
    adjustment_seconds: int

    def seconds(self, kind: PhaseKind) -> int:
        seconds: int = getattr(self, f"{FIELD_OF_KIND[kind]}_seconds")
        return seconds

    def times(self, kind: PhaseKind) -> tuple[Slot, ...]:
        slots: tuple[Slot, ...] = getattr(self.week, FIELD_OF_KIND[kind])
        return slots

    def next_deadline(self, start: datetime, kind: PhaseKind, away: tuple[Span, ...] = ()) -> datetime:
        """When a phase of this kind ends if it opens at this instant; never within one of the `away` spans.

        Days before a fixed time are counted by the zone's clocks, where one may have 23 hours.
        """
        days, seconds = divmod(self.seconds(kind), DAY)
        if not self.times(kind):
            return self.first_deadline_from(start + self.seconds(kind) * SECOND, kind, away)
        zone = ZoneInfo(self.week.zone)
        local = start.astimezone(zone)
        earliest = at_wall_time(local.date() + days * ONE_DAY, local.time(), zone) if days else local
        return self.first_deadline_from(earliest.astimezone(UTC) + seconds * SECOND, kind, away)

    def first_deadline_from(self, earliest: datetime, kind: PhaseKind, away: tuple[Span, ...] = ()) -> datetime:
        """The first instant from `earliest` on at which such a phase may end: at a fixed time if it has any."""
        if not self.times(kind):
            return self.same_time_from(earliest, away)
        return self._first_allowed(self._at_times(earliest.astimezone(UTC), self.times(kind)), away)

    def same_time_from(self, earliest: datetime, away: tuple[Span, ...] = ()) -> datetime:
        """`earliest` or, on a day off or within one of the `away` spans, the same wall time on a later day."""
        zone = ZoneInfo(self.week.zone)
        local = earliest.astimezone(UTC).astimezone(zone)
        later_days = (at_wall_time(local.date() + days * ONE_DAY, local.time(), zone) for days in count(1))
        return self._first_allowed(chain([local], later_days), away)

    def _first_allowed(self, instants: Iterable[datetime], away: tuple[Span, ...]) -> datetime:
        return next(
            instant.astimezone(UTC)
            for instant in instants
            if not self.week.is_free(instant.date()) and not any(begins <= instant < ends for begins, ends in away)
        )

    def open_time(self, begins: datetime, ends: datetime, away: tuple[Span, ...] = ()) -> timedelta:
        """How much of the time between these moments is neither on days off nor in one of the `away` spans."""
        pieces = takewhile(lambda piece: piece[0] < ends, self._open_pieces(begins, away))
        return sum((min(last, ends) - first for first, last in pieces), timedelta(0))

    def after(self, begins: datetime, length: timedelta) -> datetime:
        """The moment at which this much time has passed since `begins`, not counting days off."""
        for begin, end in self._open_pieces(begins, ()):
            if length < end - begin:
                return begin + length
            length -= end - begin
        raise AssertionError("days go on for ever")

    def _open_pieces(self, begins: datetime, away: tuple[Span, ...]) -> Iterator[Span]:
        """The spans from `begins` on that are neither on days off nor in one of the `away` spans, in order."""
        start = begins.astimezone(UTC)
        day = begins.astimezone(ZoneInfo(self.week.zone)).date()
        while True:
            midnight = start_and_end_of_days(day, day, self.week.zone)[1].astimezone(UTC)
            if not self.week.is_free(day):
                yield from _spans_outside(away, start, midnight)
            start, day = max(start, midnight), day + ONE_DAY

    def _at_times(self, earliest: datetime, times: tuple[Slot, ...]) -> Iterator[datetime]:
        """These times from the day before on: if a zone skips a day, that day ends when the next begins."""
        zone = ZoneInfo(self.week.zone)
        before = earliest.astimezone(zone).date() - ONE_DAY
        for days in count():
            day = before + days * ONE_DAY
            for slot in sorted(times):
                if slot.weekday == day.weekday():
                    instant = at_wall_time(day, time(slot.hour, slot.minute), zone)
                    if instant >= earliest:
                        yield instant


def _spans_outside(away: tuple[Span, ...], first: datetime, last: datetime) -> Iterator[Span]:
    """The parts of the span from `first` to `last` that are in none of the `away` spans, in order."""
    for begins, ends in sorted(away):
        if first < min(begins, last):
            yield first, min(begins, last)
        first = max(first, ends)
    if first < last:
        yield first, last


FIELD_OF_KIND = {
    PhaseKind.MOVEMENT: "movement",
    PhaseKind.DEPLOYMENT: "movement",
    PhaseKind.RETREAT: "retreat",
    PhaseKind.ADJUSTMENT: "adjustment",
    PhaseKind.DECLARATION: "adjustment",
}


# In words

KIND_WORDS = {
    PhaseKind.DEPLOYMENT: later_as("a kind of phase", "placing units"),
    PhaseKind.MOVEMENT: later_as("a kind of phase", "orders"),
    PhaseKind.RETREAT: later_as("a kind of phase", "retreats"),
    PhaseKind.ADJUSTMENT: later_as("a kind of phase", "builds"),
    PhaseKind.DECLARATION: later_as("a kind of phase", "declarations"),
}

ONLY_SOME_VARIANTS = frozenset({PhaseKind.DEPLOYMENT, PhaseKind.DECLARATION})


def timetable_in_words(timetable: Timetable, extras: frozenset[PhaseKind] = frozenset()) -> str:
    """The whole timetable in one sentence. `extras`: the kinds of phase in this game that only some variants have.

    As in "Orders: Mondays and Thursdays at 19:00 (New York), at least 24 hours after the phase opens; retreats and
    builds: 24 hours; no deadline on Sundays, nor from 24 Dec 2026 to 2 Jan 2027."
    """
    kinds_by_times = defaultdict[tuple[tuple[Slot, ...], int], list[str]](list)
    for kind, words in KIND_WORDS.items():
        if kind in extras or kind not in ONLY_SOME_VARIANTS:
            kinds_by_times[timetable.times(kind), timetable.seconds(kind)].append(words)
    zone, parts = f" ({city_of_zone(timetable.week.zone)})", []
    for (times, seconds), names in kinds_by_times.items():
        length = length_in_words(seconds)
        if times:
            message = _("{phases}: {times}, at least {length} after the phase opens")
            parts.append(message.format(phases=listed(names), times=f"{times_in_words(times)}{zone}", length=length))
            zone = ""
        else:
            parts.append(f"{listed(names)}: {length}")
    if free := free_days_in_words(timetable.week):
        parts.append(_("no deadline {free}").format(free=f"{free}{zone}"))
    return f"{capfirst('; '.join(parts))}."


def times_in_words(times: tuple[Slot, ...]) -> str:
    """Times of the week, as in "Mondays and Thursdays at 19:00, Saturdays at 12:00"."""
    days: dict[str, list[str]] = {}
    for slot in sorted(times):
        days.setdefault(slot.clock, []).append(WEEKDAYS[slot.weekday])
    return ", ".join(
        _("every day at {clock}").format(clock=clock)
        if len(names) == len(DAYS)
        else _("{days} at {clock}").format(days=listed(names), clock=clock)
        for clock, names in days.items()
    )


def free_days_in_words(week: Week) -> str:
    """The days without a deadline, as in "on Sundays, nor from 24 Dec 2026 to 2 Jan 2027 (Christmas)"; "" if there are
    none."""
    names = [WEEKDAYS[day] for day in sorted(set(week.days_off))]
    free = [_("on {days}").format(days=listed(names))] if names else []
    free += [_holiday_in_words(one) for one in sorted(week.holidays, key=lambda one: one.first)]
    return reduce(lambda one, more: _("{days}, nor {more}").format(days=one, more=more), free) if free else ""


def _holiday_in_words(holiday: Holiday) -> str:
    name = f" ({holiday.name})" if holiday.name else ""
    last_day = f"{day_words(holiday.last)}{name}"
    if holiday.first == holiday.last:
        return _("on {day}").format(day=last_day)
    return _("from {first} to {last}").format(first=day_words(holiday.first), last=last_day)


def city_of_zone(zone: str) -> str:
    """The zone as people call it, as in "New York" for "America/New_York"."""
    return zone.rsplit("/", 1)[-1].replace("_", " ")


# As typed

CLOCK = re.compile(r"([01]?\d|2[0-3])[:.]([0-5]\d)")
WORD = re.compile(r"[a-z]+|[\d:.]+", re.IGNORECASE)
SHORTEST_DAY_NAME = 2


def parse_times(text: str) -> tuple[Slot, ...]:
    """Times of the week as people write them, "Mon and Thu 19:00, Sat 12:00"; raises ValueError for anything else."""
    slots: set[Slot] = set()
    days: list[int] = []
    is_timed = True
    for word in WORD.findall(text):
        clock = CLOCK.fullmatch(word)
        if clock and days:
            slots.update(Slot(day, int(clock[1]), int(clock[2])) for day in days)
            is_timed = True
        elif not clock and word.lower() not in {"and", "at"}:
            days = [*([] if is_timed else days), *_parse_days(word)]
            is_timed = False
        elif clock:
            raise ValueError(_("Enter a day before {word}, as in Mon {word}.").format(word=word))
    if not is_timed:
        raise ValueError(_("Enter a time after the last day, as in Mon and Thu 19:00."))
    return tuple(sorted(slots))


def _parse_days(word: str) -> list[int]:
    text = word.lower()
    if text in {"daily", "every", "day"}:
        return list(range(len(DAYS)))
    days = [
        number
        for number, name in enumerate(DAYS)
        if len(text) >= SHORTEST_DAY_NAME and f"{name.lower()}s".startswith(text)
    ]
    if not days:
        raise ValueError(
            _("“{word}” is neither a day nor a time. Enter something like Mon and Thu 19:00.").format(word=word)
        )
    return days
