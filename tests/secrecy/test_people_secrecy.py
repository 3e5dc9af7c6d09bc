"""Profiles reveal nothing about anonymous games; blocked players are not told."""

from __future__ import annotations

import pytest

from games.people.services import block_user
from games.press.services import send_message
from games.seating.services.new_game import take_seat
from tests.browsers import EVE
from tests.cast import DAVE, PLAYERS, person
from tests.factories import powers_of, running_game, waiting_game
from tests.secrecy.observation import Browser, assert_alike, letters, observed_at, observed_by
from tests.secrecy.worlds import world
from tests.story import Story

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]

PROFILES = {"games:person": f"/people/{DAVE}/", "games:person of another": f"/people/{PLAYERS[0]}/"}


@pytest.mark.parametrize("viewer", [EVE, PLAYERS[1]])
def test_no_profile_tells_who_plays_in_a_game_that_hides_names(viewer: str) -> None:
    running_game()
    person(DAVE)
    browser, seen = Browser(viewer), []
    for players in (PLAYERS, (*PLAYERS[1:], DAVE)):
        with world():
            game = waiting_game(name="Genoa", hidden_names=True)
            for name, power in zip(players, powers_of(game), strict=True):
                take_seat(game_id=game.pk, user_id=person(name).pk, power=power)
            for _ in range(2):
                Story(game).deadline()
            seen.append(observed_at(PROFILES, browser))
    assert_alike(seen)
    assert seen[1]["GET games:person"].status == 200


@pytest.mark.parametrize("viewer", [PLAYERS[1], PLAYERS[2]])
def test_nothing_tells_the_blocked_or_others_of_a_block(viewer: str) -> None:
    game = running_game()
    waiting_game(name="Genoa")
    alice, bob = person(PLAYERS[0]).pk, person(PLAYERS[1]).pk
    browser = Browser(viewer)
    seen, told = [], []
    for blocks in (False, True):
        with world():
            if blocks:
                block_user(by=alice, username=PLAYERS[1])
            send_message(game_id=game.pk, user_id=bob, text="Peace?", to=["BRITAIN"])
            send_message(game_id=game.pk, user_id=bob, text="Peace?", to=["BRITAIN", "GERMANY"])
            seen.append(observed_by(browser, game))
            told.append([letter for letter in letters() if letter[2] != ["alice@example.org"]])
    assert_alike(seen)
    assert told[0] == told[1]
    assert ("Peace?" in seen[1]["GET games:thread"].body) == (viewer == PLAYERS[1])
