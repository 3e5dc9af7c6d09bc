"""What bots save is as secret as what people do: nothing shows before the deadline that they have saved."""

from __future__ import annotations

import pytest

from games.bots.services import open_bot_turns, play_bot_turn
from games.sealed.models import Sheets
from games.seating.services.new_game import take_seat
from tests.cast import CAROL, PLAYERS, person
from tests.factories import waiting_game
from tests.secrecy.observation import Browser, assert_alike, letters, observed_by, public_rows
from tests.secrecy.worlds import world

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]


@pytest.mark.parametrize("viewer", [PLAYERS[0], CAROL])
def test_no_one_sees_whether_bots_have_saved_and_are_ready(viewer: str) -> None:
    game = waiting_game(bots=5, all_ready=True, show_ready=False)
    for name, power in zip(PLAYERS, ("BRITAIN", "POLAND"), strict=False):
        take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
    letters()
    browser = Browser(viewer)
    worlds, rows, sizes = [], [], set[int]()
    for saving in (0, 5):
        with world():
            asked = open_bot_turns([game.pk])[:saving]
            assert [play_bot_turn(occupancy_id=one.occupancy_id, ordinal=0) for one in asked] == [True] * saving
            rows.append((public_rows(), letters()))
            sizes.add(len(Sheets.rows.get().sealed))
            worlds.append(observed_by(browser, game))
    assert_alike(worlds)
    assert rows[0] == rows[1]
    assert len(sizes) == 1
