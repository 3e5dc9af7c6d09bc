"""Trying out orders: the adjudicator's own result, nothing kept, no one told, and the way back to the order form."""

from __future__ import annotations

import re
from http import HTTPStatus
from typing import TYPE_CHECKING

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.queries import phase_head
from games.mastering.services.repair import roll_back
from games.orders.views import whatif
from games.orders.whatif import position_from_token, signed_position
from games.sealed.models import Sheets
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.secrecy.observation import public_rows
from tests.story import Story
from variants.registry import find

if TYPE_CHECKING:
    from typing import Any

    from games.kernel.models import Game

OK, WRONG = HTTPStatus.OK, HTTPStatus.UNPROCESSABLE_ENTITY
MOVE = {"GERMANY:order-MUN": "A MUN - CZE", "GERMANY:order-BER": "A BER S A MUN - CZE"}
BID = {"GERMANY:bids": "1: A Aus S A Mun-Cze"}


def german(game: Game) -> Client:
    client = Client()
    client.force_login(occupancy_of(game, "GERMANY").user)
    return client


def observer() -> Client:
    client = Client()
    client.force_login(person(DAVE))
    return client


def page_of(game: Game) -> str:
    return reverse("games:whatif", kwargs={"slug": game.slug})


@pytest.mark.django_db
def test_on_the_map_any_unit_may_be_chosen() -> None:
    game = running_game()
    assert 'data-tap="Choose any unit."' in german(game).get(page_of(game)).content.decode()


def token_in(page: str, *, following: bool = False) -> str:
    found = re.findall(r'name="position" value="([^"]+)"', page)
    return str(found[0] if following else found[-1])


def tried(client: Client, game: Game, token: str = "", **sent: str) -> tuple[int, str]:
    """Show the result of these orders on the game's position, or on that of the token."""
    position = token or token_in(client.get(page_of(game)).content.decode())
    answer = client.post(page_of(game), {"position": position, "act": "judge", **sent})
    return answer.status_code, answer.content.decode()


def outcome_in(page: str) -> str:
    """The map and what would happen, without the parts that are signed afresh each time."""
    told = page[page.index('<div class="board-box"') : page.index("</section>", page.index('id="outcome"'))]
    return re.sub(r'value="[^"]+"', "", told)


def contents() -> tuple[Any, list[Any]]:
    return public_rows(), list(Sheets.rows.order_by("pk").values())


@pytest.mark.django_db
def test_the_page_opens_with_what_is_saved_and_for_others_with_nothing() -> None:
    game = running_game()
    Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    own, others = german(game).get(page_of(game)), observer().get(page_of(game))
    assert 'value="A MUN - CZE" selected' in own.content.decode()
    assert "2: A Aus S A Mun–Cze" in own.content.decode()
    assert " selected" not in others.content.decode()
    assert "2: A AUS" not in others.content.decode()
    assert {"no-store", "private"} <= set(own["Cache-Control"].split(", "))


@pytest.mark.django_db
def test_what_was_typed_on_the_order_page_comes_along_unsaved() -> None:
    game = running_game()
    draft = {"ordinal": "0", "use": "try", "order-MUN": "A MUN - BOH", "order-BER": "A BER H"}
    page = german(game).post(page_of(game), {**draft, "order-MUN": "A MUN - CZE"}).content.decode()
    assert 'value="A MUN - CZE" selected' in page
    assert 'value="A BER H" selected' in page
    order_sheet = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert order_sheet is not None
    assert order_sheet.text == ""


@pytest.mark.django_db
def test_a_draft_with_mistakes_comes_along_whole_and_they_are_named() -> None:
    game = running_game()
    draft = {"ordinal": "0", "use": "text", "text": "A Mun-Cze\nA Mun-Atlantis\n9: A Aus H"}
    answer = german(game).post(page_of(game), draft)
    page = answer.content.decode()
    assert answer.status_code == WRONG
    assert 'value="A MUN - CZE" selected' in page
    assert "A Mun-Atlantis\n9: A Aus H</textarea>" in page
    assert "Atlantis" in page[page.index('role="alert"') :]


