"""Days that players book ahead: no deadline falls on them, and no one learns who booked them."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest

from games.deadlines.absences import absence_view, book_absence, cancel_absence
from games.deadlines.news import PLAYER_AWAY
from games.deadlines.phases import close_due_phase, hold_game, resume_held_game
from games.deadlines.timetable import Slot, Week
from games.kernel.access import access_game
from games.kernel.models import Game
from games.kernel.refusals import NotAllowed, Refusal, WrongMoment
from games.mastering.services.desk import extend_deadline, pause_game, resume_game, set_deadline
from tests.cast import CAROL, DAVE, person
from tests.factories import open_phase, running_game
from tests.moment import MONDAY_NOON, Moment
from tests.story import Story

pytestmark = pytest.mark.django_db

DAY = 86_400
SENTENCE = "The deadline for Spring 1926 was put back because a player is away."
WEDNESDAY, THURSDAY, FRIDAY = date(2026, 11, 18), date(2026, 11, 19), date(2026, 11, 20)


def game_with_days(days: int = 10, **options: Any) -> Game:
    return running_game(**{"absence_days": days, "movement_seconds": 3 * DAY, **options})


def book(game: Game, first: date, last: date, *, name: str = "bob", zone: str = "UTC") -> None:
    book_absence(game_id=game.pk, user_id=person(name).pk, first=first, last=last, zone=zone)


def left(game: Game, name: str = "bob") -> int:
    return absence_view(access_game(user=person(name), slug=game.slug)).left


def test_a_deadline_in_booked_days_moves_to_the_same_time_of_the_next_day_after_them(moment: Moment) -> None:
    game = game_with_days()
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=3)
    book(game, WEDNESDAY, FRIDAY)
    assert open_phase(game).deadline == datetime(2026, 11, 21, 12, tzinfo=UTC)
    view = Story(game).seen_by(DAVE)
    assert view.events[0].sentence == SENTENCE
    assert game.events.get(kind=PLAYER_AWAY.log).by is None
    assert left(game) == 7


def test_with_fixed_times_it_moves_to_the_first_of_them_after_the_booked_days(moment: Moment) -> None:
    week = Week(zone="Europe/Berlin", movement=(Slot(3, 19, 0), Slot(0, 19, 0)))
    game = game_with_days(week=week, movement_seconds=DAY)
    assert open_phase(game).deadline == datetime(2026, 11, 19, 18, tzinfo=UTC)
    book(game, THURSDAY, FRIDAY, zone="Europe/Berlin")
    assert open_phase(game).deadline == datetime(2026, 11, 23, 18, tzinfo=UTC)


def test_days_are_those_of_the_players_own_zone(moment: Moment) -> None:
    game = game_with_days()
    book(game, THURSDAY, THURSDAY, zone="Pacific/Auckland")
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=3), "there Thursday is over by then"
    book(game, FRIDAY, FRIDAY, zone="Pacific/Auckland")
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=4)


def test_a_deadline_less_than_a_day_away_stays(moment: Moment) -> None:
    game = game_with_days()
    moment.wait(days=2)
    book(game, WEDNESDAY, FRIDAY)
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=3)


def test_a_later_phase_gets_a_deadline_outside_the_booked_days(moment: Moment) -> None:
    game = game_with_days()
    book(game, date(2026, 11, 22), date(2026, 11, 23))
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=3)
    assert SENTENCE not in [event.sentence for event in Story(game).seen_by(DAVE).events]
    moment.wait(days=3)
    assert close_due_phase(phase_id=open_phase(game).pk)
    assert open_phase(game).deadline == datetime(2026, 11, 24, 12, tzinfo=UTC)
    assert (
        Story(game).seen_by(DAVE).events[0].sentence
        == "The deadline for Fall 1926 was put back because a player is away."
    )


def test_two_players_who_are_away_one_after_the_other_move_it_behind_both(moment: Moment) -> None:
    game = game_with_days()
    book(game, FRIDAY, date(2026, 11, 21), name="alice")
    book(game, THURSDAY, THURSDAY)
    assert open_phase(game).deadline == datetime(2026, 11, 22, 12, tzinfo=UTC)


def test_cancelled_days_come_back_unless_they_have_moved_a_deadline(moment: Moment) -> None:
    game = game_with_days()
    book(game, THURSDAY, THURSDAY)
    book(game, date(2026, 12, 1), date(2026, 12, 2))
    moving, idle = absence_view(access_game(user=person("bob"), slug=game.slug)).booked
    bob = person("bob").pk
    assert left(game) == 7
    assert cancel_absence(game_id=game.pk, user_id=bob, number=idle.number)
    assert left(game) == 9
    assert not cancel_absence(game_id=game.pk, user_id=bob, number=moving.number)
    assert left(game) == 9, "else booking and cancelling would stop a game for ever"
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=4)
    with pytest.raises(WrongMoment, match="already cancelled"):
        cancel_absence(game_id=game.pk, user_id=bob, number=idle.number)


def test_nobody_cancels_the_days_of_another(moment: Moment) -> None:
    game = game_with_days()
    book(game, THURSDAY, THURSDAY)
    (mine,) = absence_view(access_game(user=person("bob"), slug=game.slug)).booked
    with pytest.raises(NotAllowed):
        cancel_absence(game_id=game.pk, user_id=person("alice").pk, number=mine.number)
    assert absence_view(access_game(user=person("alice"), slug=game.slug)).booked == ()


@pytest.mark.parametrize(
    ("name", "first", "last", "sentence"),
    [
        ("bob", FRIDAY, THURSDAY, "The last day is before the first"),
        ("bob", date(2026, 11, 15), THURSDAY, "between today and a year from now"),
        ("bob", date(2027, 11, 30), date(2027, 11, 30), "between today and a year from now"),
        ("bob", THURSDAY, date(2026, 11, 29), "That’s 11 days, and you have 10 days left"),
        (CAROL, THURSDAY, THURSDAY, "You have no seat"),
    ],
)
def test_days_that_cannot_be_booked_are_refused_with_the_reason(
    moment: Moment, name: str, first: date, last: date, sentence: str
) -> None:
    game = game_with_days()
    with pytest.raises(Refusal, match=sentence):
        book(game, first, last, name=name)


def test_no_day_is_booked_twice(moment: Moment) -> None:
    game = game_with_days()
    book(game, THURSDAY, FRIDAY)
    with pytest.raises(WrongMoment, match="already booked some of these days"):
        book(game, FRIDAY, FRIDAY)


def test_a_game_without_such_days_has_none(moment: Moment) -> None:
    with pytest.raises(WrongMoment, match="can’t book days away"):
        book(running_game(), THURSDAY, FRIDAY)


def test_a_pause_moves_the_deadline_and_gives_no_days_back(moment: Moment) -> None:
    game = game_with_days()
    book(game, THURSDAY, THURSDAY)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    moment.wait(days=5)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=8), "three days were left beside the booked one"
    assert left(game) == 9


def test_a_pause_that_ends_before_booked_days_does_not_push_the_deadline_into_them(moment: Moment) -> None:
    game = game_with_days()
    book(game, FRIDAY, FRIDAY)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    moment.wait(days=1)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=5)


@pytest.mark.parametrize(("hours", "days"), [(1, 3), (40, 7)])
def test_a_short_stop_keeps_a_fixed_time_and_a_long_one_takes_the_next(moment: Moment, hours: int, days: int) -> None:
    """From Monday noon to Thursday noon. An hour's stop leaves nearly all of it, one of forty hours less than half."""
    week = Week(movement=(Slot(3, 12, 0), Slot(0, 12, 0)))
    game = running_game(week=week, movement_seconds=DAY)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    moment.wait(hours=hours)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert open_phase(game).deadline == MONDAY_NOON + timedelta(days=days)


