"""The pages of messages: what they show to whom, what they accept, and what they give back."""

from __future__ import annotations

from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel.cards import game_cards
from games.kernel.models import Game
from games.mastering.services.desk import close_game, seat_player
from games.pages.queries import GameLists
from games.press.models import LONGEST_MESSAGE, Message
from games.press.options import Talk
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.press.test_press import say, unread
from tests.story import Story

if TYPE_CHECKING:
    from django.http import HttpResponse
    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]
OK, FOUND, MISSING = HTTPStatus.OK, HTTPStatus.FOUND, HTTPStatus.NOT_FOUND
SEE_OTHER, NO_CONTENT, UNPROCESSABLE = 303, 204, 422
EVERYBODY, WITH_BOB = "everybody", "BRITAIN+FRANCE"


def thread(game: Game, at: str = EVERYBODY, name: str = "thread") -> str:
    return address(name, game, address=at)


def post(browser: Client, game: Game, text: str, at: str = EVERYBODY, **more: str) -> HttpResponse:
    return browser.post(thread(game, at), {"text": text, **more})  # type: ignore[return-value]


def page(name: str, path: str) -> str:
    """What this person reads there, with runs of white space collapsed."""
    return " ".join(visitor(name).get(path).content.decode().split())


def test_a_message_is_written_read_and_escaped() -> None:
    game = running_game()
    answer = post(visitor(ALICE), game, "Bonjour!\r\n<b>Brest</b> & more", WITH_BOB)
    assert (answer.status_code, answer["Location"]) == (SEE_OTHER, thread(game, WITH_BOB))
    seen = visitor(BOB).get(thread(game, WITH_BOB)).content.decode()
    assert "Bonjour!<br>\n&lt;b&gt;Brest&lt;/b&gt; &amp; more" in seen
    assert "Spring 1926, movement" in seen


def test_the_first_message_not_seen_before_is_marked_once() -> None:
    game = running_game()
    mark = '<li class="talk__new">New</li>'
    post(visitor(ALICE), game, "One", WITH_BOB)
    assert mark in page(BOB, thread(game, WITH_BOB))
    assert mark not in page(BOB, thread(game, WITH_BOB))
    post(visitor(BOB), game, "Two", WITH_BOB)
    post(visitor(ALICE), game, "Three", WITH_BOB)
    post(visitor(ALICE), game, "Four", WITH_BOB)
    seen = page(BOB, thread(game, WITH_BOB))
    assert seen.count(mark) == 1
    assert seen.index("Two") < seen.index(mark) < seen.index("Three")
    assert mark in page(ALICE, thread(game, WITH_BOB)), "she has written without looking"


def test_the_list_of_talks_shows_how_the_last_message_reads_and_not_its_marks() -> None:
    game = running_game()
    post(visitor(ALICE), game, "**Brest** or <b>not</b>\n\n- one", WITH_BOB)
    listed = page(BOB, address("talk", game))
    assert "Brest or &lt;b&gt;not&lt;/b&gt; one" in listed
    assert "**" not in listed


def test_a_preview_shows_the_layout_and_sends_nothing() -> None:
    game = running_game()
    seen = post(visitor(ALICE), game, "**now**", WITH_BOB, preview="1")
    assert (seen.status_code, Message.objects.count()) == (OK, 0)
    assert "<strong>now</strong>" in seen.content.decode()
    assert ">**now**</textarea>" in seen.content.decode()


def test_two_clicks_send_once_and_the_page_after_it_knows_that_it_was_sent() -> None:
    game = running_game()
    alice = visitor(ALICE)
    key = str(alice.get(thread(game, WITH_BOB)).context["form"]["key"].value())
    answers = [post(alice, game, "Bonjour!", WITH_BOB, key=key) for _ in range(2)]
    assert {answer["Location"] for answer in answers} == {f"{thread(game, WITH_BOB)}#sent-{key}"}
    assert Message.objects.count() == 1
    assert f'value="{key}"' not in alice.get(thread(game, WITH_BOB)).content.decode()
    assert f'value="{key}"' in post(alice, game, " ", WITH_BOB, key=key).content.decode()
    assert post(alice, game, "Again", WITH_BOB, key="no key of ours").status_code == SEE_OTHER


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("   ", "Not sent: the message is empty."),
        ("y" * (LONGEST_MESSAGE + 1), "the message has 4001 characters, and the limit is 4000."),
    ],
)
def test_a_refused_message_comes_back_with_the_reason_and_nothing_typed_is_lost(text: str, sentence: str) -> None:
    game = running_game()
    answer = post(visitor(ALICE), game, text, WITH_BOB)
    assert answer.status_code == UNPROCESSABLE
    assert sentence in answer.content.decode()
    assert f">{text}</textarea>" in answer.content.decode()
    assert not Message.objects.exists()


