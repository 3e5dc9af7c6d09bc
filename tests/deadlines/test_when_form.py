"""The form for a new game's timetable: complete paces, and a custom one."""

from __future__ import annotations

import re
from datetime import date, timedelta
from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from games.deadlines.forms import LENGTH_NAMES, PACES, WhenGroup
from games.deadlines.options import EarlyEnd, Grace, Paced, PhaseLengths
from games.deadlines.timetable import Holiday, Slot, Week
from games.kernel.game_options import GameOptions, declared_options
from games.kernel.models import Game
from tests.cast import CAROL, DAVE, person
from tests.factories import HOUR
from tests.moment import Moment
from tests.pages.test_pages_running import NEW_GAME

DAY = 24 * HOUR
OWN = {
    "pace": "own",
    "movement_seconds": str(DAY),
    "retreat_seconds": str(12 * HOUR),
    "adjustment_seconds": str(12 * HOUR),
}


def chosen(**sent: object) -> GameOptions:
    form = WhenGroup({**OWN, **sent})
    assert form.is_valid(), form.errors
    return GameOptions.create(**form.options())


def wrong(**sent: object) -> dict[str, list[str]]:
    form = WhenGroup({**OWN, **sent})
    assert not form.is_valid()
    return {name: [str(it) for it in errors] for name, errors in form.errors.items()}


@pytest.mark.parametrize("pace", sorted(PACES))
def test_every_pace_is_a_game_that_can_be_without_anything_else_chosen(pace: str) -> None:
    options = chosen(pace=pace, all_ready="on")
    fields = {name: it.asked for name, (_, it) in declared_options().items()}
    usual = {name: field.paces.get(pace, 0) for name, field in fields.items() if isinstance(field, Paced)}
    assert {"grace_seconds", "grace_times", "absence_days", "panic_seconds"} <= usual.keys()
    assert {**usual, **dict(zip(LENGTH_NAMES, PACES[pace].seconds, strict=True))}.items() <= options.values.items()


def test_fixed_times_of_a_pace_are_at_the_hour_and_in_the_zone_chosen() -> None:
    week = chosen(pace="twice", hour="20:30", zone="kolkata")[PhaseLengths].week
    assert week.movement == (Slot(0, 20, 30), Slot(3, 20, 30))
    assert (week.retreat, week.adjustment, week.zone) == ((), (), "Asia/Kolkata")


def test_without_an_early_end_there_is_no_ready_to_take_back() -> None:
    assert chosen(pace="week")[EarlyEnd].panic_seconds == 0


def test_ones_own_pace_has_lengths_and_nothing_more_unless_chosen() -> None:
    options = chosen()
    nothing = {"movement_seconds": DAY, "retreat_seconds": 12 * HOUR, "grace_times": 0, "absence_days": 0}
    assert nothing.items() <= options.values.items()
    assert options[PhaseLengths].week.zone_if_it_matters == ""


def test_everything_can_be_chosen() -> None:
    options = chosen(
        movement_times="Mon and Thu 19:00, Sat 12:00",
        retreat_times="Tue 19:00",
        zone="America/New_York",
        days_off=["6", "4"],
        holiday_0_first="2026-12-24",
        holiday_0_last="2027-01-02",
        holiday_0_name="Christmas",
        holiday_1_first="2027-04-02",
        grace_seconds=str(HOUR),
        grace_times="3",
        absence_days="7",
        all_ready="on",
        panic_seconds="300",
    )
    week = options[PhaseLengths].week
    assert week.movement == (Slot(0, 19, 0), Slot(3, 19, 0), Slot(5, 12, 0))
    assert week.retreat == (Slot(1, 19, 0),)
    assert set(week.days_off) == {4, 6}
    assert week.holidays == (
        Holiday(date(2026, 12, 24), date(2027, 1, 2), "Christmas"),
        Holiday(date(2027, 4, 2), date(2027, 4, 2)),
    )
    more = {"grace_seconds": HOUR, "grace_times": 3, "absence_days": 7, "panic_seconds": 300}
    assert more.items() <= options.values.items()


def test_extra_time_is_for_once_unless_said_otherwise_and_none_is_none() -> None:
    assert chosen(grace_seconds=str(HOUR))[Grace].grace_times == 1
    options = chosen(pace="week", grace_seconds="0", grace_times="3", absence_days="0")
    assert {"grace_seconds": 0, "grace_times": 0, "absence_days": 0}.items() <= options.values.items()


