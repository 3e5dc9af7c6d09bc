"""Which answers may be kept, for whom, and when they still hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from games.api.urls import VERSION_1
from games.mastering.services.desk import pause_game
from games.people.models import Scope
from games.people.tokens import make_token
from tests.browsers import visitor
from tests.cast import CAROL, PLAYERS, person
from tests.factories import running_game, waiting_game
from tests.secrecy.addresses import addresses
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]


def at(game: Game, name: str = "game") -> str:
    return reverse(f"api:{name}", args=[game.slug])


def reads(game: Game) -> list[str]:
    """What everybody may read: every address whose answer may be kept."""
    known = addresses(game, address="everybody")
    found = [known[f"api:{pattern.name}"] for pattern in VERSION_1 if cast("Any", pattern.callback).cls.may_be_kept]
    assert len(found) > 10
    return found


def app(name: str) -> Any:
    token = make_token(user_id=person(name).pk, name="app", scopes=Scope.values, days=1)
    return Client(headers={"Authorization": f"Bearer {token}"})


def test_a_caller_who_has_an_answer_is_told_that_it_still_holds() -> None:
    game = running_game()
    for address in reads(game):
        for client, kept in ((visitor(), "public, no-cache"), (app(ALICE), "private, no-cache")):
            first = client.get(address)
            again = client.get(address, headers={"If-None-Match": first["ETag"]})
            assert (first.status_code, again.status_code, again.content) == (200, 304, b""), address
            assert first["Cache-Control"] == again["Cache-Control"] == kept, address
            assert {"Authorization", "Cookie"} <= set(first["Vary"].split(", ")), address
    assert visitor(ALICE).get(at(game))["Cache-Control"] == "private, no-store"
    assert app(ALICE).get(at(game, "sheet"))["Cache-Control"] == "private, no-store"
    assert "ETag" not in app(ALICE).get(at(game, "sheet"))


def test_strangers_share_an_answer_until_something_public_changes(django_assert_num_queries: Any) -> None:
    game = running_game()
    first = visitor().get(at(game))
    with django_assert_num_queries(1):
        assert visitor().get(at(game)).json() == first.json()
    pause_game(game_id=game.pk, by=person(CAROL).pk, reason="Holidays")
    changed = visitor().get(at(game), headers={"If-None-Match": first["ETag"]})
    assert (changed.status_code, changed.json()["game"]["status"]) == (200, "paused")


def test_a_tag_changes_with_what_its_caller_may_see_and_with_nothing_else() -> None:
    story = Story(running_game())
    callers = {name: app(name) if name else visitor() for name in ("", ALICE, BOB)}

    def tags() -> dict[str, str]:
        cache.clear()
        return {name: client.get(at(story.game))["ETag"] for name, client in callers.items()}

    before = tags()
    story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    assert tags() == before
    story.order("BRITAIN", "F Lon-NTH")
    after = tags()
    assert [name for name in callers if after[name] != before[name]] == [ALICE]


def test_an_answer_by_invitation_is_kept_by_no_one() -> None:
    game = waiting_game(by_invitation=True)
    address = f"{at(game)}?invitation={game.invitation}"
    assert visitor().get(address)["Cache-Control"] == "private, no-store"
    assert visitor().get(at(game)).status_code == 404
