"""What a round does at the hours of its terms, without a press."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.urls import reverse

from games import tasks
from games.kernel import clock
from games.kernel.models import Game, Status
from games.kernel.refusals import BadInput, WrongMoment
from games.tournaments import entry
from games.tournaments.letters import send_tournament_letters
from games.tournaments.models import Table
from games.tournaments.queries import SeriesView
from games.tournaments.rounds import add_round, change_round
from games.tournaments.seating import StoredPlan, ask_for_plan, make_plans
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, TEN, person
from tests.tournaments.made import entered, terms_of_round, tournament
from variants.registry import offered

if TYPE_CHECKING:
    from games.tournaments.models import Tournament
    from games.tournaments.terms import RoundTerms
    from tests.moment import Moment

pytestmark = pytest.mark.django_db

DUEL = next(it.slug for it in offered() if it.players == 2)


def ids(made: Tournament, **more: Any) -> dict[str, Any]:
    return {"tournament_id": made.pk, "by": person(CAROL).pk, **more}


def duels(**more: Any) -> RoundTerms:
    return terms_of_round(variants=[DUEL], choices={"roll_call_seconds": 0}, **more)


def evening(*names: str, check_in: bool = True, **terms: Any) -> Tournament:
    """Entrants of a round of duels that begins in two hours, for which they check in until an hour before."""
    made, now = tournament(**terms), clock.now()
    entered(made, names)
    add_round(**ids(made), terms=duels(starts=now + timedelta(hours=2)))
    if check_in:
        entry.call_check_in(**ids(made), number=1, until=now + timedelta(hours=1))
    return made


def come(made: Tournament, *names: str) -> None:
    for name in names:
        entry.check_in(tournament_id=made.pk, by=person(name).pk, number=1)


def seated(made: Tournament) -> list[set[str]]:
    """The people at each table."""
    tables = Table.objects.filter(round__tournament=made).order_by("number")
    return [set(it.game.occupancies.values_list("user__username", flat=True)) for it in tables]


def test_a_round_begins_at_its_hour_for_those_who_checked_in_and_only_once(moment: Moment) -> None:
    made = evening(*PLAYERS)
    come(made, *PLAYERS[:4])
    moment.wait(hours=1, minutes=59)
    tasks.begin_rounds()
    assert not Table.objects.exists()
    moment.wait(minutes=1)
    tasks.begin_rounds()
    tasks.begin_rounds()
    assert sorted(name for table in seated(made) for name in table) == sorted(PLAYERS[:4])
    assert {it.status for it in Game.objects.all()} == {Status.RUNNING}
    assert SeriesView(made.slug, None).changes[0].sentence == "Round 1 began at its hour. Tables: 2."


def test_without_a_call_to_check_in_all_who_have_a_place_play(moment: Moment) -> None:
    made = evening(*PLAYERS[:4], check_in=False)
    moment.wait(hours=2)
    tasks.begin_rounds()
    assert len(seated(made)) == 2


def test_the_directors_plan_is_used_and_a_table_where_somebody_is_missing_is_filled_anew(moment: Moment) -> None:
    made = evening(*PLAYERS)
    come(made, *PLAYERS)
    moment.wait(hours=1)
    ask_for_plan(**ids(made), number=1, seed=7)
    make_plans()
    plan = StoredPlan.stored(made.rounds.get().plan or {})
    names = {person(name).pk: name for name in PLAYERS}
    tables = [{names[user] for user in table} for table in plan.tables]
    (spare,) = set(PLAYERS).difference(*tables)
    gone = min(tables[0])
    entry.set_check_in(**ids(made), number=1, username=gone, is_here=False)
    moment.wait(hours=1)
    tasks.begin_rounds()
    assert seated(made)[1:] == tables[1:]
    assert seated(made)[0] == tables[0] - {gone} | {spare}


def test_too_few_people_leave_nothing_and_the_directors_are_told_and_choose_a_later_hour(moment: Moment) -> None:
    made = evening(*PLAYERS)
    come(made, PLAYERS[0])
    moment.wait(hours=2)
    tasks.begin_rounds()
    tasks.begin_rounds()
    row = made.rounds.get()
    assert (row.seated, row.plan, Game.objects.count()) == (None, None, 0)
    send_tournament_letters()
    (letter,) = (it for it in mail.outbox if "changed" not in it.subject)
    assert (letter.to, letter.subject) == (["carol@example.org"], "Club cup: round 1 has not begun")
    assert "Too few people were there for a table." in letter.body
    desk = visitor(CAROL).get(reverse("games:tournament-desk", args=[made.slug])).content.decode()
    assert "Round 1 did not begin at its hour" in desk
    public = visitor(DAVE).get(reverse("games:tournament", args=[made.slug])).content.decode()
    assert "did not begin at its hour" not in public
    entry.set_check_in(**ids(made), number=1, username=PLAYERS[1])
    change_round(**ids(made), number=1, terms=duels(starts=clock.now() + timedelta(minutes=5)))
    moment.wait(minutes=5)
    tasks.begin_rounds()
    assert seated(made) == [{*PLAYERS[:2]}]


def test_a_round_of_whose_tables_no_director_can_be_the_game_master_does_not_begin(moment: Moment) -> None:
    made = evening(CAROL, PLAYERS[0], check_in=False, directors_play=True)
    moment.wait(hours=2)
    tasks.begin_rounds()
    assert (Game.objects.count(), Table.objects.count()) == (0, 0)
    assert made.rounds.get().hindrance == "master"


def test_a_tournament_that_moderators_have_closed_begins_no_round(moment: Moment) -> None:
    made = evening(*TEN, check_in=False)
    type(made).objects.update(shut=clock.now())
    moment.wait(hours=2)
    tasks.begin_rounds()
    assert (Game.objects.count(), made.rounds.get().hindrance) == (0, "closed")


def test_check_in_ends_when_the_round_begins_and_the_hour_is_to_come(moment: Moment) -> None:
    made = evening(*PLAYERS)
    now = clock.now()
    with pytest.raises(WrongMoment, match="check-in ends by then"):
        entry.call_check_in(**ids(made), number=1, until=now + timedelta(hours=3))
    with pytest.raises(BadInput) as early:
        change_round(**ids(made), number=1, terms=duels(starts=now + timedelta(minutes=30)))
    assert "People can check in until" in early.value.problems["starts"]
    with pytest.raises(BadInput) as over:
        add_round(**ids(made), terms=duels(name="Round 2", starts=now))
    assert over.value.problems == {"starts": "Choose a moment from now on."}
