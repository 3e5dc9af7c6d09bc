"""New terms and earlier deadlines by the API: asked for by a game master, answered by players."""

from __future__ import annotations

from datetime import timedelta

import pytest

from games.kernel import clock
from games.kernel.models import Game
from games.people.models import Scope
from games.seating.options import Vacancies
from tests.api.test_acts import App
from tests.cast import CAROL, DAVE, PLAYERS
from tests.factories import HOUR, open_phase, running_game

pytestmark = pytest.mark.django_db


def small_game() -> Game:
    return running_game(
        variant="three-way-balkan-battle", players=PLAYERS[:3], movement_seconds=72 * HOUR, vacant_after=2
    )


def test_players_agree_to_new_terms_and_to_an_earlier_deadline() -> None:
    game, carol = small_game(), App(CAROL, Scope.MASTER)
    sooner = clock.now() + timedelta(hours=5)
    assert carol("post", "gm-change_terms", game.slug, vacant_after=4).json()["done"] == "change_terms"
    assert carol("post", "gm-ask_earlier", game.slug, until=sooner.isoformat()).json()["done"] == "ask_earlier"
    assert len(carol("get", "requests", game.slug).json()["requests"]) == 2
    assert App(DAVE)("get", "requests", game.slug).json() == {"requests": []}
    done = []
    for name in PLAYERS[:3]:
        player = App(name, Scope.ORDERS)
        for asked in player("get", "requests", game.slug).json()["requests"]:
            answer = player("put", "consent", game.slug, asked["number"], agrees=True)
            done.append(answer.json()["done"])
    assert done == ["answered"] * 4 + ["applied"] * 2
    assert Game.objects.get(pk=game.pk).options[Vacancies].vacant_after == 4
    assert open_phase(game).deadline == sooner


def test_what_can_not_be_asked_for_is_refused_with_its_reason() -> None:
    game, carol = small_game(), App(CAROL, Scope.MASTER)
    late = carol("post", "gm-change_terms", game.slug, hidden_names=True)
    assert "It’s too late to change this in this game." in late.content.decode()
    assert carol("post", "gm-change_terms", game.slug, misspelt=1).status_code == 400
    carol("post", "gm-change_terms", game.slug, vacant_after=4)
    (asked,) = carol("get", "requests", game.slug).json()["requests"]
    assert App(DAVE, Scope.ORDERS)("put", "consent", game.slug, asked["number"], agrees=True).status_code == 403
    assert carol("post", "gm-withdraw_request", game.slug, number=asked["number"]).status_code == 200
    assert carol("get", "requests", game.slug).json() == {"requests": []}
