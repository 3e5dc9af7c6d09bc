"""Assigning powers by preference: the smallest sum of places, with chance among equals."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.seating.rules.dealing import costs_by_repeats, deal, place_in_wishes
from games.seating.services.joining import assign_by_preference

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

POWERS = ("BRITAIN", "FRANCE", "GERMANY", "ITALY")


def total(given_powers: Mapping[int, str], wishes: Mapping[int, Sequence[str]]) -> int:
    return sum(place_in_wishes(wishes[who], power) for who, power in given_powers.items())


def test_everybody_gets_the_first_wish_where_the_first_wishes_differ() -> None:
    wishes = {1: ["ITALY"], 2: ["FRANCE", "ITALY"], 3: ["GERMANY"], 4: ["BRITAIN"]}
    assert assign_by_preference(wishes, POWERS, random.Random(7)) == {
        1: "ITALY",
        2: "FRANCE",
        3: "GERMANY",
        4: "BRITAIN",
    }


def test_one_gives_way_where_it_costs_least() -> None:
    wishes = {1: ["ITALY", "FRANCE"], 2: ["ITALY", "GERMANY", "BRITAIN", "FRANCE"]}
    outcomes = {
        tuple(assign_by_preference(wishes, ["ITALY", "FRANCE"], random.Random(seed)).values()) for seed in range(20)
    }
    assert outcomes == {("FRANCE", "ITALY")}


def test_a_power_that_is_not_in_a_list_comes_after_all_that_are() -> None:
    assert [place_in_wishes(["ITALY", "FRANCE"], power) for power in ("ITALY", "FRANCE", "GERMANY", "BRITAIN")] == [
        1,
        2,
        3,
        3,
    ]


def test_without_wishes_every_deal_is_as_likely_as_any_other() -> None:
    chance = random.Random(1926)
    wishes: dict[int, list[str]] = {1: [], 2: [], 3: []}
    dealt = Counter(tuple(assign_by_preference(wishes, POWERS[:3], chance).values()) for _ in range(3_000))
    assert set(dealt) == set(permutations(POWERS[:3]))
    assert all(400 < count < 600 for count in dealt.values())


def test_with_fewer_people_than_powers_the_powers_nobody_wants_stay_free() -> None:
    assert assign_by_preference({5: ["GERMANY"], 9: ["ITALY"]}, POWERS, random.Random(3)) == {5: "GERMANY", 9: "ITALY"}


@given(st.lists(st.lists(st.sampled_from(POWERS), unique=True), min_size=1, max_size=len(POWERS)), st.integers(0, 99))
def test_no_other_deal_has_a_smaller_sum(lists: list[list[str]], seed: int) -> None:
    wishes = dict(enumerate(lists))
    dealt = assign_by_preference(wishes, POWERS, random.Random(seed))
    assert set(dealt) == set(wishes)
    assert len(set(dealt.values())) == len(dealt)
    sums = [total(dict(enumerate(powers)), wishes) for powers in permutations(POWERS, len(wishes))]
    assert total(dealt, wishes) == min(sums)


@pytest.mark.parametrize("seats", [7, 10])
def test_many_people_are_dealt_to_in_no_time(seats: int) -> None:
    powers = [f"POWER {number}" for number in range(seats)]
    wishes = {who: powers[who:] + powers[:who] for who in range(seats)}
    assert assign_by_preference(wishes, powers, random.Random(0)) == dict(enumerate(powers))


def test_repeats_weigh_more_than_all_wishes() -> None:
    wishes = {1: POWERS, 2: POWERS}
    costs = costs_by_repeats(wishes, POWERS, {1: {POWERS[0]: 1}, 2: dict.fromkeys(POWERS[1:], 1)})
    assert deal(costs, random.Random(1)) == {1: POWERS[1], 2: POWERS[0]}
