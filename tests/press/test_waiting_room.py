"""What players say to each other in the waiting room, until the game starts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.http import Http404
from django.urls import reverse

from games.kernel import clock
from games.kernel.cards import game_cards
from games.kernel.models import Game, Joiner
from games.kernel.parts import Wanted
from games.kernel.refusals import BadMessage, NotAllowed, WrongMoment
from games.mastering.services.desk import close_game
from games.people.export import stored_facts_of
from games.people.moderators_page import moderation_view
from games.people.services import block_user
from games.press.models import Message, PressLetter
from games.press.services import report_to_moderators
from games.press.threads import ROOM
from games.seating.services.joining import join_game
from games.seating.services.new_game import leave_before_start, take_seat
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import powers_of, waiting_game
from tests.press.test_press import press_mail, read, refusal, say, talk, texts, thread, unread

if TYPE_CHECKING:
    from games.press.parts import ThreadView

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]
(ADDRESS,) = ROOM


def game_with(*joined: str, **options: Any) -> Game:
    game = waiting_game(seats="random", **options)
    for name in joined:
        join_game(game_id=game.pk, user_id=person(name).pk)
    return game


def started(game: Game) -> Game:
    for name in PLAYERS:
        if not Joiner.objects.filter(game=game, user=person(name)).exists():
            join_game(game_id=game.pk, user_id=person(name).pk)
    game.refresh_from_db()
    return game


def authors(view: ThreadView) -> list[str]:
    return [message.author_name for message in view.messages]


def test_players_with_a_place_and_the_game_master_talk_until_the_game_starts() -> None:
    game = game_with(ALICE, BOB)
    say(game, ALICE, "Hello, all", ADDRESS)
    say(game, CAROL, "Welcome", ADDRESS, as_gm=True)
    for name in (ALICE, BOB, CAROL):
        assert texts(game, name, ADDRESS) == ["Hello, all", "Welcome"]
        assert authors(thread(game, name, ADDRESS)) == [person(ALICE).username, "Game master"]
    started(game)
    for name in (ALICE, FRITZ, CAROL):
        shown = thread(game, name, ADDRESS)
        assert ([message.text for message in shown.messages], shown.voices) == (["Hello, all", "Welcome"], ())
        assert shown.silence == "Players can write here only until the game starts."
    with pytest.raises(WrongMoment):
        say(game, ALICE, "Too late", ADDRESS)
    with pytest.raises(WrongMoment):
        say(game, CAROL, "Too late", ADDRESS, as_gm=True)


def test_a_block_does_not_tell_who_wrote_where_names_have_come_to_be_hidden() -> None:
    game = game_with(ALICE, FRITZ, BOB, press="full")
    for name in (ALICE, FRITZ):
        say(game, name, f"I am {name}", ADDRESS)
    Game.objects.filter(pk=game.pk).update(stored_options={**game.stored_options, "hidden_names": True})
    game = Game.objects.get(pk=game.pk)
    before = texts(game, BOB, ADDRESS), unread(game, BOB)
    block_user(by=person(BOB).pk, username=person(ALICE).username)
    assert (texts(game, BOB, ADDRESS), unread(game, BOB)) == before == ([f"I am {ALICE}", f"I am {FRITZ}"], 2)


def test_who_waits_is_told_what_the_game_master_says_to_everyone() -> None:
    game = game_with(ALICE)
    say(game, CAROL, "News for all", as_gm=True)
    assert unread(game, ALICE) == 1


def test_a_letter_follows_new_words_after_all_that_can_be_heard_was_read() -> None:
    game = game_with(ALICE, BOB, FRITZ, press="full")
    block_user(by=person(BOB).pk, username=person(ALICE).username)
    say(game, FRITZ, "One", ADDRESS)
    PressLetter.objects.update(sent=clock.now())
    say(game, ALICE, "Not for Bob", ADDRESS)
    visitor(BOB).get(address("thread", game, address=ADDRESS))
    say(game, FRITZ, "Two", ADDRESS)
    assert PressLetter.objects.filter(user=person(BOB), sent=None).count() == 1


def test_who_joins_later_reads_what_was_said_and_who_leaves_reads_no_more() -> None:
    game = game_with(ALICE)
    say(game, ALICE, "Anyone here?", ADDRESS)
    join_game(game_id=game.pk, user_id=person(BOB).pk)
    assert (texts(game, BOB, ADDRESS), unread(game, BOB)) == (["Anyone here?"], 1)
    leave_before_start(game_id=game.pk, user_id=person(ALICE).pk)
    assert texts(game, BOB, ADDRESS) == ["Anyone here?"]
    for name in (ALICE, DAVE):
        with pytest.raises(Http404):
            thread(game, name, ADDRESS)
        assert [head.title for head in talk(game, name).threads] == ["Everyone"]
        with pytest.raises(NotAllowed):
            say(game, name, "Hello", ADDRESS)


def test_where_powers_are_chosen_players_talk_by_their_names_too() -> None:
    game = waiting_game(seats="choice")
    take_seat(game_id=game.pk, user_id=person(ALICE).pk, power=powers_of(game)[0])
    say(game, ALICE, "Hello", ADDRESS)
    (message,) = thread(game, ALICE, ADDRESS).messages
    assert (message.author, message.author_name, message.mine) == (None, person(ALICE).username, True)


def test_in_an_anonymous_game_nothing_ever_shows_who_wrote() -> None:
    game = game_with(ALICE, BOB, hidden_names=True, press="full")
    say(game, ALICE, "First", ADDRESS)
    say(game, BOB, "Second", ADDRESS)
    for hidden in (True, False):
        game.stored_options["hidden_names"] = hidden
        game.save(update_fields=["stored_options"])
        for name in (ALICE, BOB, CAROL):
            shown = thread(game, name, ADDRESS).messages
            assert {(one.author, one.author_name) for one in shown} == {(None, "A player")}
            assert [one.mine for one in shown] == [name == ALICE, name == BOB]


def test_names_written_under_earlier_terms_are_hidden_as_soon_as_the_terms_hide_names() -> None:
    game = game_with(ALICE, press="full")
    say(game, ALICE, "Hello", ADDRESS)
    report_to_moderators(what=Message.objects.get(), user_id=person(CAROL).pk, reason="Rude.")
    game.stored_options["hidden_names"] = True
    game.save(update_fields=["stored_options"])
    join_game(game_id=game.pk, user_id=person(BOB).pk)
    for name in (BOB, CAROL):
        assert authors(thread(game, name, ADDRESS)) == ["A player"]
    assert thread(game, ALICE, ADDRESS).messages[0].mine
    assert moderation_view().reports[0].writer == ""
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert moderation_view().reports[0].writer == person(ALICE).username


def test_every_reader_has_one_letter_until_they_have_read_and_none_after_the_start() -> None:
    game = game_with(ALICE, BOB)
    say(game, ALICE, "Hello", ADDRESS)
    say(game, ALICE, "Anyone?", ADDRESS)
    assert [unread(game, name) for name in (ALICE, BOB, CAROL)] == [0, 2, 2]
    letters = press_mail()
    assert {letter.to[0] for letter in letters} == {person(BOB).email, person(CAROL).email}
    assert {letter.subject for letter in letters} == {"Locarno: a message from a player"}
    assert "A player has sent a message in the waiting room." in letters[0].body
    read(game, BOB, ADDRESS)
    assert unread(game, BOB) == 0
    say(game, ALICE, "Still here", ADDRESS)
    started(game)
    assert [unread(game, name) for name in (BOB, CAROL)] == [0, 0]
    assert press_mail() == []


NO_PRESS = "This game has no press, so players can’t talk to each other before the start either."
CHOSEN = (
    "Players are anonymous and choose their powers. When someone writes could show who plays which power, so they "
    "can’t talk to each other before the start."
)


@pytest.mark.parametrize(
    ("terms", "silence"),
    [
        ({"press": "none"}, NO_PRESS),
        ({"press": "none", "hidden_names": True, "seats": "choice"}, NO_PRESS),
        ({"press": "full", "hidden_names": True, "seats": "choice"}, CHOSEN),
    ],
)
def test_without_press_or_where_it_could_show_who_has_which_power_there_is_no_room(
    terms: dict[str, Any], silence: str
) -> None:
    game = waiting_game(**{"seats": "random", **terms})
    enter = take_seat if terms.get("seats") == "choice" else join_game
    enter(game_id=game.pk, user_id=person(ALICE).pk)
    assert refusal(game, ALICE, ADDRESS) == refusal(game, CAROL, ADDRESS, as_gm=True) == silence
    assert thread(game, ALICE, ADDRESS).silence == silence
    assert ADDRESS not in {head.address for head in talk(game, ALICE).threads}
    assert silence in visitor(ALICE).get(address("game", game)).content.decode()


def test_those_with_a_place_but_no_power_are_told_that_there_is_something_new() -> None:
    game = game_with(ALICE, BOB)
    say(game, ALICE, "Hello", ADDRESS)
    fragment = reverse("games:unread", kwargs={"slug": game.slug})
    badge = '<span class="unread">1<span'
    assert badge in visitor(BOB).get(fragment).content.decode()
    assert visitor(DAVE).get(fragment).status_code == 404
    page = visitor(BOB).get(address("game", game)).content.decode()
    assert fragment in page
    assert badge in page
    (card,) = game_cards(Game.objects.all(), user_id=person(BOB).pk)
    assert (card.unread, card.wants) == (1, Wanted.MESSAGES)
    assert talk(game, BOB).game.unread == 1


def test_those_who_had_joined_read_and_report_what_was_said_in_a_game_that_never_started() -> None:
    game = game_with(ALICE, BOB)
    say(game, ALICE, "Rude words", ADDRESS)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert texts(game, BOB, ADDRESS) == ["Rude words"]
    path = reverse("games:message", kwargs={"slug": game.slug, "address": ADDRESS, "place": 1})
    assert visitor(BOB).get(path).status_code == 200
    assert visitor(FRITZ).get(path).status_code == 404
    assert refusal(game, BOB, ADDRESS) == "Players can write here only until the game starts."


def test_who_has_blocked_someone_does_not_read_what_they_said_before_either() -> None:
    game = game_with(ALICE)
    say(game, ALICE, "Early", ADDRESS)
    say(game, CAROL, "Welcome", ADDRESS, as_gm=True)
    block_user(by=person(BOB).pk, username=person(ALICE).username)
    join_game(game_id=game.pk, user_id=person(BOB).pk)
    say(game, ALICE, "Late", ADDRESS)
    assert (texts(game, BOB, ADDRESS), unread(game, BOB)) == (["Welcome"], 1)
    assert texts(game, ALICE, ADDRESS) == ["Early", "Welcome", "Late"]


def test_earlier_messages_are_found_from_the_page_of_the_game_too() -> None:
    game = game_with(ALICE, BOB)
    say(game, ALICE, "Hello", ADDRESS)
    one = Message.objects.get()
    later = (Message(thread=one.thread, number=n, power=one.power, sent=one.sent, text="Hello") for n in range(2, 103))
    Message.objects.bulk_create(later)
    path = address("thread", game, address=ADDRESS)
    assert f'href="{path}?before=3"' in visitor(BOB).get(path).content.decode()


def test_it_is_for_no_other_conversation() -> None:
    game = game_with(ALICE)
    for to in ((ADDRESS, "FRANCE"), (ADDRESS, ""), (f"?{person(ALICE).pk}",)):
        with pytest.raises((BadMessage, NotAllowed)):
            say(game, ALICE, "Hello", *to)


def test_it_is_exported_and_reported_but_no_moderator_learns_who_wrote_in_an_anonymous_game() -> None:
    game = game_with(ALICE, BOB, hidden_names=True, press="full")
    say(game, ALICE, "Rude words", ADDRESS)
    (said,) = stored_facts_of(person(ALICE).pk)["messages"]
    assert (said["as"], said["to"], said["text"]) == ("player without a seat", [ADDRESS], "Rude words")
    assert stored_facts_of(person(BOB).pk)["messages"] == []
    report_to_moderators(what=Message.objects.get(), user_id=person(BOB).pk, reason="Rude.")
    (told,) = moderation_view().reports
    assert (told.power, told.writer, told.text) == ("A player without a seat", "", "Rude words")
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert moderation_view().reports[0].writer == ""


def test_the_page_of_the_game_has_it_for_those_inside_only() -> None:
    game = game_with(ALICE)
    path = address("thread", game, address=ADDRESS)
    for name, inside in ((ALICE, True), (CAROL, True), (BOB, False)):
        assert (path in visitor(name).get(address("game", game)).content.decode()) is inside
        assert visitor(name).get(path).status_code == (200 if inside else 404)
    assert visitor(ALICE).post(path, {"text": "Hello", "voice": "power"}).status_code == 303
    page = visitor(CAROL).get(path).content.decode()
    assert "Hello" in page
    assert "Only players who have a place in this game and those who run it can read this." in page
