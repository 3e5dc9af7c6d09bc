"""A game in which nobody plays stands still until somebody does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.deadlines.news import NOBODY_PLAYS, PLAYED_AGAIN
from games.kernel.models import Game, Letter, Status
from games.mastering.services.desk import empty_seat, pause_game, resume_game, seat_player
from games.seating.services.bots import fill_long_vacant_seats_with_bots, games_with_seats_long_vacant, seat_bot
from games.seating.services.vacancies import resign
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import due_phases, open_phase, powers_of, running_game
from tests.story import Story
from variants.bots import Level

if TYPE_CHECKING:
    from tests.moment import Moment

pytestmark = pytest.mark.django_db


def abandoned(*, stays: int = 0, **options: object) -> Game:
    """A game that all its players have left but these."""
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3], **options)
    for name in PLAYERS[stays:3]:
        resign(game_id=game.pk, user_id=person(name).pk)
    return game


def test_when_a_phase_closes_without_a_player_left_the_clock_stops_once_and_the_log_says_so() -> None:
    game = abandoned()
    assert game.status == Status.RUNNING, "the phase that they left goes on"
    Story(game).deadline()
    assert game.status == Status.PAUSED
    assert open_phase(game).deadline is None
    assert not due_phases()
    assert [event.kind for event in game.events.all()].count(NOBODY_PLAYS.log) == 1
    assert not Letter.objects.filter(game=game, ordinal__gt=1).exists()


@pytest.mark.parametrize("seats", ["a person", "a bot"])
def test_it_goes_on_when_a_seat_is_taken(moment: Moment, seats: str) -> None:
    game = abandoned()
    Story(game).deadline()
    left = open_phase(game).remaining
    assert left is not None
    moment.wait(days=40)
    by, power = person(CAROL).pk, powers_of(game)[0]
    if seats == "a person":
        seat_player(game_id=game.pk, by=by, power=power, username=person(DAVE).username, reason="Agreed.")
    else:
        seat_bot(game_id=game.pk, by=by, power=power, level=Level.EASY)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert open_phase(game).deadline == moment.now + left
    assert game.events.filter(kind=PLAYED_AGAIN.log).count() == 1


@pytest.mark.parametrize("who", ["one player", "a bot"])
def test_one_player_or_bot_is_enough_to_go_on(who: str) -> None:
    game = abandoned(stays=1 if who == "one player" else 0)
    if who == "a bot":
        seat_bot(game_id=game.pk, by=person(CAROL).pk, power=powers_of(game)[0], level=Level.EASY)
    Story(game).deadline()
    assert game.status == Status.RUNNING


def test_a_pause_by_the_game_master_ends_only_by_the_game_master() -> None:
    game = abandoned()
    Story(game).deadline()
    by, power = person(CAROL).pk, powers_of(game)[0]
    resume_game(game_id=game.pk, by=by)
    pause_game(game_id=game.pk, by=by)
    seat_player(game_id=game.pk, by=by, power=power, username=person(DAVE).username, reason="Agreed.")
    game.refresh_from_db()
    assert game.status == Status.PAUSED
    resume_game(game_id=game.pk, by=by)
    empty_seat(game_id=game.pk, by=by, power=power, reason="No answer.")
    Story(game).deadline()
    assert game.status == Status.PAUSED, "and it stops again when nobody is left"


def test_bots_that_the_terms_promise_come_all_the_same(moment: Moment) -> None:
    game = abandoned(bots_after_hours=48)
    Story(game).deadline()
    moment.wait(hours=49)
    assert games_with_seats_long_vacant() == [game.pk]
    assert fill_long_vacant_seats_with_bots(game_id=game.pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
