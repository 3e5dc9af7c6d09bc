"""Seating plans of a round: full tables, few faults, the same plan each time, and a search that counts right."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations, product
from random import Random
from typing import TYPE_CHECKING, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.tournaments.rules.plan import (
    WEIGHTS,
    Entrant,
    Fault,
    FaultKind,
    SeatingPlan,
    Sitter,
    can_fill,
    faults_of,
    leading,
    planned,
    swapped,
    tables_of_each,
    total,
)
from games.tournaments.rules.searching import Arrangement, Costs

if TYPE_CHECKING:
    from collections.abc import Sequence

Round: TypeAlias = tuple[list[Entrant], list[int]]


def people(number: int, seed: int = 1, rounds: int = 3, refusals: int = 2, boards: Sequence[int] = ()) -> list[Entrant]:
    """Entrants in teams of five who have sat at these boards by chance, in so many rounds."""
    chance = Random(seed)
    met: list[Counter[int]] = [Counter() for _ in range(number)]
    refuses: list[set[int]] = [set() for _ in range(number)]
    for _ in range(rounds):
        order = chance.sample(range(number), number)
        for size in boards:
            table, order = order[:size], order[size:]
            for one, other in permutations(table, 2):
                met[one][other] += 1
    for _ in range(refusals):
        one, other = chance.sample(range(number), 2)
        refuses[one].add(other)
    return [
        Entrant(who, f"team {who // 5}", chance.randrange(60), frozenset(refuses[who]), met[who])
        for who in range(number)
    ]


def by_chance(entrants: Sequence[Entrant], sizes: Sequence[int], chance: Random) -> SeatingPlan:
    order = chance.sample([entrant.id for entrant in entrants], len(entrants))
    tables = []
    for size in sizes:
        tables.append(tuple(order[:size]))
        order = order[size:]
    return SeatingPlan(tuple(tables), tuple(order))


def kinds(faults: Sequence[Fault]) -> Counter[FaultKind]:
    return Counter(fault.kind for fault in faults)


@st.composite
def rounds(draw: st.DrawFn) -> Round:
    """A small round whose tables can be filled."""
    sizes = draw(st.lists(st.integers(2, 4), min_size=1, max_size=3))
    number = draw(st.integers(max(*sizes, sum(sizes) // 2 + 1, 2), sum(sizes) + 2))
    ids = draw(st.lists(st.integers(0, 99), min_size=number, max_size=number, unique=True))
    twice = set(draw(st.lists(st.sampled_from(ids), unique=True)) + ids[: max(0, sum(sizes) - number)])
    some = st.lists(st.sampled_from(ids), max_size=2)
    entrants = [
        Entrant(
            who,
            draw(st.sampled_from(("", "red", "blue"))),
            draw(st.integers(0, 40)),
            frozenset(draw(some)) - {who},
            Counter(other for other in draw(some) if other != who),
            draw(st.integers(0, 2)),
            who in twice,
            tuple(draw(st.permutations(range(len(sizes))))),
        )
        for who in ids
    ]
    return entrants, sizes


@given(rounds(), st.integers(0, 9))
@settings(max_examples=40)
def test_tables_are_full_and_nobody_sits_more_often_than_allowed(round_: Round, seed: int) -> None:
    entrants, tables = round_
    plan = planned(entrants, tables, seed)
    assert [len(table) for table in plan.tables] == tables
    assert all(len(set(table)) == len(table) for table in plan.tables)
    seats = Counter(who for group in (*plan.tables, plan.bench) for who in group)
    assert seats == {entrant.id: 1 + entrant.offers_second_seat for entrant in entrants}
    if len(entrants) >= sum(len(table) for table in plan.tables):
        assert not plan.people_seated_twice


@given(rounds(), st.integers(0, 9), st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_neither_the_order_of_entrants_nor_their_numbers_change_a_plan(
    round_: Round, seed: int, chance: Random
) -> None:
    entrants, tables = round_
    plan = planned(entrants, tables, seed)
    mixed = chance.sample(entrants, len(entrants))
    assert planned(mixed, tables, seed) == plan
    renamed = [
        replace(
            entrant,
            id=3 * entrant.id + 5,
            refuses=frozenset(3 * who + 5 for who in entrant.refuses),
            met={3 * who + 5: times for who, times in entrant.met.items()},
        )
        for entrant in mixed
    ]
    again = planned(renamed, tables, seed)
    assert again.tables == tuple(tuple(3 * who + 5 for who in table) for table in plan.tables)


@given(rounds(), st.integers(0, 9), st.data())
@settings(max_examples=20)
def test_locked_tables_stay_while_the_others_are_planned_again(round_: Round, seed: int, data: st.DataObject) -> None:
    entrants, tables = round_
    plan = planned(entrants, tables, seed)
    kept = data.draw(st.sets(st.integers(0, len(tables) - 1)))
    locked = {index: plan.tables[index] for index in kept}
    again = planned(entrants, tables, seed + 1, locked)
    assert {index: again.tables[index] for index in kept} == locked
    assert Counter(who for group in (*again.tables, again.bench) for who in group) == Counter(
        who for group in (*plan.tables, plan.bench) for who in group
    )


@given(st.data())
@settings(max_examples=40)
def test_the_difference_of_a_swap_is_what_counting_again_finds(data: st.DataObject) -> None:
    sizes = data.draw(st.lists(st.integers(1, 4), min_size=2, max_size=4))
    number = sum(sizes)
    cost = st.integers(0, 50)
    pairs = {pair: data.draw(cost) for pair in combinations(range(number), 2)}
    levels = data.draw(st.lists(st.integers(0, 5), min_size=number, max_size=number))
    rows = [[(level - 4) ** 2 for level in range(sum(levels) + 1)] for _ in sizes]
    costs = Costs(
        [[pairs.get((min(one, other), max(one, other)), 0) for other in range(number)] for one in range(number)],
        [[data.draw(cost) for _ in sizes] for _ in range(number)],
        levels,
        rows,
    )
    items = iter(data.draw(st.permutations(range(number))))
    arrangement = Arrangement(costs, [[next(items) for _ in range(size)] for size in sizes])
    for _ in range(10):
        one, other = data.draw(st.sampled_from(sorted(pairs)))
        if arrangement.place[one] == arrangement.place[other]:
            continue
        expected = arrangement.total + arrangement.difference(one, other)
        arrangement.swap(one, other)
        assert arrangement.total == arrangement.recounted() == expected


def all_tables(seated: set[int], sizes: Sequence[int]) -> list[tuple[tuple[int, ...], ...]]:
    if not sizes:
        return [()]
    firsts = combinations(sorted(seated), sizes[0])
    return [(first, *others) for first in firsts for others in all_tables(seated - {*first}, sizes[1:])]


@given(st.integers(0, 999), st.integers(0, 12), st.sampled_from([((3, 3), 6), ((3, 3), 7), ((2, 2, 3), 7), ((4,), 6)]))
@settings(max_examples=25)
def test_no_plan_of_a_small_round_is_better(seed: int, refusals: int, shape: tuple[tuple[int, ...], int]) -> None:
    sizes, number = shape
    entrants = people(number, seed, 3, refusals, sizes)
    plan = planned(entrants, sizes, seed)
    others = [
        SeatingPlan(tables, plan.bench) for tables in all_tables({who for table in plan.tables for who in table}, sizes)
    ]
    assert total(faults_of(plan, entrants)) == min(total(faults_of(other, entrants)) for other in others)


def test_of_10000_plans_by_chance_none_is_better() -> None:
    sizes = (4, 4, 4)
    entrants = people(12, 1926, 3, 6, sizes)
    chance = Random(1926)
    best = min(total(faults_of(by_chance(entrants, sizes, chance), entrants)) for _ in range(10_000))
    assert total(faults_of(planned(entrants, sizes, 1), entrants)) <= best


@given(rounds(), st.integers(0, 9))
@settings(max_examples=20)
def test_who_sits_out_or_twice_depends_on_nothing_that_is_kept_from_others(round_: Round, seed: int) -> None:
    entrants, tables = round_
    plan = planned(entrants, tables, seed)
    others = [Entrant(it.id, sat_out=it.sat_out, offers_second_seat=it.offers_second_seat) for it in entrants]
    assert planned(others, tables, seed).bench == plan.bench


def test_refusals_count_in_both_directions_and_are_named_where_they_cannot_be_avoided() -> None:
    entrants = [Entrant(1, refuses=frozenset({2, 3})), Entrant(2), Entrant(3), Entrant(4, refuses=frozenset({1}))]
    plan = planned(entrants, (2, 2), 1)
    (fault,) = faults_of(plan, entrants)
    assert (fault.kind, 1 in fault.who) == (FaultKind.REFUSED, True)
    assert set(fault.who) == set(plan.tables[fault.table or 0])


def test_those_who_have_sat_out_least_sit_out_even_if_the_others_have_met() -> None:
    entrants = [Entrant(who, met=dict.fromkeys(range(9), 3), sat_out=int(who > 1)) for who in range(9)]
    plan = planned(entrants, (4, 3), 1)
    assert plan.people_out == (0, 1)


@given(st.lists(st.integers(2, 6), min_size=1, max_size=3), st.integers(0, 24), st.integers(0, 4), st.integers(1, 7))
@settings(max_examples=150)
def test_no_choice_of_tables_leaves_out_fewer_seats_fewer_twice_or_is_more_even(
    sizes: list[int], number: int, offers: int, most: int
) -> None:
    def loss(counts: Sequence[int]) -> tuple[int, int, int]:
        seats = sum(size * count for size, count in zip(sizes, counts, strict=True))
        return max(0, number - seats), seats, sum(count**2 for count in counts)

    offers = min(offers, number)
    every = [it for it in product(range(most + 1), repeat=len(sizes)) if sum(it) <= most]
    possible = [it for it in every if not any(it) or can_fill(sizes, it, number, offers)]
    found = tables_of_each(sizes, number, offers, most)
    assert found in possible
    if len(sizes) < 3 or number + offers <= most * min(sizes):
        assert loss(found) == min(map(loss, possible))
    boards = [size for size, count in zip(sizes, found, strict=True) for _table in range(count)]
    plan = planned([Entrant(who, offers_second_seat=who < offers) for who in range(number)], boards, 1)
    assert (len(plan.people_out), sum(map(len, plan.tables))) == loss(found)[:2]


def test_thirty_people_fill_tables_of_seven_and_ten_in_either_order() -> None:
    assert (tables_of_each([7, 10], 30, 0, 40), tables_of_each([10, 7], 30, 0, 40)) == ((0, 3), (3, 0))
    assert tables_of_each([7, 7], 21, 0, 40) == (2, 1), "between equals, more of the first"


def test_the_lot_decides_between_equals_at_the_cut_of_a_top_table_and_only_there() -> None:
    ranks = {1: 1, 2: 2, 3: 2, 4: 2, 5: 5}
    drawn = [leading([1, 2, 3, 4, 5, 6], ranks, [3], seed) for seed in range(40)]
    assert {tuple(sorted(table)) for (table,), _lots in drawn} == {(1, 2, 3), (1, 2, 4), (1, 3, 4)}
    assert all(lots == ((2, 3, 4),) for _tables, lots in drawn)
    assert all(leading([1, 2, 3, 4, 5, 6], ranks, [size], 1)[1] == () for size in (1, 4, 5, 6))
    assert leading([7, 8, 9], {}, [2], 1)[1] == ((7, 8, 9),), "nobody has points"


@pytest.mark.parametrize(
    ("sizes", "sure", "lots"),
    [
        ([], [], []),
        ([2, 2], [{1}, set()], [[2, 3, 4]]),
        ([2, 2, 2], [{1}, set(), {5, 6}], [[2, 3, 4]]),
        ([1, 1, 1, 1, 1], [{1}, set(), set(), set(), {5}], [[2, 3, 4]]),
        ([1, 3], [{1}, {2, 3, 4}], []),
        ([4, 1], [{1, 2, 3, 4}, set()], [[5, 6]]),
        ([3, 2], [{1}, set()], [[2, 3, 4], [5, 6]]),
        ([4, 3], [{1, 2, 3, 4}], []),
    ],
    ids=["none", "two", "all", "of one", "no tie at a cut", "a tie below", "two ties", "as far as people fill them"],
)
def test_the_best_sit_at_the_first_top_table_and_the_next_at_the_second(
    sizes: list[int], sure: list[set[int]], lots: list[list[int]]
) -> None:
    ranks = {1: 1, 2: 2, 3: 2, 4: 2, 5: 5, 6: 5} if lots[-1:] == [[5, 6]] else {1: 1, 2: 2, 3: 2, 4: 2, 5: 5, 6: 6}
    for seed in range(20):
        tables, drawn = leading([1, 2, 3, 4, 5, 6], ranks, sizes, seed)
        assert [len(it) for it in tables] == sizes[: len(sure)]
        assert all(known <= {*table} for known, table in zip(sure, tables, strict=True))
        assert drawn == tuple(map(tuple, lots))


def test_those_who_offered_sit_twice_and_at_two_tables() -> None:
    entrants = [Entrant(who, offers_second_seat=who < 3) for who in range(11)]
    plan = planned(entrants, (7, 7), 1)
    assert plan.people_seated_twice == (0, 1, 2)
    assert kinds(faults_of(plan, entrants)) == {FaultKind.SITS_TWICE: 3}


def test_somebody_at_a_locked_table_can_take_a_second_seat_at_another() -> None:
    entrants = [Entrant(who, offers_second_seat=who < 2) for who in range(5)]
    plan = planned(entrants, (3, 3), 1, {0: (0, 1, 2)})
    assert plan.tables[0] == (0, 1, 2)
    assert set(plan.tables[1]) > {3, 4}


def test_faults_name_people_table_and_weight_the_heaviest_first() -> None:
    old = Entrant(1, "red", 100), Entrant(2, "red", 100, met={1: 2})
    entrants = [*old, Entrant(3), Entrant(4), Entrant(5, sat_out=2)]
    faults = faults_of(SeatingPlan(((1, 2), (3, 4)), (5,)), entrants)
    assert faults == (
        Fault(FaultKind.SITS_OUT, (5,), None, 3 * WEIGHTS[FaultKind.SITS_OUT]),
        Fault(FaultKind.MET, (1, 2), 0, 4 * WEIGHTS[FaultKind.MET]),
        Fault(FaultKind.TEAM, (1, 2), 0, WEIGHTS[FaultKind.TEAM]),
        Fault(FaultKind.EXPERIENCE, (1, 2), 0, 49),
        Fault(FaultKind.EXPERIENCE, (3, 4), 1, 25),
    )


def test_people_sit_at_the_variant_that_they_like_more() -> None:
    entrants = [Entrant(1, places=(2, 0)), Entrant(2, places=(0, 1)), Entrant(3), Entrant(4, places=(1, 0))]
    plan = planned(entrants, (2, 2), 1)
    assert plan == SeatingPlan(((2, 3), (1, 4)))
    faults = faults_of(SeatingPlan(((1, 2), (3, 4))), entrants)
    assert faults == (Fault(FaultKind.VARIANT, (1,), 0, 2 * WEIGHTS[FaultKind.VARIANT]),)


def test_two_people_change_places_at_tables_or_with_the_bench() -> None:
    plan = SeatingPlan(((1, 2), (3, 4)), (4, 5))
    assert swapped(plan, Sitter(0, 1), Sitter(1, 3)) == SeatingPlan(((2, 3), (1, 4)), (4, 5))
    assert swapped(plan, Sitter(None, 5), Sitter(1, 3)) == SeatingPlan(((1, 2), (4, 5)), (3, 4))
    twice = swapped(plan, Sitter(0, 1), Sitter(None, 4))
    assert (twice.people_seated_twice, twice.people_out) == ((4,), (1, 5))


@pytest.mark.parametrize(
    ("one", "other", "why"),
    [
        (Sitter(0, 3), Sitter(1, 4), "3 is not there; there are 1, 2"),
        (Sitter(2, 3), Sitter(1, 4), "there is no table 2; the last one is 1"),
        (Sitter(1, 3), Sitter(None, 4), "4 would sit twice at table 1"),
    ],
)
def test_a_swap_that_cannot_be_is_refused(one: Sitter, other: Sitter, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        swapped(SeatingPlan(((1, 2), (3, 4)), (4, 5)), one, other)


@pytest.mark.parametrize(
    ("sizes", "locked", "why"),
    [
        ((3, 3), {}, "need 6 people, but there are 5, second seats included"),
        ((5,), {}, "needs 5 different people, but there are 4"),
        ((2, 2), {0: (1, 2, 3)}, "locked table 0"),
        ((2, 2), {2: (1, 2)}, "locked table 2"),
        ((2, 2), {0: (1, 1)}, "locked table 0"),
        ((2, 2), {0: (1, 9)}, "9 is locked at 1 tables, but may sit at 0"),
        ((2, 2), {0: (2, 1), 1: (2, 3)}, "2 is locked at 2 tables, but may sit at 1"),
    ],
)
def test_tables_that_cannot_be_filled_are_refused(
    sizes: tuple[int, ...], locked: dict[int, tuple[int, ...]], why: str
) -> None:
    entrants = [Entrant(1, offers_second_seat=True), Entrant(2), Entrant(3), Entrant(4)]
    with pytest.raises(ValueError, match=why):
        planned(entrants, sizes, 1, locked)
