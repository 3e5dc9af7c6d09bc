"""Bots are clients like others: they write once a phase opens, through the services, and never over a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from celery import current_app

from games import tasks
from games.models import Readiness, Result
from games.services.bots import bots_at_work, play_seat
from games.services.game_master import pause_game, seat_player
from games.services.lobby import let_bot_play, take_over_from_bot
from games.services.orders import has_saved
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, powers_of, running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.models import Game

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_once() -> Iterator[None]:
    """Tasks are done where they are asked for, as by a worker that never waits."""
    current_app.conf.task_always_eager = current_app.conf.task_eager_propagates = True
    yield
    current_app.conf.task_always_eager = current_app.conf.task_eager_propagates = False


def game_of_bots(*powers: str, all_ready: bool = False) -> Game:
    game = running_game(all_ready=all_ready)
    for power in powers:
        let_bot_play(occupancy_id=occupancy_of(game, power).pk)
    return game


def saved(game: Game) -> set[str]:
    return {
        power for power in powers_of(game) if has_saved(occupancy_id=occupancy_of(game, power).pk, ordinal=0)
    }


@pytest.mark.usefixtures("at_once")
def test_every_bot_writes_and_nobody_else_does() -> None:
    game = game_of_bots("GERMANY", "ITALY")
    tasks.play_bots()
    assert saved(game) == {"GERMANY", "ITALY"}
    desk = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).desk
    assert desk is not None
    assert desk.complete
    assert 0 < desk.spent <= desk.budget


def test_a_bot_writes_once_and_not_over_what_its_person_saved() -> None:
    game = game_of_bots("GERMANY", "ITALY")
    Story(game).order("GERMANY", "A Mun-Cze")
    assert [play_seat(occupancy_id=one, ordinal=ordinal) for one, ordinal in bots_at_work()] == [False, True]
    assert [play_seat(occupancy_id=one, ordinal=ordinal) for one, ordinal in bots_at_work()] == [False, False]
    desk = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).desk
    assert desk is not None
    assert desk.text == "A Mun-Cze"


def test_a_bot_that_was_taken_over_writes_no_more() -> None:
    game = game_of_bots("GERMANY")
    ((occupancy, ordinal),) = bots_at_work()
    take_over_from_bot(occupancy_id=occupancy)
    assert bots_at_work() == []
    assert not play_seat(occupancy_id=occupancy, ordinal=ordinal)
    assert saved(game) == set()


def test_a_bot_that_comes_too_late_or_has_lost_its_seat_gives_up() -> None:
    late, replaced = game_of_bots("GERMANY"), game_of_bots("ITALY")
    (german, ordinal), (italian, _ordinal) = bots_at_work()
    Story(late).deadline()
    seat_player(game_id=replaced.pk, by=person(CAROL).pk, power="ITALY", username=person(DAVE).username)
    assert not play_seat(occupancy_id=german, ordinal=ordinal)
    assert not play_seat(occupancy_id=italian, ordinal=ordinal)
    assert saved(replaced) == set()


def test_bots_rest_while_a_game_is_paused_and_can_be_asked_for_by_game() -> None:
    one, other = game_of_bots("GERMANY"), game_of_bots("ITALY")
    assert bots_at_work([other.pk]) == [(occupancy_of(other, "ITALY").pk, 0)]
    pause_game(game_id=one.pk, by=person(CAROL).pk)
    assert bots_at_work() == [(occupancy_of(other, "ITALY").pk, 0)]


def test_where_the_game_asks_for_it_a_bot_says_that_it_is_ready() -> None:
    game = game_of_bots("GERMANY", all_ready=True)
    assert play_seat(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0)
    assert [one.seat.power for one in Readiness.objects.select_related("seat")] == ["GERMANY"]


@pytest.mark.usefixtures("at_once")
def test_the_sweep_judges_what_is_due_and_nothing_else() -> None:
    due, early = running_game(), running_game()
    phase = Story(due).deadline_comes()
    tasks.sweep()
    assert [result.phase for result in Result.objects.all()] == [phase]
    assert early.phases.count() == 1
