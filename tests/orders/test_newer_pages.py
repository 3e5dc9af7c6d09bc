"""The page on which a save meets newer orders: both versions side by side, and three ways on. Nothing is lost."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.kernel import clock
from games.kernel.models import Sitting
from games.kernel.queries import phase_head
from games.mastering.services.repair import roll_back
from games.orders.services import set_ready
from games.seating.services.sitters import answer_sitting, let_gm_enter_orders, name_sitter
from tests.browsers import address, visitor
from tests.cast import CAROL, DAVE, person
from tests.e2e.sheet import set_up
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from django.test import Client

    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

FIELD = re.compile(r'<input type="(hidden|radio)" name="([^"]+)"(?: id="[^"]+")? value="([^"]*)"( checked)?')
CONFLICT, SEE_OTHER = HTTPStatus.CONFLICT, HTTPStatus.SEE_OTHER


def german(game: Game) -> Client:
    return visitor(occupancy_of(game, "GERMANY").user.username)


def saved(game: Game) -> str:
    sheet = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert sheet is not None
    return sheet.text


def fields(page: str, use: str) -> dict[str, str]:
    """What the form with this button sends if nothing in it is changed."""
    form = next(part for part in page.split("<form ") if f'value="{use}"' in part.partition("</form>")[0])
    found = {name: unescape(value) for kind, name, value, checked in FIELD.findall(form) if kind == "hidden" or checked}
    text = re.search(r'<textarea name="text" hidden>(.*?)</textarea>', form, re.DOTALL)
    return {**found, "use": use, **({"text": unescape(text[1])} if text else {})}


def opened(client: Client, page: str) -> dict[str, str]:
    """What identifies the orders that this page shows, as its form sends it."""
    shown = client.get(page).content.decode()
    return {name: fields(shown, "controls")[name] for name in ("ordinal", "mark", "after")}


def met(game: Game, first: str, second: str) -> tuple[str, dict[str, str]]:
    """The answer to a page that was opened before the first orders were saved; the form to put both together."""
    client, page = german(game), address("orders", game)
    older = opened(client, page)
    assert client.post(page, {**older, "use": "text", "text": first}).status_code == SEE_OTHER
    answer = client.post(page, {**older, "use": "text", "text": second})
    assert answer.status_code == CONFLICT
    assert "no-store" in answer["Cache-Control"]
    shown = answer.content.decode()
    return shown, fields(shown, "chosen") if 'value="chosen"' in shown else {}


def test_a_save_from_an_older_page_stores_nothing_and_shows_both() -> None:
    game = running_game()
    page, _together = met(game, "A Mun-Cze\n2: A Aus S A Mun-Cze", "A Ber H")
    assert "other orders have been saved since you opened that page" in page
    for words in ("A Mun–Cze", "2: A Aus S A Mun–Cze", "A Ber holds", "2 of 3", "0 of 3"):
        assert words in page
    assert saved(game) == "A Mun-Cze\n2: A Aus S A Mun-Cze"


def test_each_of_the_three_ways_on_saves_what_its_button_says() -> None:
    game = running_game()
    page, together = met(game, "A Mun-Cze\n2: A Aus S A Mun-Cze", "A Ber H\nA Mun H")
    client, orders = german(game), address("orders", game)
    kept = client.get(orders).content.decode()
    assert "A Mun–Cze" in kept, "keeping what is saved is only looking at it"
    assert client.post(orders, together).status_code == SEE_OTHER
    assert set(saved(game).splitlines()) == {"A MUN - CZE", "A BER H", "2: A AUS S A MUN - CZE"}
    mine = fields(page, "text")
    assert client.post(orders, mine).status_code == CONFLICT, "those two together are newer than this page by now"
    page, _together = met(running := running_game(), "A Mun-Cze", "A Ber H")
    assert german(running).post(address("orders", running), fields(page, "text")).status_code == SEE_OTHER
    assert saved(running) == "A Ber H"


def test_what_both_order_differently_is_asked_one_by_one() -> None:
    game = running_game()
    page, together = met(game, "A Mun-Cze\nA Ber H\n1: A Aus H", "A Mun-Bur\nF Ham-Hel\n2: A Aus H")
    assert (together["line-order-MUN"], together["line-bid-AUS"]) == ("A MUN - CZE", "1: A AUS H")
    assert page.count('type="radio"') == 4
    chosen = {**together, "line-order-MUN": "A MUN - BUR"}
    assert german(game).post(address("orders", game), chosen).status_code == SEE_OTHER
    assert set(saved(game).splitlines()) == {"A MUN - BUR", "A BER H", "F HAM - HEL", "1: A AUS H"}


def test_bids_that_would_overspend_together_are_asked_and_left_out_at_first() -> None:
    game = running_game()
    page, together = met(game, "2: A Aus H", "1: A Bel H\n2: A Hun H")
    assert together["line-bid-BEL"] == "1: A BEL H"
    assert together["line-bid-HUN"] == ""
    assert "You have 3 points and bid 5." in page
    client, orders = german(game), address("orders", game)
    over = client.post(orders, {**together, "line-bid-HUN": "2: A HUN H"})
    assert over.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert "You have 3 points and bid 5." in over.content.decode()
    assert client.post(orders, together).status_code == SEE_OTHER
    assert set(saved(game).splitlines()) == {"2: A AUS H", "1: A BEL H"}


def test_builds_beyond_the_number_allowed_are_asked_too() -> None:
    game = running_game()
    set_up(game, "W1926A", {"GERMANY": "A CZE, F HEL", "NEUTRAL": "A AUS"})
    _page, together = met(game, "Build A Ber", "Build A Mun")
    assert (together["line-order-BER"], together["line-order-MUN"]) == ("BUILD A BER", "")


def test_what_is_written_ahead_and_remarks_are_put_together_as_well() -> None:
    game = running_game()
    _page, together = met(game, "A Mun H\n# Italy is lying", "IF MUN DISLODGED: BUR\n# trust France")
    assert together["line-remarks"] == "# Italy is lying"
    chosen = {**together, "line-remarks": "# trust France"}
    assert german(game).post(address("orders", game), chosen).status_code == SEE_OTHER
    assert "# trust France" in saved(game)
    assert "IF MUN DISLODGED: " in saved(game)


def test_lists_and_text_and_the_try_out_all_send_what_they_were_opened_with() -> None:
    game = running_game()
    client, orders, trial = german(game), address("orders", game), address("whatif", game)
    older = opened(client, orders)
    tried = client.post(trial, {**older, "use": "try", "order-BER": "A BER H"}).content.decode()
    looked = client.get(trial).content.decode()
    assert tried.count(f'name="after" value="{older["after"]}"') >= 2
    Story(game).order("GERMANY", "A Mun-Cze")
    assert client.post(orders, {**older, "use": "controls", "order-BER": "A BER H"}).status_code == CONFLICT
    used = client.post(orders, {**fields(tried, "look"), **fields(looked, "look"), "order-BER": "A BER H"})
    assert 'name="after" value=""' in used.content.decode(), "it is still an older page"
    assert (
        client.post(orders, fields(used.content.decode(), "controls") | {"order-BER": "A BER H"}).status_code
        == CONFLICT
    )
    now = opened(client, orders)["after"]
    assert now
    assert f'name="after" value="{now}"' in client.get(trial).content.decode()


@pytest.mark.parametrize("way", ["mistake", "look", "read"])
def test_a_page_shown_again_with_its_orders_is_as_old_as_it_was_and_says_so(way: str) -> None:
    game = running_game()
    client, orders = german(game), address("orders", game)
    older = opened(client, orders)
    Story(game).order("GERMANY", "A Mun-Cze")
    sent = {**older, "use": "text", "text": "A Ber-Atlantis" if way == "mistake" else "A Ber H"}
    if way == "look":
        sent = {**older, "use": "look", "order-BER": "A BER H"}
    page = client.post(address("read", game) if way == "read" else orders, sent).content.decode()
    assert 'name="after" value=""' in page
    assert 'role="alert" data-newer>' in page
    assert 'role="alert" data-newer hidden>' in client.get(orders).content.decode()


def test_a_reopened_phase_is_told_first_and_its_restored_orders_are_not_replaced_unnoticed() -> None:
    game = running_game()
    client, orders = german(game), address("orders", game)
    Story(game).order("GERMANY", "A Mun-Cze")
    older = opened(client, orders)
    Story(game).deadline()
    seen = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=0, seen=seen, reason="A holiday.")
    again = client.post(orders, {**older, "use": "text", "text": "A Ber H"}).content.decode()
    assert "Not saved: this phase has been reopened" in again
    assert "data-newer hidden" in again
    answer = client.post(orders, {**fields(again, "controls"), "use": "text", "text": "A Ber H"})
    assert answer.status_code == CONFLICT
    assert "A Mun–Cze" in answer.content.decode()


def test_the_same_orders_sent_twice_are_saved_once_and_meet_nothing() -> None:
    game = running_game()
    client, orders = german(game), address("orders", game)
    older = opened(client, orders)
    answers = [client.post(orders, {**older, "use": "text", "text": "A Mun-Cze"}) for _ in range(2)]
    assert [it.status_code for it in answers] == [SEE_OTHER, SEE_OTHER]


def test_a_seat_that_is_ready_is_told_so_before_and_after_the_choice() -> None:
    game = running_game(all_ready=True)
    client, orders = german(game), address("orders", game)
    older = opened(client, orders)
    Story(game).order("GERMANY", "A Mun-Cze", "A Ber H", "F Ham H")
    set_ready(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0, ready=True)
    page = client.post(orders, {**older, "use": "text", "text": "A Mun H"}).content.decode()
    assert "This seat has said that it’s ready" in page
    done = client.post(orders, fields(page, "text"), follow=True).content.decode()
    assert "You’re still ready: take that back if you need more time." in done
    assert "I’m not ready" in done


def test_what_others_save_changes_nothing_on_the_page_where_orders_meet() -> None:
    game = running_game()
    client, orders = german(game), address("orders", game)
    older = {**opened(client, orders), "use": "text", "text": "A Ber H"}
    Story(game).order("GERMANY", "A Mun-Cze")

    def shown() -> str:
        page = client.post(orders, older).content.decode().partition('class="mistakes"')[2]
        return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", page)

    alone = shown()
    Story(game).order("ITALY", "A Mil-Swi", "2: A Aus H")
    assert shown() == alone != ""


@pytest.mark.parametrize("as_gm", [True, False])
def test_a_sitter_and_a_game_master_who_enters_orders_meet_the_players(as_gm: bool) -> None:
    game = running_game(gm_enters_orders=True, all_ready=True)
    held = occupancy_of(game, "GERMANY")
    other, page = CAROL if as_gm else DAVE, address("enter-orders", game, power="GERMANY")
    let_gm_enter_orders(game_id=game.pk, user_id=held.user_id, agree=True)
    if not as_gm:
        sit(game, person(DAVE).pk)
        page = address("orders", game)
    set_ready(occupancy_id=held.pk, ordinal=0, ready=True)
    client = visitor(other)
    older = opened(client, page)
    Story(game).order("GERMANY", "A Mun-Cze")
    answer = client.post(page, {**older, "use": "text", "text": "A Ber H"})
    told = answer.content.decode()
    assert answer.status_code == CONFLICT
    assert "A Mun–Cze" in told
    assert f'action="{page}"' in told
    assert ("has said that it’s ready" in told) is not as_gm, "the game master is not told who is ready"
    assert client.post(page, fields(told, "chosen")).status_code == SEE_OTHER
    assert set(saved(game).splitlines()) == {"A MUN - CZE", "A BER H"}
    older = {**older, "use": "text", "text": "A Mun-Bur"}
    mine = german(game).post(address("orders", game), older).content.decode()
    assert ("by the game master" in mine) is as_gm


def sit(game: Game, user_id: int) -> None:
    today = clock.now().date()
    facts: dict[str, Any] = {"username": DAVE, "first": today, "last": today + timedelta(days=3), "zone": "UTC"}
    name_sitter(game_id=game.pk, user_id=occupancy_of(game, "GERMANY").user_id, talks=False, **facts)
    answer_sitting(user_id=user_id, number=Sitting.objects.get().pk, accept=True)


def test_a_page_that_comes_back_asks_for_the_newest_code_of_its_own_seat() -> None:
    game = running_game(gm_enters_orders=True)
    client, newest = german(game), address("newest", game)
    mark = phase_head(open_phase(game)).mark
    assert client.get(newest).content.decode() == f"{mark} "
    code = Story(game).order("GERMANY", "A Mun-Cze").code
    answer = client.get(newest)
    assert (answer.content.decode(), answer["Content-Type"]) == (f"{mark} {code}", "text/plain; charset=utf-8")
    assert "no-store" in answer["Cache-Control"]
    assert client.post(newest).status_code == HTTPStatus.METHOD_NOT_ALLOWED
    for other in (DAVE, CAROL, occupancy_of(game, "ITALY").user.username):
        assert code not in visitor(other).get(newest).content.decode()
    entered = address("newest-entered", game, power="GERMANY")
    assert visitor(CAROL).get(entered).status_code == HTTPStatus.NOT_FOUND
    let_gm_enter_orders(game_id=game.pk, user_id=occupancy_of(game, "GERMANY").user_id, agree=True)
    assert code in visitor(CAROL).get(entered).content.decode()


def test_asking_costs_a_few_statements_whatever_is_saved() -> None:
    game = running_game()
    client, newest = german(game), address("newest", game)

    def cost() -> int:
        with CaptureQueriesContext(connection) as counted:
            client.get(newest)
        return len(counted)

    client.get(newest)
    blank = cost()
    Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    assert cost() == blank
    assert blank <= 8
