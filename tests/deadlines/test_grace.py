"""If a player has saved nothing at the deadline, it moves once, and no one is told for whom."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.http import Http404

from games.deadlines.absences import absence_view
from games.deadlines.grace import extensions_used
from games.deadlines.news import GRACE_GIVEN
from games.deadlines.phases import close_due_phase
from games.kernel.access import access_game
from games.kernel.models import Game, Result
from games.mastering.services.desk import end_phase_early, seat_player
from games.orders.services import set_ready
from tests.cast import CAROL, DAVE, person
from tests.factories import HOUR, due_phases, occupancy_of, open_phase, powers_of, running_game
from tests.moment import Moment
from tests.story import Story

if TYPE_CHECKING:
    from games.kernel.models import Phase

pytestmark = pytest.mark.django_db

SENTENCE = "The deadline for Spring 1926 was put back by 12 hours because orders were missing."


def game_with_grace(times: int = 2, **options: Any) -> Game:
    return running_game(grace_seconds=12 * HOUR, grace_times=times, **options)


def all_but(game: Game, *without: str, text: str = "") -> None:
    for power in powers_of(game):
        if power not in without:
            Story(game).order(power, text)


def deadline_comes(game: Game, moment: Moment) -> bool:
    """Was the phase adjudicated?"""
    phase = open_phase(game)
    assert phase.deadline is not None
    moment.now = phase.deadline
    assert due_phases() == [phase.pk]
    return close_due_phase(phase_id=phase.pk)


def log_of(game: Game) -> list[str]:
    return [event.sentence for event in Story(game).seen_by(DAVE).events]


def test_the_deadline_moves_once_in_a_phase_and_the_log_does_not_say_for_whom(moment: Moment) -> None:
    game = game_with_grace()
    all_but(game, "GERMANY")
    first = open_phase(game).deadline
    assert first is not None
    assert not deadline_comes(game, moment)
    phase: Phase = open_phase(game)
    assert (phase.ordinal, phase.deadline, due_phases()) == (0, first + timedelta(hours=12), [])
    assert log_of(game)[0] == SENTENCE
    assert game.events.get(kind=GRACE_GIVEN.log).by is None
    assert not Result.objects.exists()
    assert deadline_comes(game, moment), "the second time the phase ends"
    assert Result.objects.get().missed == ["GERMANY"]


def test_what_is_saved_in_the_time_won_counts_for_everybody(moment: Moment) -> None:
    game = game_with_grace()
    all_but(game, "GERMANY")
    deadline_comes(game, moment)
    Story(game).order("GERMANY", "A Mun-Cze")
    Story(game).order("FRANCE", "A Par-Bur")
    assert deadline_comes(game, moment)
    view = Story(game).seen_by(DAVE)
    assert view.result is not None
    assert view.result.missed == ()
    assert {"A Mun–Cze", "A Par–Bur"} <= {outcome.text for outcome in view.result.outcomes}


def test_a_saved_sheet_without_ready_is_not_a_no_show(moment: Moment) -> None:
    game = game_with_grace(all_ready=True)
    all_but(game)
    assert deadline_comes(game, moment)
    assert SENTENCE not in log_of(game)


def test_a_saved_sheet_that_orders_nothing_is_not_a_no_show(moment: Moment) -> None:
    game = game_with_grace()
    all_but(game, text="# all hold")
    assert deadline_comes(game, moment)


def test_who_is_ready_is_not_waited_for(moment: Moment) -> None:
    game = game_with_grace(all_ready=True)
    all_but(game, "GERMANY")
    set_ready(occupancy_id=occupancy_of(game, "GERMANY").pk, ordinal=0, ready=True)
    assert deadline_comes(game, moment)
    assert SENTENCE not in log_of(game)


def test_who_has_nothing_to_decide_is_not_a_no_show(moment: Moment) -> None:
    game = game_with_grace()
    phase = open_phase(game)
    others = {power: units for power, units in phase.position["units"].items() if power != "GERMANY"}
    phase.position = {**phase.position, "units": others}
    phase.save(update_fields=["position"])
    all_but(game, "GERMANY")
    assert deadline_comes(game, moment)


def test_neither_bots_nor_seats_without_anybody_are_waited_for(moment: Moment) -> None:
    game = game_with_grace()
    all_but(game, "GERMANY", "ITALY")
    bot, gone = occupancy_of(game, "GERMANY"), occupancy_of(game, "ITALY")
    bot.bot = "easy"
    bot.save(update_fields=["bot"])
    gone.until = moment.now
    gone.save(update_fields=["until"])
    assert deadline_comes(game, moment)


def test_a_player_whose_times_are_used_up_is_not_waited_for_and_others_still_are(moment: Moment) -> None:
    game = game_with_grace(times=1)
    for judged in (False, True):
        all_but(game, "GERMANY")
        assert deadline_comes(game, moment) == judged
    all_but_second(game, "GERMANY")
    assert deadline_comes(game, moment), "Germany had its one time in the first phase"
    all_but_second(game, "GERMANY", "ITALY")
    assert not deadline_comes(game, moment), "Italy has its time yet"


def all_but_second(game: Game, *without: str) -> None:
    all_but(game, *without)


def test_a_game_master_who_ends_a_phase_waits_for_nobody(moment: Moment) -> None:
    game = game_with_grace(gm_processes_early=True)
    end_phase_early(game_id=game.pk, by=person(CAROL).pk)
    assert close_due_phase(phase_id=open_phase(game).pk)


def test_without_the_option_no_deadline_moves(moment: Moment) -> None:
    game = running_game()
    assert deadline_comes(game, moment)


def test_a_site_that_was_away_for_longer_than_the_grace_still_gives_it(moment: Moment) -> None:
    game = game_with_grace()
    moment.wait(days=5)
    assert not close_due_phase(phase_id=open_phase(game).pk)
    assert open_phase(game).deadline == moment.now + timedelta(hours=12)


def test_a_new_player_of_a_seat_has_their_own_extensions(moment: Moment) -> None:
    game = game_with_grace(times=1)
    all_but(game, "GERMANY")
    deadline_comes(game, moment)
    deadline_comes(game, moment)
    person(DAVE)
    seat_player(game_id=game.pk, by=person(CAROL).pk, power="GERMANY", username=DAVE, reason="Agreed.")
    all_but(game, "GERMANY")
    assert not deadline_comes(game, moment)


def test_saving_in_the_time_won_uses_an_extension_all_the_same(moment: Moment) -> None:
    game = game_with_grace()
    all_but(game, "GERMANY")
    deadline_comes(game, moment)
    Story(game).order("GERMANY", "")
    assert deadline_comes(game, moment)
    assert extensions_used([game.pk]) == {(game.pk, occupancy_of(game, "GERMANY").user_id): 1}


def test_how_often_it_may_still_happen_is_told_to_that_player_alone(moment: Moment) -> None:
    game = game_with_grace()
    all_but(game, "GERMANY")
    deadline_comes(game, moment)
    holder = occupancy_of(game, "GERMANY").user
    mine, other = (absence_view(access_game(user=user, slug=game.slug)) for user in (holder, person("alice")))
    assert (mine.grace_left, other.grace_left) == (1, 2)
    with pytest.raises(Http404):
        absence_view(access_game(user=person(CAROL), slug=game.slug))
