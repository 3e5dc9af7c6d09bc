"""No deadline falls on a day on which there is none, however it is moved, and no time is given twice or lost."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from adjudication.turns import PhaseKind
from games.consent.services import ask_for_earlier_deadline
from games.deadlines.absences import book_absence
from games.deadlines.news import NO_LONGER_AWAY, PLAYER_AWAY
from games.deadlines.outage import make_up_for_outage
from games.deadlines.phases import close_due_phase
from games.deadlines.timetable import Holiday, Slot, Timetable, Week
from games.kernel.models import Event, Game
from games.kernel.refusals import WrongMoment
from games.mastering.services.desk import (
    empty_seat,
    extend_deadline,
    pause_game,
    resume_game,
    seat_player,
    set_deadline,
)
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, person
from tests.factories import HOUR, open_phase, running_game, waiting_game

if TYPE_CHECKING:
    from tests.moment import Moment

DAY = 24 * HOUR
MOVEMENT = PhaseKind.MOVEMENT
THURSDAY = datetime(2026, 11, 19, 19, tzinfo=UTC)
WEEKS = {
    "weekends off": Week(zone="UTC", days_off=(5, 6)),
    "a holiday": Week(zone="UTC", holidays=(Holiday(date(2026, 11, 21), date(2026, 11, 29), "Harvest"),)),
    "fixed times": Week(zone="UTC", movement=tuple(Slot(day, 19, 0) for day in range(5)), days_off=(5, 6)),
    "another zone": Week(zone="Pacific/Auckland", days_off=(5, 6)),
}
ZONES = (
    "UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "America/Santiago",
    "Africa/Casablanca", "Pacific/Apia",
)  # fmt: skip
each_week = pytest.mark.parametrize("week", WEEKS.values(), ids=WEEKS.keys())


def game_on_thursday(moment: Moment, week: Week) -> Game:
    """Its first deadline is on Friday at the hour at which it began."""
    moment.now = THURSDAY
    return running_game(week=week, grace_seconds=DAY, grace_times=2, absence_days=14)


def deadline(game: Game) -> datetime:
    found = open_phase(game).deadline
    assert found is not None
    return found


def is_off(game: Game, week: Week) -> bool:
    return week.is_free(deadline(game).astimezone(ZoneInfo(week.zone)).date())


def away(game: Game, name: str, first: date, days: int) -> None:
    last = first + timedelta(days=days - 1)
    book_absence(game_id=game.pk, user_id=person(name).pk, zone="UTC", first=first, last=last)


# However it is moved


@pytest.mark.django_db
@each_week
def test_an_automatic_extension_never_ends_on_a_day_off(moment: Moment, week: Week) -> None:
    game = game_on_thursday(moment, week)
    moment.now = deadline(game)
    close_due_phase(phase_id=open_phase(game).pk)
    assert open_phase(game).graced
    assert not is_off(game, week)


@pytest.mark.django_db
@each_week
def test_an_extension_by_the_game_master_never_ends_on_a_day_off(moment: Moment, week: Week) -> None:
    game = game_on_thursday(moment, week)
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=DAY)
    assert not is_off(game, week)
    extended = deadline(game)
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=HOUR)
    assert not is_off(game, week)
    assert deadline(game) == extended + timedelta(hours=1), "an hour stays an hour, also beside fixed times"


@pytest.mark.django_db
@each_week
def test_an_extension_during_a_pause_never_ends_on_a_day_off(moment: Moment, week: Week) -> None:
    game = game_on_thursday(moment, week)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=DAY)
    moment.wait(hours=1)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert not is_off(game, week)


@pytest.mark.django_db
@each_week
def test_time_lost_by_a_fault_never_ends_on_a_day_off(moment: Moment, week: Week) -> None:
    game = game_on_thursday(moment, week)
    before = moment.now
    moment.wait(hours=20)
    make_up_for_outage(since=before)
    assert not is_off(game, week)


def move_onto_booked_days(game: Game, moment: Moment, how: str) -> None:
    if how == "automatic":
        moment.now = deadline(game)
        close_due_phase(phase_id=open_phase(game).pk)
    elif how == "by hand":
        extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=DAY)
    elif how == "set":
        set_deadline(game_id=game.pk, by=person(CAROL).pk, until=THURSDAY + timedelta(days=2))
    elif how == "new player":
        moment.wait(hours=20)
        seat_player(
            game_id=game.pk,
            by=person(CAROL).pk,
            power=powers(game, "bob"),
            username=person("eve2").username,
            reason="Agreed.",
        )
    else:
        moment.wait(hours=20)
        make_up_for_outage(since=THURSDAY)


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["automatic", "by hand", "set", "after a fault"])
def test_no_deadline_moves_onto_days_that_a_player_has_booked(moment: Moment, how: str) -> None:
    game = game_on_thursday(moment, Week(zone="UTC"))
    away(game, "alice", date(2026, 11, 21), 5)
    move_onto_booked_days(game, moment, how)
    assert deadline(game).date() == date(2026, 11, 26)


@pytest.mark.django_db
def test_a_game_master_is_told_why_a_deadline_cannot_be_on_a_day_off(moment: Moment) -> None:
    game = game_on_thursday(moment, WEEKS["weekends off"])
    saturday = datetime(2026, 11, 21, 12, tzinfo=UTC)
    with pytest.raises(WrongMoment, match=r"day without deadlines.*next possible moment is Mon 23 Nov 2026, 12:00"):
        set_deadline(game_id=game.pk, by=person(CAROL).pk, until=saturday)
    set_deadline(game_id=game.pk, by=person(CAROL).pk, until=datetime(2026, 11, 24, 12, tzinfo=UTC))
    with pytest.raises(WrongMoment, match="day without deadlines"):
        ask_for_earlier_deadline(game_id=game.pk, by=person(CAROL).pk, until=saturday)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2027-03-28T02:30", datetime(2027, 3, 28, 1, tzinfo=UTC)),
        ("2027-10-31T02:30", datetime(2027, 10, 31, 0, 30, tzinfo=UTC)),
        ("2027-03-28T03:00", datetime(2027, 3, 28, 1, tzinfo=UTC)),
    ],
)
def test_an_hour_that_clocks_skip_or_repeat_is_taken_by_the_rule_for_deadlines(
    moment: Moment, typed: str, meant: datetime
) -> None:
    moment.now = meant - timedelta(hours=30)
    game = running_game()
    master = person(CAROL)
    master.time_zone = "Europe/Berlin"
    master.save()
    client = visitor(CAROL)
    client.post(reverse("games:gm-set_deadline", kwargs={"slug": game.slug}), {"until": typed})
    assert deadline(game) == meant


@pytest.mark.django_db
@pytest.mark.parametrize(("minutes", "hour", "day"), [(0.5, 21, 20), (90, 19, 23)], ids=["seconds", "over half"])
def test_a_deadline_set_by_hand_beside_the_fixed_times_survives_a_pause_of_seconds(
    moment: Moment, minutes: float, hour: int, day: int
) -> None:
    game, client = game_on_thursday(moment, WEEKS["fixed times"]), visitor(CAROL)
    for act, form in (("set_deadline", {"until": "2026-11-20T21:00"}), ("pause", {}), ("resume", {})):
        client.post(reverse(f"games:gm-{act}", kwargs={"slug": game.slug}), form)
        moment.wait(hours=24 if act == "set_deadline" else 0, minutes=minutes if act == "pause" else 0)
    shown = visitor("alice").get(reverse("games:game", kwargs={"slug": game.slug})).content.decode()
    assert f"{day} Nov 2026, {hour}:00 UTC" in shown


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["automatic", "by hand", "set", "new player"])
def test_the_log_says_that_a_player_is_away_whatever_moves_a_deadline_onto_booked_days(
    moment: Moment, how: str
) -> None:
    game = game_on_thursday(moment, Week(zone="UTC"))
    away(game, "alice", date(2026, 11, 21), 5)
    move_onto_booked_days(game, moment, how)
    assert deadline(game).date() == date(2026, 11, 26)
    assert game.events.filter(kind=PLAYER_AWAY.log).count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize("week", [Week(zone="UTC"), WEEKS["fixed times"]], ids=["lengths", "fixed times"])
def test_a_clock_that_starts_again_keeps_off_booked_days_however_near_they_are(moment: Moment, week: Week) -> None:
    moment.now = datetime(2026, 11, 17, 19, tzinfo=UTC)
    game = running_game(week=week, absence_days=14)
    away(game, "alice", date(2026, 11, 19), 1)
    moment.wait(hours=4)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    moment.wait(hours=22)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert deadline(game) == datetime(2026, 11, 20, 17 if week == Week(zone="UTC") else 19, tzinfo=UTC)
    assert game.events.filter(kind=PLAYER_AWAY.log).exists()
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert deadline(game).date() == date(2026, 11, 20), "and keeps what it had"


# A pause gives back what was left


def paused_until(game: Game, moment: Moment, until: datetime) -> timedelta:
    """What is left after a pause that begins in an hour."""
    moment.wait(hours=1)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    moment.now = until
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    return deadline(game) - moment.now


@pytest.mark.django_db
def test_a_pause_over_a_weekend_gives_no_days_off_twice(moment: Moment) -> None:
    moment.now = datetime(2026, 11, 20, 12, tzinfo=UTC)
    game = running_game(week=WEEKS["weekends off"])
    assert paused_until(game, moment, datetime(2026, 11, 23, 10, tzinfo=UTC)) == timedelta(hours=23)


@pytest.mark.django_db
def test_a_pause_over_a_holiday_gives_no_days_off_twice(moment: Moment) -> None:
    moment.now = datetime(2026, 12, 23, 12, tzinfo=UTC)
    game = running_game(week=Week(zone="UTC", holidays=(Holiday(date(2026, 12, 24), date(2027, 1, 6), "Winter"),)))
    assert paused_until(game, moment, datetime(2027, 1, 7, 10, tzinfo=UTC)) == timedelta(hours=23)


@pytest.mark.django_db
def test_a_pause_over_booked_days_gives_them_only_once(moment: Moment) -> None:
    game = running_game(absence_days=14, movement_seconds=2 * DAY)
    away(game, "alice", moment.now.date() + timedelta(days=2), 8)
    assert paused_until(game, moment, moment.now + timedelta(days=9, hours=1)) == timedelta(hours=47)


@pytest.mark.django_db
def test_a_pause_of_an_hour_before_a_weekend_costs_an_hour(moment: Moment) -> None:
    moment.now = datetime(2026, 11, 18, 12, tzinfo=UTC)
    game = running_game(week=WEEKS["weekends off"], movement_seconds=6 * DAY)
    before = deadline(game)
    left = paused_until(game, moment, moment.now + timedelta(days=1, hours=1))
    assert moment.now + left == before + timedelta(days=1)


# What an absence moved comes back


@pytest.mark.django_db
def test_when_the_player_who_is_away_leaves_the_deadline_comes_back(moment: Moment) -> None:
    game = running_game(absence_days=14, movement_seconds=3 * DAY)
    before = deadline(game)
    away(game, "alice", before.date(), 6)
    assert deadline(game) == before + timedelta(days=6)
    resign(game_id=game.pk, user_id=person("alice").pk)
    assert deadline(game) == before
    assert Event.objects.filter(game=game, kind=NO_LONGER_AWAY.log).count() == 1


@pytest.mark.django_db
def test_it_never_comes_back_to_less_than_a_day_from_now_nor_onto_anothers_days(moment: Moment) -> None:
    game = running_game(absence_days=14, movement_seconds=3 * DAY)
    before = deadline(game)
    away(game, "alice", before.date(), 6)
    moment.now = before
    reason = "No answer."
    empty_seat(game_id=game.pk, by=person(CAROL).pk, power=powers(game, "alice"), reason=reason)
    assert deadline(game) == before + timedelta(days=1)
    other = running_game(absence_days=14, movement_seconds=3 * DAY, name="Other")
    before = deadline(other)
    away(other, "alice", before.date(), 6)
    away(other, "bob", before.date(), 2)
    empty_seat(game_id=other.pk, by=person(CAROL).pk, power=powers(other, "alice"), reason=reason)
    assert deadline(other) == before + timedelta(days=2)


@pytest.mark.django_db
def test_an_extension_given_meanwhile_is_kept(moment: Moment) -> None:
    game = running_game(absence_days=14, movement_seconds=3 * DAY)
    before = deadline(game)
    away(game, "alice", before.date(), 6)
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=DAY)
    seat_player(
        game_id=game.pk,
        by=person(CAROL).pk,
        power=powers(game, "alice"),
        username=person("eve2").username,
        reason="Agreed.",
    )
    assert deadline(game) == before + timedelta(days=1)


def powers(game: Game, name: str) -> str:
    """The power that this player has there."""
    return str(game.occupancies.get(user=person(name), until__isnull=True).seat.power)


# No more than the terms allow


@pytest.mark.django_db
def test_all_extensions_of_a_phase_together_have_a_limit(moment: Moment) -> None:
    game = running_game(movement_seconds=DAY, grace_seconds=DAY, grace_times=2)
    by = person(CAROL).pk
    extend_deadline(game_id=game.pk, by=by, seconds=DAY)
    with pytest.raises(WrongMoment, match="can be extended by 1 day more"):
        extend_deadline(game_id=game.pk, by=by, seconds=2 * DAY)
    set_deadline(game_id=game.pk, by=by, until=deadline(game) + timedelta(hours=12))
    moment.now = deadline(game)
    close_due_phase(phase_id=open_phase(game).pk)
    assert deadline(game) == moment.now + timedelta(hours=12), "what was left of two days"
    with pytest.raises(WrongMoment, match="can be extended no further"):
        extend_deadline(game_id=game.pk, by=by, seconds=60)
    pause_game(game_id=game.pk, by=by)
    with pytest.raises(WrongMoment, match="can be extended no further"):
        extend_deadline(game_id=game.pk, by=by, seconds=60)


@pytest.mark.django_db
def test_seconds_of_work_after_a_fixed_time_add_no_day_to_the_limit(moment: Moment) -> None:
    moment.now = THURSDAY
    daily = Week(zone="UTC", movement=tuple(Slot(day, 19, 0) for day in range(7)))
    game = running_game(week=daily, most_extended=1)
    moment.now = deadline(game) + timedelta(seconds=5)
    close_due_phase(phase_id=open_phase(game).pk)
    assert deadline(game) == THURSDAY + timedelta(days=2)
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=DAY)
    with pytest.raises(WrongMoment, match="can be extended no further"):
        extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=60)


@pytest.mark.django_db
def test_no_phase_is_extended_by_more_than_thirty_days() -> None:
    game = running_game(movement_seconds=14 * DAY, most_extended=10)
    by = person(CAROL).pk
    for _ in range(2):
        extend_deadline(game_id=game.pk, by=by, seconds=14 * DAY)
    with pytest.raises(WrongMoment, match="by 2 days more"):
        extend_deadline(game_id=game.pk, by=by, seconds=3 * DAY)
    extend_deadline(game_id=game.pk, by=by, seconds=2 * HOUR + 57)
    with pytest.raises(WrongMoment, match="by 1 day 21 hours more"):
        extend_deadline(game_id=game.pk, by=by, seconds=3 * DAY)


@pytest.mark.django_db
def test_a_game_from_before_has_no_limit_until_its_terms_change() -> None:
    game = running_game(movement_seconds=DAY)
    del game.stored_options["most_extended"]
    game.save(update_fields=["stored_options"])
    for _ in range(3):
        extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=14 * DAY)
    assert "Most extra time" not in {term.title for term in Game.objects.get(pk=game.pk).options.terms()}


@pytest.mark.django_db
def test_the_limit_is_among_the_terms_of_a_new_game() -> None:
    sentences = [term.sentence for term in waiting_game().options.terms()]
    assert any("at most 2 lengths of the phase" in sentence for sentence in sentences)


# The arithmetic


spans = st.tuples(st.integers(0, 20 * DAY), st.integers(1, 8 * DAY))


@given(
    zone=st.sampled_from(ZONES),
    days_off=st.sets(st.integers(0, 6), max_size=5),
    holidays=st.lists(st.tuples(st.integers(0, 40), st.integers(0, 9)), max_size=3),
    start=st.integers(0, 730 * DAY),
    seconds=st.integers(0, 30 * DAY),
    booked=st.lists(spans, max_size=3),
)
def test_time_left_is_what_is_given_back(
    zone: str,
    days_off: set[int],
    holidays: list[tuple[int, int]],
    start: int,
    seconds: int,
    booked: list[tuple[int, int]],
) -> None:
    begins = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=start)
    first = begins.date()
    week = Week(
        zone=zone,
        days_off=tuple(days_off),
        holidays=tuple(
            Holiday(first + timedelta(days=after), first + timedelta(days=after + length)) for after, length in holidays
        ),
    )
    timetable = Timetable(week, DAY, DAY, DAY)
    length = timedelta(seconds=seconds)
    ends = timetable.after(begins, length)
    assert not week.is_free(ends.astimezone(ZoneInfo(zone)).date())
    assert timetable.open_time(begins, ends) == length
    away_then = tuple(
        (begins + timedelta(seconds=after), begins + timedelta(seconds=after + long)) for after, long in booked
    )
    allowed = timetable.same_time_from(ends, away_then)
    assert allowed >= ends
    assert not week.is_free(allowed.astimezone(ZoneInfo(zone)).date())
    assert not any(first <= allowed < last for first, last in away_then)
    assert timetable.open_time(begins, ends, away_then) <= length


@pytest.mark.parametrize("zone", ZONES)
def test_every_day_at_seven_in_the_evening_is_every_day_when_clocks_change_too(zone: str) -> None:
    daily = Week(zone=zone, movement=tuple(Slot(day, 19, 0) for day in range(7)))
    timetable = Timetable(daily, DAY, DAY, DAY)
    now = timetable.next_deadline(datetime(2026, 1, 1, tzinfo=UTC), MOVEMENT)
    for _ in range(366):
        following = timetable.next_deadline(now, MOVEMENT)
        days = following.astimezone(ZoneInfo(zone)).date() - now.astimezone(ZoneInfo(zone)).date()
        assert days == timedelta(days=1), now
        now = following


@pytest.mark.parametrize("zone", ZONES)
def test_every_monday_is_every_monday_when_clocks_change_too(zone: str) -> None:
    weekly = Timetable(Week(zone=zone, movement=(Slot(0, 2, 30),)), 7 * DAY, DAY, DAY)
    now = weekly.next_deadline(datetime(2026, 1, 1, tzinfo=UTC), MOVEMENT)
    for _ in range(60):
        following = weekly.next_deadline(now, MOVEMENT)
        assert following - now <= timedelta(days=7, hours=1), now
        now = following