def test_what_was_typed_when_the_game_ended_comes_back_as_well() -> None:
    game = running_game()
    close_game(game_id=game.pk, by=person(CAROL).pk)
    answer = post(visitor(ALICE), game, "One last word", WITH_BOB)
    assert answer.status_code == UNPROCESSABLE
    body = answer.content.decode()
    assert "Not sent. The game is over, so you can only write to everyone." in body
    assert ">One last word</textarea>" in body


@pytest.mark.parametrize(
    ("who", "at", "status"),
    [
        ("eve", EVERYBODY, FOUND),
        (DAVE, EVERYBODY, UNPROCESSABLE),
        (CAROL, EVERYBODY, SEE_OTHER),
        (ALICE, EVERYBODY, SEE_OTHER),
        ("eve", WITH_BOB, FOUND),
        (DAVE, WITH_BOB, MISSING),
        (CAROL, WITH_BOB, MISSING),
        (FRITZ, WITH_BOB, MISSING),
        (BOB, WITH_BOB, SEE_OTHER),
    ],
)
def test_who_may_send_where(who: str, at: str, status: int) -> None:
    game = running_game()
    assert post(visitor(who), game, "Hello", at).status_code == status
    assert Message.objects.count() == (status == SEE_OTHER)


def test_a_voice_that_one_does_not_have_is_refused() -> None:
    game = running_game()
    answer = post(visitor(ALICE), game, "I extend the deadline", voice="gm")
    assert answer.status_code == UNPROCESSABLE
    assert "Select a valid choice" in answer.content.decode()
    assert not Message.objects.exists()


def test_a_game_by_invitation_keeps_its_talk_to_the_invited() -> None:
    game = running_game(by_invitation=True)
    for name in ("thread", "messages"):
        assert visitor(DAVE).get(thread(game, name=name)).status_code == MISSING
    assert visitor(DAVE).get(address("talk", game)).status_code == MISSING


def test_people_with_public_messages_only_are_led_straight_to_them() -> None:
    full, public = [running_game(press=press, gm_in_private=False) for press in ("full", "public")]
    for who, game in (("eve", full), (DAVE, full), (CAROL, full), (ALICE, public)):
        assert visitor(who).get(address("talk", game))["Location"] == thread(game)
    assert visitor(ALICE).get(address("talk", full)).status_code == OK


def test_a_group_is_opened_by_its_powers() -> None:
    game = running_game()
    alice = visitor(ALICE)
    opened = alice.get(address("talk", game), {"new": "1", "power": ["ITALY", "FRANCE"]})
    assert (opened.status_code, opened["Location"]) == (FOUND, thread(game, "BRITAIN+FRANCE+ITALY"))
    assert "No messages yet." in alice.get(opened["Location"]).content.decode()
    nobody = alice.get(address("talk", game), {"new": "1"})
    assert (nobody.status_code, "Choose at least one power to write to." in nobody.content.decode()) == (
        UNPROCESSABLE,
        True,
    )
    wrong = alice.get(address("talk", game), {"power": ["ATLANTIS"]}).content.decode()
    assert "This game has no power &#x27;ATLANTIS&#x27;. Choose from those shown." in wrong


def test_the_game_page_counts_what_is_unread_until_it_is_read() -> None:
    game = running_game()
    say(game, ALICE, "one", "FRANCE")
    say(game, ALICE, "two", "FRANCE")
    assert "2 new messages" in page(BOB, address("game", game))
    assert "2 new messages" not in page(FRITZ, address("game", game))
    visitor(BOB).get(thread(game, WITH_BOB))
    assert "new message" not in page(BOB, address("game", game))