def test_a_deadline_that_was_moved_is_kept_by_a_stop_and_later_time_is_added_to_it(moment: Moment) -> None:
    """Moved from Thursday to the Saturday after next, which is no fixed time: half of that would end on a Monday."""
    week = Week(movement=(Slot(3, 12, 0), Slot(0, 12, 0)))
    game = running_game(week=week, movement_seconds=DAY, most_extended=10)
    carol, moved = person(CAROL).pk, MONDAY_NOON + timedelta(days=12)
    set_deadline(game_id=game.pk, by=carol, until=moved)
    pause_game(game_id=game.pk, by=carol)
    moment.wait(hours=1)
    resume_game(game_id=game.pk, by=carol)
    assert open_phase(game).deadline == moved
    pause_game(game_id=game.pk, by=carol)
    extend_deadline(game_id=game.pk, by=carol, seconds=DAY)
    resume_game(game_id=game.pk, by=carol)
    assert open_phase(game).deadline == moved + timedelta(days=1)


def test_a_stop_within_a_stop_keeps_the_deadline_from_before_both(moment: Moment) -> None:
    week = Week(movement=(Slot(3, 12, 0), Slot(0, 12, 0)))
    game = running_game(week=week, movement_seconds=DAY, most_extended=10)
    moved = MONDAY_NOON + timedelta(days=12)
    set_deadline(game_id=game.pk, by=person(CAROL).pk, until=moved)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    hold_game(game_id=game.pk)
    resume_held_game(game_id=game.pk)
    assert open_phase(game).deadline == moved
