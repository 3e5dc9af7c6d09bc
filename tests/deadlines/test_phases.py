"""The life of a phase: adjudicated once, from the saved orders; if that fails, the game is put on hold."""

import logging
from datetime import timedelta

import pytest
from django.db import transaction

from games.deadlines.news import FINISHED, GAME_HELD, GAME_OVER, HELD, PHASE_OPENED
from games.deadlines.phases import close_due_phase, hold_game, resume_held_game
from games.kernel import clock, codec
from games.kernel.models import Game, Letter, OpenedBids, Phase, Readiness, Result, Status
from games.orders.services import set_ready
from tests.cast import CAROL, PLAYERS, person
from tests.factories import HOUR, due_phases, occupancy_of, open_phase, running_game
from tests.sealed.slots import slots_of
from tests.story import Story

pytestmark = pytest.mark.django_db


def test_a_phase_that_is_not_due_is_left_alone() -> None:
    game = running_game()
    assert due_phases() == []
    assert not close_due_phase(phase_id=open_phase(game).pk)
    assert not Result.objects.exists()
    assert game.phases.count() == 1


def test_the_deadline_closes_one_phase_and_opens_the_next() -> None:
    game = running_game(movement_seconds=2 * HOUR)
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze", "2: A Aus S A Mun-Cze")
    story.order("ITALY", "A Mil-Swi", "1: A Aus S A Mil-Swi")
    phase = story.deadline_comes()
    assert due_phases() == [phase.pk]
    assert close_due_phase(phase_id=phase.pk)
    assert due_phases() == []
    first, second = game.phases.order_by("ordinal")
    assert first.closed is not None
    assert (second.ordinal, second.turn, second.closed) == (1, "F1926M", None)
    assert second.opened == first.closed
    assert second.deadline == second.opened + timedelta(hours=2)
    assert len(slots_of(second)) == len(PLAYERS)
    view = story.seen_by("dave")
    assert view.result is not None
    texts = {outcome.text: outcome.succeeded for outcome in view.result.outcomes}
    assert texts["A Mun–Cze"]
    assert texts["A Aus S A Mun–Cze"]
    assert not texts["A Mil–Swi"]
    position = codec.position_of(second)
    unit = position.unit_at("CZE")
    assert unit is not None
    assert unit.power == "GERMANY"


def test_a_phase_is_judged_once_however_often_it_is_asked_for() -> None:
    game = running_game()
    phase = Story(game).deadline_comes()
    assert [close_due_phase(phase_id=phase.pk) for _ in range(3)] == [True, False, False]
    assert Result.objects.filter(phase=phase).count() == 1
    assert game.phases.count() == 2


def test_who_has_saved_or_said_ready_has_not_missed_the_deadline() -> None:
    game = running_game(all_ready=True)
    story = Story(game)
    story.order("GERMANY", "")
    set_ready(occupancy_id=occupancy_of(game, "ITALY").pk, ordinal=0, ready=True)
    story.deadline()
    missed = {power for power in (seat.power for seat in game.seats.all()) if occupancy_of(game, power).missed}
    assert missed == {seat.power for seat in game.seats.all()} - {"GERMANY", "ITALY"}
    view = story.seen_by("dave")
    assert view.result is not None
    assert set(view.result.missed) == missed
    assert {power.id for power in view.powers if power.missed} == missed
    assert not Readiness.objects.exists()


def test_every_player_with_a_decision_gets_one_letter_about_the_new_phase() -> None:
    game = running_game()
    Story(game).deadline()
    letters = Letter.objects.filter(kind=PHASE_OPENED.letter, ordinal=1)
    assert sorted(letter.user.username for letter in letters) == sorted(PLAYERS)
    assert CAROL not in {letter.user.username for letter in letters}


class WorkerKilled(Exception):
    pass


@transaction.atomic
def advance_and_die(phase: Phase) -> None:
    assert close_due_phase(phase_id=phase.pk)
    raise WorkerKilled


def break_the_game(game: Game) -> None:
    """Give the open phase a position that the adjudicator cannot read."""
    phase = open_phase(game)
    phase.position = {"format": 999}
    phase.save(update_fields=["position"])


def test_a_game_that_cannot_be_judged_is_held_and_the_others_go_on(caplog: pytest.LogCaptureFixture) -> None:
    broken, sound = running_game(name="Broken"), running_game(name="Sound")
    Story(broken).order("GERMANY", "A Mun-Cze", "1: A Aus S A Mun-Cze")
    break_the_game(broken)
    phases = [Story(game).deadline_comes().pk for game in (broken, sound)]
    with caplog.at_level(logging.ERROR), pytest.raises(Exception, match="format"):
        close_due_phase(phase_id=phases[0])
    assert close_due_phase(phase_id=phases[1])
    broken.refresh_from_db()
    assert broken.status == Status.HELD
    assert len(broken.incident) == 8
    assert broken.phases.count() == 1
    assert not Result.objects.filter(phase__game=broken).exists()
    assert broken.events.filter(kind=HELD.log).count() == 1
    assert Letter.objects.get(kind=GAME_HELD.letter).user == person(CAROL)
    assert f"incident {broken.incident}" in caplog.text
    assert "Mun" not in caplog.text
    assert "AUS" not in caplog.text
    assert due_phases() == []
    assert not close_due_phase(phase_id=phases[0])


