"""A live game now: an equal one that waits for players, or a new one."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.deadlines.timetable import Week
from games.kernel.game_options import declared_options
from games.kernel.members import members_of
from games.kernel.models import Game
from games.kernel.refusals import NotAllowed
from games.mastering.services.desk import start_game
from games.people.services import block_user, unblock_user
from games.seating.models import RollCall
from games.seating.services.joining import join_game
from games.seating.services.new_game import leave_before_start
from games.seating.services.placing import send_email_invitation
from games.seating.services.quick import NEW_GAME_TERMS, TERMS_THAT_MAY_DIFFER, join_quick_game, quick_boards
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import VARIANT, waiting_game
from variants.registry import find, offered

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]
LIVE: dict[str, Any] = {name: value for name, value in NEW_GAME_TERMS.items() if name not in {"seats", "gm_plays"}}


def quick(name: str, variant: str = VARIANT) -> Game:
    return Game.objects.get(slug=join_quick_game(user_id=person(name).pk, variant=variant))


def waiting(name: str = CAROL) -> dict[str, int]:
    return {it.board.slug: it.waiting for it in quick_boards(person(name).pk) if it.waiting}


def test_the_first_opens_a_live_game_and_plays_in_it_and_the_next_ones_join_it() -> None:
    assert waiting() == {}
    game = quick(ALICE)
    assert (game.gm_id, members_of(game), game.by_invitation) == (person(ALICE).pk, [person(ALICE).pk], False)
    assert quick(BOB) == quick(FRITZ) == quick(ALICE) == game
    assert waiting() == {VARIANT: 3}
    assert quick_boards(person(CAROL).pk)[0].board.slug == VARIANT


def test_the_zone_of_a_clock_without_times_makes_no_other_terms() -> None:
    game = waiting_game(seats="random", **LIVE | {"week": Week(zone="Europe/Berlin")})
    assert quick(BOB) == game


def test_no_one_is_put_into_a_game_that_starts_with_free_seats() -> None:
    game = waiting_game(seats="random", **LIVE)
    for name in (ALICE, FRITZ):
        join_game(game_id=game.pk, user_id=person(name).pk)
    start_game(game_id=game.pk, by=person(CAROL).pk)
    assert RollCall.objects.get().incomplete
    assert quick(BOB) != game
    assert quick(ALICE) == game


def test_each_board_has_its_own_game_and_a_full_one_is_followed_by_another() -> None:
    game = quick(ALICE)
    other = next(variant.slug for variant in offered() if variant.slug != VARIANT)
    assert quick(BOB, other).variant_slug == other
    for name in PLAYERS[1:]:
        assert quick(name) == game
    assert RollCall.objects.get().game == game
    assert VARIANT not in waiting()
    assert quick(DAVE) != game


@pytest.mark.parametrize(
    ("terms", "is_equal"),
    [
        ({}, True),
        ({"seats": "choice"}, True),
        ({"least_reliability": 90, "newcomers_welcome": False}, False),
        ({"movement_seconds": 600}, False),
        ({"press": "none"}, False),
        ({"hidden_names": True}, False),
        ({"approval": True}, False),
        ({"by_invitation": True}, False),
        ({"bots": 1}, False),
        ({"press_closed": ("R",)}, False),
        ({"week": Week(days_off=(5, 6))}, False),
        ({"gm_sees_saved": True}, False),
        ({"grace_times": 5}, False),
        ({"last_year": 1930}, False),
        ({"draws": "none"}, False),
        ({"roll_call_seconds": 0}, False),
        ({"wait_days": 30}, True),
    ],
)
def test_a_game_of_someone_else_is_joined_if_it_is_equal_and_lets_one_in(
    terms: dict[str, Any], *, is_equal: bool
) -> None:
    game = waiting_game(**{**LIVE, **terms})
    assert (quick(ALICE) == game) is is_equal


def test_an_option_that_an_older_game_does_not_store_has_its_default() -> None:
    assert declared_options().keys() >= set(TERMS_THAT_MAY_DIFFER)
    game = waiting_game(**LIVE)
    del game.stored_options["open_votes"]
    game.save(update_fields=["stored_options"])
    assert quick(ALICE) == game


def test_nobody_is_put_into_a_game_with_someone_whom_they_have_blocked() -> None:
    mastered, joined = waiting_game(**LIVE), quick(ALICE)
    assert joined == mastered
    for whom in (ALICE, CAROL):
        block_user(by=person(BOB).pk, username=person(whom).username)
        assert waiting(BOB) == {}
        unblock_user(by=person(BOB).pk, username=person(whom).username)
    assert waiting(BOB) == {VARIANT: 1}
    block_user(by=person(BOB).pk, username=person(ALICE).username)
    other = quick(BOB)
    assert other != joined
    block_user(by=person(BOB).pk, username=person(FRITZ).username)
    assert quick(FRITZ) == joined
    assert quick(BOB) == other


def test_a_place_that_is_kept_for_a_guest_is_no_room() -> None:
    full = waiting_game(**LIVE, seats="random")
    for name in PLAYERS[:-1]:
        assert quick(name) == full
    send_email_invitation(game_id=full.pk, by=person(CAROL).pk, email="guest@example.org")
    assert waiting() == {}
    assert waiting(ALICE) == {VARIANT: len(PLAYERS) - 1}
    page = visitor(ALICE).get(reverse("games:quick")).content.decode()
    assert "You’re waiting in this game." in page
    assert "Go to the game" in page
    assert quick(DAVE) != full


def test_those_who_are_blocked_or_run_a_game_without_playing_get_another() -> None:
    game = waiting_game(**LIVE)
    block_user(by=person(CAROL).pk, username=person(ALICE).username)
    assert quick(ALICE) != game
    assert quick(CAROL) != game


def test_who_left_may_come_again() -> None:
    game = quick(ALICE)
    leave_before_start(game_id=game.pk, user_id=person(ALICE).pk)
    assert waiting() == {}
    assert quick(BOB) == quick(ALICE) == game


def test_a_board_that_does_not_exist_is_refused() -> None:
    with pytest.raises(NotAllowed):
        quick(ALICE, "atlantis")


def test_the_page_says_how_many_wait_and_asks_as_much_whatever_there_is() -> None:
    browser, path = visitor(ALICE), reverse("games:quick")
    browser.get(path)
    with CaptureQueriesContext(connection) as before:
        assert f"{find(VARIANT).players} players. No one is waiting." in browser.get(path).content.decode()
    quick(BOB)
    for variant in offered():
        quick(CAROL, variant.slug)
    waiting_game(**LIVE)
    with CaptureQueriesContext(connection) as after:
        page = browser.get(path).content.decode()
    assert len(after) == len(before)
    assert f"2 of {find(VARIANT).players} players are waiting." in page
    assert browser.post(path, {"variant": VARIANT}).status_code == 303
    assert person(ALICE).pk in members_of(quick(BOB))
    assert reverse("games:quick") in browser.get(reverse("games:lobby")).content.decode()
    assert reverse("games:quick") not in visitor(None).get(reverse("games:lobby")).content.decode()
