"""The result of a phase: one's own power first, then everyone else, with the same facts for all."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from games.history.parts import ResultView, SideResult
from games.kernel.models import Game
from tests.browsers import EVE, address, visitor
from tests.cast import PLAYERS
from tests.e2e.sheet import besieged, set_up
from tests.factories import occupancy_of, running_game
from tests.story import Story

pytestmark = pytest.mark.django_db

GERMANY = "GERMANY"


def of(game: Game, power: str) -> str:
    name: str = occupancy_of(game, power).user.username
    return name


def taken() -> Game:
    """France has taken Munich in the fall; its other order bounced."""
    game = besieged()
    Story(game).order("FRANCE", "A Bur-Mun", "A Rhi S A Bur-Mun")
    Story(game).deadline()  # the army in Munich is dislodged
    Story(game).deadline()  # and disbanded: it has not retreated
    return game


def result_for(game: Game, power: str) -> ResultView:
    result = Story(game).seen_by(of(game, power)).result
    assert result is not None
    return result


def side_of(result: ResultView, power: str) -> SideResult:
    return next(side for side in result.sides if side.power == power)


def page_of(game: Game, name: str | None) -> str:
    return visitor(name).get(address("game", game)).content.decode()


def test_the_viewers_power_comes_first_and_everything_else_is_the_same_for_all() -> None:
    game = running_game()
    Story(game).order(GERMANY, "A Mun-Cze", "A Ber-Sil")
    Story(game).deadline()
    german, french = result_for(game, GERMANY), result_for(game, "FRANCE")
    assert (german.sides[0].power, french.sides[0].power) == (GERMANY, "FRANCE")
    assert german.outcomes == french.outcomes

    def facts(result: ResultView) -> dict[str, SideResult]:
        return {side.power: replace(side, mine=False) for side in result.sides}

    assert facts(german) == facts(french)


def test_a_power_to_which_nothing_happened_is_shown_to_its_own_player_alone() -> None:
    game = taken()
    turkish = result_for(game, "TURKEY").sides[0]
    assert (turkish.power, turkish.mine, turkish.outcomes) == ("TURKEY", True, ())
    assert "TURKEY" not in {side.power for side in result_for(game, GERMANY).sides}


def test_holds_are_counted_apart_from_what_was_carried_out() -> None:
    game = running_game()
    Story(game).order(GERMANY, "A Mun-Cze", "A Ber-Sil")
    Story(game).deadline()
    german = result_for(game, GERMANY).sides[0]
    assert (german.tally, len(german.outcomes)) == ("1 of 2 carried out, 1 held", 3)
    assert side_of(result_for(game, GERMANY), "TURKEY").tally == "3 held: no orders"
    assert "1 of 2 carried out, 1 held" in page_of(game, of(game, GERMANY))
    assert replace(german, outcomes=(), missed=True).tally == "no orders"


def test_a_waived_build_is_not_carried_out_and_a_convoy_that_was_is_called_so() -> None:
    game = running_game(variant="standard")
    set_up(game, "W1901A", {"FRANCE": "A PAR", "ENGLAND": "F NTH, A LON"})
    Story(game).order("FRANCE", "Build A Mar", "Waive")
    Story(game).deadline()
    french = result_for(game, "FRANCE").sides[0]
    assert french.tally == "1 of 1 carried out, 1 build waived"
    assert [outcome.results_in_words for outcome in french.outcomes] == ["", "succeeds"]
    assert not re.search(r">Waive</span> *<span", page_of(game, of(game, "FRANCE")))
    Story(game).order("ENGLAND", "A Lon-Nwy", "F Nth C A Lon-Nwy")
    Story(game).deadline()
    told = [outcome.results_in_words for outcome in result_for(game, "ENGLAND").sides[0].outcomes]
    assert told == ["succeeds", "carried out"]


def test_centres_won_and_lost_are_told_with_the_other_power() -> None:
    result = result_for(taken(), GERMANY)
    assert result.sides[0].lost == ("Munich (to France)",)
    assert "Munich (from Germany)" in side_of(result, "FRANCE").won
    assert result.sides[0].notices, "the disbanded army"


def test_failures_are_told_first() -> None:
    game = running_game()
    Story(game).order("FRANCE", "A Par-Bur", "A Mar S A Par-Bur")
    Story(game).order(GERMANY, "A Ber-Sil", "A Mun-Bur")
    Story(game).deadline()
    side = result_for(game, GERMANY).sides[0]
    told = [outcome.text for outcome in side.failures_first]
    assert told[0] == "A Mun–Bur"
    assert side.tally == "1 of 2 carried out, 1 held"


def test_the_page_draws_the_orders_that_led_to_the_position() -> None:
    game = running_game()
    Story(game).order(GERMANY, "A Ber-Sil")
    Story(game).deadline()
    german = Story(game).seen_by(of(game, GERMANY))
    moves = {(arrow.unit, arrow.target): arrow.ok for arrow in german.aftermath.arrows if arrow.kind == "move"}
    assert moves[("BER", "SIL")]
    assert german.drawing.arrows == ()
    page = page_of(game, EVE)
    arrow = re.search(r'<g class="order move"[^>]*data-unit="BER"', page)
    assert arrow is not None
    assert 'data-colour="3"' in arrow[0], "in the colour of the power that gave the order"
    assert 'data-unit="SIL"' in page


def test_a_player_is_told_first_what_to_do_and_by_when() -> None:
    game = running_game()
    german = of(game, GERMANY)
    assert re.search(r"<strong>Enter your orders by <time ", page_of(game, german))
    Story(game).order(GERMANY, "A Ber-Sil")
    assert re.search(r"<strong>Complete your orders by <time ", page_of(game, german))
    Story(game).order(GERMANY, "A Ber-Sil", "A Mun H", "F Ham H")
    assert "You can change them until <time " in page_of(game, german)
    assert "Orders are due <time " in page_of(game, EVE)
    assert "your orders" not in page_of(game, EVE)


def test_the_log_beside_the_board_shows_its_newest_lines() -> None:
    game = running_game()
    view = Story(game).seen_by(PLAYERS[0])
    assert 0 < len(view.newest_events) < len(view.events)
    page = page_of(game, PLAYERS[0])
    assert view.newest_events[-1].sentence in page
