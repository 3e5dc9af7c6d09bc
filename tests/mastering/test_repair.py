"""Going back, and what a correction keeps and undoes."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.delivery.letters import deliver_letters
from games.kernel import clock, codec
from games.kernel.models import Letter, Phase, Result, Status
from games.kernel.queries import phase_head
from games.kernel.refusals import BadReason, NotAllowed, WrongMoment
from games.mastering.judging import what_differs_on_replay
from games.mastering.news import ORDER_CORRECTED, ROLLED_BACK
from games.mastering.services import desk as game_master
from games.mastering.services import repair
from games.orders.services import save_sheet
from games.orders.sheets import SentSheet
from games.sealed import store
from games.sealed.store import BLANK
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, running_game
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Game

pytestmark = pytest.mark.django_db

WHY = "Two deadlines fell on a holiday."


def carol() -> int:
    return person(CAROL).pk


def seen(game: Game) -> str:
    return phase_head(open_phase(game)).mark


def go_back(game: Game, ordinal: int = 0, **changed: Any) -> None:
    facts = {"by": carol(), "seen": seen(game), "reason": WHY, **changed}
    repair.roll_back(game_id=game.pk, ordinal=ordinal, **facts)


def correct(game: Game, power: str, order: str, instead: str = "", ordinal: int = 0) -> None:
    Story(game).correct(power, order, instead, ordinal=ordinal, reason=WHY)


def results(game: Game, ordinal: int = 0) -> dict[str, bool]:
    result = Story(game).seen_by(DAVE, ordinal).result
    assert result is not None
    return {outcome.text: outcome.succeeded for outcome in result.outcomes}


def told(game: Game, power: str, ordinal: int = 0) -> dict[str, str]:
    """The orders of a power's units, as canonical text."""
    result = Story(game).seen_by(DAVE, ordinal).result
    assert result is not None
    return {it.order.split()[1]: it.order for it in result.outcomes if it.power == power}


def test_going_back_opens_the_phase_with_the_sheets_of_those_who_still_sit_there() -> None:
    game = running_game()
    story = Story(game)
    before = codec.position_of(open_phase(game))
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.order("ITALY", "A Mil-Swi")
    story.deadline()
    story.order("GERMANY", "A Cze H")
    game_master.seat_player(
        game_id=game.pk, by=carol(), power="ITALY", username=person(DAVE).username, reason="Agreed."
    )
    go_back(game)
    phase = open_phase(game)
    assert (phase.ordinal, codec.position_of(phase)) == (0, before)
    assert phase.deadline is not None
    assert timedelta(hours=23) < phase.deadline - clock.now() <= timedelta(hours=24)
    kept = story.seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert kept is not None
    assert kept.text == "A Mun-Cze\n2: A Aus S A Mun-Cze"
    newcomer = story.seen_by(DAVE).order_sheet
    assert newcomer is not None
    assert (newcomer.text, newcomer.saved) == ("", False)
    story.deadline()
    assert results(game)["A Mun–Cze"]


def test_what_was_undone_leaves_every_count_and_every_page_but_its_own() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    story.deadline()
    assert occupancy_of(game, "ITALY").missed == 2
    assert occupancy_of(game, "GERMANY").missed == 1
    assert [occupancy_of(game, power).silent for power in ("ITALY", "GERMANY")] == [2, 1]
    story.order("ITALY", "A Mil H")
    story.deadline()
    assert [occupancy_of(game, power).silent for power in ("ITALY", "GERMANY")] == [0, 2]
    go_back(game, 2)
    assert [occupancy_of(game, power).silent for power in ("ITALY", "GERMANY")] == [2, 1]
    go_back(game, 1)
    assert [occupancy_of(game, power).silent for power in ("ITALY", "GERMANY")] == [1, 0]
    go_back(game)
    for power in ("ITALY", "GERMANY"):
        seat = occupancy_of(game, power)
        assert (seat.owed, seat.missed, seat.silent) == (0, 0, 0)
    view = story.seen_by(DAVE)
    assert [head.ordinal for head in view.phases] == [0]
    assert view.result is None
    assert Phase.objects.filter(game=game).count() == 1
    assert Phase.every.filter(game=game).count() == 7
    assert Result.objects.filter(phase__game=game).count() == 0
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_the_log_is_asked_once_for_all_phases_that_count_which_of_them_were_cut_short() -> None:
    game = running_game()
    for _ in range(4):
        Story(game).deadline()
    with CaptureQueriesContext(connection) as queries:
        go_back(game, 3)
    assert len([query for query in queries if "seconds" in query["sql"]]) == len(["undone", "silence"])


