"""Searching messages: only those the reader may read, with the words found marked."""

from __future__ import annotations

import pytest

from games.kernel.access import access_game
from games.mastering.services.desk import seat_player
from games.press.queries import search_view
from games.press.talk import FOUND_ON_A_PAGE
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game
from tests.press.test_press import say

pytestmark = pytest.mark.django_db

ALICE, BOB, FRITZ = PLAYERS[:3]


def test_words_are_found_only_in_what_one_may_read() -> None:
    game = running_game()
    say(game, ALICE, "Zygmunt goes to Burgundy", "FRANCE")
    say(game, ALICE, "Nobody knows ZYGMUNT here")
    path = address("search", game)
    found = {
        name: visitor(name).get(path, {"q": "zygmunt"}).context["result"].total
        for name in (ALICE, BOB, FRITZ, CAROL, DAVE)
    }
    assert found == {ALICE: 2, BOB: 2, FRITZ: 1, CAROL: 1, DAVE: 1}
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="FRANCE", username=person(DAVE).username, reason="Agreed.")
    assert visitor(DAVE).get(path, {"q": "zygmunt"}).context["result"].total == 1


def test_what_was_found_is_marked_escaped_and_leads_to_its_place() -> None:
    game = running_game()
    say(game, ALICE, "x" * 300 + " <b> 50% of Kiel", "FRANCE")
    bob = visitor(BOB)
    body = bob.get(address("search", game), {"q": "50% OF"}).content.decode()
    assert ("<mark>50% of</mark>" in body, "&lt;b&gt;" in body, "… " in body) == (True, True, True)
    assert "BRITAIN+FRANCE/?before=11" in body
    nothing = bob.get(address("search", game), {"q": "5_%"}).content.decode()
    assert "No messages found." in nothing


@pytest.mark.parametrize(("page", "shown"), [(1, FOUND_ON_A_PAGE), (2, 3), (99, 3), (0, FOUND_ON_A_PAGE)])
def test_many_are_shown_by_pages_newest_first(page: int, shown: int) -> None:
    game = running_game()
    for number in range(FOUND_ON_A_PAGE + 3):
        say(game, ALICE, f"Word {number}")
    result = search_view(access_game(user=person(BOB), slug=game.slug), "word", page)
    assert (len(result.found), result.total, result.has_more) == (shown, 23, shown > 3)
    newest = FOUND_ON_A_PAGE + 2 if shown > 3 else 2
    assert result.found[0].message.text == f"Word {newest}"
