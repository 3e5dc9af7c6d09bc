"""Preferences, requests to join and hidden readiness: worlds that differ in them look alike to everyone else."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse

from games.orders.services import set_ready
from games.press.services import send_message
from games.press.threads import ROOM
from games.seating.services.joining import ask_to_join, change_wishes, join_game
from tests.browsers import EVE
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game
from tests.secrecy.addresses import addresses, of_the_game
from tests.secrecy.observation import Browser, Observed, assert_alike, letters, observed_at, public_rows
from tests.secrecy.worlds import world

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]

ALICE, BOB, FRITZ = PLAYERS[:3]
WISHES: tuple[list[str], ...] = ([], ["TURKEY", "POLAND", "ITALY"])
READY: tuple[tuple[str, ...], ...] = ((), (BOB, FRITZ))


def seen_of(game: Game, viewer: Browser) -> dict[str, Observed]:
    """What this viewer sees at every address of the game, and in the lobby."""
    return observed_at({**of_the_game(game), "games:lobby": "/games/?show=open", "api:games": "/api/v1/games/"}, viewer)


def page_of(game: Game, viewer: str, name: str) -> str:
    return observed_at({name: addresses(game)[name]}, viewer)[f"GET {name}"].body


def all_alike(
    game: Game, viewer: str, *acts: Callable[[], object]
) -> tuple[dict[str, Observed], list[list[tuple[str, str, list[str]]]]]:
    """What this viewer sees, the same after each of these; and the emails sent after each."""
    browser = Browser(viewer)
    seen, sent = [], []
    for act in acts:
        with world():
            act()
            seen.append(seen_of(game, browser))
            sent.append(letters())
    assert_alike(seen)
    return seen[0], sent


@pytest.mark.parametrize("viewer", [EVE, BOB, CAROL])
def test_nothing_that_others_see_depends_on_a_wish_list(viewer: str) -> None:
    game = waiting_game(seats="preferences")
    for name in (ALICE, BOB):
        join_game(game_id=game.pk, user_id=person(name).pk)
    wish = partial(change_wishes, game_id=game.pk, user_id=person(ALICE).pk)
    seen, sent = all_alike(game, viewer, *(partial(wish, wishes=wishes) for wishes in WISHES))
    assert sent[0] == sent[1]
    assert seen["GET games:terms"].status == 200


def test_the_own_list_is_there_so_that_the_pages_compared_are_the_real_ones() -> None:
    game = waiting_game(seats="preferences")
    join_game(game_id=game.pk, user_id=person(ALICE).pk, wishes=["TURKEY"])
    assert '<option value="TURKEY" selected>' in page_of(game, ALICE, "games:terms")
    assert '<option value="TURKEY" selected>' not in page_of(game, DAVE, "games:terms")


def test_once_the_powers_are_dealt_no_row_tells_who_wished_what() -> None:
    game = waiting_game(seats="preferences")
    powers = powers_of(game)
    for name, power in zip(PLAYERS[:-1], powers, strict=False):
        join_game(game_id=game.pk, user_id=person(name).pk, wishes=[power])
    last = person(PLAYERS[-1])
    worlds = []
    for more in ([], powers[:2], powers[2:4]):
        with world():
            join_game(game_id=game.pk, user_id=last.pk, wishes=[powers[-1], *more])
            assert occupancy_of(game, powers[-1]).user == last
            worlds.append(public_rows())
    assert worlds[0] == worlds[1] == worlds[2]


@pytest.mark.parametrize("viewer", [EVE, ALICE])
def test_a_request_to_join_is_between_two(viewer: str) -> None:
    game = waiting_game(approval=True)
    ask = partial(ask_to_join, game_id=game.pk, user_id=person(BOB).pk)
    _seen, sent = all_alike(game, viewer, lambda: None, ask)
    assert [len(letters) for letters in sent] == [0, 1]


@pytest.mark.parametrize("viewer", [EVE, ALICE, CAROL])
def test_where_readiness_is_hidden_nobody_sees_who_is_ready(viewer: str) -> None:
    game = running_game(all_ready=True, show_ready=False)
    _seen, sent = all_alike(game, viewer, *(partial(say_ready, game, *names) for names in READY))
    assert sent[0] == sent[1]


def say_ready(game: Game, *names: str) -> None:
    for occupancy in game.occupancies.filter(user__username__in=names):
        set_ready(occupancy_id=occupancy.pk, ordinal=0, ready=True)


def test_the_own_readiness_is_shown_to_its_owner_and_all_of_it_where_it_is_public() -> None:
    for shown in (True, False):
        game = running_game(all_ready=True, show_ready=shown)
        say_ready(game, BOB)
        chip = '<span class="chip chip--brass">ready</span>'
        assert page_of(game, BOB, "games:game").count(chip) == 1
        assert page_of(game, ALICE, "games:game").count(chip) == int(shown)


@pytest.mark.parametrize("viewer", [BOB, CAROL])
def test_in_the_waiting_room_of_an_anonymous_game_no_reader_learns_who_writes(viewer: str) -> None:
    game = waiting_game(seats="random", hidden_names=True, press="full")
    for name in (ALICE, BOB, FRITZ):
        join_game(game_id=game.pk, user_id=person(name).pk)
    say = partial(send_message, game_id=game.pk, text="Hello, all", to=ROOM)
    room = reverse("games:thread", args=[game.slug, *ROOM])
    browser, seen = Browser(viewer), []
    for name in (ALICE, FRITZ):
        with world():
            say(user_id=person(name).pk)
            seen.append({**seen_of(game, browser), **observed_at({"room": room, "API": f"/api/v1{room}"}, browser)})
    assert_alike(seen)
    assert "Hello, all" in seen[0]["GET room"].body
    assert "Hello, all" in seen[0]["GET API"].body


@pytest.mark.parametrize("viewer", [EVE, DAVE])
def test_outside_the_waiting_room_no_one_learns_that_anything_was_said(viewer: str) -> None:
    game = waiting_game(seats="random")
    join_game(game_id=game.pk, user_id=person(ALICE).pk)
    say = partial(send_message, game_id=game.pk, user_id=person(ALICE).pk, text="Hello, all", to=ROOM)
    all_alike(game, viewer, lambda: None, say)
