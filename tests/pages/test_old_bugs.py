"""What has gone wrong in games on other sites, each as a claim that it doesn't happen here.

More of these claims are tested with their subjects: two users claim one seat (test_joining_at_once), or one comes back
to a seat that another takes (test_market_at_once); a draw is agreed while its phase is adjudicated, and a vote outlives
the phase it was cast in (test_votes, test_votes_at_once); saved orders without "ready" don't count as missing
(test_grace); workers are killed, and asked for one phase many times (tests/faults, test_phases).
"""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from django.core.management import call_command

from adjudication.notation import write_order
from adjudication.options import order_options
from adjudication.orders import Move
from games.deadlines.phases import close_due_phase
from games.deadlines.timetable import Slot, Week
from games.kernel.models import Readiness
from games.kernel.refusals import WrongMoment
from games.mastering.services.desk import pause_game, resume_game
from games.orders.services import BadSheet, set_ready
from games.seating.services.vacancies import resign, take_over_seat
from tests.cast import DAVE, person
from tests.factories import HOUR, due_phases, occupancy_of, open_phase, powers_of, running_game
from tests.moment import Moment
from tests.story import Story
from variants.registry import offered

if TYPE_CHECKING:
    from games.kernel.models import Game
    from variants.variant import Variant

pytestmark = pytest.mark.django_db

NEW_YORK, BERLIN, LORD_HOWE, KOLKATA = ("America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Asia/Kolkata")
DAY = 24 * HOUR


# --- Deadlines ---


def every_day(zone: str, hour: int, minute: int, **options: Any) -> Game:
    """A game that has just started: its deadline is at this time every day, at least two hours after a phase opens."""
    week = Week(zone=zone, movement=tuple(Slot(day, hour, minute) for day in range(7)))
    return running_game(week=week, **{"movement_seconds": 2 * HOUR, **options})


def deadlines(game: Game, moment: Moment, number: int) -> list[datetime]:
    """The next deadlines of the game, adjudicated some seconds after each."""
    found = []
    for _ in range(number):
        phase = open_phase(game)
        assert phase.deadline is not None
        found.append(phase.deadline)
        moment.now = phase.deadline + timedelta(seconds=7)
        assert due_phases() == [phase.pk]
        assert close_due_phase(phase_id=phase.pk)
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
    """The first of two deadlines falls into an hour that is skipped or repeated, except in Kolkata."""
    moment.now = datetime(*starts, tzinfo=ZoneInfo(zone)).astimezone(UTC)  # type: ignore[misc, arg-type]
    game = every_day(zone, *clock)
    assert [f"{one.astimezone(UTC):%d %H:%M}" for one in deadlines(game, moment, 2)] == utc


def test_seconds_of_work_after_a_deadline_do_not_cost_the_next_one(moment: Moment) -> None:
    """At 19:00 every day, at least 24 hours: seconds of work after one deadline don't cost the next."""
    game = every_day(BERLIN, 19, 0, movement_seconds=DAY)
    first, *others = deadlines(game, moment, 3)
    assert [one - first for one in others] == [timedelta(days=1), timedelta(days=2)]


def test_a_site_that_was_away_still_gives_players_the_time_they_were_promised(moment: Moment) -> None:
    game = every_day(BERLIN, 19, 0, movement_seconds=DAY)
    phase = open_phase(game)
    assert phase.deadline is not None
    moment.now = phase.deadline + timedelta(hours=3)
    close_due_phase(phase_id=phase.pk)
    assert open_phase(game).deadline == phase.deadline + timedelta(days=2)


def test_the_first_phase_has_all_of_its_time(moment: Moment) -> None:
    """A game that starts a minute before a fixed time doesn't end its first turn then."""
    moment.now = datetime(2026, 11, 16, 18, 59, tzinfo=ZoneInfo(BERLIN)).astimezone(UTC)
    assert open_phase(every_day(BERLIN, 19, 0)).deadline == moment.now + timedelta(days=1, minutes=1)


def test_a_game_that_is_stopped_again_and_again_still_ends_its_phase(moment: Moment) -> None:
    """Each pause moves the deadline by its own length and gives no one a new phase."""
    game = running_game()
    began = moment.now
    for _ in range(10):
        pause_game(game_id=game.pk, by=game.gm_id)
        moment.wait(hours=1)
        resume_game(game_id=game.pk, by=game.gm_id)
        moment.wait(minutes=30)
    assert open_phase(game).deadline == began + timedelta(hours=24 + 10)


def test_a_game_that_is_stopped_while_the_clocks_change_keeps_its_time_of_day(moment: Moment) -> None:
    moment.now = datetime(2027, 3, 26, 20, tzinfo=ZoneInfo(BERLIN)).astimezone(UTC)
    game = every_day(BERLIN, 19, 0)
    moment.wait(hours=16)
    pause_game(game_id=game.pk, by=game.gm_id)
    moment.wait(days=1)
    resume_game(game_id=game.pk, by=game.gm_id)
    assert open_phase(game).deadline == datetime(2027, 3, 28, 17, tzinfo=UTC)


def test_an_early_end_on_friday_puts_no_deadline_into_a_weekend_off(moment: Moment) -> None:
    moment.now = datetime(2026, 11, 20, 9, tzinfo=UTC)
    game = running_game(all_ready=True, week=Week(zone="UTC", days_off=(5, 6)))
    moment.wait(hours=3)
    for power in powers_of(game):
        set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=True)
    assert close_due_phase(phase_id=open_phase(game).pk)
    assert open_phase(game).deadline == datetime(2026, 11, 23, 12, tzinfo=UTC)