def test_a_game_on_other_data_than_it_was_begun_with_is_held() -> None:
    game = running_game()
    game.variant_digest = "0" * 64
    game.save(update_fields=["variant_digest"])
    with pytest.raises(codec.VariantChanged):
        close_due_phase(phase_id=Story(game).deadline_comes().pk)
    game.refresh_from_db()
    assert game.status == Status.HELD


def test_a_released_game_goes_on_with_the_time_it_had_left() -> None:
    game = running_game(movement_seconds=2 * HOUR)
    incident = hold_game(game_id=game.pk)
    game.refresh_from_db()
    phase = open_phase(game)
    assert (game.status, game.incident) == (Status.HELD, incident)
    assert phase.deadline is None
    assert phase.remaining is not None
    assert timedelta(hours=1, minutes=59) < phase.remaining <= timedelta(hours=2)
    assert hold_game(game_id=game.pk) == "", "it is held already"
    resume_held_game(game_id=game.pk)
    game.refresh_from_db()
    phase = open_phase(game)
    assert (game.status, game.incident) == (Status.RUNNING, "")
    assert phase.deadline is not None
    assert phase.deadline - clock.now() > timedelta(hours=1, minutes=59)


def test_a_released_game_whose_time_was_up_is_judged_at_once() -> None:
    game = running_game()
    story = Story(game)
    story.order("GERMANY", "A Mun-Cze")
    phase = story.deadline_comes()
    hold_game(game_id=game.pk, phase_id=phase.pk)
    resume_held_game(game_id=game.pk)
    assert due_phases() == [phase.pk]
    assert close_due_phase(phase_id=phase.pk)


def test_a_victory_ends_the_game_and_nothing_opens_after_it() -> None:
    game = running_game(open_bids_at_end=True)
    story = Story(game)
    give_all_centres_to(game, "GERMANY")
    story.order("GERMANY", "A Mun H", "3: A Aus H")
    story.deadline()
    story.deadline()
    assert game.status == Status.FINISHED
    assert game.verdict is not None
    assert game.verdict["winners"] == ["GERMANY"]
    assert not game.phases.filter(closed__isnull=True).exists()
    assert game.events.filter(kind=FINISHED.log).count() == 1
    assert Letter.objects.filter(kind=GAME_OVER.letter).count() == len(PLAYERS) + 1
    final = story.seen_by("dave")
    assert final.final
    assert final.game.winners == ("GERMANY",)
    first = story.seen_by("dave", 0)
    assert first.opened_bids is not None
    assert [(bids.power, [line.canonical for line in bids.bids]) for bids in first.opened_bids] == [
        ("GERMANY", ["A AUS H"])
    ]


def give_all_centres_to(game: Game, power: str) -> None:
    phase = open_phase(game)
    everything = sorted(codec.variant_of(game).ruleset.board.centres)
    phase.position = {**phase.position, "centres": dict.fromkeys(everything, power)}
    phase.save(update_fields=["position"])


def test_bids_stay_sealed_after_the_end_unless_the_game_was_created_to_open_them() -> None:
    game = running_game()
    story = Story(game)
    give_all_centres_to(game, "GERMANY")
    story.order("GERMANY", "3: A Aus H")
    story.deadline()
    story.deadline()
    assert game.status == Status.FINISHED
    assert not OpenedBids.objects.exists()
    assert story.seen_by("dave", 0).opened_bids is None


def test_the_digest_of_the_inputs_is_keyed_and_depends_on_every_sheet() -> None:
    first, second = running_game(), running_game()
    Story(first).order("GERMANY", "A Mun H", "1: A Aus H")
    Story(second).order("GERMANY", "A Mun H", "2: A Aus H")
    for game in (first, second):
        Story(game).deadline()
    one, other = Result.objects.order_by("pk")
    assert one.public == other.public
    assert one.inputs_hmac != other.inputs_hmac
    assert len(one.inputs_hmac) == 64


def test_the_same_inputs_have_another_digest_in_another_phase() -> None:
    """Otherwise anyone who can read the database could try out bids in a game of their own until the digests agree."""
    for game in (running_game(), running_game()):
        Story(game).order("GERMANY", "A Mun H", "1: A Aus H")
        Story(game).deadline()
    one, other = Result.objects.order_by("pk")
    assert one.phase.position == other.phase.position
    assert one.inputs_hmac != other.inputs_hmac


def test_a_failed_closing_leaves_nothing_behind() -> None:
    game = running_game()
    phase = Story(game).deadline_comes()
    with pytest.raises(WorkerKilled):
        advance_and_die(phase)
    phase.refresh_from_db()
    assert phase.closed is None
    assert not Result.objects.exists()
    assert game.phases.count() == 1
