"""Seating plans: the people at each table of a round, the faults of a plan, and a search for a plan with few."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import combinations
from random import Random

from games.tournaments.rules.searching import Costs, Effort, fewest

STARTS, VAIN_PER_SEAT, MOST_LOOKS = 3, 5, 1_000_000
"""How long the search goes on: `searching.Effort`."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A person to be seated.

    `experience`: the number of games played. `refuses`: people not to sit with; it counts in both directions. `met`:
    how often each person sat at the same table in earlier rounds. `sat_out`: the number of rounds without a seat.
    """

    id: int
    team: str = ""
    experience: int = 0
    refuses: frozenset[int] = frozenset()
    met: Mapping[int, int] = field(default_factory=dict)
    sat_out: int = 0
    offers_second_seat: bool = False

    @property
    def level(self) -> int:
        """Experience in steps that double: 0 games, 1, 2–3, 4–7, 8–15 …"""
        return self.experience.bit_length()


@dataclass(frozen=True, slots=True)
class Plan:
    """`tables`: the people at each board. `bench`: a person for each seat that they could take and have not."""

    tables: tuple[tuple[int, ...], ...]
    bench: tuple[int, ...] = ()

    @property
    def sits_out(self) -> tuple[int, ...]:
        return tuple(sorted(set(self.bench) - set(self._seats)))

    @property
    def sits_twice(self) -> tuple[int, ...]:
        return tuple(sorted(who for who, seats in self._seats.items() if seats > 1))

    @property
    def _seats(self) -> Counter[int]:
        return Counter(who for table in self.tables for who in table)


class Kind(StrEnum):
    """What can be wrong with a plan, the worst first."""

    REFUSED = "refused"
    SITS_OUT = "sits_out"
    SITS_TWICE = "sits_twice"
    TEAM = "team"
    MET = "met"
    EXPERIENCE = "experience"


WEIGHTS = {
    Kind.REFUSED: 10**12,
    Kind.SITS_OUT: 10**9,
    Kind.SITS_TWICE: 10**6,
    Kind.TEAM: 50,
    Kind.MET: 20,
    Kind.EXPERIENCE: 1,
}
"""One of the first three outweighs everything below it: no better mix of people is worth another person without a
seat. A round without a seat counts once more for each earlier one, a meeting by the square of the earlier ones, and
experience by the square of the levels in `_imbalance`."""
IMPOSSIBLE = 10**18


@dataclass(frozen=True, slots=True)
class Fault:
    """About the people in `who`. `table`: the index of their table; None where it is about no table."""

    kind: Kind
    who: tuple[int, ...]
    table: int | None
    weight: int


@dataclass(frozen=True, slots=True)
class Place:
    """A person at a table, or on the bench (None)."""

    table: int | None
    who: int


def faults_of(plan: Plan, entrants: Iterable[Entrant]) -> tuple[Fault, ...]:
    """All faults of a plan, the heaviest first. Raises KeyError if it seats somebody who is not an entrant."""
    of = {entrant.id: entrant for entrant in entrants}
    found = [
        *(Fault(Kind.SITS_OUT, (who,), None, _weight_of_sitting_out(of[who])) for who in plan.sits_out),
        *(Fault(Kind.SITS_TWICE, (who,), None, WEIGHTS[Kind.SITS_TWICE]) for who in plan.sits_twice),
    ]
    for number, table in enumerate(plan.tables):
        for one, other in combinations(table, 2):
            found += [Fault(kind, (one, other), number, weight) for kind, weight in _between(of[one], of[other])]
        imbalance = _imbalance(sum(of[who].level for who in table), _fair_level(len(table), of.values()), len(table))
        if imbalance:
            found.append(Fault(Kind.EXPERIENCE, table, number, imbalance))
    return tuple(sorted(found, key=lambda fault: -fault.weight))


def total(faults: Iterable[Fault]) -> int:
    return sum(fault.weight for fault in faults)


def _weight_of_sitting_out(entrant: Entrant) -> int:
    return WEIGHTS[Kind.SITS_OUT] * (1 + entrant.sat_out)


def _between(one: Entrant, other: Entrant) -> Iterator[tuple[Kind, int]]:
    """What speaks against two people at the same table."""
    if other.id in one.refuses or one.id in other.refuses:
        yield Kind.REFUSED, WEIGHTS[Kind.REFUSED]
    if one.team and one.team == other.team:
        yield Kind.TEAM, WEIGHTS[Kind.TEAM]
    times = max(one.met.get(other.id, 0), other.met.get(one.id, 0))
    if times:
        yield Kind.MET, WEIGHTS[Kind.MET] * times**2


def _fair_level(size: int, entrants: Iterable[Entrant]) -> int:
    """The levels of a table with the average of all entrants, added up and rounded."""
    levels = [entrant.level for entrant in entrants]
    return (2 * size * sum(levels) + len(levels)) // (2 * len(levels))


def _imbalance(levels: int, fair: int, size: int) -> int:
    """The weight of a table whose average is more than half a level away from everyone's."""
    excess = max(0, abs(levels - fair) - size // 2)
    return WEIGHTS[Kind.EXPERIENCE] * excess**2


def swapped(plan: Plan, one: Place, other: Place) -> Plan:
    """Two people change places. Raises ValueError if one is not there, or would sit twice at one table."""
    groups = [*map(list, plan.tables), list(plan.bench)]
    for here, there in ((one, other), (other, one)):
        _insist_on_swap(plan, here, there)
    places = [(groups[-1 if it.table is None else it.table], it.who) for it in (one, other)]
    (group, who), (other_group, other_who) = places
    index, other_index = group.index(who), other_group.index(other_who)
    group[index], other_group[other_index] = other_who, who
    return _plan(groups)


def _insist_on_swap(plan: Plan, here: Place, there: Place) -> None:
    if here.table is not None and not 0 <= here.table < len(plan.tables):
        raise ValueError(f"there is no table {here.table}; the last one is {len(plan.tables) - 1}")
    group = plan.bench if here.table is None else plan.tables[here.table]
    if here.who not in group:
        raise ValueError(f"{here.who} is not there; there are {', '.join(map(str, group)) or 'none'}")
    if here.table not in (None, there.table) and there.who in group:
        raise ValueError(f"{there.who} would sit twice at table {here.table}")


def _plan(groups: Sequence[Iterable[int]]) -> Plan:
    """The last group is the bench."""
    *tables, bench = (tuple(sorted(group)) for group in groups)
    return Plan(tuple(tables), bench)


def planned(
    entrants: Iterable[Entrant], boards: Sequence[int], seed: int, locked: Mapping[int, Sequence[int]] | None = None
) -> Plan:
    """A plan with few faults; the same for the same entrants, boards and seed, whatever the order of the entrants.

    `boards`: their sizes. `locked`: the index of a board -> the people who sit there, as they are. Where there are too
    few seats, those who have sat out least sit out. Where there are too few people, some of those who offered it sit at
    two tables. Two people of whom one refuses the other share a table only if the search finds no plan that avoids it.

    Raises ValueError if the tables cannot be filled, or if the locked ones contradict the entrants or the boards.
    """
    locked = locked or {}
    of = {entrant.id: entrant for entrant in sorted(entrants, key=lambda entrant: entrant.id)}
    free = _free_seats(of, boards, locked)
    sizes = [size for index, size in enumerate(boards) if index not in locked]
    _insist_on_people(sizes, free)
    seats = [_Seat(of[who], is_second) for who, seconds in free.items() for is_second in seconds]
    chance = Random(seed)  # noqa: S311
    starts = [_start(seats, sizes, chance) for _ in range(STARTS)]
    costs = _costs(seats, sizes, list(of.values()))
    effort = Effort(_cost_alone(costs, starts[0]), VAIN_PER_SEAT * len(seats), MOST_LOOKS, IMPOSSIBLE)
    groups = iter([[seats[number].who.id for number in group] for group in fewest(costs, starts, chance, effort)])
    tables = [locked[index] if index in locked else next(groups) for index in range(len(boards))]
    return _plan([*tables, next(groups)])


def _free_seats(
    of: Mapping[int, Entrant], boards: Sequence[int], locked: Mapping[int, Sequence[int]]
) -> dict[int, tuple[bool, ...]]:
    """Person -> for each seat that they can still take: is it their second one?"""
    taken = Counter(who for table in locked.values() for who in table)
    for index, table in locked.items():
        if not 0 <= index < len(boards) or len(table) != boards[index] or len(set(table)) != len(table):
            raise ValueError(f"locked table {index} must be one of the boards, full, and have each person once")
    allowed = {who: 1 + entrant.offers_second_seat for who, entrant in of.items()}
    for who, seats in taken.items():
        if seats > allowed.get(who, 0):
            raise ValueError(f"{who} is locked at {seats} tables, but may sit at {allowed.get(who, 0)}")
    return {who: (False, True)[taken[who] : most] for who, most in allowed.items()}


def _insist_on_people(sizes: Sequence[int], free: Mapping[int, tuple[bool, ...]]) -> None:
    seats, people = sum(len(seconds) for seconds in free.values()), sum(map(bool, free.values()))
    if sum(sizes) > seats:
        raise ValueError(f"the tables need {sum(sizes)} people, but there are {seats}, second seats included")
    if max(sizes, default=0) > people:
        raise ValueError(f"the largest table needs {max(sizes)} different people, but there are {people}")


@dataclass(frozen=True, slots=True)
class _Seat:
    """A seat that a person can take: what the search moves."""

    who: Entrant
    is_second: bool


def _costs(seats: Sequence[_Seat], sizes: Sequence[int], entrants: Sequence[Entrant]) -> Costs:
    fair = [_fair_level(size, entrants) for size in sizes]
    most = sum(seat.who.level for seat in seats)
    return Costs(
        between=[[_cost_between(one, other) for other in seats] for one in seats],
        alone=[
            [WEIGHTS[Kind.SITS_TWICE] * seat.is_second] * len(sizes)
            + [0 if seat.is_second else _weight_of_sitting_out(seat.who)]
            for seat in seats
        ],
        levels=[seat.who.level for seat in seats],
        imbalance=[
            *([_imbalance(sums, *table) for sums in range(most + 1)] for table in zip(fair, sizes, strict=True)),
            [0] * (most + 1),
        ],
    )


def _cost_between(one: _Seat, other: _Seat) -> int:
    if one.who is other.who:
        return 0 if one is other else IMPOSSIBLE
    return sum(weight for _kind, weight in _between(one.who, other.who))


def _start(seats: Sequence[_Seat], sizes: Sequence[int], chance: Random) -> list[list[int]]:
    """Groups by chance: the tables, then the bench, where those who have sat out least come first, and second seats
    before all. Those who sit twice are placed first, where most room is, which fills the tables if anything does."""
    of: dict[int, list[int]] = {}
    for number, seat in enumerate(seats):
        of.setdefault(seat.who.id, []).append(number)
    order = sorted(
        range(len(seats)),
        key=lambda it: (of[seats[it].who.id].index(it), seats[it].is_second, -seats[it].who.sat_out, chance.random()),
    )
    chosen = set(order[: sum(sizes)])
    room = list(sizes)
    groups: list[list[int]] = [[] for _ in sizes]
    for own in sorted(of.values(), key=lambda own: (-len(chosen & set(own)), chance.random())):
        tables = sorted(range(len(sizes)), key=lambda table: (-room[table], chance.random()))
        for number, table in zip(chosen & set(own), tables, strict=False):
            groups[table].append(number)
            room[table] -= 1
    return [*groups, order[sum(sizes) :]]


def _cost_alone(costs: Costs, groups: Sequence[Sequence[int]]) -> int:
    """What cannot be avoided: people who sit out or twice because of the numbers."""
    return sum(costs.alone[item][number] for number, group in enumerate(groups) for item in group)
