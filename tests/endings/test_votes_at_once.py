"""Votes at the same moment as the end of a phase, on a real server: one ending, and nothing after it."""

from __future__ import annotations

import pytest

from games.deadlines.news import FINISHED
from games.deadlines.phases import close_due_phase
from games.endings.models import EndKind
from games.endings.services import propose_end, vote_on_proposal
from games.kernel.models import Game, Result, Status
from games.kernel.refusals import WrongMoment
from tests.cast import PLAYERS
from tests.factories import occupancy_of, running_game
from tests.kernel.test_concurrency import at_once
from tests.story import Story

pytestmark = pytest.mark.django_db(transaction=True)

A, R, T = "AUSTRIA", "RUSSIA", "TURKEY"


def proposed() -> Game:
    game = running_game(variant="three-way-balkan-battle", players=PLAYERS[:3])
    propose_end(occupancy_id=occupancy_of(game, A).pk, kind=EndKind.DRAW, powers=(A, R, T))
    return game


def endings(game: Game) -> int:
    return game.events.filter(kind=FINISHED.log).count()


def test_a_draw_is_agreed_while_the_phase_resolves_one_ending_no_second_phase() -> None:
    for _ in range(3):
        vote_and_judge(proposed())


def vote_and_judge(game: Game) -> None:
    russia, turkey = (occupancy_of(game, power).pk for power in (R, T))
    vote_on_proposal(occupancy_id=russia, number=1, agrees=True)
    due = Story(game).deadline_comes()
    agreed, judged = at_once(
        lambda: vote_on_proposal(occupancy_id=turkey, number=1, agrees=True), lambda: close_due_phase(phase_id=due.pk)
    )
    game.refresh_from_db()
    assert (agreed, game.status, endings(game)) == (True, Status.FINISHED, 1)
    assert game.phases.filter(closed__isnull=True).count() == 0
    assert Result.objects.filter(phase__game=game).count() == (1 if judged else 0)
    assert game.phases.count() == (2 if judged else 1)


def test_the_last_two_votes_at_once_end_the_game_once() -> None:
    game = proposed()
    voters = [occupancy_of(game, power).pk for power in (R, T)]
    answers = at_once(*(lambda pk=pk: vote_on_proposal(occupancy_id=pk, number=1, agrees=True) for pk in voters))
    game.refresh_from_db()
    assert sorted(answers, key=str) == [False, True]
    assert (game.status, endings(game)) == (Status.FINISHED, 1)


def test_a_change_of_mind_and_the_last_vote_at_once_end_the_game_or_keep_it_open() -> None:
    game = proposed()
    austria, russia, turkey = (occupancy_of(game, power).pk for power in (A, R, T))
    vote_on_proposal(occupancy_id=russia, number=1, agrees=True)
    changed, last = at_once(
        lambda: vote_on_proposal(occupancy_id=austria, number=1, agrees=False),
        lambda: vote_on_proposal(occupancy_id=turkey, number=1, agrees=True),
    )
    game.refresh_from_db()
    if last is True:
        assert isinstance(changed, WrongMoment)
        assert (game.status, endings(game)) == (Status.FINISHED, 1)
    else:
        assert (changed, last, game.status) == (False, False, Status.RUNNING)
