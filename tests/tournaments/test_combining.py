"""How rounds make standings: small tournaments counted by hand, and what holds for all."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.tournaments.rules.combining import (
    Counting,
    CountingRule,
    Credit,
    Holder,
    Ranked,
    Round,
    Ruling,
    Seat,
    Tie,
    credited,
    moved,
    seats,
    standings,
    team_standings,
)
from games.tournaments.rules.scoring import SYSTEMS, PowerResult, TableResult

ANN, BEN, CEM, DOT = 1, 2, 3, 4
few = settings(max_examples=50)


def seat(who: int, points: int, power: str = "", variant: str = "standard", **more: Any) -> Seat:
    return Seat(variant, power, (Holder(who, 5),), Fraction(points), **more)


def table(*points: int, **more: Any) -> tuple[Seat, ...]:
    """Ann, Ben, Cem … with these points."""
    return tuple(seat(who, each, "ABCD"[who - 1], **more) for who, each in enumerate(points, 1))


def ranks(rows: tuple[Ranked, ...]) -> dict[int, Any]:
    """Entrant -> rank, total."""
    return {row.entrant: (row.rank, row.total) for row in rows}


def counted(row: Ranked) -> list[tuple[int, bool]]:
    return [(int(game.points), game.is_counted) for game in row.games]


THREE_ROUNDS = (Round((table(10, 20, 0),)), Round((table(7, 4, 0),)), Round((table(12, 1, 25),)))


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (CountingRule(), {ANN: (1, 29), BEN: (2, 25), CEM: (2, 25)}),
        (CountingRule(best=2), {BEN: (2, 24), ANN: (3, 22), CEM: (1, 25)}),
        (CountingRule(Counting.ROUNDS, best=2), {BEN: (2, 24), ANN: (3, 22), CEM: (1, 25)}),
        (CountingRule(Counting.ROUNDS, best=1), {CEM: (1, 25), BEN: (2, 20), ANN: (3, 12)}),
        (
            CountingRule(Counting.AVERAGE),
            {ANN: (1, Fraction(29, 3)), BEN: (2, Fraction(25, 3)), CEM: (2, Fraction(25, 3))},
        ),
        (CountingRule(Counting.AVERAGE, best=5), {ANN: (1, Fraction(29, 5)), BEN: (2, 5), CEM: (2, 5)}),
        (CountingRule(Counting.POWERS), {CEM: (1, 25), BEN: (2, 20), ANN: (3, 12)}),
        (CountingRule(Counting.VARIANTS), {CEM: (1, 25), BEN: (2, 20), ANN: (3, 12)}),
    ],
)
def test_totals_and_ranks_by_rule(rule: CountingRule, expected: dict[int, tuple[int, Fraction]]) -> None:
    assert ranks(standings(THREE_ROUNDS, rule)) == expected


def test_rows_are_in_order_and_say_which_games_count() -> None:
    first, second, third = standings(THREE_ROUNDS, CountingRule(best=2))
    assert [first.entrant, second.entrant, third.entrant] == [CEM, BEN, ANN]
    assert counted(third) == [(10, True), (7, False), (12, True)]


def test_of_equally_good_games_the_earlier_counts() -> None:
    (row,) = standings([Round(((seat(ANN, 5),),)), Round(((seat(ANN, 5),),))], CountingRule(best=1))
    assert counted(row) == [(5, True), (5, False)]


def test_the_best_game_with_each_power_counts_or_that_of_each_variant() -> None:
    played = [(8, "AUSTRIA", "standard"), (9, "AUSTRIA", "standard"), (3, "TURKEY", "standard"), (5, "TURKEY", "sound")]
    rounds = [Round(((seat(ANN, *one),),)) for one in played]
    (by_power,) = standings(rounds, CountingRule(Counting.POWERS, sitting_out=50))
    (best_two,) = standings(rounds, CountingRule(Counting.POWERS, best=2))
    (by_variant,) = standings(rounds, CountingRule(Counting.VARIANTS))
    assert [by_power.total, best_two.total, by_variant.total] == [17, 14, 14]


def test_two_games_of_a_round_both_count() -> None:
    rounds = [Round(((seat(ANN, 3),), (seat(ANN, 6),))), Round(((seat(ANN, 4),),))]
    assert standings(rounds, CountingRule())[0].total == 13
    assert standings(rounds, CountingRule(Counting.ROUNDS, best=1))[0].total == 9


def test_sitting_out_scores_what_the_rule_says_and_counts_in_an_average_only_then() -> None:
    rounds = [Round((table(10, 4),), sat_out=(CEM,)), Round(((seat(CEM, 8),),), sat_out=(ANN, BEN))]
    assert ranks(standings(rounds, CountingRule(sitting_out=5))) == {ANN: (1, 15), CEM: (2, 13), BEN: (3, 9)}
    assert ranks(standings(rounds, CountingRule(Counting.AVERAGE))) == {ANN: (1, 10), CEM: (2, 8), BEN: (3, 4)}
    assert standings(rounds, CountingRule(Counting.AVERAGE, sitting_out=0))[0].total == 5
    assert ranks(standings([Round((), sat_out=(DOT,))], CountingRule())) == {DOT: (1, 0)}


@pytest.mark.parametrize("years", range(6))
def test_an_average_counts_a_part_of_a_game_as_that_part_and_no_years_as_none(years: int) -> None:
    shared = Seat("standard", "A", (Holder(CEM, 5 - years), Holder(ANN, years)), Fraction(30))
    rounds = [Round((table(30, 0),)), Round(((shared,),))]
    rows = ranks(standings(rounds, CountingRule(Counting.AVERAGE)))
    assert rows[ANN] == (1, 30)
    assert rows[CEM][1] == 6 * (5 - years), "less than a game counts as one"
    assert standings(rounds, CountingRule(Counting.AVERAGE, best=2))[0].total == Fraction(30 + 6 * years, 2)


def test_a_round_that_counts_more_is_multiplied_before_the_best_are_chosen() -> None:
    rounds = [Round((table(10, 9),)), Round((table(7, 4),), times=Fraction(3, 2))]
    assert ranks(standings(rounds, CountingRule(best=1))) == {ANN: (1, Fraction(21, 2)), BEN: (2, 9)}


def test_a_final_decides_the_first_places_table_by_table_and_adds_nothing() -> None:
    before = Round((table(40, 30, 20, 10), (seat(5, 99), seat(6, 98))))
    final = Round(((seat(CEM, 3), seat(BEN, 1), seat(ANN, 1)), (seat(DOT, 50),)), times=0)
    rows = standings([before, final], CountingRule(best=1))
    assert [(row.entrant, row.rank, int(row.total)) for row in rows] == [
        *[(CEM, 1, 20), (ANN, 2, 40), (BEN, 3, 30), (DOT, 4, 10)],
        *[(5, 5, 99), (6, 6, 98)],
    ]
    assert [game.is_counted for game in rows[0].games] == [True, False]
    out = standings([Round((table(9),)), final._replace(sat_out=(6,))], CountingRule(sitting_out=7))
    assert {row.entrant: row.games for row in out}[6] == (), "no seat in a final is no round without a seat"


def test_a_ruling_replaces_the_points_of_a_game_or_adds_to_the_total_and_is_named() -> None:
    rulings = (Ruling(ANN, 30, "A wrong map", (1, 0)), Ruling(CEM, -4, "Two phases missed"), Ruling(9, -1, "No show"))
    rows = standings(THREE_ROUNDS, CountingRule(), rulings=rulings)
    assert ranks(rows) == {ANN: (1, 52), BEN: (2, 25), CEM: (3, 21), 9: (4, -1)}
    assert [row.rulings for row in rows] == [rulings[:1], (), rulings[1:2], rulings[2:]]
    assert [game.ruling for game in rows[0].games] == [None, rulings[0], None]


def test_the_last_ruling_about_a_game_holds_and_is_multiplied_with_its_round() -> None:
    rulings = [Ruling(ANN, points, "Counted again", (0, 0)) for points in (1, 2)]
    assert standings([Round((table(9),), times=2)], CountingRule(), rulings=rulings)[0].total == 4


@pytest.mark.parametrize("game", [(0, 1), (3, 0)])
def test_a_ruling_about_a_game_that_was_not_played_is_refused(game: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match="No points of these games"):
        standings(THREE_ROUNDS, CountingRule(), rulings=[Ruling(ANN, 3, "Mistyped", game)])


EQUAL = (
    Round(((seat(ANN, 6, centres=7, years=9), seat(DOT, 50)), (seat(BEN, 5, centres=9, years=4, won=True),))),
    Round(
        ((seat(ANN, 4, centres=1, years=2),), (seat(BEN, 5, centres=0, years=5), seat(CEM, 10, centres=8, years=11)))
    ),
)


@pytest.mark.parametrize(
    ("ties", "order"),
    [
        ([], {ANN: 2, BEN: 2, CEM: 2}),
        ([Tie.BEST_GAME], {CEM: 2, ANN: 3, BEN: 4}),
        ([Tie.GAMES_WON], {BEN: 2, ANN: 3, CEM: 3}),
        ([Tie.GAMES_WON, Tie.YEARS], {BEN: 2, ANN: 3, CEM: 3}),
        ([Tie.GAMES_WON, Tie.YEARS, Tie.CENTRES], {BEN: 2, ANN: 3, CEM: 3}),
        ([Tie.CENTRES], {BEN: 2, ANN: 3, CEM: 3}),
        ([Tie.YEARS], {ANN: 2, CEM: 2, BEN: 4}),
        ([Tie.OPPONENTS], {ANN: 2, BEN: 3, CEM: 3}),
    ],
)
def test_equal_totals_are_separated_in_the_order_asked_for(ties: list[Tie], order: dict[int, int]) -> None:
    rows = standings(EQUAL, CountingRule(), ties)
    assert {row.entrant: row.rank for row in rows if row.entrant != DOT} == order


def test_a_row_shows_the_numbers_that_separate_equals() -> None:
    rows = standings(EQUAL, CountingRule(), [*Tie])
    shown = {row.entrant: (*map(int, row.ties),) for row in rows}
    assert [*Tie] == [Tie.BEST_GAME, Tie.GAMES_WON, Tie.CENTRES, Tie.OPPONENTS, Tie.YEARS]
    assert shown == {DOT: (50, 0, 0, 10, 0), ANN: (6, 0, 8, 50, 11), BEN: (5, 1, 9, 10, 9), CEM: (10, 0, 8, 10, 11)}


TAKEN_OVER = (Holder(ANN, 2), Holder(None, 1), Holder(BEN, 3))


@pytest.mark.parametrize(
    ("holders", "credit", "parts"),
    [
        (TAKEN_OVER, Credit.STARTER, {ANN: 1}),
        (TAKEN_OVER, Credit.FINISHER, {BEN: 1}),
        (TAKEN_OVER, Credit.BY_YEARS, {ANN: Fraction(1, 3), BEN: Fraction(1, 2)}),
        (TAKEN_OVER, Credit.NOBODY, {}),
        (TAKEN_OVER[:2], Credit.FINISHER, {}),
        ((Holder(ANN, 2), Holder(BEN, 1), Holder(ANN, 1)), Credit.BY_YEARS, {ANN: Fraction(3, 4), BEN: Fraction(1, 4)}),
        ((Holder(ANN), Holder(BEN)), Credit.BY_YEARS, {ANN: Fraction(1, 2), BEN: Fraction(1, 2)}),
        *[((Holder(ANN, 4),), credit, {ANN: 1}) for credit in Credit],
        *[((), credit, {}) for credit in Credit],
    ],
)
def test_who_gets_the_points_of_a_seat(holders: tuple[Holder, ...], credit: Credit, parts: dict[int, Fraction]) -> None:
    assert credited(holders, credit) == parts


def test_substitutes_share_points_and_numbers_and_both_have_a_row() -> None:
    shared = Seat("standard", "TURKEY", TAKEN_OVER, Fraction(12), centres=6)
    rows = standings([Round(((shared,),))], CountingRule(), [Tie.CENTRES])
    assert [(row.entrant, int(row.total), *map(int, row.ties)) for row in rows] == [(BEN, 6, 3), (ANN, 4, 2)]
    assert ranks(standings([Round(((shared,),))], CountingRule(credit=Credit.NOBODY))) == {ANN: (1, 0), BEN: (1, 0)}


def test_a_finished_table_gives_its_seats() -> None:
    powers = (PowerResult("DENMARK", 7), PowerResult("SWEDEN", 0, 1660))
    result = TableResult(powers, ("DENMARK",), True, 1658, 1661, 7, 13)
    held = {"DENMARK": [Holder(ANN, 4)], "SWEDEN": [Holder(BEN, 3)]}
    assert [*seats("the-sound", SYSTEMS["world-classic"], result, held)] == [
        Seat("the-sound", "DENMARK", (Holder(ANN, 4),), Fraction(210), 7, 3, True),
        Seat("the-sound", "SWEDEN", (Holder(BEN, 3),), Fraction(2), 0, 2, False),
    ]


def test_teams_are_placed_by_all_members_or_by_the_best_of_each() -> None:
    rows, teams = standings(THREE_ROUNDS, CountingRule()), {"Owls": [CEM, BEN], "Cats": [ANN, 99], "Elks": [98]}
    assert [(it.team, it.rank, int(it.total)) for it in team_standings(rows, teams)] == [
        *[("Owls", 1, 50), ("Cats", 2, 29), ("Elks", 3, 0)]
    ]
    best = team_standings(rows, teams, best=1)
    assert [(it.team, it.rank, int(it.total)) for it in best] == [("Cats", 1, 29), ("Owls", 2, 25), ("Elks", 3, 0)]
    assert [(who, counts) for it in best[:2] for who, _total, counts in it.members] == [
        *[(ANN, True), (99, False), (BEN, True), (CEM, False)]
    ]


@st.composite
def tournaments(draw: st.DrawFn) -> list[Round]:
    rounds = []
    for number in range(draw(st.integers(1, 4))):
        drawn = draw(st.lists(st.tuples(st.integers(1, 8), st.integers(0, 9)), min_size=1, max_size=12))
        half = len(drawn) // 2
        tables = (dict(drawn[:half]), dict(drawn[half:]))
        rounds.append(
            Round(tuple(tuple(seat(who, points, f"{who}{number}") for who, points in it.items()) for it in tables))
        )
    return rounds


rules = st.builds(
    CountingRule, st.sampled_from(Counting), st.integers(0, 3), st.booleans(), st.sampled_from([None, 0, 4])
)


@few
@given(tournaments(), rules, st.integers(0, 99))
def test_the_order_in_which_seats_are_listed_does_not_matter(
    rounds: list[Round], rule: CountingRule, seed: int
) -> None:
    chance = Random(seed)
    shuffled = [one._replace(tables=tuple(tuple(chance.sample(it, len(it))) for it in one.tables)) for one in rounds]
    assert standings(shuffled, rule, [*Tie]) == standings(rounds, rule, [*Tie])


@few
@given(tournaments(), rules)
def test_ranks_follow_totals_and_only_equals_share_one(rounds: list[Round], rule: CountingRule) -> None:
    rows = standings(rounds, rule, [*Tie])
    keys = [(row.total, *row.ties) for row in rows]
    assert keys == sorted(keys, reverse=True)
    assert [row.rank for row in rows] == [1 + sum(other > key for other in keys) for key in keys]


@few
@given(tournaments(), st.integers(1, 3))
def test_a_total_is_what_its_counted_games_add_up_to_and_no_other_choice_is_better(
    rounds: list[Round], best: int
) -> None:
    for row in standings(rounds, CountingRule(best=best)):
        assert row.total == sum(game.points for game in row.games if game.is_counted)
        assert row.total == sum(sorted((game.points for game in row.games), reverse=True)[:best])


@pytest.mark.parametrize(
    ("now", "then", "expected"),
    [
        ({}, {}, ()),
        ({"Ann": (1, "9")}, {"Ann": (1, "9")}, ()),
        ({"Ann": (1, "9")}, {"Ann": (1, "8")}, (("Ann", (1, "9"), (1, "8")),)),
        ({"Ann": (1, "9")}, {"Ann": (2, "9")}, (("Ann", (1, "9"), (2, "9")),)),
        ({}, {"Ann": (1, "9")}, (("Ann", None, (1, "9")),)),
        (
            {"Ann": (1, "9"), "Cem": (2, "5"), "Ben": (3, "1")},
            {"Ben": (1, "7"), "Ann": (2, "6")},
            (("Ben", (3, "1"), (1, "7")), ("Ann", (1, "9"), (2, "6")), ("Cem", (2, "5"), None)),
        ),
    ],
)
def test_only_those_whose_rank_or_total_changes_move(now: Any, then: Any, expected: Any) -> None:
    assert moved(now, then) == expected
