"""Two people at the same moment before the start: one last place, one roll call, one start."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from games.kernel import clock
from games.kernel.models import Joiner, Phase, Status
from games.kernel.refusals import SeatTaken, WrongMoment
from games.seating.models import RollCall
from games.seating.services.joining import confirm_place, end_roll_call, join_game
from games.seating.services.new_game import take_seat
from games.seating.services.quick import join_quick_game
from tests.cast import DAVE, PLAYERS, person
from tests.factories import HOUR, VARIANT, powers_of, waiting_game
from tests.kernel.test_concurrency import at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db(transaction=True)


def test_two_people_claim_one_seat() -> None:
    game = waiting_game()

    def claim(name: str) -> Callable[[], object]:
        user_id = person(name).pk
        return lambda: take_seat(game_id=game.pk, user_id=user_id, power="ITALY")

    outcomes = at_once(claim("alice"), claim("bob"))
    (refusal,) = [outcome for outcome in outcomes if outcome != "ITALY"]
    assert isinstance(refusal, SeatTaken)
    assert refusal.sentence == "Another player has just taken this seat. Choose another one."
    assert game.occupancies.count() == 1


def joining(game: Game, name: str) -> Callable[[], object]:
    user_id = person(name).pk
    return lambda: join_game(game_id=game.pk, user_id=user_id)


def test_two_people_join_at_once_and_there_is_one_place_left() -> None:
    game = waiting_game(seats="random", roll_call_seconds=HOUR)
    for name in PLAYERS[:-1]:
        joining(game, name)()
    outcomes = at_once(joining(game, PLAYERS[-1]), joining(game, DAVE))
    (refusal,) = [outcome for outcome in outcomes if outcome is not None]
    assert isinstance(refusal, SeatTaken)
    assert refusal.sentence == "Another player has just taken the last place."
    assert Joiner.objects.count() == len(PLAYERS)
    assert RollCall.objects.count() == 1


def test_the_last_two_confirm_at_once_and_the_game_starts_once() -> None:
    game = waiting_game(roll_call_seconds=HOUR)
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    for name in PLAYERS[2:-1]:
        confirm_place(game_id=game.pk, user_id=person(name).pk)
    alice, bob = person("alice").pk, person("bob").pk
    outcomes = at_once(
        lambda: confirm_place(game_id=game.pk, user_id=alice), lambda: confirm_place(game_id=game.pk, user_id=bob)
    )
    assert outcomes == [None, None]
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert Phase.objects.filter(game=game).count() == 1


def test_two_workers_end_one_roll_call_once() -> None:
    game = waiting_game(seats="random", roll_call_seconds=HOUR)
    for name in PLAYERS:
        joining(game, name)()
    RollCall.objects.update(deadline=clock.now() - timedelta(seconds=1))

    def ending() -> bool:
        return end_roll_call(game_id=game.pk)

    assert sorted(map(str, at_once(ending, ending))) == ["False", "True"]
    assert Joiner.objects.count() == 1
    with pytest.raises(WrongMoment, match="nothing to confirm"):
        confirm_place(game_id=game.pk, user_id=person(PLAYERS[-1]).pk)


def test_two_people_who_want_a_quick_game_at_once_get_the_same() -> None:
    def wanting(name: str) -> Callable[[], object]:
        user_id = person(name).pk
        return lambda: join_quick_game(user_id=user_id, variant=VARIANT)

    first, second = at_once(wanting("alice"), wanting("bob"))
    assert first == second
    assert Joiner.objects.count() == 2
