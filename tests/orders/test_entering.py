"""Orders that the game master enters for a player who lets them: whose sheet it is, and who learns of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel import codec
from games.kernel.game_options import BadOptions, GameOptions
from games.kernel.queries import phase_head
from games.kernel.refusals import NotAllowed, WrongMoment
from games.mastering.services.assistants import answer_handover, offer_handover
from games.mastering.services.desk import seat_player
from games.orders.rules import TooLate
from games.orders.services import BadSheet, enter_orders
from games.seating.services.sitters import let_gm_enter_orders
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story
from variants.registry import find

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db


def carol() -> int:
    return person(CAROL).pk


def agreed(power: str = "GERMANY", **options: Any) -> Game:
    game = running_game(gm_enters_orders=True, **options)
    agree(game, power)
    return game


def agree(game: Game, power: str = "GERMANY", *, yes: bool = True) -> None:
    let_gm_enter_orders(game_id=game.pk, user_id=occupancy_of(game, power).user_id, agree=yes)


def enter(game: Game, text: str, power: str = "GERMANY", *, by: int | None = None) -> None:
    phase = open_phase(game)
    facts: dict[str, Any] = {"ordinal": phase.ordinal, "seen": phase_head(phase).mark, "text": text}
    enter_orders(game_id=game.pk, by=by or carol(), power=power, **facts)


def page(game: Game, power: str = "GERMANY") -> str:
    return reverse("games:enter-orders", args=[game.slug, power])


def player_of(game: Game, power: str = "GERMANY") -> str:
    return occupancy_of(game, power).user.username


def test_the_game_master_enters_a_sheet_and_the_player_sees_who_did() -> None:
    game = agreed()
    enter(game, "A Mun-Cze\n2: A Aus S A Mun-Cze")
    sheet = Story(game).seen_by(player_of(game)).order_sheet
    assert sheet is not None
    assert (sheet.text, sheet.saved, sheet.by_gm, sheet.as_gm) == ("A Mun-Cze\n2: A Aus S A Mun-Cze", True, True, False)
    browser = visitor(player_of(game))
    assert (
        "Entered or corrected by the game master."
        in browser.get(reverse("games:orders", args=[game.slug])).content.decode()
    )
    receipt = browser.get(reverse("games:receipt", args=[game.slug, 0])).content.decode()
    assert ", by the game master" in receipt
    Story(game).deadline()
    own = Story(game).seen_by(player_of(game), 0).own_sheet
    assert own is not None
    assert own.by_gm
    assert occupancy_of(game, "GERMANY").missed == 0


def test_the_last_orders_saved_count_whoever_saved_them() -> None:
    game = agreed()
    enter(game, "A Mun-Cze")
    Story(game).order("GERMANY", "A Mun H")
    sheet = Story(game).seen_by(player_of(game)).order_sheet
    assert sheet is not None
    assert (sheet.text, sheet.by_gm) == ("A Mun H", False)


def test_the_order_page_is_the_players_without_what_is_theirs_alone() -> None:
    game = agreed(all_ready=True)
    Story(game).order("GERMANY", "A Mun-Cze")
    browser = visitor(CAROL)
    assert page(game) in browser.get(reverse("games:gm", args=[game.slug])).content.decode()
    shown = browser.get(page(game)).content.decode()
    assert "You enter these orders as the game master." in shown
    assert "A Mun-Cze" in shown
    for theirs in ("my-receipt", 'id="ready"', reverse("games:orders", args=[game.slug]), "Try out orders"):
        assert theirs not in shown
    sent = {"ordinal": 0, "mark": phase_head(open_phase(game)).mark, "use": "text", "text": "A Mun-Bur"}
    read = browser.post(reverse("games:read-entered", args=[game.slug, "GERMANY"]), sent).content.decode()
    assert "Not saved yet" in read
    wrong = browser.post(page(game), {**sent, "text": "A Mun-Mos"})
    assert wrong.status_code == 422
    assert f'action="{page(game)}"' in wrong.content.decode()
    assert browser.post(page(game), sent).status_code == 303
    sheet = Story(game).seen_by(player_of(game)).order_sheet
    assert sheet is not None
    assert (sheet.text, sheet.by_gm) == ("A Mun-Bur", True)


def test_without_agreement_there_is_no_page_and_no_way() -> None:
    game = agreed("ITALY")
    with pytest.raises(NotAllowed, match="hasn’t agreed"):
        enter(game, "A Mun H")
    assert visitor(CAROL).get(page(game)).status_code == 404
    agree(game)
    for other in (DAVE, player_of(game), player_of(game, "ITALY")):
        assert visitor(other).get(page(game)).status_code == 404
        with pytest.raises(NotAllowed):
            enter(game, "A Mun H", by=person(other).pk)
    agree(game, yes=False)
    with pytest.raises(NotAllowed, match="hasn’t agreed"):
        enter(game, "A Mun H")
    assert visitor(CAROL).post(page(game), {"ordinal": 0, "use": "text", "text": "A Mun H"}).status_code == 404


def test_without_the_term_no_player_can_agree() -> None:
    game = running_game()
    with pytest.raises(NotAllowed, match="can’t enter players’ orders"):
        agree(game)
    assert "Let the game master enter my orders" not in sitter_page(game)


def sitter_page(game: Game) -> str:
    return visitor(player_of(game)).get(reverse("games:sitter", args=[game.slug])).content.decode()


def test_a_player_agrees_and_withdraws_on_their_own_page() -> None:
    game = running_game(gm_enters_orders=True)
    browser, door = visitor(player_of(game)), reverse("games:gm-enters", args=[game.slug])
    assert "Let the game master enter my orders" in sitter_page(game)
    browser.post(door, {"agree": "yes"})
    assert occupancy_of(game, "GERMANY").gm_enters
    assert "Withdraw my agreement" in sitter_page(game)
    browser.post(door, {"agree": "no"})
    assert not occupancy_of(game, "GERMANY").gm_enters


def test_nobody_enters_orders_after_the_deadline_or_is_told_what_counted() -> None:
    game = agreed()
    Story(game).order("GERMANY", "A Mun-Cze # Zygmunt")
    mark = phase_head(open_phase(game)).mark
    Story(game).deadline_comes()
    with pytest.raises(TooLate) as late:
        enter(game, "A Mun H")
    assert late.value.receipt is None
    Story(game).deadline()
    closed = visitor(CAROL).post(page(game), {"ordinal": 0, "mark": mark, "use": "text", "text": "A Mun H"})
    assert closed.status_code == 409
    assert "Zygmunt" not in closed.content.decode()
    sheet = Story(game).seen_by(player_of(game), 0).own_sheet
    assert sheet is not None
    assert not sheet.by_gm


def test_the_agreement_ends_with_the_seat_and_with_the_game_master() -> None:
    game = agreed()
    agree(game, "ITALY")
    person(DAVE)
    seat_player(game_id=game.pk, by=carol(), power="GERMANY", username=DAVE, reason="Agreed.")
    with pytest.raises(NotAllowed, match="hasn’t agreed"):
        enter(game, "A Mun H")
    oscar = person("oscar")
    offer_handover(game_id=game.pk, by=carol(), username=oscar.username)
    answer_handover(game_id=game.pk, user_id=oscar.pk, accept=True)
    with pytest.raises(NotAllowed, match="hasn’t agreed"):
        enter(game, "A Mil H", "ITALY", by=oscar.pk)


def test_a_phase_opened_again_since_is_not_written_to() -> None:
    game = agreed()
    with pytest.raises(WrongMoment):
        enter_orders(game_id=game.pk, by=carol(), power="GERMANY", ordinal=0, text="A Mun H", seen="0 then")


def test_the_term_is_for_a_game_master_who_does_not_play() -> None:
    with pytest.raises(BadOptions, match="isn’t playing can enter orders"):
        GameOptions.create(find("standard"), gm_enters_orders=True, gm_plays=True)
    terms = GameOptions.create(find("standard"), gm_enters_orders=True).terms()
    assert any("can see and enter that player’s orders" in term.sentence for term in terms)


def test_bids_for_too_many_points_are_entered_as_they_were_sent_and_are_forfeited() -> None:
    """A player may send by email what the page would not take."""
    game = agreed()
    with pytest.raises(BadSheet):
        Story(game).order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze", "2: A Bel H")
    with pytest.raises(BadSheet):
        enter(game, "A Mun-Xyz\n4: A Aus H")
    enter(game, "A Mun-Cze\n2: A Aus S A Mun-Cze\n2: A Bel H")
    saved = Story(game).seen_by(player_of(game)).order_sheet
    assert saved is not None
    assert saved.text == "A Mun-Cze\n2: A Aus S A Mun-Cze\n2: A Bel H"
    Story(game).deadline()
    units = {(unit.power, unit.location) for unit in codec.position_of(open_phase(game)).units}
    assert ("GERMANY", "MUN") in units, "the support that was bid for did not count"


def test_the_page_says_that_too_many_points_are_forfeited() -> None:
    game = agreed()
    sent = {"text": "4: A Aus H", "use": "text", "ordinal": "0", "mark": phase_head(open_phase(game)).mark}
    said = visitor(CAROL).post(page(game), sent, follow=True).content.decode()
    assert "The bids are for more points than the power has, so all of them are forfeited." in said
