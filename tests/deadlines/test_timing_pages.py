"""Time on the pages: the clock, the next deadlines, days away and calendars."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from games.deadlines.calendars import calendar_owner, calendar_secret_of
from games.deadlines.models import Absence
from games.deadlines.timetable import Slot, Week
from games.kernel.models import Game
from games.mastering.services.desk import pause_game
from games.orders.services import set_ready
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game
from tests.moment import MONDAY_NOON, Moment

pytestmark = pytest.mark.django_db

DAY = 86_400
ALICE = PLAYERS[0]
NEW_YORK = Week(zone="America/New_York", movement=(Slot(0, 19, 0), Slot(3, 19, 0)))


def at(game: Game, name: str, **more: object) -> str:
    return reverse(f"games:{name}", kwargs={"slug": game.slug, **more})


def page(game: Game, name: str = "") -> str:
    return visitor(name).get(at(game, "game")).content.decode()


def test_beside_the_deadline_stands_whether_it_may_come_earlier(moment: Moment) -> None:
    assert "or earlier" not in page(running_game())
    assert "or earlier, when everyone is ready" in page(running_game(all_ready=True))
    assert "or earlier, if the game master ends the phase" in page(running_game(gm_processes_early=True))


def test_once_everybody_is_ready_the_page_says_until_when_that_can_be_taken_back(moment: Moment) -> None:
    game = running_game(all_ready=True, panic_seconds=600)
    for power in powers_of(game):
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=True)
    shown = page(game)
    assert "Everyone is ready: the phase ends <" in shown
    assert "12:10 UTC</time> unless someone changes their mind" in shown


def test_the_next_five_deadlines_are_listed_in_the_readers_zone_beside_the_games(moment: Moment) -> None:
    game = running_game(week=NEW_YORK, movement_seconds=DAY)
    reader = person(DAVE)
    reader.time_zone = "Europe/Berlin"
    reader.save()
    listed = page(game, DAVE).split("Next deadlines")[1].split("</dl>")[0]
    assert listed.count("<time") == 5
    assert "Spring 1926 · Movement" in listed
    assert "Fri 20 Nov 2026, 01:00 CET" in listed
    assert "Thu 19:00 in New York" in listed
    assert "Winter 1926 · Adjustments" in listed


def test_lengths_without_free_days_name_no_place(moment: Moment) -> None:
    listed = page(running_game()).split("Next deadlines")[1].split("</dl>")[0]
    assert listed.count("<time") == 5
    assert " in " not in listed.replace("<time", "")


def test_while_the_clock_is_stopped_or_has_not_begun_no_deadlines_are_listed(moment: Moment) -> None:
    game = running_game()
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    assert "Next deadlines" not in page(game)
    assert "Next deadlines" not in page(waiting_game())


def test_a_player_books_days_and_cancels_them(moment: Moment) -> None:
    game = running_game(absence_days=10, movement_seconds=3 * DAY)
    alice = visitor(ALICE)
    answer = alice.post(at(game, "absences"), {"first": "2026-12-01", "last": "2026-12-03"})
    assert answer.status_code == HTTPStatus.SEE_OTHER
    shown = alice.get(at(game, "absences")).content.decode()
    assert "You have 7 of 10 days away left in this game." in shown
    assert "1 Dec 2026 to 3 Dec 2026" in shown
    alice.post(at(game, "cancel-absence", number=1))
    shown = alice.get(at(game, "absences")).content.decode()
    assert "Cancelled. You can book these days again." in shown
    assert "You have 10 of 10 days away left in this game." in shown


def test_booked_days_are_whole_days_of_the_players_own_zone(moment: Moment) -> None:
    game = running_game(absence_days=10)
    player = person(ALICE)
    player.time_zone = "America/New_York"
    player.save()
    visitor(ALICE).post(at(game, "absences"), {"first": "2026-12-01", "last": "2026-12-01"})
    absence = Absence.objects.get()
    assert (absence.begins, absence.ends) == (
        datetime(2026, 12, 1, 5, tzinfo=UTC),
        datetime(2026, 12, 2, 5, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ({"first": "2026-12-05", "last": "2026-12-01"}, "The last day is before the first day."),
        ({"first": "tomorrow", "last": "2026-12-01"}, "Enter the first day as in 2026-12-24."),
        ({"first": "2026-12-01", "last": "2026-12-30"}, "That’s 30 days, and you have 10 days left"),
    ],
)
def test_days_that_cannot_be_booked_are_refused_and_what_was_typed_stays(
    moment: Moment, sent: dict[str, str], sentence: str
) -> None:
    game = running_game(absence_days=10)
    answer = visitor(ALICE).post(at(game, "absences"), sent)
    shown = answer.content.decode()
    assert answer.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert sentence in shown
    for typed in sent.values():
        assert f'value="{typed}"' in shown


def test_days_away_are_for_those_who_play(moment: Moment) -> None:
    game = running_game(absence_days=10)
    for name in (DAVE, CAROL):
        assert visitor(name).get(at(game, "absences")).status_code == HTTPStatus.NOT_FOUND
        assert visitor(name).post(at(game, "cancel-absence", number=1)).status_code == HTTPStatus.NOT_FOUND


def events_at(path: str, name: str = "") -> list[dict[str, object]]:
    answer = visitor(name).get(path)
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    calendar = Calendar.from_ical(answer.content)
    return [
        {
            "summary": str(event["summary"]),
            "start": event.decoded("dtstart"),
            "status": str(event["status"]),
            "uid": str(event["uid"]),
            "url": str(event["url"]),
            "changed": (event.decoded("last-modified"), event["sequence"]),
        }
        for event in calendar.walk("VEVENT")
    ]


def test_the_calendar_of_a_game_has_its_deadline_and_those_that_are_expected(moment: Moment) -> None:
    game = running_game(week=NEW_YORK, movement_seconds=DAY)
    first, *others = events_at(at(game, "calendar"))
    assert first == {
        "summary": "Locarno: Spring 1926, movement",
        "start": datetime(2026, 11, 20, 0, tzinfo=UTC),
        "status": "CONFIRMED",
        "uid": f"{game.slug}.S1926M@deadlines",
        "url": f"http://testserver/games/{game.slug}/",
        "changed": (MONDAY_NOON, 0),
    }
    assert [event["status"] for event in others] == ["TENTATIVE"] * 4
    assert others[0]["summary"] == "Locarno: Fall 1926, movement (expected)"


def test_the_calendar_is_the_same_for_a_player_as_for_a_stranger(moment: Moment) -> None:
    game = running_game(absence_days=10)
    path = at(game, "calendar")
    assert visitor(ALICE).get(path).content == visitor().get(path).content


def test_the_calendar_of_a_game_by_invitation_is_for_those_who_may_see_it(moment: Moment) -> None:
    game = running_game(by_invitation=True)
    assert visitor(DAVE).get(at(game, "calendar")).status_code == HTTPStatus.NOT_FOUND
    assert len(events_at(at(game, "calendar"), ALICE)) == 5


def test_ones_own_calendar_has_all_ones_running_games_and_needs_no_signing_in(moment: Moment) -> None:
    first, second = running_game(name="First"), running_game(name="Second", by_invitation=True)
    running_game(name="Paused")
    paused = running_game(name="Stopped")
    pause_game(game_id=paused.pk, by=person(CAROL).pk)
    names = {event["uid"] for event in events_at(reverse("games:feed", args=[calendar_secret_of(person(ALICE).pk)]))}
    assert f"{first.slug}.S1926M@deadlines" in names
    assert f"{second.slug}.S1926M@deadlines" in names
    assert f"{paused.slug}.S1926M@deadlines" not in names
    assert events_at(reverse("games:feed", args=[calendar_secret_of(person(DAVE).pk)])) == []


def test_a_new_address_makes_the_old_one_worthless() -> None:
    alice = visitor(ALICE)
    old = calendar_secret_of(person(ALICE).pk)
    assert old in alice.get(reverse("games:my-calendar")).content.decode()
    alice.post(reverse("games:my-calendar"))
    new = calendar_secret_of(person(ALICE).pk)
    assert new != old
    assert new in alice.get(reverse("games:my-calendar")).content.decode()
    assert (calendar_owner(old), calendar_owner(new)) == (None, person(ALICE).pk)
    assert Client().get(reverse("games:feed", args=[old])).status_code == HTTPStatus.NOT_FOUND
    assert Client().get(reverse("games:feed", args=["1-1.forged"])).status_code == HTTPStatus.NOT_FOUND


def test_a_moved_deadline_keeps_its_entry_in_the_calendar(moment: Moment) -> None:
    game = running_game(absence_days=10, movement_seconds=3 * DAY)
    (before, *_) = events_at(at(game, "calendar"))
    moment.wait(hours=1)
    visitor(ALICE).post(at(game, "absences"), {"first": "2026-11-19", "last": "2026-11-19"})
    (after, *_) = events_at(at(game, "calendar"))
    assert after["uid"] == before["uid"]
    assert after["start"] == MONDAY_NOON + timedelta(days=4)
    assert after["changed"] == (MONDAY_NOON + timedelta(hours=1), 3600)
