"""What a round does at the hours of its terms, without a press."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core import mail
from django.urls import reverse

from games import tasks
from games.delivery.inbox import notice_page
from games.kernel import clock
from games.kernel.models import MODERATORS, Game, Status
from games.kernel.refusals import BadInput, NotAllowed, WrongMoment
from games.mastering.services.desk import close_game, pause_game
from games.tournaments import entry
from games.tournaments.desk import end_game
from games.tournaments.elsewhere import type_table
from games.tournaments.letters import NO_SEAT, send_tournament_letters
from games.tournaments.models import Director, Table
from games.tournaments.queries import SeriesView
from games.tournaments.rounds import add_round, change_round, move_end
from games.tournaments.seating import StoredPlan, ask_for_plan, make_plans, seat_round, swap
from games.tournaments.terms import RoundTerms
from tests.browsers import visitor
from tests.cast import CAROL, DAVE, PLAYERS, TEN, person
from tests.factories import open_phase, running_game
from tests.story import Story
from tests.tournaments.made import entered, in_roll_call, terms_of_round, tournament
from tests.tournaments.made import seated as seated_with
from variants.registry import find, offered

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
    tasks.keep_hours()
    assert not Table.objects.exists()
    moment.wait(minutes=1)
    tasks.keep_hours()
    tasks.keep_hours()
    assert sorted(name for table in seated(made) for name in table) == sorted(PLAYERS[:4])
    assert {it.status for it in Game.objects.all()} == {Status.RUNNING}
    assert SeriesView(made.slug, None).changes[0].sentence == "Round 1 began at its hour. Tables: 2."


def test_without_a_call_to_check_in_all_who_have_a_place_play(moment: Moment) -> None:
    made = evening(*PLAYERS[:4], check_in=False)
    moment.wait(hours=2)
    tasks.keep_hours()
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
    tasks.keep_hours()
    assert seated(made)[1:] == tables[1:]
    assert seated(made)[0] == tables[0] - {gone} | {spare}


def test_top_tables_without_a_gap_stay_as_they_were_decided(moment: Moment) -> None:
    made = evening(*PLAYERS)
    change_round(**ids(made), number=1, terms=replace(RoundTerms.stored(made.rounds.get().terms), top_tables=1))
    come(made, *PLAYERS)
    moment.wait(hours=1)
    entry.look(**ids(made))
    ask_for_plan(**ids(made), number=1, seed=7)
    make_plans()
    plan = StoredPlan.stored(made.rounds.get().plan or {})
    swap(**ids(made), number=1, one=(0, plan.tables[0][0]), other=(1, plan.tables[1][0]))
    top = StoredPlan.stored(made.rounds.get().plan or {}).tables[0]
    gone = next(name for name in PLAYERS if person(name).pk == plan.tables[2][0])
    entry.set_check_in(**ids(made), number=1, username=gone, is_here=False)
    moment.wait(hours=1)
    tasks.keep_hours()
    kept = StoredPlan.stored(made.rounds.get().plan or {})
    assert (kept.tables[0], kept.lot) == (top, ())


def test_who_was_planned_to_sit_out_and_has_gone_did_not_sit_out(moment: Moment) -> None:
    made = evening(*PLAYERS)
    come(made, *PLAYERS)
    moment.wait(hours=1)
    ask_for_plan(**ids(made), number=1, seed=7)
    make_plans()
    (out,) = StoredPlan.stored(made.rounds.get().plan or {}).bench
    name = next(it for it in PLAYERS if person(it).pk == out)
    entry.set_check_in(**ids(made), number=1, username=name, is_here=False)
    moment.wait(hours=1)
    tasks.keep_hours()
    assert (len(seated(made)), StoredPlan.stored(made.rounds.get().plan or {}).bench) == (3, ())


def test_too_few_people_leave_nothing_and_the_directors_are_told_and_choose_a_later_hour(moment: Moment) -> None:
    made = evening(*PLAYERS)
    come(made, PLAYERS[0])
    moment.wait(hours=2)
    tasks.keep_hours()
    tasks.keep_hours()
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
    tasks.keep_hours()
    assert seated(made) == [{*PLAYERS[:2]}]


def test_a_round_of_whose_tables_no_director_can_be_the_game_master_does_not_begin(moment: Moment) -> None:
    made = evening(CAROL, PLAYERS[0], check_in=False, directors_play=True)
    moment.wait(hours=2)
    tasks.keep_hours()
    assert (Game.objects.count(), Table.objects.count()) == (0, 0)
    assert made.rounds.get().hindrance == "master"


def test_a_tournament_that_moderators_have_closed_begins_no_round(moment: Moment) -> None:
    made = evening(*TEN, check_in=False)
    type(made).objects.update(shut=clock.now())
    moment.wait(hours=2)
    tasks.keep_hours()
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


def test_whole_tables_of_the_plan_stay_if_there_is_one_table_less(moment: Moment) -> None:
    made = evening(*PLAYERS[:6])
    come(made, *PLAYERS[:6])
    moment.wait(hours=1)
    ask_for_plan(**ids(made), number=1, seed=3)
    make_plans()
    first, second, third = StoredPlan.stored(made.rounds.get().plan or {}).tables
    gone = next(name for name in PLAYERS if person(name).pk == second[0])
    entry.set_check_in(**ids(made), number=1, username=gone, is_here=False)
    moment.wait(hours=1)
    tasks.keep_hours()
    assert {*StoredPlan.stored(made.rounds.get().plan or {}).tables} == {first, third}


def test_who_checks_in_after_the_plan_sits_out_and_is_told(moment: Moment) -> None:
    made = evening(*PLAYERS)
    come(made, *PLAYERS[:4])
    moment.wait(hours=1)
    ask_for_plan(**ids(made), number=1, seed=7)
    make_plans()
    entry.set_check_in(**ids(made), number=1, username=PLAYERS[4])
    entry.look(**ids(made))
    page = visitor(CAROL).get(reverse("games:plan", args=[made.slug, 1])).content.decode()
    assert f"Without a seat: {PLAYERS[4]}." in page
    moment.wait(hours=1)
    tasks.keep_hours()
    late = person(PLAYERS[4])
    assert StoredPlan.stored(made.rounds.get().plan or {}).seating.people_out == (late.pk,)
    assert made.letters.get(kind=NO_SEAT).user == late


def test_a_round_that_did_not_begin_and_is_typed_in_hinders_nobody(moment: Moment) -> None:
    made = evening(*PLAYERS)
    moment.wait(hours=2)
    tasks.keep_hours()
    powers = find(DUEL).powers
    lines_of_powers = zip(powers, PLAYERS, (3, 1), strict=False)
    type_table(
        **ids(made), number=1, text="\n".join(f"{it.name}, {name}, {count}" for it, name, count in lines_of_powers)
    )
    row = made.rounds.get()
    assert (row.due, row.hindrance) == (None, "")


# --- The end ---


def round_that_ends(*games: Game, hours: float = 3) -> Tournament:
    """A round with these games, which ends in three hours."""
    made = tournament()
    entered(made, PLAYERS)
    ends = clock.now() + timedelta(hours=hours)
    seated_with(made, *games, ends=ends)
    made.rounds.update(due=ends - timedelta(minutes=10))
    return made


def lines(game: Game, *kinds: str) -> list[str]:
    return [it.sentence for it in reversed(Story(game).seen_by(DAVE).events) if it.kind in kinds]


def test_players_are_warned_once_ten_minutes_before_and_games_end_at_the_hour_as_they_stand(moment: Moment) -> None:
    game, other = (running_game(name=name, movement_seconds=7_200) for name in ("Genoa", "Paris"))
    made = round_that_ends(game, other)
    moment.wait(hours=2)
    tasks.sweep()
    assert "This round ends" in visitor(DAVE).get(reverse("games:tournament", args=[made.slug])).content.decode()
    moment.wait(minutes=49)
    tasks.keep_hours()
    assert not lines(game, "round ends soon")
    moment.wait(minutes=1)
    tasks.keep_hours()
    tasks.keep_hours()
    (told,) = lines(game, "round ends soon")
    assert told.startswith("The round of this game ends Mon 16 Nov 2026, 15:00")
    notices = [line.sentence for line in notice_page(person(PLAYERS[0])).lines]
    assert notices.count("Your game ends soon, with its round.") == 2
    before = open_phase(game).position
    moment.wait(minutes=10)
    tasks.keep_hours()
    tasks.keep_hours()
    for it in (game, other):
        it.refresh_from_db()
        assert it.status == Status.FINISHED
        assert it.verdict_sentence.startswith("The round ended at its hour: a draw between ")
    assert game.phases.latest("ordinal").position == before
    assert [(it.due, Table.objects.filter(round=it, outcome=None).count()) for it in made.rounds.all()] == [(None, 0)]


def test_a_phase_that_ended_by_the_hour_is_adjudicated_first_and_each_game_ends_once(moment: Moment) -> None:
    game, other = running_game(name="Genoa", movement_seconds=3 * 3_600), running_game(name="Paris")
    made = round_that_ends(game, other)
    moment.wait(hours=3)
    tasks.keep_hours()
    other.refresh_from_db()
    assert (open_phase(game).ordinal, other.status) == (0, Status.FINISHED), "as if a worker were killed between them"
    tasks.sweep()
    tasks.keep_hours()
    game.refresh_from_db()
    assert (game.status, game.phases.count(), made.rounds.get().due) == (Status.FINISHED, 2, None)
    assert [len(lines(it, "finished")) for it in (game, other)] == [1, 1]


def test_the_hour_ends_a_game_that_was_warned_of_nothing_or_has_not_begun_but_none_that_is_stopped(
    moment: Moment,
) -> None:
    stopped, paused, called = running_game(name="Genoa"), running_game(name="Paris"), in_roll_call(name="Vienna")
    round_that_ends(stopped, paused, called)
    pause_game(game_id=paused.pk, by=person(CAROL).pk)
    Game.objects.filter(pk=stopped.pk).update(status=Status.HELD, incident=MODERATORS)
    moment.wait(hours=4)
    tasks.keep_hours()
    found = dict(Game.objects.values_list("name", "status"))
    assert found == {"Genoa": Status.HELD, "Paris": Status.FINISHED, "Vienna": Status.CLOSED}
    assert not lines(paused, "round ends soon")


def test_a_round_ends_after_it_begins(moment: Moment) -> None:
    made, now = tournament(), clock.now()
    terms = duels(starts=now + timedelta(hours=2), ends=now + timedelta(hours=1))
    with pytest.raises(BadInput) as refused:
        add_round(**ids(made), terms=terms)
    assert refused.value.problems == {"ends": "The round would end before it begins. Choose a later end."}


def test_nobody_is_seated_in_a_round_after_its_end(moment: Moment) -> None:
    made, now = tournament(), clock.now()
    entered(made, PLAYERS[:2])
    add_round(**ids(made), terms=duels(starts=now + timedelta(hours=1), ends=now + timedelta(hours=2)))
    ask_for_plan(**ids(made), number=1)
    make_plans()
    moment.wait(hours=2)
    tasks.keep_hours()
    assert (made.rounds.get().hindrance, Game.objects.count()) == ("over", 0)
    with pytest.raises(WrongMoment, match="Give it a later end"):
        seat_round(**ids(made), number=1)


def test_a_round_that_begins_by_itself_ends_by_itself(moment: Moment) -> None:
    made, now = tournament(), clock.now()
    entered(made, PLAYERS[:2])
    add_round(**ids(made), terms=duels(starts=now + timedelta(hours=1), ends=now + timedelta(hours=2)))
    for minutes in (60, 50, 10):
        moment.wait(minutes=minutes)
        tasks.keep_hours()
    (game,) = Game.objects.all()
    assert len(lines(game, "round ends soon", "finished")) == 2


def test_a_round_that_was_seated_before_its_hour_can_end_before_it() -> None:
    made, now = tournament(), clock.now()
    entered(made, PLAYERS[:2])
    add_round(**ids(made), terms=duels(starts=now + timedelta(hours=2), ends=now + timedelta(hours=3)))
    ask_for_plan(**ids(made), number=1)
    make_plans()
    seat_round(**ids(made), number=1)
    move_end(**ids(made), number=1, ends=now + timedelta(hours=1))
    assert made.rounds.get().due == now + timedelta(minutes=50)


def test_a_director_moves_the_end_of_an_evening_until_it_has_come(moment: Moment) -> None:
    game = running_game(name="Genoa", movement_seconds=24 * 3_600)
    made = round_that_ends(game)
    manage, carol = reverse("games:manage-tournament", args=[made.slug]), visitor(CAROL)

    def move(ends: str) -> str:
        page = carol.get(manage).content.decode()
        assert "Move the end" in page
        seen = re.search(r'name="number" value="1">\s*<input type="hidden" name="instead_of" value="([^"]*)"', page)
        assert seen
        sent = {"number": "1", "ends": ends, "instead_of": seen[1]}
        answer = carol.post(reverse("games:do-move_end", args=[made.slug]), sent, follow=True)
        return " ".join(answer.content.decode().split())

    moment.wait(hours=2, minutes=55)
    tasks.keep_hours()
    assert "The end of the round is moved." in move("2026-11-16T16:00")
    moment.wait(minutes=54)
    tasks.keep_hours()
    assert len(lines(game, "round ends soon")) == 1
    moment.wait(minutes=1)
    tasks.keep_hours()
    assert len(lines(game, "round ends soon")) == 2, "players are warned of the new end, too"
    assert "Choose a moment from now on." in move("2026-11-16T12:00")
    move("")
    moment.wait(hours=3)
    tasks.keep_hours()
    game.refresh_from_db()
    assert game.status == Status.RUNNING, "without an end, it is played out"
    move("2026-11-16T20:00")
    moment.wait(hours=2)
    tasks.keep_hours()
    game.refresh_from_db()
    assert game.status == Status.FINISHED
    assert "Move the end" not in carol.get(manage).content.decode()
    with pytest.raises(WrongMoment, match="The round has ended"):
        move_end(**ids(made, number=1, ends=None))


def test_a_director_ends_all_games_after_a_page_that_names_them_and_their_years() -> None:
    made, games = tournament(), [running_game(name=name, gm_outcomes=True) for name in ("Genoa", "Paris")]
    seated_with(made, *games, running_game(name="Over"))
    close_game(game_id=Game.objects.get(name="Over").pk, by=person(CAROL).pk)
    Director.objects.create(tournament=made, user=person(DAVE))
    desk, dave = reverse("games:tournament-desk", args=[made.slug]), visitor(DAVE)
    asked = dave.post(desk, {"do": "end", "every": "on", "reason": "It is late"}).content.decode()
    assert all(
        f"{label} {name}: Spring 1926" in " ".join(asked.split())
        for label, name in (("1.1", "Genoa"), ("1.2", "Paris"))
    )
    assert "Over" not in asked
    assert {it.status for it in games} == {Status.RUNNING}
    sent = {
        "do": "end",
        "sure": "yes",
        "reason": "It is late",
        "tables": re.findall(r'name="tables" value="(\d+)"', asked),
    }
    assert "The games have ended. Tables: 1.1, 1.2." in dave.post(desk, sent, follow=True).content.decode()
    for it in games:
        it.refresh_from_db()
        assert (it.status, it.table.outcome is not None) == (Status.CLOSED, True)
        assert "The game master closed the game: a draw between" in it.verdict_sentence
    assert visitor(PLAYERS[0]).post(desk, sent).status_code == 404
    type(made).objects.update(shut=clock.now())
    with pytest.raises(WrongMoment, match="moderators of this site have closed it"):
        end_game(game_id=games[0].pk, by=person(DAVE).pk)
    with pytest.raises(NotAllowed, match="Only a director"):
        end_game(game_id=running_game(name="Elsewhere").pk, by=person(DAVE).pk)
