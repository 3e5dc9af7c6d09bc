"""Games that version 0.2.0 stored go on after an upgrade by the clock and the terms that they had."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from games.consent.queries import what_would_change
from games.consent.services import change_terms
from games.deadlines.phases import close_due_phase
from games.kernel.models import NO_CLOCK, Game, Phase, Status
from games.mastering.services.desk import extend_deadline, resume_game
from games.practice.services import start_practice
from tests.cast import PLAYERS, person
from tests.database import empty_tables
from tests.factories import open_phase, running_game
from tests.moment import Moment
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

pytestmark = pytest.mark.django_db
OF_0_2_0 = ("kernel", "0011_gm_enters")
DAY, HOUR = 86_400, 3_600
TUESDAY = datetime(2026, 11, 17, 12, tzinfo=UTC)

STORED = json.loads("""
{"format": 1, "gm_plays": false, "hidden_names": false, "bots": 0, "bot_level": "easy", "bots_leave": true,
"own_bots": false, "gm_previews": false, "gm_enters_orders": false, "gm_sees_saved": false, "gm_sees_bids": true,
"gm_corrects_bids": false, "open_bids_at_end": false, "press": "none", "press_closed": [], "gm_in_private": true,
"movement_seconds": 900, "retreat_seconds": 300, "adjustment_seconds": 300,
"week": {"zone": "UTC", "movement": [], "retreat": [], "adjustment": [], "days_off": [], "holidays": []},
"clock": true, "all_ready": true, "panic_seconds": 30, "gm_processes_early": false, "show_ready": true,
"ends_if_written_ahead": false, "grace_seconds": 180, "grace_times": 2, "absence_days": 0, "remind_before": 0,
"last_year": null, "draws": "any", "open_votes": false, "gm_outcomes": false, "approval": false,
"least_reliability": 0, "newcomers_welcome": true, "seats": "choice", "roll_call_seconds": 0, "wait_days": 0,
"vacant_after": 0, "bots_after_hours": 0}
""")
"""All options of a game with a live timetable, as 0.2.0 stored them."""

NO_WEEK = STORED["week"]
DAILY: dict[str, Any] = {
    "movement_seconds": DAY, "retreat_seconds": 12 * HOUR, "adjustment_seconds": 12 * HOUR, "all_ready": False,
    "panic_seconds": 0, "grace_seconds": 0, "grace_times": 0,
    "week": {**NO_WEEK, "zone": "Europe/Berlin", "days_off": [5, 6]},
}  # fmt: skip
FIXED: dict[str, Any] = {
    **DAILY, "movement_seconds": 2 * DAY, "absence_days": 7, "retreat_seconds": DAY, "adjustment_seconds": DAY,
    "week": {
        **NO_WEEK, "zone": "America/New_York", "movement": [[0, 19, 0], [3, 19, 0]],
        "holidays": [["2026-12-24", "2026-12-26", "Winter"]],
    },
}  # fmt: skip
LENGTH, AWAY, GRACE = "Length of a phase", "Days away", "Automatic extension"
TERMS = {
    "running": (
        DAILY, LENGTH,
        "Orders: 24 hours; retreats and builds: 12 hours; no deadline on Saturdays and Sundays (Berlin).",
    ),
    "due": (
        FIXED, LENGTH,
        "Orders: Mondays and Thursdays at 19:00 (New York), at least 2 days after the phase opens; retreats and "
        "builds: 24 hours; no deadline from 24 Dec 2026 to 26 Dec 2026 (Winter).",
    ),
    "paused": (
        FIXED, AWAY,
        "Each player may book 7 days away. If a deadline falls on a day that a player has booked, and that player has "
        "orders to enter, it moves to the next possible time afterwards. The others are told that a player is away, "
        "but not who.",
    ),
    "live": (
        {}, GRACE,
        "If a player has not saved orders by the deadline, the deadline is extended by 3 minutes, once per phase. Each "
        "player can get this twice in a game. Everyone is told that orders were missing, but not whose. Saved orders "
        "can be changed until the new deadline.",
    ),
}  # fmt: skip
"""By name of the game: its options, the title of a term, and what 0.2.0 said there."""
TITLES = {
    LENGTH, "Ending a phase early", GRACE, AWAY, "Who may join?", "Players choose powers", "The start", "Playing",
    "Closing the game", "Press", "The game master’s private messages", "By agreement",
}  # fmt: skip
CLOCK = ("opened", "deadline", "remaining", "announced", "closed", "graced", "window_ends", "before_window")


@pytest.fixture(scope="module")
def upgraded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, int]]:
    """The numbers of the games, stored once for all tests here; each undoes what it changes. Whatever happens, the
    tables are left as other tests need them."""
    with django_db_blocker.unblock():
        try:
            with pytest.MonkeyPatch.context() as patch:
                numbers = stored_and_upgraded(Moment(patch))
            yield numbers
        finally:
            call_command("migrate", verbosity=0, interactive=False)
            empty_tables()


@pytest.fixture
def games(upgraded: dict[str, int], db: None, monkeypatch: pytest.MonkeyPatch) -> tuple[Moment, dict[str, Game]]:
    moment = Moment(monkeypatch)
    moment.now = TUESDAY
    return moment, {name: Game.objects.get(pk=number) for name, number in upgraded.items()}


def stored_and_upgraded(moment: Moment) -> dict[str, int]:
    """Upgraded on Tuesday at noon; no clock moved meanwhile."""
    moment.now = TUESDAY - timedelta(hours=3)
    found = {
        name: running_game(name=name, variant="balkan-battle", players=PLAYERS[:2]) for name in (*TERMS, "practice")
    }
    slug = start_practice(user_id=person("hugo").pk, variant="balkan-battle")
    found["practice"] = Game.objects.get(slug=slug)
    moment.now = TUESDAY
    call_command("migrate", *OF_0_2_0, verbosity=0, interactive=False)
    apps = MigrationExecutor(connection).loader.project_state(OF_0_2_0).apps
    rows, phases = apps.get_model("kernel", "Game").objects, apps.get_model("kernel", "Phase").objects
    for name, game in found.items():
        options = {**STORED, **TERMS[name][0]} if name in TERMS else None
        without = {key: it for key, it in game.stored_options.items() if key != "most_extended"}
        rows.filter(pk=game.pk).update(stored_options=options or without)
    mine = {name: phases.filter(game=game.pk) for name, game in found.items()}
    mine["running"].update(deadline=TUESDAY + timedelta(hours=21))
    mine["due"].update(deadline=datetime(2026, 11, 17, 0, tzinfo=UTC), opened=datetime(2026, 11, 13, 0, tzinfo=UTC))
    mine["paused"].update(deadline=None, remaining=timedelta(hours=60), announced=datetime(2026, 11, 20, 0, tzinfo=UTC))
    rows.filter(pk=found["paused"].pk).update(status=Status.PAUSED)
    mine["live"].update(deadline=TUESDAY - timedelta(seconds=5), opened=TUESDAY - timedelta(seconds=905))
    before = list(phases.order_by("pk").values("pk", *CLOCK))
    call_command("migrate", verbosity=0, interactive=False)
    assert list(Phase.objects.order_by("pk").values("pk", *CLOCK)) == before
    return {name: game.pk for name, game in found.items()}


def test_their_terms_read_as_before_and_have_no_limit_of_extensions(games: tuple[Moment, dict[str, Game]]) -> None:
    for name, (_, title, sentence) in TERMS.items():
        terms = {term.title: term.sentence for term in games[1][name].options.terms()}
        assert terms[title] == sentence, name
        assert set(terms) <= TITLES, name
    live = [term.title for term in games[1]["live"].options.terms()]
    assert set(live) == TITLES - {AWAY}
    assert games[1]["practice"].options.values["most_extended"] is None


def test_the_game_master_extends_their_phases_as_far_as_before_until_their_terms_change(
    games: tuple[Moment, dict[str, Game]],
) -> None:
    _, found = games
    for name in ("running", "paused"):
        game = found[name]
        for _ in range(3):
            extend_deadline(game_id=game.pk, by=game.gm_id, seconds=14 * DAY)
        assert open_phase(game).extended == timedelta(days=42), name
    assert open_phase(found["running"]).deadline == TUESDAY + timedelta(days=42, hours=21)
    change_terms(game_id=found["running"].pk, by=found["running"].gm_id, choices={"remind_before": DAY})
    asked = found["running"].askings.get()
    assert "Most extra time" in what_would_change(asked, found["running"])


def test_phases_that_close_are_followed_by_the_deadlines_that_they_had(games: tuple[Moment, dict[str, Game]]) -> None:
    moment, found = games
    assert close_due_phase(phase_id=open_phase(found["due"]).pk)
    assert open_phase(found["due"]).deadline == datetime(2026, 11, 20, 0, tzinfo=UTC), "Thursday, 19:00 in New York"
    assert not close_due_phase(phase_id=open_phase(found["live"]).pk)
    live = open_phase(found["live"])
    assert (live.graced, live.deadline) == (True, TUESDAY + timedelta(seconds=175))
    moment.now = TUESDAY + timedelta(seconds=180)
    assert close_due_phase(phase_id=live.pk)
    assert open_phase(found["live"]).deadline == moment.now + timedelta(minutes=15)
    moment.now = datetime(2026, 11, 18, 9, tzinfo=UTC)
    assert close_due_phase(phase_id=open_phase(found["running"]).pk)
    assert open_phase(found["running"]).deadline == datetime(2026, 11, 19, 9, tzinfo=UTC)
    moment.now = datetime(2026, 11, 20, 9, tzinfo=UTC)
    Story(found["running"]).deadline()
    assert open_phase(found["running"]).deadline == datetime(2026, 11, 23, 9, tzinfo=UTC), "not on Saturday"


def test_a_paused_game_resumes_with_the_time_it_had_and_one_without_a_clock_has_none(
    games: tuple[Moment, dict[str, Game]],
) -> None:
    moment, found = games
    resume_game(game_id=found["paused"].pk, by=found["paused"].gm_id)
    assert open_phase(found["paused"]).deadline == datetime(2026, 11, 20, 0, tzinfo=UTC), "the deadline announced"
    practice = open_phase(found["practice"])
    assert (practice.deadline, practice.remaining) == (None, NO_CLOCK)
    moment.wait(days=400)
    assert not close_due_phase(phase_id=practice.pk)