@pytest.mark.django_db
def test_the_judge_answers_as_in_the_game_and_everything_stays_as_it_was() -> None:
    game = running_game()
    client = german(game)
    before = contents()
    status, page = tried(client, game, **MOVE, **BID, **{"FRANCE:order-PAR": "A PAR - BUR"})
    assert status == OK
    assert contents() == before
    assert "What would happen" in page
    assert 'data-order="move" data-colour="3" data-unit="MUN"' in page
    for power, lines in {"GERMANY": [*MOVE.values(), *BID.values()], "FRANCE": ["A PAR - BUR"]}.items():
        Story(game).order(power, *lines)
    Story(game).deadline()
    result = Story(game).seen_by(DAVE).result
    assert result is not None
    told = [each for each in result.outcomes if each.sentence or " H" not in each.order]
    assert len(told) >= 4
    for outcome in told:
        assert outcome.text in page
        assert outcome.sentence.replace("'", "&#x27;") in page


@pytest.mark.django_db
def test_what_others_have_saved_changes_nothing_of_a_try() -> None:
    game = running_game()
    _, alone = tried(german(game), game, **MOVE, **BID)
    Story(game).order("FRANCE", "A Par-Bur", "3: A Aus S A Cze")
    Story(game).order("ITALY", "A Mil-Swi", "2: A Cze S A Aus")
    _, page = tried(german(game), game, **MOVE, **BID)
    assert outcome_in(page) == outcome_in(alone)
    assert "A Mil" not in outcome_in(page)


@pytest.mark.django_db
def test_a_guessed_bid_gives_a_minor_power_its_order() -> None:
    game = running_game()
    _, page = tried(observer(), game, **{"GERMANY:bids": "2: A Aus S A Swi"})
    assert 'data-order="support-hold" data-colour="minor" data-unit="AUS"' in page


@pytest.mark.django_db
def test_a_mistake_is_named_and_everything_typed_stays() -> None:
    game = running_game()
    sent = {**MOVE, "FRANCE:bids": "9: A Aus H\n1: A Mun H"}
    status, page = tried(observer(), game, **sent)
    assert status == WRONG
    assert "No result: 2 mistakes" in page
    assert "France" in page
    assert "9: A Aus H\n1: A Mun H</textarea>" in page
    assert 'value="A MUN - CZE" selected' in page
    assert "What would happen" not in page


@pytest.mark.django_db
def test_an_order_that_was_tampered_with_is_named() -> None:
    game = running_game()
    status, page = tried(observer(), game, **{"GERMANY:order-MUN": "A PAR - BUR"})
    assert status == WRONG
    assert 'href="#GERMANY:order-MUN"' in page
    assert '<option value="A PAR - BUR" selected>' in page


@pytest.mark.django_db
def test_one_goes_on_from_what_came_of_it_phase_by_phase() -> None:
    game = running_game()
    client = observer()
    _, page = tried(client, game, **MOVE)
    answer = client.post(page_of(game), {"position": token_in(page, following=True), "act": "on"})
    following = answer.content.decode()
    assert "Try out orders: Fall 1926" in following
    assert "German army in Czechia" in following
    assert "Back to the game" in following
    status, later = tried(client, game, token_in(following), **{"GERMANY:order-CZE": "A CZE - AUS"})
    assert status == OK
    assert "Use these orders" not in later
    assert open_phase(game).ordinal == 0


@pytest.mark.django_db
def test_a_position_that_no_orders_led_to_is_not_judged() -> None:
    game, other = running_game(), running_game(name="Another")
    forged = [
        "nonsense",
        token_in(observer().get(page_of(game)).content.decode())[:-2],
        signed_position(find("1926").start, other.slug),
    ]
    for token in forged:
        assert position_from_token(token, game.slug) is None
        status, page = tried(observer(), game, token, **MOVE)
        assert status == WRONG
        assert "lost its position" in page
        assert 'value="A MUN - CZE" selected' in page
        assert "What would happen" not in page