def test_the_list_of_games_counts_what_is_unread_in_each_with_one_question_for_all(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    games = [running_game(name=name) for name in ("Locarno", "Rapallo", "Thoiry")]
    for game in games[:2]:
        say(game, ALICE, "one", "FRANCE")
        say(game, ALICE, "two")
        say(game, BOB, "my own")
    say(games[1], CAROL, "a notice", as_gm=True)
    counted = {
        who: {card.name: card.unread for card in GameLists(person(who)).page("mine").games}
        for who in (ALICE, BOB, FRITZ, CAROL)
    }
    assert counted == {
        ALICE: {"Locarno": 1, "Rapallo": 2, "Thoiry": 0},
        BOB: {"Locarno": 2, "Rapallo": 3, "Thoiry": 0},
        FRITZ: {"Locarno": 2, "Rapallo": 3, "Thoiry": 0},
        CAROL: {"Locarno": 2, "Rapallo": 2, "Thoiry": 0},
    }
    with CaptureQueriesContext(connection) as asked:
        game_cards(Game.objects.all(), user_id=person(BOB).pk)
    with django_assert_max_num_queries(len(asked)):
        game_cards(Game.objects.filter(pk=games[0].pk), user_id=person(BOB).pk)
    assert sum("press_message" in query["sql"] for query in asked) == 1
    assert '3<span class="visually-hidden"> unread messages</span>' in page(BOB, "/games/")


def test_the_count_beside_the_word_comes_as_a_fragment_to_those_for_whom_there_is_one() -> None:
    game = running_game()
    say(game, ALICE, "one", "FRANCE")
    say(game, FRITZ, "to all")
    counts = {who: page(who, address("unread", game)) for who in (ALICE, BOB, CAROL)}
    assert ['"unread">1<' in counts[ALICE], '"unread">2<' in counts[BOB], '"unread">1<' in counts[CAROL]] == [True] * 3
    assert '"unread"' not in page(FRITZ, address("unread", game))
    assert {visitor(who).get(address("unread", game)).status_code for who in ("eve", DAVE)} == {MISSING}


def test_new_messages_come_as_a_fragment_and_are_read_by_it() -> None:
    game = running_game()
    say(game, ALICE, "one", "FRANCE")
    bob = visitor(BOB)
    bob.get(thread(game, WITH_BOB))
    news = thread(game, WITH_BOB, "messages")
    assert bob.get(news, {"after": "1"}).status_code == NO_CONTENT
    say(game, ALICE, "two", "FRANCE")
    fragment = bob.get(news, {"after": "1"}).content.decode()
    assert ("two" in fragment, "one" in fragment, "<html" in fragment) == (True, False, False)
    assert f"{news}?after=2" in fragment
    assert "Spring 1926" not in fragment, "the phase is shown above the message before"
    assert unread(game, BOB) == 0
    Story(game).deadline()
    say(game, ALICE, "three", "FRANCE")
    assert "Fall 1926, movement" in bob.get(news, {"after": "2"}).content.decode()


@pytest.mark.parametrize("place", ["-1", "x", "9" * 40, "²"])
def test_a_strange_place_in_a_thread_is_no_error(place: str) -> None:
    game = running_game()
    say(game, ALICE, "one", "FRANCE")
    assert visitor(BOB).get(thread(game, WITH_BOB), {"before": place}).status_code == OK
    assert visitor(BOB).get(thread(game, WITH_BOB, "messages"), {"after": place}).status_code < 300


def test_a_new_player_is_told_from_when_on_they_can_read() -> None:
    game = running_game()
    say(game, ALICE, "for Bob", "FRANCE")
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username, reason="Agreed.")
    seen = page(DAVE, thread(game, WITH_BOB))
    assert "You took over this seat on" in seen
    assert "for Bob" not in seen


def test_a_game_without_press_says_so_where_others_talk() -> None:
    game = running_game(press="none", hidden_names=True)
    seen = page(ALICE, thread(game))
    assert "No press. Players can’t send any messages until the game is over." in seen
    assert "<textarea" not in seen


