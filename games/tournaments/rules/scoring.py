"""How a table is scored: the result of a game, and its powers' points under each scoring system.

Sources name modules of dipvis, the program behind diplomacytv.com (`visualiser/tournament/game_scoring`, read in 2026).
Its numbers are for 34 centres, 7 powers and a win with 18. On other boards they change only as far as needed for a win
by one power to score more than anything else can; `systems.toml` says how for each system.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, TypeAlias

Points: TypeAlias = Mapping[str, Fraction]
"""Power -> points."""
WORDS: Mapping[str, Mapping[str, Any]] = tomllib.loads(Path(__file__).with_name("systems.toml").read_text("utf-8"))


@dataclass(frozen=True, slots=True)
class PowerResult:
    """`out_in`: the year in which the power lost its last centre and unit; None if it survived. `by_year`: its centres
    at the end of each year, the first one first; () if they are not known."""

    power: str
    centres: int
    out_in: int | None = None
    by_year: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class TableResult:
    """How a game ended; raises ValueError if that contradicts itself.

    `winners`: the powers that share the result: one power that won, by the rules or because the others conceded;
    several that won together (`is_won`) or drew. None if the game was stopped, so that all survivors share. `target`:
    how many centres win; all centres of the board if winning takes more than a number. `total`: all centres of the
    board, whether or not a power has them.
    """

    powers: tuple[PowerResult, ...]
    winners: tuple[str, ...]
    is_won: bool
    first_year: int
    last_year: int
    target: int
    total: int

    def __post_init__(self) -> None:
        years, owned = range(self.first_year, self.last_year + 1), [it.centres for it in self.powers]
        if len(self.powers) == 1 or len({it.power for it in self.powers}) < len(self.powers):
            raise ValueError("A table has two powers or more, each once.")
        if len({*self.winners} & {it.power for it in self.powers}) < max(len(self.winners), self.is_won):
            raise ValueError("Winners are powers, each once; a game that was won has a winner.")
        if min(owned) < 0 or sum(owned) > self.total or not 1 <= self.target <= self.total:
            raise ValueError(
                "Centres are 0 or more, and together no more than the board’s; the target is one of these."
            )
        if any(it.out_in is not None and (it.centres or it.out_in not in years) for it in self.powers) or not years:
            raise ValueError("Powers fall in years of the game, and then have no centres.")

    @property
    def living(self) -> tuple[PowerResult, ...]:
        return tuple(it for it in self.powers if it.out_in is None)

    @property
    def sharing(self) -> tuple[str, ...]:
        """The powers that share the result; all powers if none is left."""
        return self.winners or tuple(it.power for it in self.living or self.powers)

    @property
    def has_victors(self) -> bool:
        """Was it won, by one power or by several together? Otherwise it was drawn or stopped."""
        return self.is_won or len(self.sharing) == 1

    @property
    def most(self) -> int:
        """The number of centres of the largest power."""
        return max(it.centres for it in self.powers)

    @property
    def leaders(self) -> tuple[str, ...]:
        """The survivors with the most centres."""
        return tuple(it.power for it in self.living if it.centres == self.most)

    @property
    def lead(self) -> int:
        """How many more centres the leader has than the second power; 0 if several lead."""
        first, second = sorted((it.centres for it in self.powers), reverse=True)[:2]
        return first - second

    def years(self, it: PowerResult) -> int:
        """How many years a power survived, not counting the one in which it fell or the game ended."""
        return (self.last_year if it.out_in is None else it.out_in) - self.first_year

    def as_on_34(self, centres: int) -> Fraction:
        """The number of centres scaled to the 34 of the standard board."""
        return Fraction(34 * centres, self.total)


Each: TypeAlias = Callable[[TableResult, PowerResult], int | Fraction]
"""Something about one power of a table."""
Weight: TypeAlias = Callable[[PowerResult], int]
Shared: TypeAlias = Callable[[TableResult], Points]
Prize: TypeAlias = Callable[[TableResult], int]


@dataclass(frozen=True, slots=True)
class System:
    """A scoring system, with its words in English.

    `by_years`: it depends on years, not on the end alone. `shared`: the points if nobody won. `prize`: the points
    for a victory, shared by `weight` if several powers won together. `lost`: the points of a power that lost to a
    victory.
    """

    slug: str
    title: str
    sentence: str
    generalised: str
    source: str
    shared: Shared
    prize: Prize
    lost: Each
    weight: Weight
    by_years: bool = False


def score(system: System, table: TableResult) -> Points:
    """The points of each power, in the order of the table."""
    if not table.has_victors:
        return system.shared(table)
    weights = {it.power: system.weight(it) for it in table.powers if it.power in table.sharing}
    return _with(portions(system.prize(table), weights), system.lost, table)


def as_shares(points: Points) -> Points:
    """What each power has of 100 for the whole table, where anybody has points."""
    whole = sum(points.values())
    return {power: 100 * own / whole if whole else own for power, own in points.items()}


def _with(points: Mapping[str, int | Fraction], of_others: Each, table: TableResult) -> Points:
    """The points of every power: those in `points`, and for the others what `of_others` gives."""
    return {it.power: Fraction(points.get(it.power, of_others(table, it))) for it in table.powers}


def portions(points: int, weights: Mapping[str, int | Fraction]) -> Points:
    """The points divided in proportion to the weights, or equally if all weights are 0."""
    if not any(weights.values()):
        weights = dict.fromkeys(weights, 1)
    return {power: points * Fraction(weight) / sum(weights.values()) for power, weight in weights.items()}


def by_place(ranks: Mapping[str, Any], points: Sequence[int]) -> Points:
    """The points for first, second, third … place, then 0. Powers that are equal in `ranks`, where more is better,
    share the points of their places."""
    times, place, at = Counter(ranks.values()), 0, dict[Hashable, Fraction]()
    for value in sorted(times, reverse=True):
        at[value] = Fraction(sum(points[place : place + times[value]]), times[value])
        place += times[value]
    return {power: at[value] for power, value in ranks.items()}


def last_standing(table: TableResult) -> dict[str, tuple[int, float]]:
    """The standing by centres, then by the year in which a power fell."""
    return {it.power: (it.centres, inf if it.out_in is None else it.out_in) for it in table.powers}


def always(points: int) -> Callable[..., int]:
    return lambda *_of: points


def a_year(points: int | Fraction, begun: int = 0) -> Each:
    """These points for each year that a power survived; with `begun` = 1, also for the year in which it fell."""
    return lambda table, it: points * (table.years(it) + begun)


def quarters(table: TableResult, it: PowerResult) -> Fraction:
    """A quarter of a point for each of 8 years."""
    return Fraction(min(table.years(it), 8), 4)


def draw_size(table: TableResult) -> Points:
    """100 points for the powers that share the result. dipvis: draw_size.py."""
    return portions(100, {it.power: int(it.power in table.sharing) for it in table.powers})


def sum_of_squares(table: TableResult) -> Points:
    """100 points in proportion to the squares of centres. dipvis: sum_of_squares.py."""
    return portions(100, {it.power: it.centres**2 for it in table.powers})


def c_diplo(table: TableResult, scale: tuple[int, Sequence[int]], each: Callable[[int], int] = int) -> Points:
    """Points for playing, for centres and for the first three places. dipvis: cdiplo.py, cdiplo_namur.py."""
    playing, places = scale
    placed = by_place({it.power: it.centres for it in table.powers}, places)
    return {it.power: playing + each(it.centres) + placed[it.power] for it in table.powers}


def c_diplo_pot(table: TableResult, scale: tuple[int, Sequence[int]]) -> int:
    """The total of a table whose centres are all owned: 100 and 80 on the standard board."""
    return scale[0] * len(table.powers) + table.total + sum(scale[1][: len(table.powers)])


def at_namur(centres: int) -> int:
    """0, 5, 9, 12, 14, 16 or 18 points for up to 6 centres, then 1 for each further one. dipvis: cdiplo_namur.py."""
    return (0, 5, 9, 12, 14, 16, 18)[min(centres, 6)] + max(0, centres - 6)


def carnage(table: TableResult, step: int = 1000, each: int = 1, of_lead: int = 0, *, by_year: bool = True) -> Points:
    """`step` points for the last place, twice as many for the next one up, and so on; `each` for a centre; `of_lead`
    for each centre of a lead. Eliminated powers are placed by year, or share their places. dipvis: carnage.py."""
    places = [step * left for left in range(len(table.powers), 0, -1)]
    placed = by_place(last_standing(table) if by_year else {it.power: it.centres for it in table.powers}, places)
    lead = of_lead * table.lead
    return {it.power: placed[it.power] + each * it.centres + lead * (it.power in table.leaders) for it in table.powers}


def carnage_pot(table: TableResult, step: int = 1000, each: int = 1) -> int:
    """The total of a table whose centres are all owned: 28,034 on the standard board."""
    return step * len(table.powers) * (len(table.powers) + 1) // 2 + each * table.total


def by_centres_prize(table: TableResult) -> int:
    """The whole pot except 1,000 for each of the other powers: 39,028 on the standard board."""
    return carnage_pot(table, step=1001, each=500) - 1000 * (len(table.powers) - 1)


def carnage_2023_prize(table: TableResult) -> int:
    """The pot or, if it is more (as with few powers), the score of a leader with all centres of the board."""
    return max(carnage_pot(table), 1000 * len(table.powers) + 301 * table.total)


def manorcon_weight(it: PowerResult, dead: int = 16) -> int:
    return it.centres**2 + 4 * it.centres + 16 if it.out_in is None else dead


def manorcon(table: TableResult, dead: int = 16) -> Points:
    """100 points in proportion to c² + 4c + 16. Eliminated powers count as `dead` in the total, and get a tenth of a
    point a year. dipvis: manorcon.py."""
    shares = portions(100, {it.power: manorcon_weight(it, dead) for it in table.powers})
    return _with({it.power: shares[it.power] for it in table.living}, TENTHS, table)


def manorcon_prize(table: TableResult) -> int:
    """75, or 100 where a leader might get 75 without winning: at small tables, and if a win takes most centres."""
    return 75 if len(table.powers) >= 7 and table.target <= table.total // 2 + 1 else 100  # noqa: PLR2004


def detour09(table: TableResult) -> Points:
    """Survivors share 100 in proportion to their centres plus 2, plus the lead, plus 4, 3, 2 and 1 for the first
    places; tied powers all get the lowest of theirs. Eliminated powers get a quarter of a point a year, up to 2.
    dipvis: detour09.py."""
    place = {it.power: sum(other.centres >= it.centres for other in table.powers) for it in table.powers}
    lead = dict.fromkeys(table.leaders, table.lead)
    raw = {it.power: it.centres + 2 + lead.get(it.power, 0) + max(0, 5 - place[it.power]) for it in table.living}
    return _with(portions(100, raw), quarters, table)


def tribute(table: TableResult) -> Points:
    """34 points for the centres and 66 for survivors, each of whom pays the leaders 1 for each of their centres over 6,
    but no more than its share of the 66. dipvis: tribute.py."""
    share_of_survivors = Fraction(66, len(table.living) or 1)
    share_paid = min(share_of_survivors, max(Fraction(0), table.as_on_34(table.most) - 6))
    points = {it.power: table.as_on_34(it.centres) for it in table.powers}
    got = share_paid * (len(table.living) - len(table.leaders)) / (len(table.leaders) or 1)
    for it in table.living:
        points[it.power] += share_of_survivors + (got if it.power in table.leaders else -share_paid)
    return points


def open_tribute(table: TableResult) -> Points:
    """34 points and 3 for each centre. Every power pays 1 for each centre that it has fewer than the leaders;
    eliminated powers pay everything. Each of N leaders gets 1/N² of the sum, rounded down. dipvis: open_tribute.py."""
    got = sum(table.most - it.centres for it in table.powers) // (len(table.leaders) or 1) ** 2
    kept = {it.power: table.total + 4 * it.centres - table.most for it in table.living}
    return _with({power: points + got * (power in table.leaders) for power, points in kept.items()}, NOTHING, table)


def bangkok(table: TableResult, shares: Sequence[int | Fraction]) -> Points:
    """1 point for each centre and 3 for surviving. Survivors also share 12, with one of these `shares` each for the
    leaders and for those 1 or 2 centres behind. Eliminated powers get 3 tenths a year. dipvis: bangkok.py."""
    behind = {it.power: table.most - it.centres for it in table.living}
    dominating = portions(12, {power: shares[gap] for power, gap in behind.items() if gap < len(shares)})
    alive = {it.power: table.as_on_34(it.centres) + 3 + dominating.get(it.power, 0) for it in table.living}
    return _with(alive, a_year(Fraction(3, 10)), table)


def bangkok_prize(table: TableResult, usual: int) -> int:
    """The usual prize, or 49 if a leader could get as much without a victory: a board's centres, 3 and 12."""
    return usual if table.as_on_34(max(table.target - 1, table.total // 2)) + 15 < usual else 49


def world_classic(table: TableResult, most_leaders: float = inf) -> Points:
    """10 points for each centre, 30 for surviving, and 48 that the leaders share if there are at most `most_leaders`.
    Eliminated powers get a point a year. dipvis: world_classic.py."""
    top = dict.fromkeys(table.leaders, Fraction(48, len(table.leaders) or 1))
    top = top if len(top) <= most_leaders else {}
    return _with({it.power: 10 * it.centres + 30 + top.get(it.power, 0) for it in table.living}, a_year(1), table)


def whipping(table: TableResult) -> Points:
    """10 points for each centre, 60 that the survivors share, and 2 for each centre of a lone leader. Eliminated powers
    get a point for each year that they began. dipvis: whipping.py."""
    top = dict.fromkeys(table.leaders, 2 * table.most) if len(table.leaders) == 1 else {}
    shared = Fraction(60, len(table.living) or 1)
    alive = {it.power: 10 * it.centres + shared + top.get(it.power, 0) for it in table.living}
    return _with(alive, a_year(1, begun=1), table)


def maxonian(table: TableResult) -> Points:
    """1 point for the last place, 2 for the next one up, and so on. Of powers with as many centres, the one that was
    ahead most recently comes first. dipvis: maxonian.py."""
    standing = {it.power: (it.centres, *reversed(it.by_year[:-1])) for it in table.powers}
    return by_place(standing, range(len(table.powers), 0, -1))


def maxonian_bonus(table: TableResult, most: int) -> Points:
    """The same, and a point for each of the last `most` centres before a win."""
    placed, below = maxonian(table), table.target - most
    over = {it.power: min(it.centres, table.target - 1) - below for it in table.powers}
    return {power: points + max(0, over[power]) for power, points in placed.items()}


def own_table(points: Sequence[int], prize: int) -> System:
    """A system with the director's own points by place. Raises ValueError unless they are 0 or more, never rise from
    place to place, and are all below the prize of a victory."""
    if [*points] != sorted(points, reverse=True) or min(points, default=-1) < 0 or prize <= points[0]:
        raise ValueError(
            f"{points}: the points of places never rise or fall below 0; a victory, {prize}, is worth more."
        )
    return _system("own", lambda table: by_place(last_standing(table), points), always(prize))


NOTHING, EQUAL = always(0), always(1)
TENTHS = a_year(Fraction(1, 10))


def _system(slug: str, share: Shared, prize: Prize, lost: Each = NOTHING, weight: Weight = EQUAL) -> System:
    return System(slug, **WORDS[slug], shared=share, prize=prize, lost=lost, weight=weight)


PLAYED_100, PLAYED_80 = (1, (38, 14, 7)), (0, (25, 14, 7))
"""C-Diplo: the points for playing, and for the first three places."""
SYSTEMS: Mapping[str, System] = {
    it.slug: it
    for it in (
        _system("draw-size", draw_size, always(100)),
        _system("sum-of-squares", sum_of_squares, always(100), weight=lambda it: it.centres**2),
        _system("c-diplo-100", partial(c_diplo, scale=PLAYED_100), partial(c_diplo_pot, scale=PLAYED_100)),
        _system("c-diplo-80", partial(c_diplo, scale=PLAYED_80), partial(c_diplo_pot, scale=PLAYED_80)),
        _system("c-diplo-namur", partial(c_diplo, scale=PLAYED_100, each=at_namur), lambda it: 39 + at_namur(it.total)),
        _system("carnage-dead-equal", partial(carnage, by_year=False), carnage_pot),
        _system("carnage", carnage, carnage_pot),
        _system("carnage-by-centres", partial(carnage, step=1001, each=500), by_centres_prize, always(1000)),
        _system("carnage-2023", partial(carnage, of_lead=300), carnage_2023_prize),
        _system("manorcon", manorcon, manorcon_prize, TENTHS, manorcon_weight),
        _system("manorcon-original", manorcon, always(100), TENTHS, manorcon_weight),
        _system("manorcon-v2", partial(manorcon, dead=0), always(100), TENTHS, partial(manorcon_weight, dead=0)),
        _system("detour09", detour09, always(110), quarters),
        _system("tribute", tribute, always(100)),
        _system("open-tribute", open_tribute, lambda it: it.total * (len(it.powers) + 3)),
        _system(
            "bangkok",
            partial(bangkok, shares=(3, 2, 1)),
            partial(bangkok_prize, usual=41),
            lost=lambda table, it: table.as_on_34(it.centres) / 2,
        ),
        _system(
            "olympic", partial(bangkok, shares=(4, Fraction(3, 2), Fraction(1, 2))), partial(bangkok_prize, usual=46)
        ),
        _system("world-classic", world_classic, lambda it: 10 * it.total + 80, a_year(1)),
        _system("summer-classic", partial(world_classic, most_leaders=2), lambda it: 10 * it.total + 80, a_year(1)),
        _system("whipping", whipping, lambda it: 12 * it.total + 60, a_year(1, begun=1)),
        _system(
            "maxonian",
            partial(maxonian_bonus, most=5),
            lambda it: len(it.powers) + 5,
            lost=lambda table, it: maxonian(table)[it.power],
        ),
        _system(
            "7eleven",
            partial(maxonian_bonus, most=7),
            lambda it: len(it.powers) + 7,
            lost=lambda table, it: maxonian(table)[it.power],
        ),
        _system("centre-count", partial(c_diplo, scale=(0, ())), lambda it: it.total, weight=lambda it: it.centres),
        _system("solo-or-bust", lambda table: by_place(last_standing(table), ()), always(100)),
    )
}
"""By slug, without the director's own."""
