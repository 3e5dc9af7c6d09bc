"""An older page never undoes newer orders: a save names the orders that its writer saw, and meets any others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.deadlines.readiness import ready_seats_shown_or_not
from games.kernel.queries import phase_head
from games.kernel.refusals import OpenedAgain
from games.orders.rules import TooLate
from games.orders.services import BadSheet, NewerOrders, enter_orders, save_sheet, set_ready
from games.orders.sheets import SentSheet
from games.sealed import store
from games.seating.services.sitters import let_gm_enter_orders
from tests.cast import CAROL, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game
    from games.orders.parts import Receipt

pytestmark = pytest.mark.django_db


def save(game: Game, text: str, after: str | None, power: str = "GERMANY") -> Receipt:
    """As from a page that was opened when the orders with the code `after` were saved."""
    sheet = SentSheet(text, open_phase(game).ordinal, after=after)
    return save_sheet(occupancy_id=occupancy_of(game, power).pk, sheet=sheet)


def stored(game: Game, power: str = "GERMANY") -> store.Body:
    return store.read_own(occupancy_of(game, power), open_phase(game))


def refused(game: Game, text: str, after: str) -> NewerOrders:
    with pytest.raises(NewerOrders) as newer:
        save(game, text, after)
    return newer.value


def test_an_older_page_does_not_replace_orders_that_it_never_showed() -> None:
    game = running_game()
    phone = save(game, "A Mun-Cze\n2: A Aus S A Mun-Cze", "")
    newer = refused(game, "A Ber H", "")
    assert newer.sentence.startswith("Nothing was saved: other orders have been saved")
    assert (newer.receipt.code, newer.saved.canonical) == (phone.code, phone.text)
    assert newer.sheet.canonical == "A BER H"
    assert (stored(game).lines, stored(game).salt != "") == (phone.text, True)


def test_a_page_that_shows_what_is_saved_replaces_it_and_is_told_what_it_replaced() -> None:
    game = running_game()
    first = save(game, "A Mun-Cze", "")
    assert first.replaced is None
    second = save(game, "A Mun H", first.code)
    assert second.replaced is not None
    assert (second.replaced.code, second.replaced.text, second.replaced.at) == (first.code, first.text, first.at)
    third = save(game, "A Mun H", second.code)
    assert third.code != second.code, "every save has a receipt of its own"


def test_orders_from_an_older_page_of_which_nothing_is_left_do_not_come_back() -> None:
    game = running_game()
    first = save(game, "A Mun-Cze", "")
    save(game, "", first.code)
    assert refused(game, "A Mun-Cze", first.code).saved.canonical == ""
    assert stored(game).saved


def test_the_same_orders_sent_again_keep_their_receipt() -> None:
    game = running_game()
    first = save(game, "A Mun-Cze\n# east", "")
    again = save(game, "A Mun-Cze\n# east", "")
    assert (again.code, again.at, again.replaced) == (first.code, first.at, None)
    assert save(game, "a munich - czechia", "").code == first.code, "other words for the same orders are the same"
    assert stored(game).typed == "A Mun-Cze\n# east"


def test_a_remark_that_is_not_saved_yet_is_not_lost_unnoticed() -> None:
    game = running_game()
    save(game, "A Mun-Cze", "")
    refused(game, "A Mun-Cze\n# Italy promised", "")


def test_without_the_code_a_save_replaces_whatever_is_saved() -> None:
    game = running_game()
    save(game, "A Mun-Cze", "")
    assert save(game, "A Mun H", None).text == "A MUN H"


def test_a_code_of_another_phase_seat_or_fantasy_is_older_than_anything() -> None:
    game = running_game()
    french = save(game, "A Par-Bur", "", "FRANCE")
    first = save(game, "A Mun-Cze", "")
    for code in (french.code, "x", first.code.upper()):
        refused(game, "A Mun H", code)


def test_where_nothing_is_saved_there_is_nothing_to_undo() -> None:
    assert save(running_game(), "A Mun H", "0" * 64).text == "A MUN H"


def test_mistakes_deadlines_and_reopened_phases_are_told_first() -> None:
    game = running_game()
    save(game, "A Mun-Cze", "")
    with pytest.raises(BadSheet):
        save(game, "A Mun-Atlantis", "")
    sheet = SentSheet("A Mun H", 0, "0 then", "")
    with pytest.raises(OpenedAgain):
        save_sheet(occupancy_id=occupancy_of(game, "GERMANY").pk, sheet=sheet)
    Story(game).deadline_comes()
    with pytest.raises(TooLate):
        save(game, "A Mun H", "")


@pytest.mark.parametrize("options", [{"show_ready": True}, {"show_ready": False}])
def test_a_save_says_that_the_seat_is_still_ready_and_never_changes_that(options: dict[str, Any]) -> None:
    game = running_game(all_ready=True, **options)
    phase, held = open_phase(game), occupancy_of(game, "GERMANY")
    first = save(game, "A Mun-Cze", "")
    assert first.ready is False
    set_ready(occupancy_id=held.pk, ordinal=0, ready=True)
    refused(game, "A Ber H", "")
    second = save(game, "A Ber H", first.code)
    assert second.ready is True
    assert held.seat_id in ready_seats_shown_or_not(game, phase)
    assert save(running_game(), "A Ber H", "").ready is None


def test_a_game_master_who_enters_orders_meets_newer_ones_without_their_salt() -> None:
    game = running_game(gm_enters_orders=True, all_ready=True)
    let_gm_enter_orders(game_id=game.pk, user_id=occupancy_of(game, "GERMANY").user_id, agree=True)
    own = save(game, "A Mun-Cze", "")
    facts: dict[str, Any] = {"by": person(CAROL).pk, "power": "GERMANY", "ordinal": 0}
    facts |= {"game_id": game.pk, "seen": phase_head(open_phase(game)).mark, "text": "A Mun H"}
    with pytest.raises(NewerOrders) as newer:
        enter_orders(**facts, after="")
    told = enter_orders(**facts, after=own.code)
    assert told.replaced is not None
    assert told.replaced.text == "A MUN - CZE"
    for receipt in (newer.value.receipt, told):
        assert (receipt.file, receipt.ready) == ("", None)
    assert refused(game, "A Mun-Bur", own.code).receipt.by_gm
