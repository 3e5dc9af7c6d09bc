"""Lists of my games: what each game wants of me, and the nearest deadline first."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel import clock, codec
from games.kernel.models import Phase
from games.kernel.parts import Wanted
from games.mastering.services.desk import close_game, pause_game
from games.orders.services import set_ready
from games.pages.queries import GameLists
from games.people.profiles import person_view
from games.people.services import block_user
from games.seating.services.joining import ask_to_join, confirm_place, join_game
from games.seating.services.new_game import let_bot_play, take_seat
from games.seating.services.sitters import answer_sitting, name_sitter
from games.seating.services.vacancies import ask_for_seat, resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import HOUR, occupancy_of, open_phase, running_game, waiting_game
from tests.press.test_press import say
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]
SMALL: dict[str, Any] = {"variant": "three-way-balkan-battle", "players": PLAYERS[:3]}
A, R = "AUSTRIA", "RUSSIA"


def wants(name: str, game: Game) -> Wanted | None:
    cards = GameLists(person(name)).page("mine").games
    return next(card.wants for card in cards if card.slug == game.slug)


@pytest.mark.parametrize("show_ready", [True, False])
def test_a_game_wants_orders_then_shows_that_they_are_saved_and_then_that_i_am_ready(*, show_ready: bool) -> None:
    game = running_game(all_ready=True, show_ready=show_ready, **SMALL)
    assert wants(ALICE, game) is Wanted.ORDERS
    Story(game).order(A)
    assert wants(ALICE, game) is Wanted.SAVED
    set_ready(occupancy_id=occupancy_of(game, A).pk, ordinal=0, ready=True)
    assert (wants(ALICE, game), wants(BOB, game)) == (Wanted.READY, Wanted.ORDERS)


def test_messages_come_after_missing_orders_and_before_everything_else() -> None:
    game = running_game(press="full", **SMALL)
    say(game, BOB, "Well?", A)
    assert wants(ALICE, game) is Wanted.ORDERS
    Story(game).order(A)
    assert wants(ALICE, game) is Wanted.MESSAGES


def test_there_is_nothing_to_do_without_a_unit_to_order_or_while_a_bot_plays() -> None:
    game = running_game(**SMALL)
    let_bot_play(occupancy_id=occupancy_of(game, A).pk)
    phase = open_phase(game)
    position = codec.position_of(phase)
    others = tuple(unit for unit in position.units if unit.power != R)
    phase.position = codec.position_to_row(replace(position, units=others))
    phase.save(update_fields=["position"])
    assert [wants(name, game) for name in PLAYERS[:3]] == [Wanted.NOTHING, Wanted.NOTHING, Wanted.ORDERS]
    assert Wanted.NOTHING.label == "no orders due"


def test_a_sitter_reads_it_for_the_player_and_a_game_master_only_hears_of_messages() -> None:
    game = running_game(press="full", **SMALL)
    days: dict[str, Any] = {"first": clock.now().date(), "last": clock.now().date() + timedelta(days=4)}
    person(DAVE)
    name_sitter(game_id=game.pk, user_id=person(ALICE).pk, username=DAVE, zone="UTC", **days)
    answer_sitting(user_id=person(DAVE).pk, number=occupancy_of(game, A).sittings.get().pk, accept=True)
    assert (wants(DAVE, game), wants(CAROL, game)) == (Wanted.ORDERS, None)
    Story(game).order(A)
    say(game, BOB, "Good morning")
    assert (wants(DAVE, game), wants(CAROL, game)) == (Wanted.SAVED, Wanted.MESSAGES)


def test_a_game_master_is_wanted_by_players_who_ask_unless_they_are_blocked() -> None:
    game, other = waiting_game(approval=True), running_game(**SMALL)
    other.stored_options = {**other.stored_options, "approval": True}
    other.save(update_fields=["stored_options"])
    assert (wants(CAROL, game), wants(CAROL, other)) == (None, None)
    ask_to_join(game_id=game.pk, user_id=person(DAVE).pk)
    resign(game_id=other.pk, user_id=person(ALICE).pk)
    ask_for_seat(game_id=other.pk, user_id=person(DAVE).pk, power=A)
    assert (wants(CAROL, game), wants(CAROL, other)) == (Wanted.REQUESTS, Wanted.REQUESTS)
    assert wants(DAVE, game) is None
    block_user(by=person(CAROL).pk, username=DAVE)
    assert (wants(CAROL, game), wants(CAROL, other)) == (None, None)


def test_before_the_start_only_a_roll_call_wants_anything() -> None:
    game = waiting_game(seats="random", roll_call_seconds=24 * HOUR, variant="three-way-balkan-battle")
    join_game(game_id=game.pk, user_id=person(ALICE).pk)
    assert wants(ALICE, game) is Wanted.NOTHING
    for name in PLAYERS[1:3]:
        join_game(game_id=game.pk, user_id=person(name).pk)
    assert (wants(ALICE, game), wants(PLAYERS[2], game)) == (Wanted.PLACE, Wanted.NOTHING)
    confirm_place(game_id=game.pk, user_id=person(ALICE).pk)
    assert wants(ALICE, game) is Wanted.NOTHING


def test_strangers_and_onlookers_are_wanted_for_nothing() -> None:
    game = running_game(**SMALL)
    assert [card.wants for card in GameLists(person(DAVE)).page("running").games] == [None]
    Story(game).order(A)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert wants(ALICE, game) is None


def lengthened(game: Game, hours: int) -> Game:
    Phase.objects.filter(game=game, closed__isnull=True).update(deadline=clock.now() + timedelta(hours=hours))
    return game


def test_my_games_have_the_nearest_deadline_first_and_each_is_on_one_page() -> None:
    over, third = running_game(name="Over", **SMALL), lengthened(running_game(name="Third", **SMALL), 30)
    first, paused = lengthened(running_game(name="First", **SMALL), 10), running_game(name="Paused", **SMALL)
    second = lengthened(running_game(name="Second", **SMALL), 20)
    waiting = waiting_game(name="Waiting")
    take_seat(game_id=waiting.pk, user_id=person(ALICE).pk)
    close_game(game_id=over.pk, by=person(CAROL).pk)
    pause_game(game_id=paused.pk, by=person(CAROL).pk)
    in_turn = [game.slug for game in (first, second, third, waiting, paused, over)]
    for most in (2, 3, 6):
        shown, after = list[str](), ""
        while len(shown) < len(in_turn):
            page = GameLists(person(ALICE)).page("mine", after=after, most=most)
            shown += [game.slug for game in page.games]
            after = page.last
        assert (shown, after) == (in_turn, "")
    playing = person_view(ALICE, viewer_id=person(ALICE).pk).lists["playing"].games
    assert [game.slug for game in playing[:2]] == [first.slug, second.slug]
    home = visitor(ALICE).get("/").content.decode()
    assert [home.index(game.name) for game in (first, second, third)] == sorted(
        home.index(game.name) for game in (first, second, third)
    )
    assert "Over</a></h3>" not in home


def test_the_row_says_it_in_words() -> None:
    game = running_game(name="Locarno", **SMALL)
    for address in (reverse("games:home"), reverse("games:lobby"), reverse("games:person", args=[ALICE])):
        page = visitor(ALICE).get(address).content.decode()
        assert ">Orders missing</span>" in page
        assert ">Enter orders<" in page
    Story(game).order(A)
    page = visitor(ALICE).get(reverse("games:home")).content.decode()
    assert ">Saved</span>" in page
    assert ">My orders<" in page
