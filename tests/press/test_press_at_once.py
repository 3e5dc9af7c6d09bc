"""Many people write in one thread at the same moment, on a real server: every message gets its own place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from games.kernel.access import access_game
from games.kernel.refusals import NotAllowed
from games.mastering.services.desk import seat_player
from games.press.models import Bookmark, Message, PressLetter, Thread
from games.press.queries import reader_of
from games.press.services import mark_read, send_message
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.kernel.test_concurrency import at_once

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db(transaction=True)


def saying(game: Game, name: str, *to: str) -> Callable[[], object]:
    user_id = person(name).pk
    return lambda: send_message(game_id=game.pk, user_id=user_id, text="Hello", to=to)


def test_messages_sent_at_once_stand_one_behind_the_other_in_one_thread() -> None:
    game = running_game()
    at_once(*(saying(game, name) for name in PLAYERS))
    assert Thread.objects.count() == 1
    assert sorted(Message.objects.values_list("number", flat=True)) == list(range(1, 8))
    assert PressLetter.objects.count() == len(PLAYERS) + 1, "one for each player and the game master"


def test_two_clicks_at_once_send_one_message() -> None:
    game = running_game()
    user_id = person("alice").pk
    at_once(*[lambda: send_message(game_id=game.pk, user_id=user_id, text="Hello", to=["FRANCE"], key="k" * 64)] * 3)
    assert Message.objects.count() == 1


def test_reading_and_writing_at_once_leave_a_letter_for_what_is_unread() -> None:
    game = running_game()
    saying(game, "alice", "FRANCE")()
    reader = reader_of(access_game(user=person("bob"), slug=game.slug))
    powers = ("BRITAIN", "FRANCE")
    at_once(saying(game, "alice", "FRANCE"), lambda: mark_read(game_id=game.pk, reader=reader, powers=powers, last=1))
    assert Bookmark.objects.get().number == 1
    assert PressLetter.objects.get().user == person("bob")


def test_who_is_replaced_while_writing_is_counted_or_refused() -> None:
    game = running_game()
    carol, dave = person(CAROL).pk, person(DAVE).username
    said, _seated = at_once(
        saying(game, "alice", "FRANCE"),
        lambda: seat_player(game_id=game.pk, by=carol, power="BRITAIN", username=dave, reason="Agreed."),
    )
    assert isinstance(said, NotAllowed) is not Message.objects.exists()