def test_no_number_of_the_database_is_in_the_pages() -> None:
    game = running_game()
    for _ in range(3):
        say(game, ALICE, "between us", "FRANCE")
    say(game, ALICE, "to all")
    say(game, ALICE, "to Fritz", "GERMANY")
    assert "?after=1" in page(DAVE, thread(game))
    assert "?after=1" in page(FRITZ, thread(game, "BRITAIN+GERMANY"))


FORM = {
    "name": "Rapallo",
    "variant": "1926",
    "pace": "own",
    "movement_seconds": "86400",
    "retreat_seconds": "43200",
    "adjustment_seconds": "43200",
    "entrance": "open",
    "part": "runs",
    "bids_for_gm": "sees",
    "bids_at_end": "sealed",
}


@pytest.mark.parametrize(
    ("chosen", "press", "hidden"),
    [
        ({}, "full", False),
        ({"talk": "variant"}, "full", False),
        ({"talk": "full", "hidden_names": "on"}, "full", True),
        ({"talk": "public"}, "public", False),
        ({"talk": "gunboat"}, "none", True),
    ],
)
def test_the_kind_of_talk_is_chosen_with_the_game_and_told_to_who_looks_at_it(
    chosen: dict[str, str], press: str, hidden: bool
) -> None:
    answer = visitor(CAROL).post(reverse("games:create"), {**FORM, **chosen})
    assert answer.status_code == SEE_OTHER
    seen = visitor("eve").get(answer["Location"])
    options = seen.context["view"].game.options
    assert (options.press, options.hidden_names) == (press, hidden)
    assert str(options.press_title) in seen.content.decode()


def test_the_phases_without_talk_are_chosen_with_the_game() -> None:
    answer = visitor(CAROL).post(reverse("games:create"), {**FORM, "press_closed": ["A", "R"]})
    assert answer.status_code == SEE_OTHER
    assert Game.objects.get().options[Talk].press_closed == ("A", "R")
    wrong = visitor(CAROL).post(reverse("games:create"), {**FORM, "talk": "gunboat", "press_closed": ["R"]})
    assert "This game has no press, so there are no phases to close it in." in wrong.content.decode()


def test_the_form_of_a_new_game_explains_each_kind_of_talk() -> None:
    seen = page(CAROL, reverse("games:create"))
    for words in (
        "As in the variant’s rules",
        "Full press",
        "Public press (Wilson)",
        "Gunboat: no press, anonymous players",
        "Players can send private messages to one or more powers",
        "which everyone can read",
        "Only a game master who isn’t playing can see the names.",
    ):
        assert words.replace("&#x27;", "'") in seen.replace("&#x27;", "'")


def test_seats_are_hidden_on_the_page_and_the_lobby_names_the_kind_of_game() -> None:
    game = running_game(press="none", hidden_names=True)
    seen = page(DAVE, address("game", game))
    assert seen.count('<span class="soft">anonymous</span>') == len(PLAYERS)
    assert "Gunboat: no press, anonymous players" in page(DAVE, "/games/?show=running")
    own = page(ALICE, address("game", game))
    assert own.count('<span class="soft">anonymous</span>') == len(PLAYERS) - 1


def test_a_playing_game_master_gives_out_no_seats_where_names_are_hidden() -> None:
    hidden, open_game = (
        running_game(name=name, gm_plays=True, hidden_names=name == "Gunboat") for name in ("Gunboat", "Open")
    )
    put = "Assign the seat"
    assert (put in page(CAROL, address("gm", hidden)), put in page(CAROL, address("gm", open_game))) == (False, True)
    form = {"power": "ITALY", "username": person(DAVE).username}
    answer = visitor(CAROL).post(address("gm-seat", hidden), form)
    assert answer.status_code == UNPROCESSABLE
    assert "You can’t see their names or assign seats" in answer.content.decode()
    assert Story(hidden).seen_by(DAVE).my_power is None


def test_the_terms_stand_on_the_page_where_one_sits_down() -> None:
    seen = page(DAVE, address("terms", waiting_game(press="public")))
    assert "Public press (Wilson). Players can send only public messages" in seen