def test_who_takes_a_seat_in_the_last_second_has_a_full_phase_and_nobody_takes_one_after_it(moment: Moment) -> None:
    game = running_game()
    for power in ("ITALY", "TURKEY"):
        resign(game_id=game.pk, user_id=occupancy_of(game, power).user_id)
    moment.wait(hours=24, seconds=-1)
    take_over_seat(game_id=game.pk, user_id=person(DAVE).pk, power="ITALY")
    assert open_phase(game).deadline == moment.now + timedelta(hours=24)
    moment.wait(hours=24)
    with pytest.raises(WrongMoment, match="The deadline has passed"):
        take_over_seat(game_id=game.pk, user_id=person("eva").pk, power="TURKEY")


def test_a_winter_in_which_one_builds_and_a_power_without_a_player_disbands_is_not_passed_over() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    story.deadline()
    add_unit(game, "POLAND", "A TRE")
    resign(game_id=game.pk, user_id=occupancy_of(game, "POLAND").user_id)
    story.deadline()
    assert open_phase(game).turn == "W1926A"
    story.order("GERMANY", "Build A Mun")
    story.deadline()
    units = {power.id: power.units for power in story.seen_by(DAVE).powers}
    assert (units["GERMANY"], units["POLAND"]) == (4, 3)


def add_unit(game: Game, power: str, unit: str) -> None:
    """Somewhere without a supply centre, so that the power has one unit too many."""
    phase = open_phase(game)
    units = phase.position["units"]
    phase.position = {**phase.position, "units": {**units, power: [*units[power], unit]}}
    phase.save()


def test_no_deadline_is_left_to_the_broker() -> None:
    """A task kept by the broker for days may run many times or never, so deadlines are columns that a sweep checks."""
    root = Path(__file__).parents[2]
    sources = [path for folder in ("games", "diplomacy_site") for path in (root / folder).rglob("*.py")]
    assert sources
    assert not [path for path in sources if re.search(r"[(,\s](eta|countdown)=", path.read_text("utf-8"))]


@pytest.mark.parametrize("stopped", [False, True])
def test_a_phase_is_found_however_long_nobody_looked(moment: Moment, *, stopped: bool) -> None:
    """No job belongs to a deadline, so none can be lost: it is due a week later, but not while the clock is stopped."""
    game = running_game()
    if stopped:
        pause_game(game_id=game.pk, by=game.gm_id)
    moment.wait(days=7)
    assert due_phases() == ([] if stopped else [open_phase(game).pk])


def test_no_migration_is_missing() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


# --- Orders ---


def test_two_open_pages_do_not_spend_the_points_of_a_turn_twice() -> None:
    """Each save replaces all orders: what the other page saved before is gone, not added to."""
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "3: A Aus S A Mun-Cze")
    receipt = story.order("GERMANY", "A Mun H", "3: A Bel S A Mun-Bur")
    assert receipt.spent == 3
    story.deadline()
    assert {"A Aus holds", "A Bel S A Mun–Bur"} <= set(told(game, 0))


def test_a_sheet_with_a_mistake_keeps_nobody_from_saying_ready() -> None:
    game = running_game(all_ready=True)
    story = Story(game)
    story.order("FRANCE", "A Par-Bur")
    with pytest.raises(BadSheet):
        story.order("FRANCE", "A Par-Bur", "F Bre C A Par-Lon")
    set_ready(occupancy_id=occupancy_of(game, "FRANCE").pk, ordinal=0, ready=True)
    assert list(Readiness.objects.values_list("seat__power", flat=True)) == ["FRANCE"]
    story.deadline()
    assert told(game, 0)["A Par–Bur"]


def told(game: Game, ordinal: int) -> dict[str, bool]:
    """Which orders succeeded, in the words of the page."""
    result = Story(game).seen_by(DAVE, ordinal).result
    assert result is not None
    return {outcome.text: outcome.succeeded for outcome in result.outcomes}


def test_a_convoy_that_works_is_shown_as_such_and_one_that_fails_is_shown_too() -> None:
    game = running_game()
    story = Story(game)
    for army, fleet in (
        ("A Par-Pic", "F Bre-ENG"),
        ("A Pic-Wal", "F ENG C A Pic-Wal"),
        ("A Wal-Bel", "F ENG C A Wal-Bel"),
    ):
        story.order("FRANCE", army, fleet)
        story.deadline()
    assert told(game, 1)["A Pic–Wal"]
    assert told(game, 1)["F ENG C A Pic–Wal"]
    assert not told(game, 2)["A Wal–Bel"], "the minor there holds"
    assert "F ENG C A Wal–Bel" in told(game, 2)
    drawn = [arrow for arrow in story.seen_by(DAVE, 1).drawing.arrows if arrow.kind in {"move", "convoy"}]
    assert [(arrow.kind, arrow.unit, arrow.target, arrow.ok) for arrow in drawn] == [
        ("convoy", "ENG", "WAL", True),
        ("move", "PIC", "WAL", True),
    ]


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_no_army_is_asked_for_a_coast(variant: Variant) -> None:
    moves = [
        write_order(order, variant.start)
        for power in variant.powers
        for options in order_options(power.id, variant.start, variant.ruleset)
        for order in options.orders
        if isinstance(order, Move)
    ]
    assert not [move for move in moves if move.startswith("A ") and "/" in move]