def test_the_log_and_a_letter_tell_everybody_why() -> None:
    game = running_game()
    story = Story(game)
    story.deadline()
    Letter.objects.update(sent=clock.now())
    go_back(game, reason="  Two deadlines\nfell on a holiday. ")
    newest = story.seen_by(DAVE).events[0]
    assert (
        newest.sentence
        == f"carol took the game back to Spring 1926. Everything after it has been undone. Reason: {WHY}"
    )
    told = Letter.objects.filter(kind=ROLLED_BACK.letter)
    assert told.count() == 7
    assert not Letter.objects.filter(sent__isnull=True).exclude(kind=ROLLED_BACK.letter).exists(), "one each"


def test_letters_that_still_wait_about_undone_phases_are_not_sent() -> None:
    game = running_game()
    story = Story(game)
    story.deadline()
    assert Letter.objects.filter(ordinal=1, sent__isnull=True).exists()
    go_back(game)
    assert not Letter.objects.filter(ordinal=1).exists()
    while deliver_letters():  # a busy machine does not send them all at once
        pass
    assert not Letter.objects.filter(sent__isnull=True).exists()


@pytest.mark.parametrize("phases", [2, 3, 5])
def test_going_back_over_retreats_and_winters_and_playing_on_leaves_a_game_that_replays(phases: int) -> None:
    game = running_game()
    story = Story(game)
    turns = []
    for number in range(phases):
        turns.append(open_phase(game).turn)
        if number == 0:
            story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
        story.deadline()
    go_back(game, phases - 2)
    assert open_phase(game).turn == turns[phases - 2]
    story.deadline()
    story.deadline()
    assert [phase.ordinal for phase in game.phases.order_by("ordinal")] == list(range(phases + 1))
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_a_power_that_left_for_good_since_may_be_played_again() -> None:
    game = running_game()
    story = Story(game)
    story.deadline()
    game_master.declare_civil_disorder(game_id=game.pk, by=carol(), power="ITALY")
    go_back(game)
    italy = next(power for power in story.seen_by(DAVE).powers if power.id == "ITALY")
    assert (italy.disordered, italy.seated, italy.units > 0) == (False, False, True)
    game_master.seat_player(
        game_id=game.pk, by=carol(), power="ITALY", username=person(DAVE).username, reason="Agreed."
    )
    game_master.declare_civil_disorder(game_id=game.pk, by=carol(), power="ITALY")
    story.deadline()
    go_back(game)
    assert game.seats.get(power="ITALY").disordered, "it had left in the very phase that is open again"


def test_a_paused_game_stays_paused() -> None:
    game = running_game()
    Story(game).deadline()
    game_master.pause_game(game_id=game.pk, by=carol())
    go_back(game)
    phase = open_phase(game)
    assert (phase.deadline, phase.remaining) == (None, timedelta(hours=24))
    game_master.resume_game(game_id=game.pk, by=carol())
    assert open_phase(game).deadline is not None


