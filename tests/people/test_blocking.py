"""Blocking a user: no private messages from them, no seat in your games, and no one is told."""

from __future__ import annotations

from http import HTTPStatus

import pytest
from django.urls import reverse

from games.kernel.access import access_game
from games.kernel.models import Block, Letter
from games.kernel.refusals import NotAllowed
from games.people.services import block_user, unblock_user
from games.press.models import PressLetter
from games.press.queries import talk_view, unread_count
from games.press.services import send_message
from games.seating.models import JoinRequest
from games.seating.news import REQUEST_MADE
from games.seating.services.joining import ask_to_join
from games.seating.services.new_game import take_seat
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]


def read_by(name: str, game: object, address: str) -> list[str]:
    access = access_game(user=person(name), slug=game.slug)  # type: ignore[attr-defined]
    shown = talk_view(access, address).shown
    return [message.text for message in shown.messages] if shown else []


def test_private_messages_of_the_blocked_do_not_arrive_and_all_others_do() -> None:
    game = running_game()
    block_user(by=person(ALICE).pk, username=BOB)
    bob = person(BOB).pk
    send_message(game_id=game.pk, user_id=bob, text="You coward.", to=["BRITAIN"])
    send_message(game_id=game.pk, user_id=bob, text="To three.", to=["BRITAIN", "GERMANY"])
    send_message(game_id=game.pk, user_id=bob, text="Good luck to all.")
    send_message(game_id=game.pk, user_id=person(FRITZ).pk, text="Hello.", to=["BRITAIN"])
    access = access_game(user=person(ALICE), slug=game.slug)
    assert read_by(ALICE, game, "BRITAIN+FRANCE") == []
    assert read_by(ALICE, game, "BRITAIN+FRANCE+GERMANY") == []
    assert read_by(ALICE, game, "everybody") == ["Good luck to all."]
    assert read_by(ALICE, game, "BRITAIN+GERMANY") == ["Hello."]
    assert unread_count(access) == 2
    assert "You coward." not in str(talk_view(access))
    assert read_by(FRITZ, game, "BRITAIN+FRANCE+GERMANY") == ["To three."]
    assert read_by(BOB, game, "BRITAIN+FRANCE") == ["You coward."]
    told = PressLetter.objects.filter(thread__powers=["BRITAIN", "FRANCE"])
    assert [letter.user.username for letter in told] == []


def test_what_was_withheld_stays_withheld_and_what_comes_after_is_heard_again() -> None:
    game = running_game()
    block_user(by=person(ALICE).pk, username=BOB)
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="You coward.", to=["BRITAIN"])
    unblock_user(by=person(ALICE).pk, username=BOB)
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="Sorry.", to=["BRITAIN"])
    assert read_by(ALICE, game, "BRITAIN+FRANCE") == ["Sorry."]


def test_where_names_are_hidden_silence_tells_nobody_who_plays() -> None:
    game = running_game(hidden_names=True)
    block_user(by=person(ALICE).pk, username=BOB)
    send_message(game_id=game.pk, user_id=person(BOB).pk, text="Greetings.", to=["BRITAIN"])
    assert read_by(ALICE, game, "BRITAIN+FRANCE") == ["Greetings."]


def test_the_blocked_cannot_join_games_of_who_blocked_them_and_are_not_told_why() -> None:
    block_user(by=person(CAROL).pk, username=person(DAVE).username)
    game = waiting_game()
    with pytest.raises(NotAllowed, match=r"^You can’t join this game\.$"):
        take_seat(game_id=game.pk, user_id=person(DAVE).pk)
    take_seat(game_id=game.pk, user_id=person(ALICE).pk)
    assert [it.user.username for it in game.occupancies.all()] == [ALICE]


def test_a_request_of_the_blocked_is_taken_and_goes_nowhere() -> None:
    block_user(by=person(CAROL).pk, username=person(DAVE).username)
    game = waiting_game(approval=True)
    for name in (DAVE, ALICE):
        ask_to_join(game_id=game.pk, user_id=person(name).pk)
    assert JoinRequest.objects.count() == 2
    assert Letter.objects.filter(kind=REQUEST_MADE.letter).count() == 1
    desk = visitor(CAROL).get(reverse("games:gm", args=[game.slug])).content.decode()
    assert "alice" in desk
    assert "dave" not in desk
    terms = visitor(DAVE).get(reverse("games:terms", args=[game.slug])).content.decode()
    assert "You’ve asked to join." in terms


def test_one_blocks_and_unblocks_on_the_pages() -> None:
    person(BOB)
    path = reverse("games:block", args=[BOB])
    browser = visitor(ALICE)
    assert "Block</button>" in browser.get("/people/bob/").content.decode()
    assert browser.post(path).status_code == HTTPStatus.SEE_OTHER
    assert "You’ve blocked bob" in browser.get("/people/bob/").content.decode()
    assert '<a href="/people/bob/">bob</a>' in browser.get(reverse("games:profile")).content.decode()
    browser.post(path, {"again": ""})
    assert not Block.objects.exists()
    assert visitor(ALICE).post(reverse("games:block", args=["nobody"])).status_code == HTTPStatus.NOT_FOUND
    browser.post(reverse("games:block", args=[ALICE]))
    assert "You can’t block yourself." in browser.get("/people/alice/").content.decode()
