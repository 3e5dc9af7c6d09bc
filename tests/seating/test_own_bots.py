"""Players' own bots: only where the terms allow them, and in seats that everyone sees labelled."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.models import Joiner
from games.kernel.refusals import NotAllowed, WrongMoment
from games.people.models import TokenKind
from games.people.tokens import make_token
from games.seating.services.bots import let_own_bot_play
from games.seating.services.joining import join_game
from games.seating.services.vacancies import resign
from tests.browsers import visitor
from tests.cast import DAVE, PLAYERS, person
from tests.factories import running_game, waiting_game

pytestmark = pytest.mark.django_db

ALICE, BOB = PLAYERS[:2]


def test_everyone_sees_which_seat_a_players_own_bot_plays_and_since_when() -> None:
    game = running_game(own_bots=True)
    visitor(ALICE).post(reverse("games:own-bot", args=[game.slug]))
    page = visitor(DAVE).get(reverse("games:game", args=[game.slug]))
    labelled = [power.id for power in page.context["view"].powers if power.own_bot]
    assert labelled == [power.id for power in page.context["view"].powers if power.player == ALICE]
    assert f"{ALICE} lets a bot of their own play" in page.content.decode()
    assert (
        f'<span class="soft">bot of <a href="{reverse("games:person", args=[ALICE])}">{ALICE}</a></span>'
        in page.content.decode()
    )
    answer = visitor().get(reverse("api:game", args=[game.slug])).json()
    assert [power["id"] for power in answer["powers"] if power["own_bot"]] == labelled
    with pytest.raises(WrongMoment, match="already labelled"):
        let_own_bot_play(game_id=game.pk, user_id=person(ALICE).pk)


def test_a_bot_joins_by_itself_only_where_it_may_and_is_labelled_at_once() -> None:
    made = make_token(user_id=person(DAVE).pk, name="Dora", scopes=["seat"], days=30, kind=TokenKind.BOT)
    bot = Client(headers={"Authorization": f"Bearer {made}"})
    closed = waiting_game(variant="balkan-battle")
    refused = bot.post(reverse("api:join", args=[closed.slug]), {}, content_type="application/json")
    assert (refused.status_code, closed.occupancies.count()) == (403, 0)
    assert "terms of this game" in refused.json()["detail"]
    game = waiting_game(variant="balkan-battle", own_bots=True)
    taken = bot.post(reverse("api:join", args=[game.slug]), {"power": "TURKEY"}, content_type="application/json")
    assert taken.status_code == 200
    assert list(game.occupancies.values_list("user__username", "seat__power", "own_bot")) == [(DAVE, "TURKEY", True)]


@pytest.mark.parametrize("own_bots", [True, False])
def test_a_bot_takes_a_vacant_seat_only_where_it_may(own_bots: bool) -> None:
    game = running_game(own_bots=own_bots)
    power = game.occupancies.get(user=person(ALICE)).seat.power
    resign(game_id=game.pk, user_id=person(ALICE).pk)
    made = make_token(user_id=person(DAVE).pk, name="Dora", scopes=["seat"], days=30, kind=TokenKind.BOT)
    answer = Client(headers={"Authorization": f"Bearer {made}"}).post(reverse("api:vacant", args=[game.slug, power]))
    assert answer.status_code == (200 if own_bots else 403)
    held = game.occupancies.filter(user=person(DAVE), until__isnull=True)
    assert list(held.values_list("own_bot", flat=True)) == ([True] if own_bots else [])


def test_where_names_are_hidden_the_label_names_no_one() -> None:
    game = running_game(own_bots=True, hidden_names=True)
    let_own_bot_play(game_id=game.pk, user_id=person(ALICE).pk)
    page = visitor(DAVE).get(reverse("games:game", args=[game.slug])).content.decode()
    assert "a player’s bot" in page
    assert ALICE not in page


def test_a_place_in_a_game_that_assigns_powers_later_keeps_its_label() -> None:
    game = waiting_game(variant="three-way-balkan-battle", seats="random", own_bots=True)
    join_game(game_id=game.pk, user_id=person(ALICE).pk)
    let_own_bot_play(game_id=game.pk, user_id=person(ALICE).pk)
    assert Joiner.objects.get(game=game).own_bot
    for name in PLAYERS[1:3]:
        join_game(game_id=game.pk, user_id=person(name).pk)
    held = dict(game.occupancies.values_list("user__username", "own_bot"))
    assert held == {name: name == ALICE for name in PLAYERS[:3]}


def test_where_the_terms_do_not_say_so_no_bot_of_a_player_plays() -> None:
    game = running_game()
    with pytest.raises(NotAllowed, match="terms of this game"):
        let_own_bot_play(game_id=game.pk, user_id=person(ALICE).pk)
    page = visitor(ALICE).get(reverse("games:game", args=[game.slug])).content.decode()
    assert reverse("games:own-bot", args=[game.slug]) not in page
    with pytest.raises(NotAllowed, match="no seat"):
        let_own_bot_play(game_id=running_game(own_bots=True).pk, user_id=person(DAVE).pk)
