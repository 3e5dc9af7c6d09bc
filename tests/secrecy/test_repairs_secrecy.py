"""Going back, correcting and previewing: no one new learns the orders of undone phases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.kernel.queries import phase_head
from games.mastering.judging import preview_open_phase
from games.mastering.services.correcting import correct_sheet
from games.mastering.services.desk import give_back_seat, seat_player
from games.mastering.services.repair import change_position, roll_back
from games.orders.services import enter_orders, set_ready
from games.seating.services.sitters import let_gm_enter_orders
from tests.cast import CAROL, DAVE, PLAYERS, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.secrecy.addresses import addresses
from tests.secrecy.observation import Browser, Observed, letters, observed_at, public_rows
from tests.secrecy.worlds import world
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("frozen")]

WHY = "Wrong start."
SECRET = "# Zygmunt"


PAGES = (
    "game",
    "phase",
    "history",
    "undone",
    "orders",
    "gm",
    "back",
    "choose-orders",
    "correct",
    "position",
    "preview",
)


def seen_by(viewer: str | Browser, game: Game) -> dict[str, Observed]:
    """The pages and API responses that could show an earlier phase, a repair or orders."""
    wanted = {f"games:{page}" for page in PAGES} | {"api:game", "api:phase", "api:sheet"}
    paths = {name: path for name, path in addresses(game).items() if name in wanted}
    assert set(paths) == wanted
    return observed_at(paths, viewer, acting=True)


def go_back(game: Game) -> None:
    seen = phase_head(open_phase(game)).mark
    roll_back(game_id=game.pk, by=person(CAROL).pk, ordinal=0, seen=seen, reason=WHY)


def correct_orders(game: Game, *, bids: str = "") -> None:
    correct_sheet(
        game_id=game.pk,
        by=person(CAROL).pk,
        ordinal=0,
        power="GERMANY",
        text=f"A Mun H\nA Ber-Sil\n{bids}",
        seen=phase_head(open_phase(game)).mark,
        reason=WHY,
        bids=bool(bids),
    )


def correct_bids(game: Game) -> None:
    """To those made in the one world, but not in the other."""
    correct_orders(game, bids="1: A Aus S A Mun-Cze")


def set_up(game: Game) -> None:
    seen = phase_head(open_phase(game)).mark
    lines = ["BER unit -"]
    change_position(game_id=game.pk, by=person(CAROL).pk, changes=lines, seen=seen, reason=WHY)


@pytest.mark.parametrize("repair", [go_back, correct_orders, correct_bids, set_up])
def test_after_a_repair_nothing_depends_on_what_others_had_saved(repair: Callable[[Game], None]) -> None:
    """Two worlds that differ only in sealed data: bids of the adjudicated phase, orders for the open one."""
    game = running_game(gm_corrects_bids=True)
    browsers = [Browser(viewer) for viewer in (DAVE, CAROL)]
    worlds = []
    for bid, later in (("1: A Aus S A Mun-Cze", ""), ("3: A Aus S A Mun-Cze", "A Ber-Sil")):
        with world():
            story = Story(game)
            story.order("GERMANY", "A Mun-Cze", bid)
            story.deadline()
            story.order("GERMANY", later)
            repair(game)
            seen = [seen_by(browser, game) for browser in browsers]
            worlds.append((seen, public_rows(), letters()))
    assert worlds[0] == worlds[1]


@pytest.mark.parametrize("viewer", [DAVE, CAROL])
def test_no_page_shows_what_was_saved_for_an_undone_phase(viewer: str) -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "2: A Hun S A Aus", SECRET)
    story.deadline()
    story.order("GERMANY", "A Ber-Sil", SECRET)
    go_back(game)
    if viewer == DAVE:
        seat_player(
            game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=person(DAVE).username, reason="Agreed."
        )
    pages = seen_by(viewer, game)
    assert [name for name, page in pages.items() if "ZYGMUNT" in page.body.upper()] == []
    assert "A Mun–Cze" in pages["GET games:undone"].body, "what was public stays so"


@pytest.mark.parametrize("is_given_back", [False, True])
def test_what_a_former_player_had_saved_shows_to_no_one_while_the_seat_can_be_given_back_or_after(
    is_given_back: bool,
) -> None:
    game = running_game(gm_sees_saved=not is_given_back, gm_previews=True, all_ready=True, show_ready=not is_given_back)
    carol, dave = person(CAROL).pk, person(DAVE).username
    browsers = [Browser(viewer) for viewer in (dave, CAROL, PLAYERS[1])]
    worlds = []
    for lines in ((), ("A Mun-Cze", "2: A Hun S A Aus", SECRET)):
        with world():
            if lines:
                Story(game).order("GERMANY", *lines)
                set_ready(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0, ready=True)
            seat_player(game_id=game.pk, by=carol, power="GERMANY", username=dave, reason="Agreed.")
            if is_given_back:
                give_back_seat(game_id=game.pk, by=carol, power="GERMANY")
            seen = {browser.viewer: seen_by(browser, game) for browser in browsers}
            if is_given_back:
                assert "It shows the result if" in seen[CAROL].pop("POST games:preview").body
            worlds.append((seen, public_rows(), letters()))
    assert worlds[0] == worlds[1]


def test_the_writer_alone_finds_the_own_sheet_of_the_phase_that_is_open_again() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", SECRET)
    story.deadline()
    go_back(game)
    writer = occupancy_of(game, "GERMANY").user.username
    assert "Zygmunt" in seen_by(writer, game)["GET games:orders"].body


def test_that_the_game_master_looked_beforehand_shows_in_the_log_and_nowhere_what_was_seen() -> None:
    game = running_game(gm_previews=True)
    browsers = [Browser(viewer) for viewer in (PLAYERS[1], CAROL)]
    worlds = []
    for lines in (("A Mun-Cze",), ("A Mun-Cze", "1: F Nwy H")):
        with world():
            story = Story(game)
            story.order("BRITAIN", "F Lon-NTH")
            story.order("GERMANY", *lines)
            preview_open_phase(game_id=game.pk, by=person(CAROL).pk)
            seen = {browser.viewer: seen_by(browser, game) for browser in browsers}
            assert "It shows the result if" in seen[CAROL].pop("POST games:preview").body
            worlds.append(seen)
    assert worlds[0] == worlds[1]
    for pages in worlds[0].values():
        assert "previewed the result of the orders saved so far for Spring 1926." in pages["GET games:game"].body


def test_where_previews_were_not_chosen_the_desk_does_not_know_of_them() -> None:
    game = running_game()
    seen = seen_by(CAROL, game)
    assert "Preview" not in seen["GET games:gm"].body
    assert seen["POST games:preview"].status == 303
    assert seen_by(PLAYERS[0], game)["POST games:preview"].status == 404


def test_nobody_else_learns_who_lets_the_game_master_enter_orders_or_that_it_happened() -> None:
    game = running_game(gm_enters_orders=True)
    browsers = [Browser(viewer) for viewer in (PLAYERS[1], DAVE)]
    worlds = []
    for agrees in (False, True):
        with world():
            Story(game).order("GERMANY", "A Mun-Cze")
            let_gm_enter_orders(game_id=game.pk, user_id=occupancy_of(game, "GERMANY").user_id, agree=agrees)
            if agrees:
                seen = phase_head(open_phase(game)).mark
                sheet: dict[str, Any] = {"power": "GERMANY", "ordinal": 0, "text": "A Mun H\n1: A Aus H", "seen": seen}
                enter_orders(game_id=game.pk, by=person(CAROL).pk, **sheet)
            pages = [seen_by(browser, game) for browser in browsers]
            worlds.append((pages, letters(), list(game.events.values_list("kind", flat=True))))
    assert worlds[0] == worlds[1]
