"""Seating plans: the people at each table of a round, the faults of a plan, and a search for a plan with few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate, combinations, pairwise
from random import Random

from games.tournaments.rules.searching import Costs, Stop, fewest

STARTS, VAIN_PER_SEAT, MOST_LOOKS = 3, 5, 1_000_000
"""How long the search goes on: `searching.Stop`."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person to be seated.

    `experience`: the number of games played. `refuses`: the people they won't sit with; it counts in both directions.
    `met`: how often each person sat at the same table in earlier rounds. `sat_out`: the number of rounds without a
    seat. `places`: for each board, the index of its variant in their list, 0 for the favourite; () without a list.
    """

    id: int
    team: str = ""
    experience: int = 0
    refuses: frozenset[int] = frozenset()
    met: Mapping[int, int] = field(default_factory=dict)
    sat_out: int = 0
    offers_second_seat: bool = False
    places: tuple[int, ...] = ()

    @property
    def level(self) -> int:
        """Experience in steps that double: 0 games, 1, 2–3, 4–7, 8–15 …"""
        return self.experience.bit_length()


@dataclass(frozen=True, slots=True)
class SeatingPlan:
    """`tables`: the people at each board. `bench`: a person for each seat that they could take but have not."""

    tables: tuple[tuple[int, ...], ...]
    bench: tuple[int, ...] = ()

    @property
    def people_out(self) -> tuple[int, ...]:
        return tuple(sorted(set(self.bench) - set(self._seats)))

    @property
    def people_seated_twice(self) -> tuple[int, ...]:
        return tuple(sorted(who for who, seats in self._seats.items() if seats > 1))

    @property
    def _seats(self) -> Counter[int]:
        return Counter(who for table in self.tables for who in table)


class FaultKind(StrEnum):
    """What can be wrong with a plan, the worst first."""

    REFUSED = "refused"
    SITS_OUT = "sits_out"
    SITS_TWICE = "sits_twice"
    TEAM = "team"
    MET = "met"
    VARIANT = "variant"
    EXPERIENCE = "experience"


WEIGHTS = {
    FaultKind.REFUSED: 10**12,
    FaultKind.SITS_OUT: 10**9,
    FaultKind.SITS_TWICE: 10**6,
    FaultKind.TEAM: 50,
    FaultKind.MET: 20,
    FaultKind.VARIANT: 5,
    FaultKind.EXPERIENCE: 1,
}
"""One of the first three outweighs everything below it. A round without a seat counts once more for each earlier one,
a meeting by the square of the earlier ones, a variant by its place in the list, and experience by that of
the levels in `_imbalance`."""
IMPOSSIBLE = 10**18


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault that concerns the people in `who`. `table`: the index of their table, or None."""

    kind: FaultKind
    who: tuple[int, ...]
    table: int | None
    weight: int


@dataclass(frozen=True, slots=True)
class Sitter:
    """A person at a table, or on the bench (None)."""

    table: int | None
    who: int


def faults_of(plan: SeatingPlan, entrants: Iterable[Entrant]) -> tuple[Fault, ...]:
    """All faults of a plan, the heaviest first. Raises KeyError if it seats somebody who is not an entrant."""
    by_id = {entrant.id: entrant for entrant in entrants}
    faults = [
        *(
            Fault(FaultKind.SITS_OUT, (it,), None, WEIGHTS[FaultKind.SITS_OUT] * (1 + by_id[it].sat_out))
            for it in plan.people_out
        ),
        *(Fault(FaultKind.SITS_TWICE, (who,), None, WEIGHTS[FaultKind.SITS_TWICE]) for who in plan.people_seated_twice),
    ]
    for number, table in enumerate(plan.tables):
        for one, other in combinations(table, 2):
            faults += [Fault(kind, (one, other), number, weight) for kind, weight in _between(by_id[one], by_id[other])]
        levels = sum(by_id[who].level for who in table)
        if imbalance := _imbalance(levels, _fair_level(len(table), by_id.values()), len(table)):
            faults.append(Fault(FaultKind.EXPERIENCE, table, number, imbalance))
        costs = ((who, _dislike(by_id[who], number)) for who in table)
        faults += [Fault(FaultKind.VARIANT, (who,), number, cost) for who, cost in costs if cost]
    return tuple(sorted(faults, key=lambda fault: -fault.weight))


def total(faults: Iterable[Fault]) -> int:
    return sum(fault.weight for fault in faults)


def _dislike(entrant: Entrant, board: int) -> int:
    """How much this entrant dislikes the variant of this board."""
    return WEIGHTS[FaultKind.VARIANT] * entrant.places[board] if entrant.places else 0


def _between(one: Entrant, other: Entrant) -> Iterator[tuple[FaultKind, int]]:
    """The faults of seating these two people at the same table, with their weights."""
    if other.id in one.refuses or one.id in other.refuses:
        yield FaultKind.REFUSED, WEIGHTS[FaultKind.REFUSED]
    if one.team and one.team == other.team:
        yield FaultKind.TEAM, WEIGHTS[FaultKind.TEAM]
    times = max(one.met.get(other.id, 0), other.met.get(one.id, 0))
    if times:
        yield FaultKind.MET, WEIGHTS[FaultKind.MET] * times**2


