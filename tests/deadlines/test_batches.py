"""Phases that are due together are closed together, and still each game stands alone."""

from __future__ import annotations

import logging
import math
from datetime import timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.deadlines import phases
from games.deadlines.grace import extensions_used
from games.deadlines.phases import ClosingTally, close_due_phase, close_due_phases, hold_game, phases_are_due
from games.kernel import clock
from games.kernel.models import Event, Game, Letter, Occupancy, Phase, Result, Status
from games.orders.models import Commitment
from games.sealed import store
from games.sealed.models import Sheets
from games.tasks import sweep
from tests.cast import CAROL, PLAYERS
from tests.deadlines.test_phases import break_the_game
from tests.factories import HOUR, due_phases, occupancy_of, open_phase, running_game
from tests.moment import Moment
from tests.sealed.slots import slots_of
from tests.story import Story

pytestmark = pytest.mark.django_db
MOST_STATEMENTS = 40


def due_games(number: int, **options: Any) -> list[Game]:
    games = [running_game(name=f"Game {one}", **options) for one in range(number)]
    for game in games:
        Story(game).deadline_comes()
    return games


def worked_off() -> ClosingTally:
    return close_due_phases(until=math.inf)


def statements_for(number: int, **options: Any) -> list[str]:
    due_games(number, **options)
    with CaptureQueriesContext(connection) as queries:
        assert worked_off().closed + Phase.objects.filter(graced=True).count() == number
    return [query["sql"] for query in queries.captured_queries]


@pytest.mark.parametrize("options", [{}, {"grace_seconds": HOUR, "grace_times": 1}])
def test_a_batch_takes_as_many_statements_as_one_game(options: dict[str, Any]) -> None:
    """Savepoints are left out: in a test they stand for the transactions."""
    counts = []
    for number in (1, 4):
        with transaction.atomic():
            counts.append(len([sql for sql in statements_for(number, **options) if "SAVEPOINT" not in sql]))
            transaction.set_rollback(True)
    assert counts[0] == counts[1] <= MOST_STATEMENTS


def test_every_game_of_a_batch_gets_what_it_would_get_alone() -> None:
    games = due_games(3)
    Story(games[1]).game.refresh_from_db()
    assert worked_off() == ClosingTally(closed=3)
    for game in games:
        first, second = game.phases.order_by("ordinal")
        assert (first.closed, second.ordinal, second.closed) == (second.opened, 1, None)
        assert Result.objects.filter(phase=first).count() == 1
        assert Commitment.objects.filter(phase=first).count() == 1
        assert len(slots_of(second)) == len(PLAYERS)
        told = Letter.objects.filter(game=game, ordinal=1).values_list("kind", "user__username")
        assert sorted(told) == sorted([*(("new phase", name) for name in PLAYERS), ("result", CAROL)])
        assert {one.missed for one in Occupancy.objects.filter(game=game)} == {1}


def test_more_games_than_a_batch_holds_are_all_worked_off_and_another_worker_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(phases, "BATCH", 2)
    rung: list[str] = []
    monkeypatch.setattr(phases, "start_task_after_commit", rung.append)
    due_games(3)
    assert worked_off() == ClosingTally(closed=3)
    assert due_phases() == []
    assert set(rung) == {"games.tasks.sweep", "games.tasks.paint_cards"}
    assert rung.count("games.tasks.sweep") == 1, "not for the last batch, which is smaller"


def test_the_oldest_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(phases, "BATCH", 1)
    games = due_games(3)
    for age, game in enumerate(games):
        Phase.objects.filter(game=game).update(deadline=clock.now() - timedelta(minutes=age + 1))
    worked_off()
    newest_last = Result.objects.order_by("pk").values_list("phase__game_id", flat=True)
    assert list(newest_last) == [game.pk for game in reversed(games)]


def test_a_broken_game_is_held_and_the_others_of_its_batch_go_on(caplog: pytest.LogCaptureFixture) -> None:
    games = due_games(3)
    break_the_game(games[1])
    with caplog.at_level(logging.ERROR):
        assert worked_off() == ClosingTally(closed=2, failed=1)
    assert [Game.objects.get(pk=game.pk).status for game in games] == [Status.RUNNING, Status.HELD, Status.RUNNING]
    assert not Result.objects.filter(phase__game=games[1]).exists()
    assert Event.objects.filter(game=games[1], kind="held").count() == 1
    assert due_phases() == []
    assert any(record.exc_info for record in caplog.records), "the reason is logged"


def test_a_game_that_cannot_even_be_held_blocks_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    games = due_games(3)
    break_the_game(games[0])

    def unable(**_facts: object) -> str:
        raise OperationalError("canceling statement due to lock timeout")

    monkeypatch.setattr(phases, "hold_game", unable)
    assert worked_off() == ClosingTally(closed=2, failed=1)
    assert due_phases() == [open_phase(games[0]).pk]
    monkeypatch.setattr(phases, "hold_game", hold_game)
    assert worked_off() == ClosingTally(failed=1)
    assert due_phases() == []


