"""The game with which most of the tests begin is seated at once, and is the one that its players would have filled."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.seating.services.new_game import take_seat
from tests.cast import CAROL, PLAYERS, person
from tests.factories import powers_of, running_game, waiting_game
from tests.secrecy.observation import public_rows
from tests.secrecy.worlds import standing_still, world

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db


def filled_by_its_players(**options: Any) -> Game:
    game = waiting_game(**options)
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power, token=game.invitation)
    game.refresh_from_db()
    return game


@pytest.mark.parametrize("options", [{}, {"by_invitation": True, "roll_call_seconds": 86_400}])
def test_a_game_seated_at_once_has_the_rows_of_one_that_its_players_filled(options: dict[str, Any]) -> None:
    rows = []
    with standing_still():
        for name in (CAROL, *PLAYERS):
            person(name)
        for made in (running_game, filled_by_its_players):
            with world():
                game = made(**options)
                text = repr(sorted(public_rows().items()))
                rows.append(text.replace(game.slug, "slug").replace(game.invitation, "invitation"))
    assert rows[0] == rows[1]
    assert rows[0].count("seat taken") >= len(PLAYERS)
