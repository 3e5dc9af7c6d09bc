"""How tables score: worked examples, and what holds for every system on every board of the site."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.tournaments.rules.scoring import (
    SYSTEMS,
    WORDS,
    PowerResult,
    System,
    TableResult,
    as_shares,
    own_table,
    score,
)
from variants.rulebook import read_rulebook
from variants.rulebooks import RULEBOOKS, home_of

WORKED: dict[str, Any] = tomllib.loads(Path(__file__).with_name("scores.toml").read_text("utf-8"))
POWER = re.compile(r"(\w)(\d*)(?:†(\d+))?")
OWN = own_table((10, 6, 4, 2), 30)
EVERY = (*SYSTEMS.values(), OWN)
CONSTANT: Mapping[str, Callable[[TableResult], int]] = {
    **{slug: SYSTEMS[slug].prize for slug in ("draw-size", "sum-of-squares", "tribute", "centre-count")},
    **{slug: SYSTEMS[slug].prize for slug in ("c-diplo-100", "c-diplo-80", "carnage", "carnage-dead-equal")},
    "carnage-by-centres": lambda table: SYSTEMS["carnage-by-centres"].prize(table) + 1000 * (len(table.powers) - 1),
}
"""The systems that give every table of a board as many points as any other, if all centres are owned."""
SOME_YEARS = 10
"""Points for years could overtake those of a single centre in a game without end."""
few = settings(max_examples=40)


def table_of(facts: dict[str, Any]) -> TableResult:
    found = [POWER.fullmatch(word) for word in facts["powers"].split()]
    powers = [PowerResult(it[1], int(it[2] or 0), int(it[3]) if it[3] else None) for it in found if it]
    by_year = [tuple(map(int, row.split())) for row in facts.get("by_year", [])]
    powers = [replace(it, by_year=counts) for it, counts in zip(powers, by_year, strict=True)] if by_year else powers
    (total, target), (first, last), shared = facts["board"], facts["years"], facts["shared"]
    return TableResult(tuple(powers), tuple(shared.strip("*")), "*" in shared, first, last, target, total)


EXAMPLES = [
    pytest.param(table_of(facts), slug, points, id=f"{slug}: {facts['title']}")
    for facts in WORKED["tables"]
    for slug, points in facts["points"].items()
]


@pytest.mark.parametrize(("table", "slug", "points"), EXAMPLES)
def test_worked_example(table: TableResult, slug: str, points: str) -> None:
    assert [*score(SYSTEMS[slug], table).values()] == [Fraction(it) for it in points.split()]


def test_every_system_has_worked_examples_of_a_solo_and_of_a_draw() -> None:
    worked = [{*facts["points"]} for facts in WORKED["tables"]]
    assert worked[0] == worked[3] == {*SYSTEMS}


class Board(NamedTuple):
    powers: int
    total: int
    target: int


def board_of(ref: str) -> Board:
    """Where a win takes more than a number of centres, all of them are the target."""
    ruleset = read_rulebook(*home_of(ref)).ruleset
    needed, total = getattr(ruleset.victory, "needed", None), len(ruleset.board.centres)
    return Board(len(ruleset.powers), total, needed if isinstance(needed, int) else total)


SOLO_BOARDS = ("standard", "1926", "the-sound", "collapse-of-the-dual-empire@1.0")
BOARDS = {ref: board_of(ref) for ref in (*RULEBOOKS, SOLO_BOARDS[-1])}


@pytest.mark.parametrize("slug", SYSTEMS)
def test_what_a_solo_scores_on_boards_of_different_sizes(slug: str) -> None:
    solos = [score(SYSTEMS[slug], solo_on(BOARDS[board]))["A"] for board in SOLO_BOARDS]
    assert solos == WORKED["solos"][slug]


def solo_on(board: Board) -> TableResult:
    won = PowerResult("A", board.target)
    others = [PowerResult(power, 0, 1902) for power in "BCDEFGHIJK"[: board.powers - 1]]
    return TableResult((won, *others), ("A",), True, 1901, 1904, board.target, board.total)


@st.composite
def tables(draw: st.DrawFn, *, all_owned: bool = False) -> TableResult:
    """A table of any board at which nobody won: no one has the target alone, and all survivors share."""
    board = draw(st.sampled_from([*BOARDS.values()]))
    cuts = sorted(draw(st.lists(st.integers(0, board.total), min_size=board.powers - 1, max_size=board.powers - 1)))
    counts = [after - before for before, after in zip([0, *cuts], [*cuts, board.total], strict=True)]
    if not all_owned:
        counts = [count - draw(st.integers(0, count // 2)) for count in counts]
    first, second = sorted(counts, reverse=True)[:2]
    if (first >= board.target and first > second) or not second:
        counts = [1 + board.total // board.powers] * (board.total % board.powers)
        counts += [board.total // board.powers] * (board.powers - len(counts))
    powers = [
        PowerResult("ABCDEFGHIJK"[place], count, None if count else draw(st.integers(1901, 1900 + SOME_YEARS)))
        for place, count in enumerate(counts)
    ]
    drawn = tuple(it.power for it in powers if it.centres) if draw(st.booleans()) else ()
    return TableResult(tuple(powers), drawn, False, 1901, 1900 + SOME_YEARS, board.target, board.total)


@few
@given(tables(all_owned=True))
def test_systems_with_a_constant_sum_keep_it(table: TableResult) -> None:
    won = replace(table, winners=(table.powers[0].power,))
    for slug, total in CONSTANT.items():
        assert [sum(score(SYSTEMS[slug], it).values()) for it in (table, won)] == [total(table)] * 2, slug


@few
@given(tables(), st.integers(0, 6))
def test_a_solo_scores_more_than_any_power_at_any_table_that_nobody_won(table: TableResult, winner: int) -> None:
    won = replace(table, winners=(table.powers[winner % len(table.powers)].power,), is_won=True)
    for system in EVERY:
        assert score(system, won)[won.winners[0]] > max(score(system, table).values()), system.slug


@few
@given(tables())
def test_shares_are_parts_of_100_in_the_same_proportion_on_every_board(table: TableResult) -> None:
    won = replace(table, winners=(table.powers[0].power,), is_won=True)
    for system in EVERY:
        for end in (table, won):
            points = score(system, end)
            shares, whole = as_shares(points), sum(points.values())
            assert sum(shares.values()) == (100 if whole else 0), system.slug
            assert all(shares[power] * whole == 100 * own for power, own in points.items()), system.slug


@few
@given(tables())
def test_scorings_that_do_not_say_that_they_need_years_need_none(table: TableResult) -> None:
    ends = tuple(PowerResult(it.power, it.centres, None if it.centres else 1901) for it in table.powers)
    for system in EVERY:
        for end in (table, replace(table, winners=(table.powers[0].power,), is_won=True)):
            without_years = replace(end, powers=ends, last_year=1901)
            assert system.by_years or score(system, end) == score(system, without_years), system.slug


@few
@given(tables())
def test_more_centres_never_score_less_at_one_table(table: TableResult) -> None:
    best = max(table.powers, key=lambda it: it.centres).power
    for system in EVERY:
        for end in (table, replace(table, winners=(best,), is_won=True)):
            points = score(system, end)
            in_order = [points[it.power] for it in sorted(end.powers, key=lambda it: (it.centres, points[it.power]))]
            assert in_order == sorted(in_order), system.slug


@few
@given(tables(), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_powers_does_not_matter(table: TableResult, chance: Any, joint: bool) -> None:
    winners = (table.powers[0].power, table.powers[-1].power) if joint else table.winners
    table = replace(table, winners=winners, is_won=joint)
    powers = [*table.powers]
    chance.shuffle(powers)
    for system in EVERY:
        assert score(system, replace(table, powers=tuple(powers))) == score(system, table), system.slug


@few
@given(tables())
def test_powers_that_win_together_share_a_solo_and_the_others_lose(table: TableResult) -> None:
    together = replace(table, winners=(table.powers[0].power, table.powers[1].power), is_won=True)
    alone = replace(together, winners=together.winners[:1])
    for system in EVERY:
        shared, solo = score(system, together), score(system, alone)
        assert sum(shared[it] for it in together.winners) == solo[alone.winners[0]], system.slug
        assert all(shared[it.power] == solo[it.power] for it in table.powers[2:]), system.slug


@cache
def drawn() -> TableResult:
    return table_of(WORKED["tables"][1])


def test_the_directors_own_points_are_shared_by_tied_powers() -> None:
    assert [*score(OWN, drawn()).values()] == [8, 8, 4, 2, 0, 0, 0]
    assert score(OWN, replace(drawn(), winners=("C",))) == {**dict.fromkeys("ABDEFG", 0), "C": 30}


@pytest.mark.parametrize(("points", "prize"), [((), 10), ((5, -1), 10), ((5, 6), 10), ((5, 4), 5)])
def test_points_by_place_that_would_reward_less_are_refused(points: tuple[int, ...], prize: int) -> None:
    with pytest.raises(ValueError, match="never rise or fall below 0"):
        own_table(points, prize)


THREE = PowerResult("A", 3)


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"powers": (THREE,)}, "two powers or more"),
        ({"powers": (THREE, THREE), "winners": ()}, "two powers or more, each once"),
        ({"winners": ("A", "Z")}, "Winners are powers"),
        ({"winners": ("A", "A")}, "Winners are powers, each once"),
        ({"winners": (), "is_won": True}, "has a winner"),
        ({"powers": (PowerResult("A", -3), PowerResult("B", 3), PowerResult("C", 3))}, "0 or more"),
        ({"total": 33}, "no more than the board"),
        ({"target": 35}, "the target is one of these"),
        ({"first_year": 1903}, "in years of the game"),
        ({"last_year": 1904}, "in years of the game"),
        ({"powers": (PowerResult("A", 3, 1902), PowerResult("B", 3)), "winners": ()}, "have no centres"),
    ],
)
def test_a_result_that_contradicts_itself_is_refused(change: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        replace(drawn(), **change)


def test_every_system_has_its_words_and_no_other_has_any() -> None:
    assert {*WORDS} == {*SYSTEMS, "own"}
    assert len({system.title for system in EVERY}) == len(EVERY)


@pytest.mark.parametrize("system", EVERY, ids=lambda system: system.slug)
def test_points_are_exact(system: System) -> None:
    for facts in WORKED["tables"]:
        assert {type(points) for points in score(system, table_of(facts)).values()} == {Fraction}
