"""Wishes, requests to join and hidden readiness: worlds that differ in them look alike to everybody else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.orders.services import set_ready
from games.seating.services.joining import ask_to_join, change_wishes, join
from tests.browsers import EVE
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game
from tests.secrecy.addresses import addresses
from tests.secrecy.observation import Observed, letters, observed_at, public_rows
from tests.secrecy.worlds import world
from tests.secrecy.writings import assert_all_alike

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from games.kernel.models import Game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]

ALICE, BOB, FRITZ = PLAYERS[:3]
WISHES: tuple[list[str], ...] = ([], ["TURKEY", "POLAND", "ITALY"])
READY: tuple[tuple[str, ...], ...] = ((), (BOB, FRITZ))


def seen_of(game: Game, viewer: str) -> dict[str, Observed]:
    """What this viewer sees at every address of the game but its pictures, and in the lobby."""
    paths = {
        name: path
        for name, path in addresses(game).items()
        if game.slug in path and name not in {"games:card", "games:picture"}
    }
    return observed_at({**paths, "games:lobby": "/games/?show=open", "api:games": "/api/games/"}, viewer)


def page_of(game: Game, viewer: str, name: str) -> str:
    return observed_at({name: addresses(game)[name]}, viewer)[f"GET {name}"].body


def in_worlds(
    game: Game, viewer: str, *acts: Callable[[], None]
) -> tuple[dict[str, dict[str, Observed]], list[object]]:
    """What this viewer sees after each of these, each in a world of its own; and the letters that leave."""
    seen, sent = {}, list[object]()
    for number, act in enumerate(acts):
        with world():
            act()
            seen[str(number)] = seen_of(game, viewer)
            sent.append(letters())
    return seen, sent


@pytest.mark.parametrize("viewer", [EVE, BOB, CAROL])
def test_nothing_that_others_see_depends_on_a_wish_list(viewer: str) -> None:
    game = waiting_game(seats="preferences")
    for name in (ALICE, BOB):
        join(game_id=game.pk, user_id=person(name).pk)

    def wishing(wishes: Sequence[str]) -> Callable[[], None]:
        return lambda: change_wishes(game_id=game.pk, user_id=person(ALICE).pk, wishes=wishes)

    seen, sent = in_worlds(game, viewer, *map(wishing, WISHES))
    assert_all_alike(seen)
    assert sent[0] == sent[1]
    assert seen["0"]["GET games:terms"].status == 200


def test_the_own_list_is_there_so_that_the_pages_compared_are_the_real_ones() -> None:
    game = waiting_game(seats="preferences")
    join(game_id=game.pk, user_id=person(ALICE).pk, wishes=["TURKEY"])
    assert '<option value="TURKEY" selected>' in page_of(game, ALICE, "games:terms")
    assert '<option value="TURKEY" selected>' not in page_of(game, DAVE, "games:terms")


def test_once_the_powers_are_dealt_no_row_tells_who_wished_what() -> None:
    game = waiting_game(seats="preferences")
    powers = powers_of(game)
    for name, power in zip(PLAYERS[:-1], powers, strict=False):
        join(game_id=game.pk, user_id=person(name).pk, wishes=[power])
    last = person(PLAYERS[-1])
    worlds = []
    for more in ([], powers[:2], powers[2:4]):
        with world():
            join(game_id=game.pk, user_id=last.pk, wishes=[powers[-1], *more])
            assert occupancy_of(game, powers[-1]).user == last
            worlds.append(public_rows())
    assert worlds[0] == worlds[1] == worlds[2]


@pytest.mark.parametrize("viewer", [EVE, ALICE])
def test_a_request_to_join_is_between_two(viewer: str) -> None:
    game = waiting_game(approval=True)

    def nobody_asks() -> None:
        pass

    def somebody_asks() -> None:
        ask_to_join(game_id=game.pk, user_id=person(BOB).pk)

    person(BOB)
    seen, sent = in_worlds(game, viewer, nobody_asks, somebody_asks)
    assert_all_alike(seen)
    assert [len(letters) for letters in sent if isinstance(letters, list)] == [0, 1]


@pytest.mark.parametrize("viewer", [EVE, ALICE, CAROL])
def test_where_readiness_is_hidden_nobody_sees_who_is_ready(viewer: str) -> None:
    game = running_game(all_ready=True, show_ready=False)

    def ready(names: Sequence[str]) -> Callable[[], None]:
        return lambda: say_ready(game, *names)

    seen, sent = in_worlds(game, viewer, *(ready(names) for names in READY))
    assert_all_alike(seen)
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
