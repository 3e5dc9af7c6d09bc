"""Time zones are found as people type them, and the public record of a game tells times by its own clocks."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games.consent.models import Asking
from games.consent.queries import what_would_change
from games.consent.services import ask_for_earlier_deadline
from games.deadlines.news import until_in_words
from games.deadlines.timetable import Slot, Week
from games.kernel.models import Event
from games.kernel.zones import read_zone, zone_suggestions
from games.mastering.services.desk import set_deadline
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import open_phase, running_game

EVENINGS = tuple(Slot(day, 19, 0) for day in range(7))


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("America/New_York", "America/New_York"),
        ("New York", "America/New_York"),
        ("  new   york ", "America/New_York"),
        ("america/new york", "America/New_York"),
        ("LONDON", "Europe/London"),
        ("São Paulo", "America/Sao_Paulo"),
        ("buenos aires", "America/Buenos_Aires"),
        ("utc", "UTC"),
        ("West", "West"),
        ("Atlantis", "Atlantis"),
        ("", ""),
    ],
)
def test_a_zone_is_found_by_its_city_however_that_is_written(typed: str, zone: str) -> None:
    assert read_zone(typed) == zone


def test_browsers_find_a_city_of_two_words_among_the_suggestions() -> None:
    assert ("America/New_York", "America/New York") in zone_suggestions()


@pytest.mark.django_db
def test_a_player_may_type_a_city_into_the_profile_and_learns_what_is_not_one() -> None:
    dave = visitor(DAVE)
    assert (
        '<option value="America/New_York">America/New York</option>'
        in dave.get(reverse("games:profile")).content.decode()
    )
    dave.post(reverse("games:profile"), {"time_zone": "new york"})
    assert person(DAVE).time_zone == "America/New_York"
    answer = dave.post(reverse("games:profile"), {"time_zone": "Atlantis"})
    assert (answer.status_code, person(DAVE).time_zone) == (422, "America/New_York")
    assert "Atlantis is not a time zone. Enter one such as UTC or Europe/London." in answer.content.decode()


@pytest.mark.django_db
def test_pages_name_the_readers_zone_as_people_call_it() -> None:
    game = running_game(absence_days=7)
    carol, alice = visitor(CAROL), visitor(PLAYERS[0])
    pages = [
        (carol, reverse("games:gm", args=[game.slug])),
        (alice, reverse("games:absences", args=[game.slug])),
        (alice, reverse("games:sitter", args=[game.slug])),
        (alice, reverse("games:notify")),
    ]
    for name in (CAROL, PLAYERS[0]):
        visitor(name).post(reverse("games:profile"), {"time_zone": "America/New_York"})
    for reader, page in pages:
        assert "n your time zone, New York" in reader.get(page).content.decode(), page


@pytest.mark.django_db
def test_the_log_and_the_feed_tell_times_by_the_clocks_of_the_game() -> None:
    game = running_game(week=Week(zone="America/New_York", movement=EVENINGS))
    deadline = open_phase(game).deadline
    assert deadline is not None
    set_deadline(game_id=game.pk, by=person(CAROL).pk, until=deadline + timedelta(days=1))
    ask_for_earlier_deadline(game_id=game.pk, by=person(CAROL).pk, until=deadline - timedelta(hours=1))
    assert re.search(r"18:00 E[SD]T, not \w+ \d+ \w+ \d+, 19:00 E[SD]T", what_would_change(Asking.objects.get(), game))
    told = until_in_words(Event.objects.get(game=game, kind="deadline set"), game)
    assert ", 19:00 E" in told
    page = Client().get(reverse("games:log", args=[game.slug])).content.decode()
    assert told in page
    assert " in New York</span>" in page
    feed = Client().get(reverse("games:game-feed", args=[game.slug])).content.decode()
    assert "-05:00</updated>" in feed or "-04:00</updated>" in feed
    assert " EST: " in feed or " EDT: " in feed
