"""Messages through the API: the same conversations, the same refusals."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.press.models import Message
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS
from tests.factories import running_game
from tests.press.test_press import say, unread

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]


def at(game: Game, address: str = "BRITAIN+FRANCE") -> str:
    return reverse("api:thread", kwargs={"slug": game.slug, "address": address})


def sent(name: str, path: str, **message: Any) -> Any:
    return visitor(name).post(path, message, content_type="application/json")


def test_threads_are_listed_read_and_written_to() -> None:
    game = running_game()
    answer = sent(ALICE, at(game), text="Channel?", key="k" * 64)
    assert sent(ALICE, at(game), text="Channel?", key="k" * 64).status_code == answer.status_code == 201
    assert [message["text"] for message in answer.json()["results"]] == ["Channel?"]
    heads = visitor(BOB).get(reverse("api:talk", kwargs={"slug": game.slug})).json()["threads"]
    assert {head["address"]: head["unread"] for head in heads if head["unread"]} == {"BRITAIN+FRANCE": 1}
    assert visitor(BOB).get(at(game)).json()["results"][0]["author_name"] == "Britain"
    assert unread(game, BOB) == 1
    assert sent(CAROL, at(game, "everybody"), text="A notice", as_gm=True).status_code == 201


def test_what_one_may_not_read_is_not_there_and_refusals_say_why() -> None:
    game = running_game(press="public")
    private = running_game(name="Rapallo")
    say(private, ALICE, "Hush", "FRANCE")
    for name in (FRITZ, CAROL, DAVE):
        assert visitor(name).get(at(private)).status_code == sent(name, at(private), text="Boo").status_code == 404
    assert sent(ALICE, at(game), text="Hush").status_code == 404
    empty = sent(ALICE, at(game, "everybody"), text=" ")
    long = sent(ALICE, at(game, "everybody"), text="x" * 4001)
    assert (empty.status_code, long.status_code) == (400, 400)
    assert "the limit is 4000" in long.json()["detail"]
    assert Message.objects.count() == 1


@pytest.mark.parametrize("asked", ["before=", "after=", "before=x", "after=-1"])
def test_a_place_is_a_number(asked: str) -> None:
    assert visitor(None).get(f"{at(running_game(), 'everybody')}?{asked}").status_code == 400


def test_a_long_conversation_goes_on_by_its_pages_while_it_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.press.talk.MOST_MESSAGES", 2)
    game = running_game()
    for number in range(5):
        say(game, (ALICE, BOB)[number % 2], f"Message {number}", ("FRANCE", "BRITAIN")[number % 2])
    address, read, page = at(game), list[str](), dict[str, Any]()
    while address:
        page = visitor(BOB).get(address).json()
        read = [message["text"] for message in page["results"]] + read
        address = page["next"]
        say(game, ALICE, "One more", "FRANCE")
    assert read == [f"Message {number}" for number in range(5)]
    assert page["head"]["address"] == "BRITAIN+FRANCE"
    newer = visitor(BOB).get(page["previous"]).json()
    assert [message["place"] for message in newer["results"]] == [2, 3]
