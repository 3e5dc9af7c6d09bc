"""The pages about vacant seats, as people click through them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.models import Letter
from games.seating.models import Approach, Standby
from games.seating.news import SEAT_DECLINED
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game
from tests.secrecy.observation import letters
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

A, R = "AUSTRIA", "RUSSIA"


def small_game(**options: object) -> Game:
    choices = {"variant": "three-way-balkan-battle", "players": PLAYERS[:3], **options}
    return running_game(**choices)  # type: ignore[arg-type]


def page(client: Client, name: str, **where: object) -> str:
    return client.get(reverse(f"games:{name}", kwargs=where)).content.decode()


def sent(client: Client, name: str, data: dict[str, object] | None = None, **where: object) -> str:
    """The page shown after sending."""
    return client.post(reverse(f"games:{name}", kwargs=where), data or {}, follow=True).content.decode()


def user_of(game: Game, power: str) -> str:
    return occupancy_of(game, power).user.get_username()


def test_a_player_gives_up_and_another_takes_over() -> None:
    game = small_game()
    alice, dave = visitor("alice"), visitor(DAVE)
    assert "Give up my seat" in page(alice, "game", slug=game.slug)
    assert "abandoning the game" in page(alice, "resign", slug=game.slug)
    assert "You’ve given up your seat." in sent(alice, "resign", slug=game.slug)
    listed = page(dave, "seats")
    assert "Austria" in listed
    assert "Take this seat" in listed
    assert "You start with no orders" in page(dave, "vacant", slug=game.slug, power=A)
    assert "You now play Austria." in sent(dave, "vacant", slug=game.slug, power=A)
    assert user_of(game, A) == DAVE
    assert "There are no vacant seats at the moment." in page(dave, "seats")


def test_vacant_seats_are_listed_with_commas_and_those_who_sent_nothing_one_by_one() -> None:
    game = small_game()
    Story(game).deadline()
    for name in PLAYERS[:2]:
        resign(game_id=game.pk, user_id=person(name).pk)
    shown = " ".join(re.sub(r"<[^>]+>", " ", page(visitor(DAVE), "game", slug=game.slug)).split())
    assert "Vacant: Austria , Russia" in shown
    for power in ("A Austria", "R Russia", "T Turkey"):
        assert f"{power} No orders received." in shown


def test_a_stranger_is_asked_to_sign_in_first() -> None:
    game = small_game()
    resign(game_id=game.pk, user_id=person("alice").pk)
    path = reverse("games:vacant", kwargs={"slug": game.slug, "power": A})
    assert "Sign up and take this seat" in Client().get(path).content.decode()
    assert "login" in Client().post(path).headers["Location"]


def test_the_player_whom_the_game_master_asks_says_yes_or_no() -> None:
    game = small_game()
    carol, dave, eva = visitor(CAROL), visitor(DAVE), visitor("eva")
    for name in (DAVE, "eva"):
        assert "We’ve asked" in sent(carol, "gm-invite", {"power": A, "username": name}, slug=game.slug)
    assert user_of(game, A) == "alice"
    assert "You’ve declined. We’ll tell them." in sent(eva, "offer", {"answer": "no"}, slug=game.slug)
    assert Letter.objects.filter(user=person(CAROL), kind=SEAT_DECLINED.letter).count() == 1
    assert "has asked you to play Austria" in page(dave, "game", slug=game.slug)
    assert "You now play Austria." in sent(dave, "offer", {"answer": "yes"}, slug=game.slug)
    assert user_of(game, A) == DAVE
    once_more = dave.get(reverse("games:offer", kwargs={"slug": game.slug}))
    assert once_more.headers["Location"] == reverse("games:orders", kwargs={"slug": game.slug})


def test_an_invitation_opens_a_game_by_invitation_and_is_taken_back() -> None:
    game = small_game(by_invitation=True)
    carol, dave = visitor(CAROL), visitor(DAVE)
    path = reverse("games:game", kwargs={"slug": game.slug})
    assert dave.get(path).status_code == 404
    sent(carol, "gm-invite", {"power": A, "username": DAVE}, slug=game.slug)
    assert dave.get(path).status_code == 200
    number = Approach.objects.get().pk
    answer = {"number": number, "answer": "withdraw"}
    assert "Invitation withdrawn." in sent(carol, "answer-approach", answer, slug=game.slug)
    assert dave.get(path).status_code == 404


def test_where_the_game_master_says_who_may_play_one_asks_for_the_seat() -> None:
    game = small_game()
    game.stored_options = {**game.stored_options, "approval": True}
    game.save()
    resign(game_id=game.pk, user_id=person("alice").pk)
    carol, dave = visitor(CAROL), visitor(DAVE)
    assert "Ask for this seat" in page(dave, "seats")
    assert "You’ve asked for this seat. We’ll let you know" in sent(dave, "vacant", slug=game.slug, power=A)
    assert "You’ve asked for this seat" in page(dave, "seats")
    assert "has asked to play Austria" in page(carol, "gm", slug=game.slug)
    answer = {"number": Approach.objects.get().pk, "answer": "yes"}
    assert "The seat has a new player." in sent(carol, "answer-approach", answer, slug=game.slug)
    assert user_of(game, A) == DAVE


def test_a_player_who_knows_the_plans_of_one_power_is_not_put_into_another() -> None:
    game = small_game()
    resign(game_id=game.pk, user_id=person("alice").pk)
    said = sent(visitor(CAROL), "gm-invite", {"power": R, "username": "alice"}, slug=game.slug)
    assert "alice has played another power in this game." in said
    assert Approach.objects.count() == 0


def test_a_game_master_who_plays_under_hidden_names_learns_no_name() -> None:
    game = small_game(hidden_names=True, gm_plays=True)
    resign(game_id=game.pk, user_id=person("alice").pk)
    Standby.objects.create(user=person(DAVE), since=game.created)
    desk = page(visitor(CAROL), "gm", slug=game.slug)
    assert DAVE not in desk
    assert "alice" not in desk
    refused = sent(visitor(CAROL), "gm-invite", {"power": A, "username": DAVE}, slug=game.slug)
    assert "can’t give out its seats" in refused


def test_who_stands_by_gets_a_letter_and_is_seen_by_the_game_master() -> None:
    dave = visitor(DAVE)
    said = sent(dave, "standby", {"variants": ["three-way-balkan-battle"], "pace": ""})
    assert "You’re on the standby list." in said
    game = small_game()
    letters()
    resign(game_id=game.pk, user_id=person("alice").pk)
    assert [subject for subject, _body, to in letters() if to == ["dave@example.org"]] == [
        "Locarno: would you like to play Austria?"
    ]
    assert DAVE in page(visitor(CAROL), "gm", slug=game.slug)
    assert "You’ve left the standby list." in sent(dave, "standby", {"stop": "yes"})
    assert Standby.objects.count() == 0


def test_the_terms_say_when_a_seat_becomes_vacant() -> None:
    game = small_game(vacant_after=2)
    assert "saves none for 2 phases in a row loses the seat" in page(Client(), "terms", slug=game.slug)