def test_nobody_goes_back_without_right_reason_or_a_judged_phase() -> None:
    game = running_game()
    story = Story(game)
    with pytest.raises(WrongMoment, match="Only a phase that has a result"):
        go_back(game)
    story.deadline()
    with pytest.raises(NotAllowed):
        go_back(game, by=person("alice").pk)
    with pytest.raises(BadReason, match="Give a reason"):
        go_back(game, reason=" \n ")
    with pytest.raises(BadReason, match="301 characters, but at most 300 are allowed"):
        go_back(game, reason="x" * 301)
    with pytest.raises(WrongMoment, match="has moved on since you opened this page: it is now Fall 1926"):
        go_back(game, seen="0 then")
    assert not game.undoings.exists()
    game_master.close_game(game_id=game.pk, by=carol())
    with pytest.raises(WrongMoment, match="The game is over"):
        repair.roll_back(game_id=game.pk, by=carol(), ordinal=0, seen="", reason=WHY)


def test_a_sheet_written_for_an_undone_phase_is_refused_and_destroyed() -> None:
    game = running_game()
    story = Story(game)
    story.deadline()
    story.order("GERMANY", "A Ber H")
    german, undone = occupancy_of(game, "GERMANY"), open_phase(game)
    go_back(game)
    with pytest.raises(WrongMoment, match="this phase no longer exists"):
        save_sheet(occupancy_id=german.pk, sheet=SentSheet("A Ber H", 1))
    for phase in (undone, Phase.every.exclude(undoing=None).get(ordinal=0)):
        phase.refresh_from_db()
        assert set(store.read_closed(phase).values()) == {BLANK}


def test_the_bids_of_undone_phases_are_not_opened_at_the_end() -> None:
    game = running_game(open_bids_at_end=True)
    story = Story(game)
    story.order("GERMANY", "2: A Aus S A Mun-Cze")
    story.deadline()
    game_master.seat_player(
        game_id=game.pk, by=carol(), power="GERMANY", username=person(DAVE).username, reason="Agreed."
    )
    go_back(game)
    story.deadline()
    game_master.close_game(game_id=game.pk, by=carol())
    assert story.seen_by(DAVE, 0).opened_bids == ()


def test_an_order_that_is_voided_or_corrected_is_judged_again_from_the_same_sheets() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    story.order("ITALY", "A Mil-Swi")
    story.deadline()
    sheet = story.seen_by(occupancy_of(game, "GERMANY").user.username, 0).own_sheet
    correct(game, "GERMANY", "A MUN - CZE")
    first = results(game)
    assert "A Mun–Cze" not in first
    assert {"A Mil–Swi", "A Aus S A Mun–Cze"} <= set(first), "what the others wrote and bid counts as before"
    assert story.seen_by(occupancy_of(game, "GERMANY").user.username, 0).own_sheet == sheet
    assert open_phase(game).ordinal == 1
    assert codec.position_of(open_phase(game)).unit_at("MUN") is not None
    assert what_differs_on_replay(game_id=game.pk) == ()
    correct(game, "ITALY", "A MIL - SWI", "A Mil-Rom")
    assert "A Mil–Rom" in results(game)
    assert "A Mun–Cze" not in results(game), "what was corrected before stays so"
    assert what_differs_on_replay(game_id=game.pk) == ()
    sentences = [event.sentence for event in story.seen_by(DAVE).events if event.kind == ORDER_CORRECTED.log]
    assert sentences == [
        "carol corrected an order of Spring 1926: A Mil–Swi of Italy counts as A Mil–Rom. "
        f"The phase was adjudicated again. The position stays the same. Reason: {WHY}",
        "carol corrected an order of Spring 1926: A Mun–Cze of Germany does not count. "
        "The phase was adjudicated again. On the board: Czechia: minor power’s army instead of German army. Munich: "
        f"German army instead of nothing. Reason: {WHY}",
    ]


