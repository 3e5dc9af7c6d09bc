"""A game master gives out seats, and removes people, before the start."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.core import mail
from django.test import Client

from games.delivery.letters import deliver_letters
from games.kernel.models import Game, Joiner, Letter, Occupancy, Status
from games.kernel.refusals import BadReason, NotAllowed, SeatTaken, UnknownPlayer, WrongMoment
from games.mastering.services.desk import start_game
from games.news.log import public_news_of
from games.seating.services.joining import answer_join_request, ask_to_join, change_wishes, join_game
from games.seating.services.new_game import leave_before_start, take_seat
from games.seating.services.placing import place_player, remove_player
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, powers_of, running_game, waiting_game

pytestmark = pytest.mark.django_db


def given(game: Game, power: str, name: str) -> None:
    person(name)
    place_player(game_id=game.pk, by=person(CAROL).pk, power=power, username=name)


def removed(game: Game, name: str, reason: str = "Asked to.") -> None:
    remove_player(game_id=game.pk, by=person(CAROL).pk, username=name, reason=reason)


def letters(kind: str) -> list[str]:
    return [letter.user.get_username() for letter in Letter.objects.filter(kind=kind).order_by("pk")]


def test_a_game_master_gives_a_seat_and_its_player_is_told_and_may_leave() -> None:
    game = waiting_game(by_invitation=True)
    given(game, "GERMANY", DAVE)
    assert occupancy_of(game, "GERMANY").user == person(DAVE)
    assert letters("placed") == [DAVE]
    assert game.events.get(kind="placed").facts["player"] == DAVE
    leave_before_start(game_id=game.pk, user_id=person(DAVE).pk)
    given(game, "FRANCE", DAVE)
    assert occupancy_of(game, "FRANCE").user == person(DAVE)


def test_a_full_game_starts_only_when_its_game_master_or_a_player_says_so() -> None:
    game = waiting_game()
    for name, power in zip(PLAYERS, powers_of(game), strict=True):
        given(game, power, name)
    game.refresh_from_db()
    assert game.status == Status.OPEN
    with pytest.raises(SeatTaken):
        given(game, "GERMANY", DAVE)


def test_who_has_joined_without_a_power_gets_one_and_the_others_share_the_rest() -> None:
    game = waiting_game(seats="random")
    for name in PLAYERS[:-1]:
        join_game(game_id=game.pk, user_id=person(name).pk)
    given(game, "GERMANY", PLAYERS[0])
    assert Joiner.objects.filter(game=game).count() == len(PLAYERS) - 2
    join_game(game_id=game.pk, user_id=person(PLAYERS[-1]).pk)
    game.refresh_from_db()
    assert game.status == Status.RUNNING
    assert occupancy_of(game, "GERMANY").user == person(PLAYERS[0])
    assert Occupancy.objects.filter(game=game).count() == len(PLAYERS)


@pytest.mark.parametrize("seats", ["preferences", "random"])
def test_a_place_without_a_power_is_given_where_powers_are_assigned(seats: str) -> None:
    game = waiting_game(seats=seats, by_invitation=True)
    given(game, "", DAVE)
    assert letters("place given") == [DAVE]
    assert game.events.get(kind="place given").facts["player"] == DAVE
    if seats == "preferences":
        change_wishes(game_id=game.pk, user_id=person(DAVE).pk, wishes=["ITALY"])
    with pytest.raises(SeatTaken, match="already joined"):
        given(game, "", DAVE)
    for name in PLAYERS[:5]:
        given(game, "", name)
    leave_before_start(game_id=game.pk, user_id=person("alice").pk)
    given(game, "", "alice")
    start_game(game_id=game.pk, by=person(CAROL).pk)
    held = Occupancy.objects.get(game=game, user=person(DAVE), until=None)
    assert seats == "random" or held.seat.power == "ITALY"


def test_a_place_without_a_power_is_not_given_where_powers_are_chosen_or_all_places_are_taken() -> None:
    with pytest.raises(WrongMoment, match="Choose a seat from the list"):
        given(waiting_game(), "", DAVE)
    full = waiting_game(seats="random", roll_call_seconds=3600)
    for name in PLAYERS:
        given(full, "", name)
    with pytest.raises(SeatTaken, match="taken or kept"):
        given(full, "", DAVE)


def test_a_person_is_removed_with_a_public_reason_and_is_told() -> None:
    game = waiting_game()
    take_seat(game_id=game.pk, user_id=person(DAVE).pk, power="FRANCE")
    with pytest.raises(BadReason):
        removed(game, DAVE, reason=" ")
    removed(game, DAVE, reason="Plays twice.")
    assert not Occupancy.objects.filter(game=game, until__isnull=True).exists()
    assert letters("removed") == [DAVE]
    assert game.events.get(kind="removed").facts["reason"] == "Plays twice."
    assert not Occupancy.objects.get(game=game).departure


def test_who_was_let_in_and_removed_must_ask_again() -> None:
    game = waiting_game(approval=True, seats="random")
    dave = person(DAVE).pk
    ask_to_join(game_id=game.pk, user_id=dave)
    answer_join_request(game_id=game.pk, by=person(CAROL).pk, username=DAVE, accept=True)
    join_game(game_id=game.pk, user_id=dave)
    removed(game, DAVE)
    with pytest.raises(NotAllowed, match="declined"):
        join_game(game_id=game.pk, user_id=dave)


def test_nobody_is_placed_or_removed_where_that_is_not_possible() -> None:
    game = waiting_game()
    with pytest.raises(UnknownPlayer):
        place_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username="nobody")
    with pytest.raises(NotAllowed, match="doesn’t play"):
        given(game, "FRANCE", CAROL)
    with pytest.raises(NotAllowed):
        place_player(game_id=game.pk, by=person(DAVE).pk, power="FRANCE", username=DAVE)
    with pytest.raises(WrongMoment, match="No one has joined"):
        removed(game, DAVE)
    given(game, "FRANCE", PLAYERS[0])
    with pytest.raises(WrongMoment, match="hasn’t joined"):
        removed(game, DAVE)
    with pytest.raises(WrongMoment):
        given(running_game(name="Begun"), "FRANCE", DAVE)


def test_a_game_master_who_plays_among_anonymous_players_gives_out_no_seats() -> None:
    game = waiting_game(gm_plays=True, hidden_names=True)
    with pytest.raises(NotAllowed, match="anonymous"):
        given(game, "FRANCE", DAVE)


def test_the_desk_has_both_forms_before_the_start_and_keeps_what_was_typed() -> None:
    game, client = waiting_game(), Client()
    client.force_login(person(CAROL))
    desk = f"/games/{game.slug}/gm/"
    assert "Remove a player before the start" not in client.get(desk).content.decode()
    wrong = client.post(f"{desk}place/", {"power": "FRANCE", "username": "nobdy"})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert 'value="nobdy"' in wrong.content.decode()
    person(DAVE)
    client.post(f"{desk}place/", {"power": "FRANCE", "username": DAVE})
    assert '<option value="dave">dave (France)</option>' in " ".join(client.get(desk).text.split())
    client.post(f"{desk}remove/", {"username": DAVE, "reason": "Asked to go."})
    assert public_news_of(game) == ()
    assert not Occupancy.objects.filter(game=game, until__isnull=True).exists()


def test_the_letter_to_one_who_was_removed_says_why_with_or_without_a_seat() -> None:
    dealt, chosen = waiting_game(seats="preferences"), waiting_game(name="Genoa")
    join_game(game_id=dealt.pk, user_id=person(DAVE).pk)
    take_seat(game_id=chosen.pk, user_id=person(DAVE).pk)
    removed(dealt, DAVE, "No answer.")
    removed(chosen, DAVE, "Asked to.")
    deliver_letters()
    told = [it.body for it in mail.outbox if "has removed you" in it.body]
    assert ["Reason: No answer." in it for it in told] == [True, False]
    assert ["Reason: Asked to." in it for it in told] == [False, True]