@pytest.mark.django_db
def test_own_orders_go_to_the_order_form_as_a_draft() -> None:
    game = running_game()
    client = german(game)
    _, page = tried(client, game, **MOVE, **BID, **{"FRANCE:order-PAR": "A PAR - BUR"})
    form = next(part for part in page.split("<form ") if "Use these orders" in part)
    sent = dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', form))
    assert sent["order-MUN"] == "A MUN - CZE"
    assert "A PAR - BUR" not in sent.values()
    answer = client.post(reverse("games:orders", kwargs={"slug": game.slug}), {**sent, "use": "look"})
    order_page = answer.content.decode()
    assert answer.status_code == OK
    assert "Not saved yet. Nothing counts until you save." in order_page
    assert 'value="A MUN - CZE" selected' in order_page
    assert "1: A Aus S A Mun–Cze" in order_page
    order_sheet = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert order_sheet is not None
    assert order_sheet.text == ""


@pytest.mark.django_db
def test_what_was_tried_before_a_phase_was_opened_again_is_not_taken_for_it_unnoticed() -> None:
    game = running_game()
    client, orders = german(game), reverse("games:orders", kwargs={"slug": game.slug})
    page = client.get(page_of(game)).content.decode()
    old = phase_head(open_phase(game)).mark
    Story(game).deadline()
    seen = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=0, seen=seen, reason="A holiday.")
    _, page = tried(client, game, token_in(page), mark=old, **MOVE)
    use = page[page.index("data-use") :]
    assert f'name="mark" value="{old}"' in use[: use.index("</form>")]
    sent = {"ordinal": "0", "mark": old, "order-MUN": "A MUN - CZE", "use": "look"}
    answer = client.post(orders, sent)
    assert answer.status_code == HTTPStatus.CONFLICT
    assert "this phase has been reopened" in answer.content.decode()


@pytest.mark.django_db
def test_closed_phases_can_be_tried_otherwise() -> None:
    game = running_game()
    Story(game).deadline()
    page = german(game).get(page_of(game), {"phase": "0"}).content.decode()
    assert "Try out orders: Spring 1926" in page
    assert "Use these orders" not in page
    assert german(game).get(page_of(game), {"phase": "9"}).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.django_db
def test_games_by_invitation_stay_closed_to_strangers() -> None:
    assert observer().get(page_of(running_game(by_invitation=True))).status_code == HTTPStatus.NOT_FOUND


@pytest.mark.django_db
def test_many_tries_and_large_ones_are_refused_and_nothing_typed_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    game = running_game()
    monkeypatch.setattr(whatif, "TRIES", "1/min")
    assert tried(observer(), game, **MOVE)[0] == OK
    status, page = tried(observer(), game, **MOVE)
    assert status == HTTPStatus.TOO_MANY_REQUESTS
    assert " times within a minute. Nothing is lost. That’s the most" in page
    assert 'value="A MUN - CZE" selected' in page
    assert tried(german(game), game, **MOVE)[0] == OK
    large = observer().post(page_of(game), {"position": "x" * whatif.MOST_BYTES})
    assert large.status_code == HTTPStatus.REQUEST_ENTITY_TOO_LARGE


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("variant", "players"),
    [("collapse-of-the-dual-empire", 6), ("formal-diplomacy", 7), ("three-way-balkan-battle", 3), ("standard", 7)],
)
def test_every_kind_of_phase_can_be_tried(variant: str, players: int) -> None:
    game = running_game(variant=variant, players=PLAYERS[:players])
    client = observer()
    token = ""
    for _ in range(6):
        status, page = tried(client, game, token)
        assert status == OK
        assert "What would happen" in page
        token = token_in(page, following=True)
