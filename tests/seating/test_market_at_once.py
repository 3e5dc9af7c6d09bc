"""Two people at the same moment, on a real server: one vacant seat, one new player."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.kernel.refusals import Refusal, SeatTaken
from games.seating.services.vacancies import come_back, resign, take_over_seat
from tests.cast import DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game
from tests.kernel.test_concurrency import at_once
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db(transaction=True)

A = "AUSTRIA"


def small_game(**options: int) -> Game:
    return running_game(variant="three-way-balkan-battle", players=PLAYERS[:3], **options)


def taking(game: Game, name: str) -> Callable[[], object]:
    user_id = person(name).pk
    return lambda: take_over_seat(game_id=game.pk, user_id=user_id, power=A)


def test_of_two_who_take_one_vacant_seat_one_gets_it() -> None:
    game = small_game()
    resign(game_id=game.pk, user_id=occupancy_of(game, A).user_id)
    outcomes = at_once(taking(game, DAVE), taking(game, "gina"))
    (refusal,) = [outcome for outcome in outcomes if outcome is not None]
    assert isinstance(refusal, SeatTaken)
    assert refusal.sentence == "Another player has just taken this seat."
    assert game.occupancies.filter(seat__power=A, until__isnull=True).count() == 1


def test_of_the_one_who_comes_back_and_a_newcomer_one_gets_the_seat() -> None:
    game = small_game(vacant_after=1)
    lost = occupancy_of(game, A).user_id
    Story(game).order("RUSSIA", "# here")
    Story(game).order("TURKEY", "# here")
    Story(game).deadline()
    outcomes = at_once(taking(game, DAVE), lambda: come_back(game_id=game.pk, user_id=lost))
    assert sum(isinstance(outcome, Refusal) for outcome in outcomes) == 1
    assert game.occupancies.filter(seat__power=A, until__isnull=True).count() == 1