def _fair_level(size: int, entrants: Iterable[Entrant]) -> int:
    """The sum of the levels at a table of this size if its average were that of all entrants, rounded."""
    levels = [entrant.level for entrant in entrants]
    return (2 * size * sum(levels) + len(levels)) // (2 * len(levels))


def _imbalance(levels: int, fair_level: int, size: int) -> int:
    """The weight of a table whose average is more than half a level away from everyone's."""
    excess = max(0, abs(levels - fair_level) - size // 2)
    return WEIGHTS[FaultKind.EXPERIENCE] * excess**2


def swapped(plan: SeatingPlan, one: Sitter, other: Sitter) -> SeatingPlan:
    """The plan with two people swapped. Raises ValueError if one is not there, or would sit twice at one table."""
    groups = [*map(list, plan.tables), list(plan.bench)]
    for here, there in ((one, other), (other, one)):
        _insist_on_swap(plan, here, there)
    places = [(groups[-1 if it.table is None else it.table], it.who) for it in (one, other)]
    (group, who), (other_group, other_who) = places
    index, other_index = group.index(who), other_group.index(other_who)
    group[index], other_group[other_index] = other_who, who
    return _plan(groups)


def _insist_on_swap(plan: SeatingPlan, one: Sitter, other: Sitter) -> None:
    if one.table is not None and not 0 <= one.table < len(plan.tables):
        raise ValueError(f"there is no table {one.table}; the last one is {len(plan.tables) - 1}")
    group = plan.bench if one.table is None else plan.tables[one.table]
    if one.who not in group:
        raise ValueError(f"{one.who} is not there; there are {', '.join(map(str, group)) or 'none'}")
    if one.table not in (None, other.table) and other.who in group:
        raise ValueError(f"{other.who} would sit twice at table {one.table}")


def _plan(groups: Sequence[Iterable[int]]) -> SeatingPlan:
    """The plan with these groups as tables, and the last one as the bench."""
    *tables, bench = (tuple(sorted(group)) for group in groups)
    return SeatingPlan(tuple(tables), bench)


def planned(
    entrants: Iterable[Entrant], boards: Sequence[int], seed: int, locked: Mapping[int, Sequence[int]] | None = None
) -> SeatingPlan:
    """A plan with few faults. The same entrants, boards and seed give the same plan, in any order of the entrants.

    `boards`: their sizes. `locked`: the index of a board -> the people who sit there, as they are. If there are too few
    seats, the people who have sat out least sit out. If there are too few people, some of those who offered it sit at
    two tables. Chance decides between equals before refusals, meetings, teams and lists are looked at, so that the
    bench reveals nothing about them. Two people of whom one refuses the other share a table only if the search finds no
    plan that avoids it.

    Raises ValueError if the tables cannot be filled, or if the locked ones contradict the entrants or the boards.
    """
    locked = locked or {}
    by_id = {entrant.id: entrant for entrant in sorted(entrants, key=lambda entrant: entrant.id)}
    free_seats = _free_seats(by_id, boards, locked)
    open_boards = [index for index in range(len(boards)) if index not in locked]
    sizes = [boards[index] for index in open_boards]
    _insist_on_people(sizes, free_seats)
    random = Random(seed)  # noqa: S311
    order = _in_turn(by_id, free_seats, random)
    players, bench = sorted(order[: sum(sizes)]), order[sum(sizes) :]
    first_groups = [_start(players, sizes, random) for _ in range(STARTS)]
    tables = [(index, boards[index]) for index in open_boards]
    costs = _costs([by_id[who] for who in players], tables, list(by_id.values()))
    stop = Stop(sum(map(min, costs.alone)), VAIN_PER_SEAT * len(order), MOST_LOOKS, IMPOSSIBLE)
    groups = iter([[players[item] for item in group] for group in fewest(costs, first_groups, random, stop)])
    return _plan([*(locked[index] if index in locked else next(groups) for index in range(len(boards))), bench])


def tables_of_each(sizes: Sequence[int], people: int, offers: int, most: int) -> tuple[int, ...]:
    """How many tables of each size to fill, at most `most` together: those that leave out the fewest people, then seat
    the fewest twice, and then are as many of one size as of another. `offers`: how many people would sit twice."""
    found: dict[int, tuple[int, ...]] = {0: ()}  # seats -> tables of each size so far
    for size in sizes:
        longer = dict[int, list[tuple[int, ...]]]()
        for seats, counts in found.items():
            most_here = (people + offers - seats) // size if size <= people else 0
            for count in range(min(most_here, most - sum(counts)) + 1):
                longer.setdefault(seats + count * size, []).append((*counts, count))
        found = {seats: max(each, key=_evenness) for seats, each in longer.items()}
    return found[min(found, key=lambda seats: (max(0, people - seats), seats))]


def _evenness(counts: Sequence[int]) -> tuple[int, Sequence[int]]:
    """How even these numbers of tables are; between equals, more tables of the first size come first."""
    return -sum(count**2 for count in counts), counts


def can_fill(sizes: Sequence[int], counts: Sequence[int], people: int, offers: int) -> bool:
    """Can these people, of whom some offer to sit twice, fill so many tables of each size?"""
    sizes = [size for size, count in zip(sizes, counts, strict=False) for _table in range(count)]
    return bool(sizes) and sum(sizes) <= people + offers and max(sizes) <= people


def leading(
    people: Sequence[int], ranks: Mapping[int, int], sizes: Sequence[int], seed: int
) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
    """The people at top tables of these sizes, the leaders at the first, as far as they fill them; and each group of
    equal rank within which the lot has decided. `ranks`: from 1, of everyone who has points."""
    drawn = Random(seed).sample(people, len(people))  # noqa: S311
    rank_of = {who: ranks.get(who, len(ranks) + 1) for who in drawn}
    order = sorted(drawn, key=rank_of.__getitem__)
    ends = [end for end in accumulate(sizes) if end <= len(order)]
    cut = {rank_of[who] for end in ends for who in order[end : end + 1] if rank_of[who] == rank_of[order[end - 1]]}
    equals = tuple(tuple(who for who in people if rank_of[who] == rank) for rank in sorted(cut))
    return tuple(tuple(order[begin:end]) for begin, end in pairwise([0, *ends])), equals


def _free_seats(
    by_id: Mapping[int, Entrant], boards: Sequence[int], locked: Mapping[int, Sequence[int]]
) -> dict[int, tuple[bool, ...]]:
    """Person -> the seats that they can still take, as False for their first one and True for a second one."""
    seats_taken = Counter(who for table in locked.values() for who in table)
    for index, table in locked.items():
        if not 0 <= index < len(boards) or len(table) != boards[index] or len(set(table)) != len(table):
            raise ValueError(f"locked table {index} must be one of the boards, full, and have each person once")
    most_seats = {who: 1 + entrant.offers_second_seat for who, entrant in by_id.items()}
    for who, seats in seats_taken.items():
        if seats > most_seats.get(who, 0):
            raise ValueError(f"{who} is locked at {seats} tables, but may sit at {most_seats.get(who, 0)}")
    return {who: (False, True)[seats_taken[who] : most] for who, most in most_seats.items()}


def _insist_on_people(sizes: Sequence[int], free_seats: Mapping[int, tuple[bool, ...]]) -> None:
    seats, people = sum(len(seconds) for seconds in free_seats.values()), sum(map(bool, free_seats.values()))
    if sum(sizes) > seats:
        raise ValueError(f"the tables need {sum(sizes)} people, but there are {seats}, second seats included")
    if max(sizes, default=0) > people:
        raise ValueError(f"the largest table needs {max(sizes)} different people, but there are {people}")


def _in_turn(by_id: Mapping[int, Entrant], free_seats: Mapping[int, tuple[bool, ...]], random: Random) -> list[int]:
    """A person for each free seat, in the order in which they are seated: everyone's first free seat before anyone's
    second, first seats before second seats, and those who have sat out most before the others."""
    turns = [
        (number, is_second, -by_id[who].sat_out, random.random(), who)
        for who, seconds in free_seats.items()
        for number, is_second in enumerate(seconds)
    ]
    return [who for *_, who in sorted(turns)]


def _costs(players: Sequence[Entrant], boards: Sequence[tuple[int, int]], entrants: Sequence[Entrant]) -> Costs:
    """The costs of seating these people. `boards`: index and size of each board that is to be filled."""
    levels = [who.level for who in players]
    fair_levels = [(_fair_level(size, entrants), size) for _number, size in boards]
    return Costs(
        between=[
            [_cost_between(one, other) * (at != there) for there, other in enumerate(players)]
            for at, one in enumerate(players)
        ],
        alone=[[_dislike(who, number) for number, _size in boards] for who in players],
        levels=levels,
        imbalance=[[_imbalance(sums, *table) for sums in range(sum(levels) + 1)] for table in fair_levels],
    )


def _cost_between(one: Entrant, other: Entrant) -> int:
    return IMPOSSIBLE if one is other else sum(weight for _kind, weight in _between(one, other))


def _start(players: Sequence[int], sizes: Sequence[int], random: Random) -> list[list[int]]:
    """A random arrangement. People who sit twice are placed first, where there is most room: if the tables can be
    filled at all, this fills them."""
    by_level: dict[int, list[int]] = {}
    for item, who in enumerate(players):
        by_level.setdefault(who, []).append(item)
    room = list(sizes)
    groups: list[list[int]] = [[] for _ in sizes]
    for own in sorted(by_level.values(), key=lambda own: (-len(own), random.random())):
        tables = sorted(range(len(sizes)), key=lambda table: (-room[table], random.random()))
        for item, table in zip(own, tables, strict=False):
            groups[table].append(item)
            room[table] -= 1
    return groups