def test_a_batch_that_is_cut_short_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of a worker that dies is there, and the next one does all."""
    games = due_games(2)
    before = rows()

    def die(*_given: object, **_named: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(store, "create_sheets", die)
        with pytest.raises(KeyboardInterrupt):
            worked_off()
    assert rows() == before
    assert worked_off() == ClosingTally(closed=len(games))


def rows() -> list[int]:
    counted = (Result.objects, Phase.objects, Letter.objects, Event.objects, Commitment.objects, Sheets.rows)
    return [manager.count() for manager in counted]


def test_a_commit_that_is_refused_is_tried_game_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    games = due_games(3)
    judge = phases._judge_phase

    def refusing(it: phases.DuePhase) -> phases.JudgedPhase:
        if it.phase.game_id == games[2].pk:
            raise OperationalError("could not serialize access")
        return judge(it)

    with monkeypatch.context() as patch:
        patch.setattr(phases, "_judge_phase", refusing)
        assert worked_off() == ClosingTally(closed=2, failed=1)
    assert Game.objects.get(pk=games[2].pk).status == Status.RUNNING, "the database was busy; the game is not broken"
    assert worked_off() == ClosingTally(closed=1)


def test_grace_is_given_to_the_games_of_a_batch_that_wait_for_someone() -> None:
    waiting, going_on = due_games(2, grace_seconds=HOUR, grace_times=1)
    Phase.objects.filter(game=going_on).update(graced=True)
    assert worked_off() == ClosingTally(closed=1)
    assert (open_phase(waiting).ordinal, open_phase(waiting).graced) == (0, True)
    assert open_phase(going_on).ordinal == 1
    assert {(game, used) for (game, _), used in extensions_used([waiting.pk, going_on.pk]).items()} == {(waiting.pk, 1)}


def test_players_who_lose_their_seats_in_a_batch_lose_them_in_their_own_game_only() -> None:
    strict, lenient = running_game(name="Strict", vacant_after=1), running_game(name="Lenient", vacant_after=3)
    for game in (strict, lenient):
        Story(game).order("GERMANY", "A Mun-Cze")
        Story(game).deadline_comes()
    assert worked_off() == ClosingTally(closed=2)
    assert [it.seat.power for it in strict.occupancies.filter(until__isnull=True)] == ["GERMANY"]
    assert lenient.occupancies.filter(until__isnull=True).count() == len(PLAYERS)
    assert occupancy_of(lenient, "GERMANY").silent == 0


def test_something_is_due_until_it_is_worked_off_or_stuck() -> None:
    assert not phases_are_due()
    (game,) = due_games(1)
    assert phases_are_due()
    Phase.objects.filter(game=game).update(deadline=clock.now() - timedelta(hours=1))
    assert not phases_are_due(), "something is wrong with it, and nothing else waits for it"
    assert sweep.apply().result == (1, 0)


def test_a_full_disk_holds_no_game() -> None:
    """The database refuses the results for a reason that has nothing to do with the games."""
    game, _ = due_games(2)
    with connection.cursor() as cursor:
        cursor.execute(
            "CREATE FUNCTION pg_temp.full() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN RAISE EXCEPTION 'no space left' USING ERRCODE = 'disk_full'; END $$"
        )
        cursor.execute(
            "CREATE TRIGGER disk_is_full BEFORE INSERT ON kernel_result FOR EACH ROW EXECUTE FUNCTION pg_temp.full()"
        )
    assert worked_off() == ClosingTally(failed=2)
    with pytest.raises(OperationalError):
        close_due_phase(phase_id=open_phase(game).pk)
    assert not Game.objects.filter(status=Status.HELD).exists()
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER disk_is_full ON kernel_result")
    assert worked_off() == ClosingTally(closed=2)


def test_public_times_are_those_of_the_claim_in_whole_seconds_however_long_adjudicating_takes(
    moment: Moment, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = running_game()
    moment.wait(hours=24, seconds=5, microseconds=678_901)
    claimed = moment.now.replace(microsecond=0)

    def thoughtfully(it: phases.DuePhase) -> phases.JudgedPhase:
        moment.wait(seconds=7)
        return judged(it)

    judged = phases._judge_phase
    monkeypatch.setattr(phases, "_judge_phase", thoughtfully)
    assert worked_off().closed == 1
    before, after = game.phases.order_by("ordinal")
    assert before.closed == after.opened == claimed
    assert after.deadline is not None
    assert after.deadline.microsecond == 0
    assert {letter.written for letter in Letter.objects.filter(ordinal=1)} == {claimed}


def test_no_phase_closes_before_a_deadline_within_a_second(moment: Moment) -> None:
    game = running_game()
    deadline = moment.now.replace(microsecond=400_000)
    game.phases.update(deadline=deadline)
    moment.now = deadline.replace(microsecond=600_000)
    assert worked_off().closed == 1
    assert game.phases.get(ordinal=0).closed == deadline
