"""What has changed since a mark, in one call, and the games whose events a program hears."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games.kernel.live_tickets import PUBLIC, channel_of_user, channels_of_ticket
from games.mastering.services.desk import close_game, pause_game
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.listening import current_version
from tests.press.test_press import say
from tests.story import Story

if TYPE_CHECKING:
    from django.test import Client

pytestmark = pytest.mark.django_db
ALICE, BOB = PLAYERS[:2]


def changes(client: Client, mark: str = "", **asked: str) -> tuple[str, dict[str, Any]]:
    """The next mark, and what has changed by the slug of the game."""
    answer = client.get(reverse("api:changes"), {"since": mark, **asked}).json()
    return answer["mark"], {game["slug"]: game for game in answer["changed"]}


def test_everything_is_new_at_first_and_nothing_with_the_mark() -> None:
    game, other = running_game(), running_game()
    alice = visitor(ALICE)
    mark, new = changes(alice)
    assert new.keys() == {game.slug, other.slug}
    told = new[game.slug]
    assert (told["version"], told["ordinal"], told["my_power"]) == (current_version(game.pk), 0, "BRITAIN")
    assert (told["must_decide"], told["wants"], told["unread"]) == (True, "orders missing", 0)
    assert changes(alice, mark) == (mark, {})


def test_public_facts_own_orders_and_unread_messages_make_a_change_and_others_secrets_none() -> None:
    game = running_game()
    running_game()
    alice = visitor(ALICE)
    mark, _ = changes(alice)
    Story(game).order("GERMANY", "A Mun-Cze", "3: A Aus S A Mun-Cze")
    say(game, BOB, "Not for Britain", "ITALY")
    assert changes(alice, mark) == (mark, {})
    Story(game).order("BRITAIN", "F Lon H")
    mark, new = changes(alice, mark)
    assert {slug: each["must_decide"] for slug, each in new.items()} == {game.slug: False}
    say(game, BOB, "For Britain", "BRITAIN")
    mark, new = changes(alice, mark)
    assert new[game.slug]["unread"] == 1
    pause_game(game_id=game.pk, by=person(CAROL).pk)
    mark, new = changes(alice, mark)
    assert (new[game.slug]["status"], new[game.slug]["deadline"]) == ("paused", None)
    close_game(game_id=game.pk, by=person(CAROL).pk)
    mark, new = changes(alice, mark)
    assert new[game.slug]["status"] == "closed"


def test_a_game_that_one_has_left_is_not_among_them_and_any_that_one_may_see_is_asked_for_alone() -> None:
    game, private = running_game(), waiting_game(by_invitation=True)
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    alice = visitor(ALICE)
    assert changes(alice) == ("", {})
    mark, new = changes(visitor(), game=game.slug)
    assert (new[game.slug]["wants"], new[game.slug]["my_power"], new[game.slug]["unread"]) == (None, None, 0)
    assert changes(alice, mark, game=game.slug) == (mark, {})
    Story(game).deadline()
    assert changes(alice, mark, game=game.slug)[1].keys() == {game.slug}
    assert visitor(DAVE).get(reverse("api:changes"), {"game": private.slug}).status_code == 404


@pytest.mark.parametrize("mark", ["a" * 801, "what?", "\0"])
def test_what_is_no_mark_is_refused_with_what_is_one(mark: str) -> None:
    answer = visitor(ALICE).get(reverse("api:changes"), {"since": mark})
    assert (answer.status_code, answer.json()["problems"][0]["field"]) == (400, "since")
    assert visitor().get(reverse("api:changes")).status_code == 401


def test_statements_do_not_depend_on_how_many_games_there_are() -> None:
    def statements() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert visitor_.get(reverse("api:changes")).status_code == 200
        return len(queries)

    visitor_ = visitor(ALICE)
    running_game()
    visitor_.get(reverse("api:changes"))
    few = statements()
    for _ in range(3):
        say(running_game(), BOB, "Good morning", "BRITAIN")
    assert statements() == few == 7


def test_a_program_gets_a_ticket_for_its_own_games_or_for_those_it_names_and_may_see() -> None:
    game, watched, private = running_game(), running_game(), waiting_game(by_invitation=True)
    resign(game_id=watched.pk, user_id=person(ALICE).pk)
    page = reverse("api:events")
    own = visitor(ALICE).get(page).json()
    mine = channel_of_user(person(ALICE).pk)
    assert (own["games"], channels_of_ticket(own["ticket"])) == ([game.slug], [game.slug, mine, PUBLIC])
    assert own["stream"].startswith("http://testserver/events/?ticket=")
    named = visitor().get(page, {"game": watched.slug}).json()
    assert channels_of_ticket(named["ticket"]) == [watched.slug]
    assert visitor(ALICE).get(page, {"game": [game.slug, private.slug]}).status_code == 404
    assert channels_of_ticket(visitor().get(page).json()["ticket"]) == [PUBLIC], "it waits for public games"
    assert visitor(DAVE).get(page).json()["games"] == []
