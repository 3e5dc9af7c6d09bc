"""A player's own notes: saved, kept, and read by nobody else."""

from __future__ import annotations

import pytest

from games.mastering.services.desk import close_game, seat_player
from games.people.export import stored_facts_of
from games.press.models import LONGEST_NOTES, Notebook
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.press.test_press import say

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]


def test_notes_are_saved_and_stay_after_the_end() -> None:
    game = running_game()
    alice, path = visitor(ALICE), address("notebook", game)
    assert alice.post(path, {"text": "Italy lies <b>\n", "version": "0"}).status_code == 303
    fragment = alice.post(path, {"text": "Italy lies\n", "version": "1"}, headers={"HX-Request": "true"})
    body = fragment.content.decode()
    assert ("Saved." in body, 'name="version" value="2"' in body, "<html" in body) == (True, True, False)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    assert "Italy lies\n</textarea>" in alice.get(path).content.decode()


def test_notes_are_for_one_player_and_never_for_who_sits_there_next() -> None:
    game = running_game()
    path = address("notebook", game)
    visitor(BOB).post(path, {"text": "Trust nobody", "version": "0"})
    for name in (CAROL, DAVE):
        assert visitor(name).get(path).status_code == 404
    assert "Trust nobody" not in visitor(ALICE).get(path).content.decode()
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username, reason="Agreed.")
    dave = visitor(DAVE)
    assert "Trust nobody" not in dave.get(path).content.decode()
    dave.post(path, {"text": "Mine", "version": "0"})
    assert {notes.text for notes in Notebook.objects.all()} == {"Trust nobody", "Mine"}
    assert visitor(BOB).get(path).status_code == 404


def test_notes_and_what_else_is_kept_of_the_talk_can_be_taken_along() -> None:
    game = running_game()
    alice = visitor(ALICE)
    say(game, BOB, "Noise", "BRITAIN")
    alice.post(address("notebook", game), {"text": "Italy lies", "version": "0"})
    alice.post(address("mute", game, address="BRITAIN+FRANCE"), {"power": "FRANCE", "muted": "1"})
    alice.post(address("message", game, address="BRITAIN+FRANCE", place=1), {"reason": "Too loud"})
    close_game(game_id=game.pk, by=person(CAROL).pk)
    alice.post(address("gallery", game), {"text": "Well played"})
    papers = stored_facts_of(person(ALICE).pk)
    assert [row["text"] for row in papers["notes"] + papers["remarks_after_the_end"]] == ["Italy lies", "Well played"]
    assert [row["power"] for row in papers["muted_powers"]] == ["FRANCE"]
    assert [(row["text"], row["reason"]) for row in papers["reported_messages"]] == [("Noise", "Too loud")]
    assert not any(stored_facts_of(person(BOB).pk)[name] for name in ("notes", "muted_powers", "reported_messages"))


def test_notes_changed_elsewhere_are_not_overwritten_unasked_and_nothing_typed_is_lost() -> None:
    game = running_game()
    alice, path = visitor(ALICE), address("notebook", game)
    alice.post(path, {"text": "one", "version": "0"})
    refused = alice.post(path, {"text": "two", "version": "0"})
    body = refused.content.decode()
    assert refused.status_code == 409
    assert ("changed on another page" in body, ">two</textarea>" in body, ">one</textarea>" in body) == (True,) * 3
    alice.post(path, {"text": "two", "version": "0", "anyway": "1"})
    assert Notebook.objects.get().text == "two"
    long = alice.post(path, {"text": "x" * (LONGEST_NOTES + 1), "version": "2"})
    assert (long.status_code, "your notes have 20001 characters" in long.content.decode()) == (422, True)
