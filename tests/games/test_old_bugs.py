"""What has gone wrong in games played by deadlines on other sites, each as a claim that it does not happen here.

Others of these claims stand with what they are about: two people claim one seat (test_joining_at_once), or one comes
back to what another takes (test_market_at_once); a draw is agreed while its phase is judged, and a vote outlives the
phase it was cast in (test_votes, test_votes_at_once); a saved sheet without "ready" is no absence (test_grace); workers
are killed, and asked for one phase many times (test_killed_workers, test_phases).
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest

from games.services.phases import due_phases, phase_advance
from games.timetable import Slot, Week
from tests.factories import HOUR, open_phase, running_game
from tests.moment import Moment

if TYPE_CHECKING:
    from games.models import Game

pytestmark = pytest.mark.django_db

NEW_YORK, BERLIN, LORD_HOWE, KOLKATA = (
    "America/New_York",
    "Europe/Berlin",
    "Australia/Lord_Howe",
    "Asia/Kolkata",
)
DAY = 24 * HOUR


@pytest.fixture
def moment(monkeypatch: pytest.MonkeyPatch) -> Moment:
    return Moment(monkeypatch)


# --- Deadlines ---


def every_day(zone: str, hour: int, minute: int, **options: Any) -> Game:
    """A game that has just started: a deadline at this time every day, at least two hours after its phase opens."""
    week = Week(zone=zone, movement=tuple(Slot(day, hour, minute) for day in range(7)))
    return running_game(week=week, **{"movement_seconds": 2 * HOUR, **options})


def deadlines(game: Game, moment: Moment, number: int) -> list[datetime]:
    """The next deadlines of the game, judged some seconds after each."""
    found = []
    for _ in range(number):
        phase = open_phase(game)
        assert phase.deadline is not None
        found.append(phase.deadline)
        moment.now = phase.deadline + timedelta(seconds=7)
        assert due_phases() == [phase.pk]
        assert phase_advance(phase_id=phase.pk)
    return found


@pytest.mark.parametrize(
    ("zone", "starts", "clock", "utc"),
    [
        (NEW_YORK, (2027, 3, 13, 12), (2, 30), ["14 07:00", "15 06:30"]),
        (NEW_YORK, (2026, 10, 31, 12), (1, 30), ["01 05:30", "02 06:30"]),
        (BERLIN, (2027, 3, 27, 12), (2, 30), ["28 01:00", "29 00:30"]),
        (BERLIN, (2026, 10, 24, 12), (2, 30), ["25 00:30", "26 01:30"]),
        (LORD_HOWE, (2026, 10, 3, 12), (2, 10), ["03 15:30", "04 15:10"]),
        (LORD_HOWE, (2027, 4, 3, 12), (1, 45), ["03 14:45", "04 15:15"]),
        (KOLKATA, (2027, 3, 27, 12), (2, 30), ["27 21:00", "28 21:00"]),
        (KOLKATA, (2026, 10, 24, 12), (2, 30), ["24 21:00", "25 21:00"]),
    ],
)
def test_a_phase_opened_before_the_clocks_change_ends_at_the_right_instant(
    moment: Moment, zone: str, starts: tuple[int, ...], clock: tuple[int, int], utc: list[str]
) -> None:
    """The first of two deadlines falls into an hour that is skipped or comes twice, but in Kolkata."""
    moment.now = datetime(*starts, tzinfo=ZoneInfo(zone)).astimezone(UTC)  # type: ignore[misc, arg-type]
    game = every_day(zone, *clock)
    assert [f"{one.astimezone(UTC):%d %H:%M}" for one in deadlines(game, moment, 2)] == utc


def test_seconds_of_work_after_a_deadline_do_not_cost_the_next_one(moment: Moment) -> None:
    """At 19:00 every day, 24 hours at least: seconds of work after one deadline do not cost the next."""
    game = every_day(BERLIN, 19, 0, movement_seconds=DAY)
    first, *others = deadlines(game, moment, 3)
    assert [one - first for one in others] == [timedelta(days=1), timedelta(days=2)]


def test_a_site_that_was_away_still_gives_players_the_time_they_were_promised(moment: Moment) -> None:
    game = every_day(BERLIN, 19, 0, movement_seconds=DAY)
    phase = open_phase(game)
    assert phase.deadline is not None
    moment.now = phase.deadline + timedelta(hours=3)
    phase_advance(phase_id=phase.pk)
    assert open_phase(game).deadline == phase.deadline + timedelta(days=2)
