"""What happened decides: who sat at the tables of earlier rounds, who offers a second seat, how many are equal."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from games.kernel.models import Game, Joiner, Occupancy
from games.mastering.services.desk import close_game
from games.people.models import Scope
from games.tournaments import desk, entry, seating
from games.tournaments.models import Table
from games.tournaments.rounds import change_round
from games.tournaments.seating import StoredPlan
from games.tournaments.terms import FINAL, Powers
from tests.api.test_acts import App
from tests.browsers import visitor
from tests.cast import CAROL, PLAYERS, person
from tests.tournaments.made import terms_of_round
from tests.tournaments.test_tournament import DUEL, duels, ids, made, own, page, plan_of, planned, refusal

if TYPE_CHECKING:
    from games.tournaments.models import Tournament

pytestmark = pytest.mark.django_db
BIG = "1926"


def seated_with_substitute(**first: Any) -> tuple[Tournament, Table, tuple[int, int, int]]:
    """After a round of one duel: the users who did not come, who played in their place, and who stayed."""
    it = made(duels(Powers.REPEATS, **first), duels(Powers.REPEATS), people=PLAYERS[:3])
    plan = planned(it)
    seating.seat_round(**ids(it, number=1))
    ((absent, stays),) = plan.tables
    (out,), table = plan.seating.people_out, Table.objects.get(round__tournament=it)
    power = Occupancy.objects.get(game=table.game_id, user=absent).seat.power
    desk.substitute(**ids(it, table=table.pk, power=power, user_id=out, reason="did not come"))
    return it, table, (absent, out, stays)


@pytest.mark.parametrize("options", [{}, {"roll_call_seconds": 3_600}], ids=["begun", "in the roll call"])
def test_a_substitute_has_met_the_table_and_had_the_power_and_who_did_not_come_has_neither(options: Any) -> None:
    it, table, (absent, out, stays) = seated_with_substitute(**options)
    second = it.rounds.get(number=2)
    met, sat_out = seating._history(second)
    assert (met, sat_out) == ({out: {stays: 1}, stays: {out: 1}}, {})
    power = Occupancy.objects.get(game=table.game_id, user=out).seat.power
    assert {(sat.user, sat.power) for sat in seating.sat_before(second)} > {(out, power)}
    assert absent not in {sat.user for sat in seating.sat_before(second)}


def test_who_played_a_phase_and_was_replaced_has_sat_at_the_table() -> None:
    it, table, (absent, _out, stays) = seated_with_substitute()
    Occupancy.objects.filter(game=table.game_id, user=absent).update(owed=2, missed=1)
    met, _sat_out = seating._history(it.rounds.get(number=2))
    assert met[absent][stays] == 1


def test_a_table_that_never_began_was_nobodys_and_one_that_deals_its_powers_itself_counts() -> None:
    it = made(duels(Powers.TABLE, seats="random", roll_call_seconds=3_600), duels(), people=PLAYERS[:2])
    planned(it)
    seating.seat_round(**ids(it, number=1))
    second = it.rounds.get(number=2)
    assert Joiner.objects.count() == len(seating._history(second)[0]) == 2
    close_game(game_id=Game.objects.get().pk, by=person(CAROL).pk)
    assert seating._history(second)[0] == {}


def test_an_offered_second_seat_fills_a_table_and_is_no_longer_asked_for_once_it_is_taken_back() -> None:
    it = made(people=PLAYERS[:5])
    entry.change_entry(**own(it, PLAYERS[0], second_seat=True))
    entry.look(**ids(it))
    plan = planned(it)
    assert (len(plan.tables), plan.seating.people_out) == (3, ())
    assert plan.seating.people_seated_twice == (person(PLAYERS[0]).pk,)
    mine = [index for index, people in enumerate(plan.tables) if person(PLAYERS[0]).pk in people]
    for index in mine:
        seating.lock_table(**ids(it, number=1, index=index, is_locked=True))
    entry.change_entry(**own(it, PLAYERS[0], second_seat=False))
    entry.change_entry(**own(it, PLAYERS[1], second_seat=True))
    again = planned(it)
    assert again.seating.people_seated_twice == (person(PLAYERS[1]).pk,), "in spite of the locks"
    seating.seat_round(**ids(it, number=1))
    assert Occupancy.objects.filter(user=person(PLAYERS[1])).count() == 2


def test_directors_say_how_many_tables_of_each_variant_there_are() -> None:
    it = made(terms_of_round(variants=[BIG, DUEL]), people=PLAYERS[:7])
    address, director = reverse("games:plan", args=[it.slug, 1]), visitor(CAROL)
    entry.look(**ids(it))
    assert planned(it).boards == (BIG,)
    assert "Tables of " in director.get(address).content.decode()
    director.post(address, {"seed": "1", BIG: "", DUEL: "3"})
    seating.make_plans()
    assert plan_of(it).boards == (DUEL,) * 3
    assert 'value="3"' in director.get(address).content.decode()
    app = App(CAROL, Scope.MASTER)
    assert app("post", "do-plan", it.slug, number=1, tables=[0, 1]).status_code == 200
    seating.make_plans()
    assert plan_of(it).boards == (DUEL,)
    for wrong in ([1, 1], [0, 0], [1], [1, 0, 0]):
        told = refusal(seating.ask_for_plan, **ids(it, number=1, tables=wrong))
        assert told.startswith("7 people can’t fill these tables."), wrong
    change_round(**ids(it, number=1, terms=terms_of_round(variants=[DUEL, BIG])))
    assert it.rounds.get().tables_of_each == [], "the numbers were for other variants"


def with_a_tie(hidden: bool = False) -> Tournament:
    """Four people who are equal after the first round, and a top table for two, planned."""
    final = terms_of_round("Final", variants=[DUEL], times=FINAL, choices={"hidden_names": hidden})
    it = made(duels(gm_outcomes=True), final, people=PLAYERS[:4])
    planned(it)
    seating.seat_round(**ids(it, number=1))
    for game in Game.objects.all():
        powers = [seat.power for seat in game.seats.all()]
        close_game(game_id=game.pk, by=person(CAROL).pk, outcome="draw", powers=powers)
    entry.look(**ids(it))
    planned(it, 2)
    return it


@pytest.mark.parametrize("hidden", [False, True])
def test_the_plan_and_the_list_of_changes_say_that_the_lot_decided_who_sits_at_the_top_table(hidden: bool) -> None:
    it = with_a_tie(hidden)
    shown = visitor(CAROL).get(reverse("games:plan", args=[it.slug, 2])).content.decode()
    assert f"the lot decided who of them sits at the top table: {', '.join(PLAYERS[:4])}." in shown
    seating.seat_round(**ids(it, number=2))
    line = f"these players were equal, and the lot decided between them: {', '.join(PLAYERS[:4])}."
    assert (line in page(it)) is not hidden, "a table with hidden names tells of no one"


def after_six_rulings(top_tables: int) -> Tournament:
    """Seven people for three duels: one leads, three are equal second, then two and one."""
    it = made(replace(duels(), top_tables=top_tables), people=PLAYERS)
    for name, points in zip(PLAYERS, (9, 8, 8, 8, 7, 6), strict=False):
        desk.rule(**ids(it, user=person(name).pk, points=Decimal(points), reason="Won last year."))
    entry.look(**ids(it))
    return it


@pytest.mark.parametrize(("asked", "tops"), [(0, 0), (1, 1), (2, 2), (3, 3), (40, 3)])
def test_top_tables_seat_the_leaders_by_rank_and_everyone_else_sits_as_usual(asked: int, tops: int) -> None:
    it = after_six_rulings(asked)
    plan, users = planned(it), [person(name).pk for name in PLAYERS]
    ranked = [{*users[:4]}, {*users[:4]}, {*users[4:6]}]
    assert all({*people} <= leaders for people, leaders in zip(plan.tables[:tops], ranked, strict=False))
    assert not tops or users[0] in plan.tables[0]
    assert (plan.locked, plan.lot) == (tuple(range(tops)), (tuple(users[1:4]),) if tops else ())
    assert len(plan.seating.people_out) == 1
    shown = visitor(CAROL).get(reverse("games:plan", args=[it.slug, 1])).content.decode()
    assert shown.count("· top table") == tops
    assert (f"Tables 1 to {asked} seat the leaders by rank." in page(it)) is (asked > 1)
    seating.seat_round(**ids(it, number=1))
    shown = visitor(CAROL).get(reverse("games:tournament-desk", args=[it.slug])).content.decode()
    assert shown.count(">top table<") == tops


def test_a_director_locks_tables_below_the_top_ones_and_decides_against_the_lot_only_by_a_swap_at_these() -> None:
    it = after_six_rulings(1)
    plan = planned(it)
    (first,), lot = plan.lot, plan.tables[0]
    seating.lock_table(**ids(it, number=1, index=2, is_locked=True))
    again = planned(it)
    assert (again.tables[0], again.tables[2], again.locked) == (lot, plan.tables[2], (0, 2))
    seating.lock_table(**ids(it, number=1, index=2, is_locked=False))
    (one, *_others), (other, *_more) = again.tables[1:]
    seating.swap(**ids(it, number=1, one=(1, one), other=(2, other)))
    assert plan_of(it).lot == (first,), "both sit below"
    (drawn,) = {*first} & {*lot}
    loser, at = next((who, at) for at in (1, 2) for who in plan_of(it).tables[at] if who in first)
    seating.swap(**ids(it, number=1, one=(0, drawn), other=(at, loser)))
    assert plan_of(it).lot == ()


def test_other_top_tables_drop_the_plan_and_one_from_before_there_were_several_is_read() -> None:
    it = after_six_rulings(2)
    planned(it)
    change_round(**ids(it, number=1, terms=replace(duels(), top_tables=1)))
    assert it.rounds.get().plan is None
    told = refusal(change_round, **ids(it, number=1, terms=replace(duels(), top_tables=41)))
    assert told == "Choose a whole number from 0 to 40."
    assert StoredPlan.stored({"seed": 1, "tables": [], "lot": [1, 2]}).lot == ((1, 2),)


def test_once_a_director_has_swapped_people_at_the_top_table_no_lot_has_decided() -> None:
    it = with_a_tie()
    plan = plan_of(it, 2)
    seating.swap(**ids(it, number=2, one=(0, plan.tables[0][0]), other=(None, plan.bench[0])))
    seating.seat_round(**ids(it, number=2))
    assert "the lot decided" not in page(it)