@pytest.mark.parametrize(
    ("sent", "field", "sentence"),
    [
        ({"movement_times": "Funday 19:00"}, "movement_times", "“Funday” is neither a day nor a time"),
        ({"zone": "Atlantis"}, "zone", "“Atlantis” is not a time zone"),
        ({"pace": "twice", "hour": "noon"}, "hour", "Enter a time such as 19:00."),
        ({"pace": "week", "days_off": ["6"]}, "days_off", "All these times fall on days off"),
        ({"retreat_times": "Sun 9:00", "days_off": ["6"]}, "retreat_times", "All these times fall on days off"),
        ({"days_off": ["9"]}, "days_off", "Choose days of the week"),
        ({"holiday_0_first": "Christmas"}, "holiday_0_first", "Enter a date such as 2026-12-24."),
        ({"holiday_1_name": "Easter"}, "holiday_1_first", "Enter the first day of Easter"),
        ({"holiday_0_first": "2027-01-02", "holiday_0_last": "2026-12-24"}, "holiday_0_first", "ends before it begins"),
    ],
)
def test_what_cannot_be_is_named_with_its_field(sent: dict[str, object], field: str, sentence: str) -> None:
    assert sentence in wrong(**sent)[field][0]


@pytest.mark.django_db
def test_a_game_is_created_with_its_timetable_and_tells_it_to_everybody() -> None:
    browser = Client()
    browser.force_login(person(DAVE))
    sent = {**NEW_GAME, "pace": "twice", "zone": "America/New_York", "days_off": ["6"]}
    browser.post(reverse("games:create"), sent)
    game = Game.objects.get()
    page = Client().get(reverse("games:game", kwargs={"slug": game.slug})).content.decode()
    assert (
        "Orders: Mondays and Thursdays at 19:00 (New York), at least 24 hours after the phase opens; "
        "retreats and builds: 24 hours; no deadline on Sundays." in page
    )
    assert "the deadline is extended by 12 hours, once per phase. Each player can get this twice in a game." in page
    assert "Each player may book 14 days away." in page
    times = (Slot(0, 19, 0), Slot(3, 19, 0))
    assert game.options[PhaseLengths].week == Week(zone="America/New_York", movement=times, days_off=(6,))


@pytest.mark.django_db
def test_the_preview_says_the_timetable_and_its_next_five_deadlines(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = Moment(monkeypatch)
    moment.now -= timedelta(days=1)
    browser = Client()
    browser.force_login(person(DAVE))
    asked = {"pace": "twice", "zone": "America/New_York", "variant": "1926"}
    answer = browser.get(reverse("games:outlook"), {**OWN, **asked})
    page = answer.content.decode()
    assert "Orders: Mondays and Thursdays at 19:00 (New York)" in page
    assert page.count("<time") == 5
    assert "Tue 17 Nov 2026, 00:00 UTC" in page
    assert "Mon 19:00 in New York" in page
    listed = re.findall(r'<li><span class="soft">([^<]*)</span>', page)
    assert listed == ["Spring 1926", "Fall 1926", "Winter 1926, adjustments", "Spring 1927", "Fall 1927"]


@pytest.mark.django_db
def test_a_preview_of_what_cannot_be_says_why() -> None:
    browser = Client()
    browser.force_login(person(DAVE))
    answer = browser.get(reverse("games:outlook"), {**OWN, "variant": "1926", "zone": "Atlantis"})
    assert answer.status_code == HTTPStatus.OK
    assert "is not a time zone" in answer.content.decode()
    answer = browser.get(reverse("games:outlook"), {**OWN, "variant": "1926", "panic_seconds": "300"})
    assert "only if phases end when all players are ready." in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("sent", "fold"),
    [
        ({"holiday_1_name": "Easter"}, "Days off and holidays"),
        ({"holiday_0_first": "2026-12-24", "holiday_0_last": "2026-12-20"}, "Days off and holidays"),
        ({"days_off": ["6"], "name": ""}, "Days off and holidays"),
        ({"absence_days": "21", "name": ""}, "Extensions and days away"),
    ],
)
def test_what_is_wrong_or_was_chosen_is_not_folded_away_again(sent: dict[str, object], fold: str) -> None:
    folds = {"Days off and holidays", "Extensions and days away"}
    client = Client()
    client.force_login(person(CAROL))
    page = client.post(reverse("games:create"), {**NEW_GAME, **sent}).content.decode()
    shut = {it for it in folds if re.search(rf'<details class="fold">\s*<summary class="told"><span>{it}', page)}
    assert shut == folds - {fold}


@pytest.mark.django_db
def test_all_mistakes_are_told_at_once_each_with_a_name_of_its_own() -> None:
    client = Client()
    client.force_login(person(CAROL))
    wrong = {"name": "", "holiday_1_name": "Easter", "pace": "own", "retreat_times": "25:00"}
    page = client.post(reverse("games:create"), {**NEW_GAME, **wrong}).content.decode()
    assert "Give the game a name of 3 to 80 characters." in page
    assert "Holiday 2: first day</a>: Enter the first day of Easter" in page
    assert "Fixed times for retreats</a>: " in page
    both = {"last_year": "1800", "gm_previews": "on", "part": "plays"}
    page = client.post(reverse("games:create"), {**NEW_GAME, **both}).content.decode()
    assert "1926 begins in 1926. Enter a year from 1926 to 2026, or none." in page
    assert "Only a game master who isn’t playing can preview results." in page
