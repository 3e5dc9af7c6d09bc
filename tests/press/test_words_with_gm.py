"""The private word of a game master who does not play with each player."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.http import Http404

from games.kernel import clock
from games.kernel.access import access_game
from games.kernel.game_options import GameOptions
from games.kernel.models import Game, Handover, Sitting
from games.kernel.refusals import BadMessage, NotAllowed, WrongMoment
from games.mastering.services.assistants import answer_assistance, answer_handover, name_assistant, offer_handover
from games.mastering.services.desk import close_game, empty_seat, seat_player
from games.people.export import stored_facts_of
from games.people.services import block_user
from games.press.models import PressLetter, Thread
from games.press.options import GmWords, Talk
from games.press.queries import message_view, search_view
from games.press.services import send_message
from games.seating.services.joining import ask_to_join, join_game
from games.seating.services.vacancies import answer_invitation, invite_to_seat
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, running_game, waiting_game
from tests.press.test_press import press_mail, read, talk, texts, thread, unread
from variants.registry import find

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]
"""Britain, France and Germany."""
GM = ""
WITH_BOB = "gm+FRANCE"


def to_gm(game: Game, name: str = BOB, text: str = "May I ask?") -> None:
    send_message(game_id=game.pk, user_id=person(name).pk, text=text, to=(GM,))


def to_player(game: Game, text: str = "You may.", power: str = "FRANCE", by: str = CAROL) -> None:
    send_message(game_id=game.pk, user_id=person(by).pk, text=text, to=(power,), as_gm=True)


@pytest.mark.parametrize(
    "options", [{}, {"press": "none"}, {"press": "public"}, {"press": "none", "hidden_names": True}]
)
def test_a_player_and_the_game_master_write_to_each_other_in_every_press_setting(options: dict[str, Any]) -> None:
    game = running_game(**options)
    to_gm(game)
    to_player(game)
    assert texts(game, BOB, GM, "FRANCE") == texts(game, CAROL, GM, "FRANCE") == ["May I ask?", "You may."]
    assert Thread.objects.get().powers == [GM, "FRANCE"]
    for name in (ALICE, DAVE):
        with pytest.raises(Http404):
            talk(game, name, GM, "FRANCE")
        assert WITH_BOB not in {head.address for head in talk(game, name).threads}
    close_game(game_id=game.pk, by=person(CAROL).pk)
    to_gm(game, text="Thank you")
    assert texts(game, CAROL, GM, "FRANCE")[-1] == "Thank you"


def test_also_while_the_talk_of_players_is_closed() -> None:
    game = running_game(press_closed=("R", "A"), press="full")
    phase = game.phases.get()
    phase.turn = "S1926R"
    phase.save(update_fields=["turn"])
    with pytest.raises(WrongMoment):
        send_message(game_id=game.pk, user_id=person(BOB).pk, text="Psst", to=("BRITAIN",))
    to_gm(game)
    to_player(game)
    assert len(texts(game, BOB, GM, "FRANCE")) == 2


def test_each_player_has_the_game_master_in_the_list_and_the_game_master_every_power() -> None:
    game = running_game(press="none")
    assert [head.title for head in talk(game, BOB).threads] == ["Everyone", "Game master"]
    titles = [head.title for head in talk(game, CAROL).threads]
    assert (titles[0], len(titles), "Bob" in " ".join(titles)) == ("Everyone", 1 + len(PLAYERS), False)
    to_gm(game)
    assert [head.title for head in talk(game, CAROL).threads][:2] == ["Everyone", "France"]
    assert [head.title for head in talk(game, DAVE).threads] == ["Everyone"]


def test_it_is_unread_told_by_email_searched_exported_and_reported_like_every_private_message() -> None:
    game = running_game(name="Locarno")
    to_gm(game, text="A sealed question")
    assert [unread(game, name) for name in (CAROL, BOB, ALICE)] == [1, 0, 0]
    (letter,) = press_mail()
    assert (letter.to, letter.subject) == ([person(CAROL).email], "Locarno: a message from France")
    assert "France has sent you a private message." in letter.body
    assert "sealed" not in letter.body
    assert f"/talk/{WITH_BOB}/" in letter.body
    read(game, CAROL, GM, "FRANCE")
    assert unread(game, CAROL) == 0
    to_player(game, "A sealed answer")
    assert [unread(game, name) for name in (CAROL, BOB, ALICE)] == [0, 1, 0]
    (letter,) = press_mail()
    assert (letter.to, letter.subject) == ([person(BOB).email], "Locarno: a message from the game master")
    found = {
        name: search_view(access_game(user=person(name), slug=game.slug), "sealed", 1) for name in (BOB, CAROL, ALICE)
    }
    assert [result.total for result in found.values()] == [2, 2, 0]
    assert {hit.title for hit in found[BOB].found} == {"Game master"}
    assert {hit.title for hit in found[CAROL].found} == {"France"}
    (said,) = stored_facts_of(person(BOB).pk)["messages"]
    assert said["to"] == ["game master", "FRANCE"]
    assert message_view(access_game(user=person(BOB), slug=game.slug), WITH_BOB, 2)[1].text == "A sealed answer"


def test_a_new_player_and_a_new_game_master_see_only_what_was_written_since() -> None:
    game = running_game()
    to_gm(game)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username, reason="Agreed.")
    assert texts(game, DAVE, GM, "FRANCE") == []
    to_player(game, "Welcome")
    assert texts(game, DAVE, GM, "FRANCE") == ["Welcome"]
    assert (texts(game, CAROL, GM, "FRANCE"), unread(game, DAVE)) == (["May I ask?", "Welcome"], 1)
    with pytest.raises(Http404):
        talk(game, BOB, GM, "FRANCE")
    to_gm(game, DAVE, "Unread by Carol")
    offer_handover(game_id=game.pk, by=person(CAROL).pk, username=person(BOB).username)
    answer_handover(game_id=game.pk, user_id=person(BOB).pk, accept=True)
    game.refresh_from_db()
    assert (texts(game, BOB, GM, "FRANCE"), unread(game, BOB)) == ([], 0)
    to_gm(game, DAVE, "Hello, new one")
    assert (texts(game, BOB, GM, "FRANCE"), unread(game, BOB)) == (["Hello, new one"], 1)
    assert press_mail()[-1].to == [person(BOB).email]
    with pytest.raises(Http404):
        talk(game, CAROL, GM, "FRANCE")
    with pytest.raises(NotAllowed):
        to_player(game)
    assert Handover.objects.filter(accepted=True).exists()


def test_a_sitter_who_may_talk_talks_to_the_game_master_too_and_another_does_not() -> None:
    game = running_game(press="none")
    days = {"begins": clock.now() - timedelta(hours=1), "ends": clock.now() + timedelta(days=1)}
    sitting = Sitting.objects.create(occupancy=occupancy_of(game, "FRANCE"), sitter=person(DAVE), accepted=True, **days)
    with pytest.raises(NotAllowed):
        to_gm(game, DAVE)
    sitting.talks = True
    sitting.save()
    to_player(game)
    assert unread(game, DAVE) == 1
    to_gm(game, DAVE, "Bob is away")
    assert texts(game, CAROL, GM, "FRANCE") == ["You may.", "Bob is away"]


def test_an_assistant_for_messages_reads_and_answers_from_then_on_and_another_does_not() -> None:
    game = running_game()
    to_gm(game, text="Before them")
    for name, right in (("ada", "talk"), ("ted", "clock")):
        name_assistant(game_id=game.pk, by=person(CAROL).pk, username=person(name).username, rights=[right])
        answer_assistance(game_id=game.pk, user_id=person(name).pk, accept=True)
    game.refresh_from_db()
    to_gm(game, text="Since")
    assert {name: unread(game, name) for name in (CAROL, "ada", "ted")} == {CAROL: 2, "ada": 1, "ted": 0}
    assert texts(game, "ada", GM, "FRANCE") == ["Since"]
    with pytest.raises(Http404):
        talk(game, "ted", GM, "FRANCE")
    with pytest.raises(NotAllowed):
        to_player(game, by="ted")
    assert {to for letter in press_mail() for to in letter.to} == {person(CAROL).email, person("ada").email}
    to_player(game, "From Ada", by="ada")
    assert texts(game, BOB, GM, "FRANCE") == ["Before them", "Since", "From Ada"]
    assert (unread(game, CAROL), unread(game, "ada"), unread(game, BOB)) == (3, 1, 1)


def alone(game: Game, name: str) -> str:
    """This person in a conversation with the game master, without a seat."""
    return f"@{person(name).pk}"


@pytest.mark.parametrize("way", ["asked to join", "joined", "invited"])
def test_players_write_to_the_game_master_while_they_wait_for_a_seat_and_read_it_afterwards(way: str) -> None:
    if way == "invited":
        game = running_game(press="none")
        empty_seat(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", reason="Gone")
        invite_to_seat(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username)
    else:
        game = waiting_game(press="none", approval=way != "joined", seats="preferences")
        (join_game if way == "joined" else ask_to_join)(game_id=game.pk, user_id=person(DAVE).pk)
    me = alone(game, DAVE)
    assert [head.title for head in talk(game, DAVE).threads] == ["Everyone", "Game master"]
    send_message(game_id=game.pk, user_id=person(DAVE).pk, text="How long is a phase?", to=(GM, me))
    send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Two days", to=(me,), as_gm=True)
    for name in (DAVE, CAROL):
        shown = thread(game, name, GM, me)
        assert [(said.author_name, said.text) for said in shown.messages] == [
            (DAVE, "How long is a phase?"),
            ("Game master", "Two days"),
        ]
    assert (unread(game, CAROL), thread(game, DAVE, GM, me).head.unread) == (1, 1)
    assert "dave" in [head.title for head in talk(game, CAROL).threads]
    told = {to: letter.body for letter in press_mail() for to in letter.to}
    assert "A player without a seat has sent you a private message." in told[person(CAROL).email]
    assert "The game master has sent you a private message." in told[person(DAVE).email]
    read(game, DAVE, GM, me)
    assert thread(game, DAVE, GM, me).head.unread == 0
    with pytest.raises(Http404):
        talk(game, BOB, GM, me)
    said = [message["as"] for message in stored_facts_of(person(DAVE).pk)["messages"]]
    assert said == ["player without a seat"]
    page = visitor(DAVE).get(address("thread", game, address=f"gm+{me}")).content.decode()
    assert 'placeholder="Write to Game master, as dave"' in page
    if way == "invited":
        answer_invitation(game_id=game.pk, user_id=person(DAVE).pk, accept=True)
        assert "have none" in thread(game, DAVE, GM, me).silence
        assert [said.text for said in thread(game, DAVE, GM, me).messages][-1] == "Two days"
        assert texts(game, DAVE, GM, "FRANCE") == []


def test_no_one_else_without_a_seat_writes_to_the_game_master_and_a_block_does_not_show() -> None:
    game = waiting_game(approval=True)
    with pytest.raises(WrongMoment, match="asked for a seat"):
        send_message(game_id=game.pk, user_id=person(DAVE).pk, text="Hello", to=(GM, alone(game, DAVE)))
    assert [head.title for head in talk(game, DAVE).threads] == ["Everyone"]
    with pytest.raises(WrongMoment):
        send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Hello", to=(alone(game, DAVE),), as_gm=True)
    with pytest.raises(Http404):
        talk(game, CAROL, GM, alone(game, DAVE))
    ask_to_join(game_id=game.pk, user_id=person(DAVE).pk)
    block_user(by=person(CAROL).pk, username=person(DAVE).username)
    send_message(game_id=game.pk, user_id=person(DAVE).pk, text="Hello", to=(GM, alone(game, DAVE)))
    assert [head.title for head in talk(game, DAVE).threads] == ["Everyone", "Game master"]
    assert (unread(game, CAROL), press_mail()) == (0, [])


def test_it_has_two_sides_only_and_neither_writes_in_another_name() -> None:
    game = running_game()
    with pytest.raises(BadMessage, match="can’t go to others as well"):
        send_message(game_id=game.pk, user_id=person(BOB).pk, text="Both", to=(GM, "BRITAIN"))
    with pytest.raises(BadMessage, match="can’t go to others as well"):
        send_message(game_id=game.pk, user_id=person(CAROL).pk, text="Both", to=("FRANCE", "BRITAIN"), as_gm=True)
    with pytest.raises(NotAllowed):
        to_player(game, by=ALICE)
    with pytest.raises(NotAllowed):
        to_gm(game, DAVE)
    for wrong in ("gm", "+FRANCE", "FRANCE+gm", "gm+gm", "gm+BRITAIN+FRANCE", "gm+ATLANTIS"):
        assert visitor(CAROL).get(address("thread", game, address=wrong)).status_code == 404
    assert not Thread.objects.exists()


@pytest.mark.parametrize("how", ["chosen", "playing", "older"])
def test_where_it_is_not_allowed_there_is_no_such_conversation(how: str) -> None:
    options: dict[str, Any] = {"chosen": {"gm_in_private": False}, "playing": {"gm_plays": True}, "older": {}}[how]
    game = running_game(**options)
    if how == "older":
        del game.stored_options["gm_in_private"]
        game.save(update_fields=["stored_options"])
        game = Game.objects.get(pk=game.pk)
    assert not game.options[GmWords].allowed
    for name in (BOB, CAROL):
        with pytest.raises(Http404):
            talk(game, name, GM, "FRANCE")
        assert "gm" not in "".join(head.address for head in talk(game, name).threads)
    for says in (to_gm, to_player):
        with pytest.raises(WrongMoment, match="can’t write to each other privately"):
            says(game)


def test_what_was_written_before_the_players_agreed_on_other_terms_stays_readable() -> None:
    game = running_game()
    to_gm(game)
    game.stored_options["gm_in_private"] = False
    game.save(update_fields=["stored_options"])
    game = Game.objects.get(pk=game.pk)
    assert texts(game, BOB, GM, "FRANCE") == texts(game, CAROL, GM, "FRANCE") == ["May I ask?"]
    assert "gm+BRITAIN" not in {head.address for head in talk(game, CAROL).threads}
    assert thread(game, BOB, GM, "FRANCE").silence.startswith("In this game, the game master and the players can’t")
    with pytest.raises(Http404):
        talk(game, ALICE, GM, "BRITAIN")


def test_the_terms_say_so_and_new_games_allow_it_unless_their_creator_says_otherwise() -> None:
    def told(**options: Any) -> list[str]:
        found = GameOptions.create(find("1926"), **options).terms()
        return [term.sentence for term in found if term.title == GmWords.title]

    (yes,), (no,) = told(), told(gm_in_private=False)
    assert yes.startswith("The game master and each player can write to each other privately")
    assert no == "The game master and the players can’t write to each other privately."
    assert told(gm_plays=True) == [no]
    assert Talk.title != GmWords.title


def test_the_pages_of_both_sides_have_the_conversation_and_a_form() -> None:
    game = running_game(press="none")
    bob, carol = visitor(BOB), visitor(CAROL)
    page = bob.get(address("talk", game)).content.decode()
    assert "Choose a conversation from the list." in page
    assert 'name="power"' not in page
    path = address("thread", game, address=WITH_BOB)
    assert path in page
    assert "Private: only the player and the game master" in bob.get(path).content.decode()
    assert bob.post(path, {"text": "By the page"}).status_code == 303
    page = carol.get(path).content.decode()
    assert "By the page" in page
    assert 'placeholder="Write to France, as Game master"' in page
    assert carol.post(path, {"text": "By the page, too"}).status_code == 303
    assert PressLetter.objects.count() == 1, "what Carol read was told to her no more"
    assert "Write to one player privately" in carol.get(address("gm", game)).content.decode()
