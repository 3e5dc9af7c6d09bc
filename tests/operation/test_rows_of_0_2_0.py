"""Games that version 0.2.0 stored go on after an upgrade by the clock and the terms that they had."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from io import StringIO
from typing import TYPE_CHECKING

import pytest
from django.core.management import call_command

from games.consent.queries import what_would_change
from games.consent.services import change_terms
from games.deadlines.phases import close_due_phase
from games.kernel.models import NO_CLOCK, Game
from games.mastering.services.desk import extend_deadline, resume_game
from tests.database import new_database
from tests.factories import open_phase
from tests.moment import Moment
from tests.operation.release import RELEASES
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_django import DjangoDbBlocker

pytestmark = pytest.mark.django_db
DAY = 86_400
TUESDAY = datetime(2026, 11, 17, 12, tzinfo=UTC)

LENGTH, AWAY, GRACE = "Length of a phase", "Days away", "Automatic extension"
TERMS = {
    "running": (
        LENGTH,
        "Orders: 24 hours; retreats and builds: 12 hours; no deadline on Saturdays and Sundays (Berlin).",
    ),
    "due": (
        LENGTH,
        "Orders: Mondays and Thursdays at 19:00 (New York), at least 2 days after the phase opens; retreats and "
        "builds: 24 hours; no deadline from 24 Dec 2026 to 26 Dec 2026 (Winter).",
    ),
    "paused": (
        AWAY,
        "Each player may book 7 days away. If a deadline falls on a day that a player has booked, and that player has "
        "orders to enter, it moves to the next possible time afterwards. The others are told that a player is away, "
        "but not who.",
    ),
    "live": (
        GRACE,
        "If a player has not saved orders by the deadline, the deadline is extended by 3 minutes, once per phase. Each "
        "player can get this twice in a game. Everyone is told that orders were missing, but not whose. Saved orders "
        "can be changed until the new deadline.",
    ),
}  # fmt: skip
"""By name of the game: the title of a term, and what 0.2.0 said there."""
TITLES = {
    LENGTH, "Ending a phase early", GRACE, AWAY, "Who may join?", "Players choose powers", "The start", "Playing",
    "Closing the game", "Press", "The game master’s private messages", "By agreement",
}  # fmt: skip


@pytest.fixture(scope="module")
def upgraded(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """A backup of 0.2.0 is restored on Tuesday at noon, when it was made, once for all tests here; each undoes what it
    changes."""
    with django_db_blocker.unblock(), new_database():
        with pytest.MonkeyPatch.context() as patch:
            Moment(patch).now = TUESDAY
            call_command("restore", str(RELEASES / "0.2.0.backup"), stdout=StringIO())
        yield


@pytest.fixture
def games(upgraded: None, db: None, monkeypatch: pytest.MonkeyPatch) -> tuple[Moment, dict[str, Game]]:
    moment = Moment(monkeypatch)
    moment.now = TUESDAY
    found = {name: Game.objects.get(name=name) for name in TERMS}
    return moment, {**found, "practice": Game.objects.get(practice=True)}


def test_their_terms_read_as_before_and_have_no_limit_of_extensions(games: tuple[Moment, dict[str, Game]]) -> None:
    for name, (title, sentence) in TERMS.items():
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
