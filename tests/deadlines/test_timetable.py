"""The timetable: fixed times and lengths across clock changes, days off and holidays; and its description."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adjudication.turns import PhaseKind
from games.deadlines.timetable import (
    BadTimetable,
    Holiday,
    Slot,
    Timetable,
    Week,
    parse_times,
    times_in_words,
    timetable_in_words,
)
from games.kernel.wording import length_in_words

HOUR, DAY = 3_600, 86_400
MON, THU, SAT, SUN = 0, 3, 5, 6
MOVEMENT, RETREAT, ADJUSTMENT = PhaseKind.MOVEMENT, PhaseKind.RETREAT, PhaseKind.ADJUSTMENT
NEW_YORK, BERLIN, LORD_HOWE, KOLKATA = ("America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata")


def table(week: Week, *, movement: int = HOUR, retreat: int = HOUR, adjustment: int = HOUR) -> Timetable:
    return Timetable(week, movement, retreat, adjustment)


def weekly(zone: str, *slots: tuple[int, int, int], least: int = HOUR, **more: object) -> Timetable:
    return table(Week(zone=zone, movement=tuple(Slot(*one) for one in slots), **more), movement=least)  # type: ignore[arg-type]


def daily(zone: str, hour: int, minute: int) -> Timetable:
    return weekly(zone, *((day, hour, minute) for day in range(7)))


def at(zone: str, *wall: int, fold: int = 0) -> datetime:
    return datetime(*wall, tzinfo=ZoneInfo(zone), fold=fold).astimezone(UTC)  # type: ignore[misc, arg-type]


def after(timetable: Timetable, opened: datetime, kind: PhaseKind = MOVEMENT) -> datetime:
    return timetable.next_deadline(opened, kind)


def test_a_phase_ends_at_the_next_fixed_time_that_leaves_it_its_least_time() -> None:
    two = weekly(NEW_YORK, (MON, 19, 0), (THU, 19, 0), least=24 * HOUR)
    assert after(two, at(NEW_YORK, 2026, 11, 16, 19, 0)) == at(NEW_YORK, 2026, 11, 19, 19, 0)
    assert after(two, at(NEW_YORK, 2026, 11, 18, 19, 0)) == at(NEW_YORK, 2026, 11, 19, 19, 0), "24 hours exactly"
    assert after(two, at(NEW_YORK, 2026, 11, 18, 19, 1)) == at(NEW_YORK, 2026, 11, 23, 19, 0), "a minute too few"


def test_each_kind_of_phase_has_its_own_rhythm() -> None:
    week = Week(zone=NEW_YORK, movement=(Slot(THU, 19, 0),), adjustment=(Slot(MON, 20, 30),))
    mixed = table(week, movement=DAY, retreat=6 * HOUR, adjustment=DAY)
    opened = at(NEW_YORK, 2026, 11, 17, 12, 0)
    assert after(mixed, opened) == after(mixed, opened, PhaseKind.DEPLOYMENT) == at(NEW_YORK, 2026, 11, 19, 19, 0)
    assert after(mixed, opened, RETREAT) == opened + timedelta(hours=6)
    assert after(mixed, opened, ADJUSTMENT) == at(NEW_YORK, 2026, 11, 23, 20, 30)
    assert after(mixed, opened, PhaseKind.DECLARATION) == after(mixed, opened, ADJUSTMENT)


@pytest.mark.parametrize(
    ("zone", "before", "then"),
    [
        (NEW_YORK, (2026, 3, 7), (2026, 3, 8)),
        (NEW_YORK, (2026, 10, 31), (2026, 11, 1)),
        (BERLIN, (2026, 3, 28), (2026, 3, 29)),
        (BERLIN, (2026, 10, 24), (2026, 10, 25)),
        (LORD_HOWE, (2026, 10, 3), (2026, 10, 4)),
        (LORD_HOWE, (2026, 4, 4), (2026, 4, 5)),
        (KOLKATA, (2026, 3, 28), (2026, 3, 29)),
    ],
)
def test_a_fixed_time_stays_the_same_on_the_clock_when_the_clocks_change(
    zone: str, before: tuple[int, ...], then: tuple[int, ...]
) -> None:
    assert after(daily(zone, 19, 0), at(zone, *before, 19, 0)) == at(zone, *then, 19, 0)


@pytest.mark.parametrize(
    ("zone", "skipped", "becomes", "utc"),
    [
        (NEW_YORK, (2026, 3, 8, 2, 30), (2026, 3, 8, 3, 0), (7, 0)),
        (BERLIN, (2026, 3, 29, 2, 0), (2026, 3, 29, 3, 0), (1, 0)),
        (LORD_HOWE, (2026, 10, 4, 2, 10), (2026, 10, 4, 2, 30), (15, 30)),
    ],
)
def test_a_time_that_the_clocks_skip_means_the_first_instant_after_the_gap(
    zone: str, skipped: tuple[int, ...], becomes: tuple[int, ...], utc: tuple[int, int]
) -> None:
    found = after(daily(zone, *skipped[3:]), at(zone, *skipped[:3], 0, 0))
    assert found == at(zone, *becomes)
    assert (found.hour, found.minute) == utc


@pytest.mark.parametrize(
    ("zone", "twice", "utc"),
    [
        (NEW_YORK, (2026, 11, 1, 1, 30), (5, 30)),
        (BERLIN, (2026, 10, 25, 2, 30), (0, 30)),
        (LORD_HOWE, (2026, 4, 5, 1, 45), (14, 45)),
    ],
)
def test_a_time_that_comes_twice_means_the_first(zone: str, twice: tuple[int, ...], utc: tuple[int, int]) -> None:
    found = after(daily(zone, *twice[3:]), at(zone, *twice[:3], 0, 0) - timedelta(hours=2))
    assert found == at(zone, *twice)
    assert (found.hour, found.minute) == utc
    between = found + timedelta(minutes=5)
    assert after(daily(zone, *twice[3:]), between) > between + timedelta(hours=20), "it is not taken a second time"


def test_kolkata_where_no_clock_ever_changes_has_every_time_once_a_day() -> None:
    found = [after(daily(KOLKATA, 2, 30), at(KOLKATA, 2026, 3, 1, 3, 0))]
    for _ in range(300):
        found.append(after(daily(KOLKATA, 2, 30), found[-1]))
    assert {two - one for one, two in pairwise(found)} == {timedelta(days=1)}


def test_a_day_that_a_zone_skips_ends_as_the_next_begins() -> None:
    """Samoa had no 30 December 2011, a Friday."""
    fridays = weekly("Pacific/Apia", (4, 19, 0))
    found = after(fridays, at("Pacific/Apia", 2011, 12, 29, 12, 0))
    assert found == at("Pacific/Apia", 2011, 12, 31, 0, 0)
    saturdays_off = weekly("Pacific/Apia", (4, 19, 0), days_off=(SAT,))
    found = after(saturdays_off, at("Pacific/Apia", 2011, 12, 29, 12, 0))
    assert found == at("Pacific/Apia", 2012, 1, 6, 19, 0)


def test_a_length_that_ends_on_a_free_day_ends_at_the_same_time_of_the_next_day_that_is_not() -> None:
    lengths = table(Week(zone=BERLIN, days_off=(SAT, SUN)), movement=DAY)
    assert after(lengths, at(BERLIN, 2026, 3, 26, 20, 0)) == at(BERLIN, 2026, 3, 27, 20, 0)
    over_the_change = after(lengths, at(BERLIN, 2026, 3, 27, 20, 0))
    assert over_the_change == at(BERLIN, 2026, 3, 30, 20, 0)
    assert over_the_change - at(BERLIN, 2026, 3, 27, 20, 0) == timedelta(hours=71), "an hour was skipped"


def test_a_fixed_time_on_a_free_day_is_left_out() -> None:
    christmas = Holiday(date(2026, 12, 24), date(2027, 1, 2), "Christmas")
    two = weekly(NEW_YORK, (MON, 19, 0), (THU, 19, 0), holidays=(christmas,))
    assert after(two, at(NEW_YORK, 2026, 12, 21, 19, 0)) == at(NEW_YORK, 2027, 1, 4, 19, 0)


def test_the_free_day_is_that_of_the_games_zone() -> None:
    lengths = table(Week(zone="Pacific/Auckland", days_off=(SUN,)), movement=HOUR)
    saturday_in_london = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    assert after(lengths, saturday_in_london) == at("Pacific/Auckland", 2026, 11, 23, 2, 0)


def test_nobody_who_is_away_has_a_deadline_then() -> None:
    span = (at(BERLIN, 2026, 11, 18, 0, 0), at(BERLIN, 2026, 11, 20, 0, 0))
    lengths = table(Week(zone=BERLIN), movement=DAY)
    assert lengths.next_deadline(at(BERLIN, 2026, 11, 17, 20, 0), MOVEMENT, (span,)) == at(BERLIN, 2026, 11, 20, 20, 0)
    assert lengths.next_deadline(at(BERLIN, 2026, 11, 16, 20, 0), MOVEMENT, (span,)) == at(BERLIN, 2026, 11, 17, 20, 0)
    two = weekly(BERLIN, (MON, 19, 0), (THU, 19, 0))
    assert two.next_deadline(at(BERLIN, 2026, 11, 17, 20, 0), MOVEMENT, (span,)) == at(BERLIN, 2026, 11, 23, 19, 0)


def test_somebody_who_is_back_at_that_instant_is_back() -> None:
    two = weekly(BERLIN, (THU, 19, 0))
    opened = at(BERLIN, 2026, 11, 17, 20, 0)
    until_then = (opened, at(BERLIN, 2026, 11, 19, 19, 0))
    assert two.next_deadline(opened, MOVEMENT, (until_then,)) == at(BERLIN, 2026, 11, 19, 19, 0)


ZONES = st.sampled_from([NEW_YORK, BERLIN, LORD_HOWE, KOLKATA])
SLOTS = st.builds(Slot, st.integers(0, 6), st.integers(0, 23), st.integers(0, 59))
FREE = st.lists(st.integers(0, 6), max_size=4, unique=True).map(tuple)
HOLIDAYS = st.lists(
    st.builds(
        lambda first, days: Holiday(first, first + timedelta(days=days)),
        st.dates(date(2026, 1, 1), date(2027, 12, 1)),
        st.integers(0, 20),
    ),
    max_size=3,
).map(tuple)
OPENED = st.datetimes(datetime(2026, 1, 1), datetime(2027, 12, 1), timezones=st.just(UTC))  # noqa: DTZ001
LENGTHS = st.integers(30, 14 * DAY)


@st.composite
def timetables(draw: st.DrawFn, *, fixed: bool) -> Timetable:
    free = draw(FREE)
    slots = draw(st.lists(SLOTS, min_size=1, max_size=5, unique=True).map(tuple)) if fixed else ()
    if slots and all(one.weekday in free for one in slots):
        free = ()
    week = Week(zone=draw(ZONES), movement=slots, days_off=free, holidays=draw(HOLIDAYS))
    return table(week, movement=draw(LENGTHS))


few = settings(max_examples=150)


@few
@given(st.booleans().flatmap(lambda fixed: timetables(fixed=fixed)), OPENED)
def test_a_deadline_comes_after_the_least_time_and_never_on_a_free_day(timetable: Timetable, opened: datetime) -> None:
    found = after(timetable, opened)
    assert found >= opened + timedelta(seconds=timetable.movement_seconds)
    assert not timetable.week.is_free(found.astimezone(ZoneInfo(timetable.week.zone)).date())


@few
@given(timetables(fixed=True), OPENED, st.integers(0, 20 * DAY))
def test_a_phase_that_opens_later_never_ends_at_an_earlier_fixed_time(
    timetable: Timetable, opened: datetime, later: int
) -> None:
    assert after(timetable, opened) <= after(timetable, opened + timedelta(seconds=later))


@few
@given(timetables(fixed=False), OPENED, st.integers(0, 20 * DAY))
def test_a_phase_that_opens_later_never_ends_on_an_earlier_day(
    timetable: Timetable, opened: datetime, later: int
) -> None:
    """Within one day it may: a deadline that is put off keeps its time of day."""
    zone = ZoneInfo(timetable.week.zone)
    ends = [after(timetable, opened + timedelta(seconds=wait)).astimezone(zone).date() for wait in (0, later)]
    assert ends == sorted(ends)


@few
@given(timetables(fixed=True), OPENED)
def test_a_fixed_deadline_shows_one_of_the_times_unless_the_clocks_skip_it(
    timetable: Timetable, opened: datetime
) -> None:
    zone = ZoneInfo(timetable.week.zone)
    local = after(timetable, opened).astimezone(zone)
    shown = (local.weekday(), local.hour, local.minute)
    if shown not in {(one.weekday, one.hour, one.minute) for one in timetable.week.movement}:
        second_before = (local.astimezone(UTC) - timedelta(seconds=1)).astimezone(zone)
        assert second_before.utcoffset() != local.utcoffset()


@few
@given(timetables(fixed=True))
def test_a_week_is_stored_and_read_again_as_it_was(timetable: Timetable) -> None:
    assert Week.from_json(timetable.week.to_json()) == timetable.week


def test_the_timetable_is_said_in_words() -> None:
    christmas = Holiday(date(2026, 12, 24), date(2027, 1, 2))
    week = Week(
        zone=NEW_YORK,
        movement=(Slot(MON, 19, 0), Slot(THU, 19, 0)),
        adjustment=(Slot(MON, 19, 0),),
        days_off=(SUN,),
        holidays=(christmas,),
    )
    assert timetable_in_words(table(week, movement=DAY, retreat=DAY, adjustment=12 * HOUR)) == (
        "Orders: Mondays and Thursdays at 19:00 (New York), at least 24 hours after the phase opens; "
        "retreats: 24 hours; builds: Mondays at 19:00, at least 12 hours after the phase opens; "
        "no deadline on Sundays, nor from 24 Dec 2026 to 2 Jan 2027."
    )


def test_lengths_alone_name_no_zone_and_kinds_that_are_alike_are_named_together() -> None:
    assert timetable_in_words(table(Week(), movement=DAY, retreat=12 * HOUR, adjustment=12 * HOUR)) == (
        "Orders: 24 hours; retreats and builds: 12 hours."
    )
    special = frozenset({PhaseKind.DECLARATION})
    assert timetable_in_words(table(Week(), movement=7 * DAY, retreat=90, adjustment=90), special) == (
        "Orders: 7 days; retreats, builds and declarations: 1 minute 30 seconds."
    )
    birthday = Holiday(date(2027, 5, 4), date(2027, 5, 4), "a birthday")
    assert timetable_in_words(table(Week(zone=KOLKATA, holidays=(birthday,)))) == (
        "Orders, retreats and builds: 1 hour; no deadline on 4 May 2027 (a birthday) (Kolkata)."
    )


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(30, "30 seconds"), (3_600, "1 hour"), (5_400, "1 hour 30 minutes"), (DAY, "24 hours"), (36 * HOUR, "36 hours"),
     (2 * DAY, "2 days"), (7 * DAY + HOUR, "7 days 1 hour")],
)  # fmt: skip
def test_lengths_up_to_two_days_are_said_in_hours(seconds: int, words: str) -> None:
    assert length_in_words(seconds) == words


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("Mon and Thu 19:00", "Mondays and Thursdays at 19:00"),
        ("  thursdays, mo 19.00;Saturday 9:30 ", "Saturdays at 09:30, Mondays and Thursdays at 19:00"),
        ("Mon 19:00 20:00", "Mondays at 19:00, Mondays at 20:00"),
        ("every day 20:00", "every day at 20:00"),
    ],
)
def test_times_are_read_as_people_write_them(typed: str, read: str) -> None:
    assert sorted(times_in_words(parse_times(typed)).split(", ")) == sorted(read.split(", "))


def test_no_times_are_no_times() -> None:
    assert parse_times("  ") == ()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("19:00", "Enter a day before 19:00"),
        ("Mon", "Enter a time after the last day"),
        ("Mon 19:00 and Thu", "Enter a time after the last day"),
        ("Mon 25:00", "“25:00” is neither a day nor a time"),
        ("Funday 19:00", "“Funday” is neither a day nor a time"),
        ("M 19:00", "“M” is neither a day nor a time"),
    ],
)
def test_times_that_cannot_be_read_are_refused_with_the_reason(typed: str, sentence: str) -> None:
    with pytest.raises(ValueError, match=sentence):
        parse_times(typed)


@pytest.mark.parametrize(
    ("facts", "field", "sentence"),
    [
        ({"zone": "Atlantis/Capital"}, "zone", "is not a time zone"),
        ({"days_off": tuple(range(7))}, "days_off", "Leave at least one day"),
        ({"movement": (Slot(SUN, 9, 0),), "days_off": (SUN,)}, "movement", "All these times fall on days off"),
        ({"retreat": tuple(Slot(0, hour, 0) for hour in range(15))}, "retreat", "Choose at most 14 times a week"),
        ({"holidays": (Holiday(date(2027, 1, 2), date(2027, 1, 1)),)}, "holidays", "ends before it begins"),
        ({"holidays": (Holiday(date(2027, 1, 1), date(2027, 6, 1)),)}, "holidays", "last at most 60 days"),
        ({"holidays": (Holiday(date(2027, 1, 1), date(2027, 1, 1)),) * 13}, "holidays", "Enter at most 12 holidays"),
        ({"holidays": (Holiday(date(2027, 1, 1), date(2027, 1, 1), "x" * 41),)}, "holidays", "40 characters"),
    ],
)
def test_a_week_that_no_game_can_have_is_refused_field_by_field(
    facts: dict[str, object], field: str, sentence: str
) -> None:
    with pytest.raises(BadTimetable) as refused:
        Week(**facts)  # type: ignore[arg-type]
    assert sentence in refused.value.problems[field]