def test_a_minor_powers_unit_may_be_told_otherwise_whatever_was_bid() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "3: A Aus S A Mun-Cze")
    story.deadline()
    assert results(game)["A Aus S A Mun–Cze"]
    correct(game, "NEUTRAL", "A AUS S A MUN - CZE")
    assert "A Aus S A Mun–Cze" not in results(game)
    assert not results(game)["A Mun–Cze"]
    assert told(game, "NEUTRAL")["AUS"] == "A AUS H"
    correct(game, "NEUTRAL", "A AUS H", "A Aus S A Hun")
    assert "A Aus S A Hun" in results(game)
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_correcting_twice_in_the_same_way_comes_to_the_same() -> None:
    games = [running_game(name=name) for name in ("One", "Two")]
    for game in games:
        Story(game).order("GERMANY", "A Mun-Cze")
        Story(game).deadline()
        correct(game, "GERMANY", "A MUN - CZE", "A Mun-Bur")
    one, two = (Result.objects.get(phase__game=game).public for game in games)
    assert one == two


def test_who_missed_a_phase_has_still_missed_it_once_when_it_is_judged_again() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    correct(game, "GERMANY", "A MUN - CZE")
    assert (occupancy_of(game, "ITALY").missed, occupancy_of(game, "GERMANY").missed) == (1, 0)
    assert (occupancy_of(game, "ITALY").owed, occupancy_of(game, "GERMANY").owed) == (1, 1)
    result = story.seen_by(DAVE, 0).result
    assert result is not None
    assert "GERMANY" not in result.missed


def test_a_newcomer_does_not_see_the_sheet_of_a_phase_judged_again() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.deadline()
    game_master.seat_player(
        game_id=game.pk, by=carol(), power="GERMANY", username=person(DAVE).username, reason="Agreed."
    )
    correct(game, "GERMANY", "A MUN - CZE")
    assert story.seen_by(DAVE, 0).own_sheet is None


def test_a_correction_of_an_earlier_phase_undoes_what_came_after() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    story.deadline()
    story.deadline()
    correct(game, "GERMANY", "A MUN - CZE")
    assert [phase.turn for phase in game.phases.order_by("ordinal")] == ["S1926M", "F1926M"]
    assert game.status == Status.RUNNING


def test_a_retreat_is_taken_back_and_corrected_with_the_winter_after_it() -> None:
    game = running_game(variant="standard")
    story = Story(game)
    story.order("AUSTRIA", "A Vie-Tyr")
    story.deadline()
    story.order("AUSTRIA", "A Tyr-Ven", "F Tri S A Tyr-Ven")
    story.deadline()
    story.order("ITALY", "A Ven-Pie")
    story.deadline()
    assert [phase.turn for phase in game.phases.order_by("ordinal")] == ["S1901M", "F1901M", "F1901R", "W1901A"]
    go_back(game, 2)
    italian = story.seen_by(occupancy_of(game, "ITALY").user.username).order_sheet
    assert italian is not None
    assert (italian.kind, italian.text) == ("R", "A Ven-Pie")
    story.deadline()
    correct(game, "ITALY", "A VEN - PIE", "A Ven-Tus", ordinal=2)
    position = codec.position_of(open_phase(game))
    assert (position.turn.code, position.unit_at("PIE")) == ("W1901A", None)
    assert position.unit_at("TUS") is not None
    story.deadline()
    assert what_differs_on_replay(game_id=game.pk) == ()
    go_back(game, 0)
    story.deadline()
    assert told(game, "AUSTRIA")["VIE"] == "A VIE - TYR"
    assert what_differs_on_replay(game_id=game.pk) == ()


def test_who_opens_a_phase_gone_back_to_reads_what_happened_and_what_to_do_once() -> None:
    game = running_game()
    for _ in range(2):
        Story(game).deadline()
        go_back(game)
    (notice,) = Story(game).seen_by(DAVE).notices
    assert notice.sentence == (
        "The game master took the game back to this phase, to be played again. Players who had played it before got "
        f"back the orders they had saved, with any corrections, to change as they liked. Reason: {WHY}"
    )
