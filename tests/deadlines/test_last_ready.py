"""Once all are ready, the phase ends after a time in which players can take that back."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.deadlines.phases import close_due_phase
from games.kernel.models import Game
from games.mastering.services.desk import (
    declare_civil_disorder,
    extend_deadline,
    pause_game,
    resume_game,
    seat_player,
    set_deadline,
)
from games.orders.rules import TooLate
from games.orders.services import set_ready
from tests.cast import CAROL, DAVE, person
from tests.factories import HOUR, due_phases, occupancy_of, open_phase, powers_of, running_game
from tests.moment import MONDAY_NOON, Moment
from tests.story import Story

pytestmark = pytest.mark.django_db

TEN_MINUTES, DEADLINE = timedelta(minutes=10), MONDAY_NOON + timedelta(days=1)


@pytest.fixture
def game(moment: Moment) -> Game:
    """All but Germany have been ready since an hour after the phase opened."""
    game = running_game(all_ready=True, panic_seconds=600)
    moment.wait(hours=1)
    for power in powers_of(game):
        if power != "GERMANY":
            say_ready(game, power)
    return game


def say_ready(game: Game, power: str, *, ready: bool = True) -> None:
    set_ready(occupancy_id=occupancy_of(game, power).pk, ordinal=0, ready=ready)


def test_the_last_ready_ends_the_phase_ten_minutes_later(game: Game, moment: Moment) -> None:
    say_ready(game, "GERMANY")
    phase = open_phase(game)
    assert phase.in_window
    assert phase.deadline == moment.now + TEN_MINUTES
    assert due_phases() == []
    assert Story(game).seen_by(DAVE).game.everybody_is_ready
    moment.now += TEN_MINUTES
    assert due_phases() == [phase.pk]
    assert close_due_phase(phase_id=phase.pk)
    assert not Story(game).seen_by(DAVE).game.everybody_is_ready


def test_taken_back_in_time_the_old_deadline_returns(game: Game, moment: Moment) -> None:
    say_ready(game, "GERMANY")
    moment.wait(minutes=9)
    say_ready(game, "FRANCE", ready=False)
    phase = open_phase(game)
    assert (phase.in_window, phase.deadline) == (False, DEADLINE)
    say_ready(game, "FRANCE")
    assert open_phase(game).deadline == moment.now + TEN_MINUTES, "and the ten minutes begin again"


def test_to_say_it_twice_does_not_begin_the_ten_minutes_again(game: Game, moment: Moment) -> None:
    say_ready(game, "GERMANY")
    moment.wait(minutes=9)
    say_ready(game, "GERMANY")
    assert open_phase(game).deadline == moment.now + timedelta(minutes=1)


def test_after_the_ten_minutes_it_is_too_late(game: Game, moment: Moment) -> None:
    say_ready(game, "GERMANY")
    moment.wait(minutes=10)
    with pytest.raises(TooLate):
        say_ready(game, "GERMANY", ready=False)


def test_the_phase_never_ends_later_than_it_would_have(game: Game, moment: Moment) -> None:
    moment.now = DEADLINE - timedelta(minutes=3)
    say_ready(game, "GERMANY")
    assert open_phase(game).deadline == DEADLINE
    say_ready(game, "GERMANY", ready=False)
    assert open_phase(game).deadline == DEADLINE


def test_a_pause_keeps_the_time_that_was_left_before_all_were_ready(game: Game, moment: Moment) -> None:
    say_ready(game, "GERMANY")
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    moment.wait(days=3)
    say_ready(game, "GERMANY", ready=False)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert open_phase(game).deadline == DEADLINE + timedelta(days=3)


def test_a_pause_while_all_are_ready_gives_the_ten_minutes_again(game: Game, moment: Moment) -> None:
    say_ready(game, "GERMANY")
    moment.wait(minutes=9)
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    moment.wait(days=3)
    resume_game(game_id=game.pk, by=person(CAROL).pk)
    assert open_phase(game).deadline == moment.now + TEN_MINUTES


def test_a_newcomer_who_is_not_ready_has_a_full_phase(game: Game, moment: Moment) -> None:
    say_ready(game, "GERMANY")
    person(DAVE)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=DAVE, reason="Agreed.")
    phase = open_phase(game)
    assert (phase.in_window, phase.deadline) == (False, moment.now + timedelta(days=1))


def test_a_game_master_who_moves_the_deadline_moves_the_one_that_applies_if_someone_takes_it_back(
    game: Game, moment: Moment
) -> None:
    say_ready(game, "GERMANY")
    moment.wait(minutes=5)
    extend_deadline(game_id=game.pk, by=person(CAROL).pk, seconds=HOUR)
    phase = open_phase(game)
    assert (phase.in_window, phase.deadline) == (True, moment.now + TEN_MINUTES), "and the ten minutes begin again"
    later = DEADLINE + timedelta(hours=2)
    set_deadline(game_id=game.pk, by=person(CAROL).pk, until=later)
    say_ready(game, "FRANCE", ready=False)
    assert open_phase(game).deadline == later


def test_a_power_given_up_for_good_is_waited_for_no_longer(game: Game, moment: Moment) -> None:
    declare_civil_disorder(game_id=game.pk, by=person(CAROL).pk, power="GERMANY")
    assert open_phase(game).in_window
