"""Going back to a phase whose orders or bids were corrected: both come back as corrected, to those who had them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from games.kernel import codec
from games.kernel.queries import phase_head
from games.mastering.judging import what_differs_on_replay
from games.mastering.services import repair
from games.mastering.services.correcting import correct_sheet, published_orders
from games.mastering.services.desk import seat_player
from games.orders.bids import look_at_bids
from games.sealed import store
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from collections.abc import Callable

    from games.kernel.models import Game
    from games.orders.parts import SheetView

pytestmark = pytest.mark.django_db

WHY = "I misread two orders."


def carol() -> int:
    return person(CAROL).pk


def seen(game: Game) -> str:
    return phase_head(open_phase(game)).mark


def correct(game: Game, power: str, *lines: str, ordinal: int = 0, bids: bool = False) -> None:
    text, mark = "\n".join(lines), seen(game)
    correct_sheet(
        game_id=game.pk, by=carol(), ordinal=ordinal, power=power, text=text, seen=mark, reason=WHY, bids=bids
    )


def go_back(game: Game, ordinal: int = 0) -> None:
    repair.roll_back(game_id=game.pk, by=carol(), ordinal=ordinal, seen=seen(game), reason=WHY)


def played(**options: Any) -> Game:
    game = running_game(gm_corrects_bids=True, **options)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze # a remark", "A Ber-Sil", "2: A Aus S A Mun-Cze", "IF A MUN DISLODGED: BUR")
    story.order("ITALY", "A Mil-Swi", "1: A Aus H")
    story.deadline()
    return game


def sheet(game: Game, power: str) -> SheetView:
    found = Story(game).seen_by(occupancy_of(game, power).user.username).order_sheet
    assert found is not None
    return found


def public(game: Game, ordinal: int) -> Any:
    return codec.public_result_of(game.phases.select_related("result").get(ordinal=ordinal).result)


def orders(game: Game, power: str, ordinal: int = 0) -> set[str]:
    return set(published_orders(game.phases.select_related("result").get(ordinal=ordinal), power))


CORRECTED = ("A Mun-Bur", "A Ber-Mun")


@pytest.mark.parametrize(
    ("acts", "germany"),
    [
        ([(CORRECTED, False)], "A BER - MUN\nA MUN - BUR\n2: A AUS S A MUN - CZE\nIF MUN DISLODGED: BUR"),
        ([((*CORRECTED, "1: A Hun H"), True)], "A BER - MUN\nA MUN - BUR\n1: A HUN H\nIF MUN DISLODGED: BUR"),
        (
            [(("A Mun-Cze", "A Ber-Sil", "1: A Hun H"), True)],
            "A MUN - CZE\nA BER - SIL\n1: A HUN H\nIF MUN DISLODGED: BUR",
        ),
        (
            [((*CORRECTED, "1: A Hun H"), True), (("A Mun H", "A Ber-Mun", "2: A Hun H"), True)],
            "A BER - MUN\nA MUN H\n2: A HUN H\nIF MUN DISLODGED: BUR",
        ),
        (
            [((*CORRECTED, "1: A Hun H"), True), (("A Mun H", "A Ber-Sil"), False)],
            "A BER - SIL\nA MUN H\n1: A HUN H\nIF MUN DISLODGED: BUR",
        ),
        ([(("A Ber-Mun",), False)], "A BER - MUN\n2: A AUS S A MUN - CZE\nIF MUN DISLODGED: BUR"),
    ],
    ids=["only orders", "orders and bids", "only bids", "twice", "first both, then orders", "a unit that holds"],
)
def test_orders_and_bids_come_back_as_corrected_and_give_that_result_again(
    acts: list[tuple[tuple[str, ...], bool]], germany: str
) -> None:
    game = played()
    for lines, bids in acts:
        correct(game, "GERMANY", *lines, bids=bids)
    after = public(game, 0)
    go_back(game)
    mine = sheet(game, "GERMANY")
    assert sorted(mine.text.splitlines()) == sorted(germany.splitlines())
    assert (mine.saved, mine.by_gm, sheet(game, "ITALY").by_gm) == (True, True, False)
    assert not open_phase(game).amendments.exists()
    Story(game).deadline()
    assert public(game, 0) == after
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_a_correction_that_was_taken_back_leaves_what_the_player_typed() -> None:
    game = played()
    correct(game, "GERMANY", *CORRECTED)
    correct(game, "GERMANY", "A Mun-Cze", "A Ber-Sil")
    go_back(game)
    mine = sheet(game, "GERMANY")
    assert (mine.text.splitlines()[0], mine.by_gm) == ("A Mun-Cze # a remark", False)


def test_every_corrected_power_gets_its_own_even_one_that_had_saved_nothing() -> None:
    game = played()
    for power, lines in (("GERMANY", CORRECTED), ("ITALY", ("A Mil-Pie",)), ("FRANCE", ("A Par-Bur",))):
        correct(game, power, *lines)
    after = public(game, 0)
    go_back(game)
    assert sheet(game, "ITALY").text == "A MIL - PIE\n1: A AUS H"
    france = sheet(game, "FRANCE")
    assert (france.text, france.saved) == ("A PAR - BUR", True)
    assert not sheet(game, "POLAND").saved
    Story(game).deadline()
    assert public(game, 0) == after


def test_going_back_two_phases_brings_the_corrections_of_that_phase_and_no_others() -> None:
    game = played()
    correct(game, "GERMANY", *CORRECTED, "1: A Hun H", bids=True)
    after = public(game, 0)
    Story(game).deadline()
    correct(game, "GERMANY", "A Bur-Pic", ordinal=1)
    go_back(game, 1)
    assert sheet(game, "GERMANY").text == "A BUR - PIC"
    Story(game).deadline()
    go_back(game)
    go_on = sheet(game, "GERMANY")
    assert "1: A HUN H" in go_on.text.splitlines()
    assert "A MUN - BUR" in go_on.text.splitlines()
    Story(game).deadline()
    assert public(game, 0) == after
    go_back(game)
    assert sorted(sheet(game, "GERMANY").text.splitlines()) == sorted(go_on.text.splitlines()), "and once more"
    Story(game).deadline()
    assert public(game, 0) == after
    assert what_differs_on_replay(game_id=game.pk) == ()


def to_the_retreats(game: Game) -> tuple[str, str, str, str]:
    """Germany is to retreat from Munich, and is corrected."""
    story = Story(game)
    story.order("GERMANY", "A Mun-Bur")
    story.order("FRANCE", "A Par-Pic", "A Mar H")
    story.deadline()
    story.order("GERMANY", "A Bur H", "A Ber H")
    story.order("FRANCE", "A Mar-Bur", "A Pic S A Mar-Bur")
    story.deadline()
    assert open_phase(game).turn == "F1901R"
    story.order("GERMANY", "A Bur-Mun")
    story.deadline()
    return "GERMANY", "A Bur-Bel", "A BUR - BEL", "F1901R"


def to_the_builds(game: Game) -> tuple[str, str, str, str]:
    story = Story(game)
    story.order("GERMANY", "F Kie-Den", "A Mun-Ruh", "A Ber-Kie")
    story.deadline()
    story.order("GERMANY", "A Kie-Hol")
    story.deadline()
    story.order("GERMANY", "Build A Mun", "Build F Ber")
    story.deadline()
    return "GERMANY", "Build A Ber; Build F Kie", "BUILD A BER\nBUILD F KIE", "W1901A"


def to_a_winter_without_orders(game: Game) -> tuple[str, str, str, str]:
    story = Story(game)
    story.order("GERMANY", "F Kie-Den")
    story.deadline()
    story.deadline()
    story.deadline()
    return "GERMANY", "Build F Kie", "BUILD F KIE", "W1901A"


@pytest.mark.parametrize("play", [to_the_retreats, to_the_builds, to_a_winter_without_orders])
def test_retreats_and_builds_come_back_as_corrected(play: Callable[[Game], tuple[str, str, str, str]]) -> None:
    game = running_game(variant="standard")
    power, text, canonical, turn = play(game)
    ordinal = game.phases.get(turn=turn).ordinal
    correct(game, power, *text.split("; "), ordinal=ordinal)
    after = public(game, ordinal)
    go_back(game, ordinal)
    assert sorted(sheet(game, power).text.splitlines()) == sorted(canonical.splitlines())
    Story(game).deadline()
    assert public(game, ordinal) == after
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_minor_powers_follow_the_bids_again_and_everyone_reads_so() -> None:
    game = played()
    (was,) = (order for order in orders(game, "NEUTRAL") if order.startswith("A AUS"))
    Story(game).correct("NEUTRAL", was, "A AUS H")
    go_back(game)
    (notice,) = Story(game).seen_by(DAVE).notices
    assert notice.sentence.endswith(
        f"Bids count again, even where the orders of minor powers had been corrected. Reason: {WHY}"
    )
    Story(game).deadline()
    assert was in orders(game, "NEUTRAL")


def test_corrected_bids_come_back_only_to_the_player_who_holds_the_seat_still() -> None:
    game = played()
    correct(game, "GERMANY", *CORRECTED, "1: A Hun H", bids=True)
    correct(game, "ITALY", "A Mil-Pie", "1: A Aus S A Mil-Swi", bids=True)
    seat_player(game_id=game.pk, by=carol(), power="ITALY", username=person(DAVE).username, reason="Agreed.")
    go_back(game)
    assert "1: A HUN H" in sheet(game, "GERMANY").text
    newcomer = sheet(game, "ITALY")
    assert (newcomer.text, newcomer.saved) == ("", False)
    others = [Story(game).seen_by(name) for name in (CAROL, DAVE, occupancy_of(game, "FRANCE").user.username)]
    assert all("HUN" not in view.order_sheet.text for view in others if view.order_sheet)
    with pytest.raises(store.NoAccessToSheet):
        store.read_closed(open_phase(game))
    Story(game).deadline()
    bids = {it.power: [bid.canonical for bid in it.bids] for it in look_at_bids(game_id=game.pk, by=carol(), ordinal=0)}
    assert bids == {"GERMANY": ["A HUN H"]}
