"""Bots are clients like any other: they save orders once a phase opens, through the services, and never overwrite a
person's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from celery import current_app

from adjudication.judge import adjudicate
from adjudication.notation import read_sheet, write_sheet
from adjudication.options import must_decide
from games import tasks
from games.bots.services import open_bot_turns, play_bot_turn
from games.kernel.models import Readiness, Result
from games.mastering.services.desk import pause_game, seat_player
from games.orders.choices import missing_from
from games.orders.services import has_saved
from games.orders.sheets import sheet_from_orders
from games.seating.services.new_game import let_bot_play, take_over_from_bot
from tests.cast import CAROL, DAVE, person
from tests.factories import occupancy_of, open_phase, powers_of, running_game
from tests.story import Story
from variants.bots import play
from variants.registry import find, offered

if TYPE_CHECKING:
    from collections.abc import Iterator

    from games.kernel.models import Game
    from variants.variant import Variant

pytestmark = pytest.mark.django_db

PHASES = 12


@pytest.fixture
def at_once() -> Iterator[None]:
    """Tasks run where they are called, as with a worker that never waits."""
    current_app.conf.task_always_eager = current_app.conf.task_eager_propagates = True
    yield
    current_app.conf.task_always_eager = current_app.conf.task_eager_propagates = False


def game_of_bots(*powers: str, all_ready: bool = False) -> Game:
    game = running_game(all_ready=all_ready)
    for power in powers:
        let_bot_play(occupancy_id=occupancy_of(game, power).pk)
    return game


def saved(game: Game) -> set[str]:
    return {power for power in powers_of(game) if has_saved(occupancy_id=occupancy_of(game, power).pk, ordinal=0)}


@pytest.mark.usefixtures("at_once")
def test_every_bot_writes_and_nobody_else_does() -> None:
    game = game_of_bots("GERMANY", "ITALY")
    tasks.play_bots()
    assert saved(game) == {"GERMANY", "ITALY"}
    order_sheet = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert order_sheet is not None
    assert order_sheet.complete
    assert 0 < order_sheet.spent <= order_sheet.budget


def test_a_bot_writes_once_and_not_over_what_its_person_saved() -> None:
    game = game_of_bots("GERMANY", "ITALY")
    Story(game).order("GERMANY", "A Mun-Cze")
    assert [play_bot_turn(occupancy_id=one, ordinal=ordinal) for one, ordinal, _ in open_bot_turns()] == [False, True]
    assert [play_bot_turn(occupancy_id=one, ordinal=ordinal) for one, ordinal, _ in open_bot_turns()] == [False, False]
    order_sheet = Story(game).seen_by(occupancy_of(game, "GERMANY").user.username).order_sheet
    assert order_sheet is not None
    assert order_sheet.text == "A Mun-Cze"


def test_a_bot_that_was_taken_over_writes_no_more() -> None:
    game = game_of_bots("GERMANY")
    ((occupancy, ordinal, _),) = open_bot_turns()
    take_over_from_bot(occupancy_id=occupancy)
    assert open_bot_turns() == []
    assert not play_bot_turn(occupancy_id=occupancy, ordinal=ordinal)
    assert saved(game) == set()


def test_a_bot_that_comes_too_late_or_has_lost_its_seat_gives_up() -> None:
    late, replaced = game_of_bots("GERMANY"), game_of_bots("ITALY")
    (german, ordinal, _), (italian, *_) = open_bot_turns()
    Story(late).deadline()
    seat_player(
        game_id=replaced.pk, by=person(CAROL).pk, power="ITALY", username=person(DAVE).username, reason="Agreed."
    )
    assert not play_bot_turn(occupancy_id=german, ordinal=ordinal)
    assert not play_bot_turn(occupancy_id=italian, ordinal=ordinal)
    assert saved(replaced) == set()


def test_bots_rest_while_a_game_is_paused_and_can_be_asked_for_by_game() -> None:
    one, other = game_of_bots("GERMANY"), game_of_bots("ITALY")
    italian = (occupancy_of(other, "ITALY").pk, 0, open_phase(other).pk)
    assert open_bot_turns([other.pk]) == [italian]
    pause_game(game_id=one.pk, by=person(CAROL).pk)
    assert open_bot_turns() == [italian]


def test_where_the_game_asks_for_it_a_bot_says_that_it_is_ready() -> None:
    game = game_of_bots("GERMANY", all_ready=True)
    assert play_bot_turn(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0)
    assert [one.seat.power for one in Readiness.objects.select_related("seat")] == ["GERMANY"]


@pytest.mark.usefixtures("at_once")
def test_the_sweep_judges_what_is_due_and_nothing_else() -> None:
    due, early = running_game(), running_game()
    phase = Story(due).deadline_comes()
    tasks.sweep()
    assert [result.phase for result in Result.objects.all()] == [phase]
    assert early.phases.count() == 1


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_in_every_phase_of_every_variant_a_bot_writes_a_lawful_sheet_that_leaves_nothing_open(variant: Variant) -> None:
    position, rules = variant.start, variant.ruleset
    for seed in range(PHASES):
        sheets = {power: play(power, position, rules, seed) for power in must_decide(position, rules)}
        for power, sheet in sheets.items():
            reading = read_sheet(write_sheet(sheet, position), power, position, rules)
            assert (reading.sheet, reading.problems) == (sheet, ())
            assert missing_from(sheet_from_orders(sheet, power, position, variant)) == ()
            assert play(power, position, rules, seed) == sheet
        public = adjudicate(position, sheets, rules).public
        if public.verdict:
            return
        position = public.next


def test_bots_change_their_relations_now_and_then_and_say_together_what_takes_two() -> None:
    variant = find("formal-diplomacy")
    powers = variant.ruleset.powers
    stances: set[str] = set()
    said = 0
    for seed in range(20):
        sheets = {power: play(power, variant.start, variant.ruleset, seed) for power in powers}
        said += sum(len(sheet.orders) for sheet in sheets.values())
        stances |= set(adjudicate(variant.start, sheets, variant.ruleset).public.next.relations.values())
    assert stances == {"war", "alliance"}
    assert 0 < said < 20 * len(powers) * (len(powers) - 1) / 2
