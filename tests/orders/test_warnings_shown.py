"""What does not fit together in one's own orders: said on the page, to programs and where orders are tried."""

import pytest
from django.test import Client
from django.urls import reverse

from games.kernel.models import Game
from games.orders.views.orders import ASK_IF_SURE
from tests.browsers import visitor
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db

WASTED = "2: A Aus S A Mun-Swi"
"""Germany's bid, beside another order for its own unit."""
SAID = "This would help A Mun–Swi, but you order A Mun–Cze."
OTHERS = ("A Mun-Cze", "A Ber H", "F Ham H")


def address_of(page: str, game: Game) -> str:
    return reverse(f"games:{page}", kwargs={"slug": game.slug})


def german(game: Game) -> Client:
    client = Client()
    client.force_login(occupancy_of(game, "GERMANY").user)
    return client


def test_the_page_says_what_does_not_fit_beside_the_count_and_orders_are_saved_all_the_same() -> None:
    game = running_game()
    Story(game).order("GERMANY", *OTHERS, WASTED)
    page = german(game).get(address_of("orders", game)).content.decode()
    assert f'<a href="#points">2: A Aus S A Mun–Swi</a>:\n      <span>{SAID}</span>' in page
    assert '<a href="#warnings" data-warnings>Warnings</a>' in page
    Story(game).order("GERMANY", *OTHERS, "2: A Aus S A Mun-Cze")
    assert "data-about=" not in german(game).get(address_of("orders", game)).content.decode()


def test_choices_that_do_not_fit_are_told_before_they_are_saved() -> None:
    game = running_game()
    form = {"ordinal": "0", "use": "controls", "order-MUN": "A MUN - CZE", "order-BER": "A BER S A MUN"}
    answer = german(game).post(address_of("read", game), form, headers={"HX-Target": "state-complete"})
    told = answer.content.decode()
    assert 'id="warnings" role="status" hx-swap-oob="true"' in told
    assert "A unit that moves cannot be supported to hold, and you order A Mun–Cze." in told


def test_players_are_asked_at_once_about_points_that_are_unused_and_about_those_that_are_wasted() -> None:
    game = running_game(all_ready=True)
    form = {"ordinal": "0", "ready": "yes"}
    Story(game).order("GERMANY", *OTHERS, WASTED)
    asked = german(game).post(address_of("ready", game), form, follow=True).content.decode()
    question = asked[asked.index('role="alert"') : asked.index("I’m ready all the same")]
    assert "1 of 3 points unused; unused points are lost." in question
    assert SAID in question
    assert not open_phase(game).readiness.exists()
    german(game).post(address_of("ready", game), {**form, "sure": "yes"})
    assert open_phase(game).readiness.count() == 1


def test_a_warning_that_was_waved_away_is_not_asked_about() -> None:
    game = running_game(all_ready=True)
    Story(game).order("GERMANY", *OTHERS, WASTED.replace("2", "3"))
    ready, form = address_of("ready", game), {"ordinal": "0", "ready": "yes"}
    assert german(game).post(ready, form)["Location"] == f"{address_of('orders', game)}?{ASK_IF_SURE}"
    page = german(game).get(address_of("orders", game), {ASK_IF_SURE: ""}).content.decode()
    assert "Are you ready? Not everything fits together" in page
    german(game).post(ready, {**form, "waved": f"A AUS S A MUN - SWI: {SAID}"})
    assert open_phase(game).readiness.count() == 1


def test_trying_orders_says_what_does_not_fit_in_those_of_each_power() -> None:
    game = running_game()
    page = german(game).get(address_of("whatif", game)).content.decode()
    position = page.split('name="position" value="')[1].split('"')[0]
    tried = {"GERMANY:order-MUN": "A MUN - CZE", "GERMANY:bids": WASTED, "ITALY:order-MIL": "A MIL H"}
    told = german(game).post(address_of("whatif", game), {"position": position, "act": "judge", **tried})
    assert "Germany: not everything fits together" in told.content.decode()
    assert SAID in told.content.decode()
    assert "Italy: not everything" not in told.content.decode()


def test_programs_get_the_same_with_their_sheet_and_when_they_save_it() -> None:
    game = running_game()
    client, sheet = (
        visitor(occupancy_of(game, "GERMANY").user.username),
        reverse("api:sheet", kwargs={"slug": game.slug}),
    )
    warning = {
        "order": "A AUS S A MUN - SWI",
        "points": 2,
        "sentence": SAID,
        "reason": "ordered otherwise",
        "facts": {"case": "move", "unit": "GERMANY A MUN", "goal": "SWI", "by": "GERMANY A MUN - CZE"},
    }
    sent = {"ordinal": 0, "text": "\n".join([*OTHERS, WASTED])}
    assert client.put(sheet, sent, content_type="application/json").json()["warnings"] == [warning]
    assert client.get(sheet).json()["warnings"] == [warning]
