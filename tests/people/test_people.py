"""Profiles: the user's record, reliability and games."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel import clock
from games.kernel.models import Occupancy
from games.mastering.services.desk import close_game
from games.people.profiles import FinishedGames, finished_games_of, person_view, record_in_words
from games.seating.reliability import Reliability
from games.seating.services.new_game import leave_before_start, let_bot_play, take_seat
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game
from tests.story import Story

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]


@pytest.mark.parametrize(
    ("owed", "missed", "stays", "words"),
    [
        (0, 0, FinishedGames(0, 0), "New here: no orders due yet."),
        (1, 0, FinishedGames(0, 0), "New here: saved orders in 1 of 1 phase so far."),
        (4, 1, FinishedGames(1, 1), "New here: saved orders in 3 of 4 phases so far. Finished 1 of 1 game."),
        (120, 2, FinishedGames(6, 7), "Saved orders in 118 of 120 phases. Finished 6 of 7 games."),
    ],
)
def test_a_record_is_told_in_figures_that_anybody_can_check(
    owed: int, missed: int, stays: FinishedGames, words: str
) -> None:
    assert record_in_words(Reliability(owed, missed), stays) == words


def test_a_profile_shows_public_games_by_what_the_person_does_there() -> None:
    running = running_game(name="Locarno")
    running_game(name="Rapallo", by_invitation=True)
    over = running_game(name="Genoa")
    Story(over).deadline()
    close_game(game_id=over.pk, by=person(CAROL).pk)
    seen = person_view(ALICE, viewer_id=None)
    assert [game.name for game in seen.lists["playing"].games] == ["Locarno"]
    assert [game.name for game in seen.lists["over"].games] == ["Genoa"]
    assert seen.lists["mastered"].games == ()
    assert seen.record == "New here: saved orders in 0 of 1 phase so far. Finished 1 of 1 game."
    mastered = person_view(CAROL, viewer_id=None).lists["mastered"].games
    assert [game.name for game in mastered] == ["Locarno", "Genoa"], "what goes on comes first"
    assert running.slug in {game.slug for game in seen.lists["playing"].games}


def test_a_player_who_leaves_a_running_game_has_not_finished_it_and_before_its_start_nothing_counts() -> None:
    game = running_game()
    Occupancy.objects.filter(pk=occupancy_of(game, powers_of(game)[0]).pk).update(until=clock.now())
    assert finished_games_of(person(ALICE).pk) == FinishedGames(finished=0, ended=1)
    waiting = waiting_game(name="Genoa")
    take_seat(game_id=waiting.pk, user_id=person(DAVE).pk)
    leave_before_start(game_id=waiting.pk, user_id=person(DAVE).pk)
    assert finished_games_of(person(DAVE).pk) == FinishedGames(finished=0, ended=0)


def test_a_game_that_a_bot_plays_is_not_finished_by_the_person() -> None:
    game = running_game()
    let_bot_play(occupancy_id=occupancy_of(game, powers_of(game)[0]).pk)
    Story(game).deadline()
    assert (occupancy_of(game, powers_of(game)[0]).owed, occupancy_of(game, powers_of(game)[1]).owed) == (0, 1)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert finished_games_of(person(ALICE).pk) == FinishedGames(finished=0, ended=0)
    assert finished_games_of(person(BOB).pk) == FinishedGames(finished=1, ended=1)


def test_games_that_hide_names_count_and_are_listed_only_when_they_are_over() -> None:
    game = running_game(hidden_names=True)
    Story(game).deadline()
    before = person_view(ALICE, viewer_id=None)
    assert before.lists["playing"].games == ()
    assert before.record == "New here: no orders due yet."
    close_game(game_id=game.pk, by=person(CAROL).pk)
    after = person_view(ALICE, viewer_id=None)
    assert [it.name for it in after.lists["over"].games] == ["Locarno"]
    assert after.record == "New here: saved orders in 0 of 1 phase so far. Finished 1 of 1 game."


def test_the_page_of_a_person_and_the_ways_to_it() -> None:
    game = running_game()
    page = Client().get(reverse("games:person", args=[ALICE])).content.decode()
    assert "<h1>alice</h1>" in page
    assert "New here: no orders due yet." in page
    board = Client().get(reverse("games:game", args=[game.slug])).content.decode()
    assert '<a href="/people/alice/">alice</a>' in board
    lobby = Client().get(reverse("games:lobby"), {"show": "running"}).content.decode()
    assert 'game master <a href="/people/carol/">carol</a>' in lobby
    assert Client().get(reverse("games:person", args=["nobody"])).status_code == HTTPStatus.NOT_FOUND
