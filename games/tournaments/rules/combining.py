"""How rounds make standings: who gets the points of a seat, which points count, and how ties are broken."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import inf
from typing import Any, NamedTuple, TypeAlias, TypeVar

from games.tournaments.rules.scoring import System, TableResult, as_shares, score

Name = TypeVar("Name", int, str)
NONE = Fraction(0)
Place: TypeAlias = tuple[int, str]
"""A rank, and a total as people read it."""


class Holder(NamedTuple):
    """A person who held a seat for a number of years; None stands for anyone who is not an entrant, such as a bot."""

    entrant: int | None
    years: int = 0


class Mover(NamedTuple):
    """A player or a team whose rank or total is another `then`; None for no row."""

    name: str
    now: Place | None
    then: Place | None


class Seat(NamedTuple):
    """A power at a finished table, with its holders, the first one first. `years`: how many the power survived."""

    variant: str
    power: str
    holders: tuple[Holder, ...]
    points: Fraction
    centres: int = 0
    years: int = 0
    won: bool = False


class Round(NamedTuple):
    """`tables`: the seats of each table. `times`: the factor for the round's points. 0 makes it a final, which adds no
    points but decides the first places: people at its first table come first, by their points there, then those at its
    second."""

    tables: tuple[tuple[Seat, ...], ...]
    sat_out: tuple[int, ...] = ()
    times: Fraction | int = 1


class Credit(StrEnum):
    """The people who get the points of a seat that changed hands."""

    STARTER = "starter"
    FINISHER = "finisher"
    BY_YEARS = "by_years"
    NOBODY = "nobody"


class Counting(StrEnum):
    """Which games count: any, those of the best rounds, or only the best with each power or in each variant. AVERAGE is
    the average of all games, a part of one as that part, over at least one whole game."""

    GAMES = "games"
    ROUNDS = "rounds"
    POWERS = "powers"
    VARIANTS = "variants"
    AVERAGE = "average"


class Tie(StrEnum):
    """How equal totals are separated: by the best game, by the sum of a figure over all seats, or by the sum of the
    totals of everyone met, each as often as they were met."""

    BEST_GAME = "best_game"
    GAMES_WON = "won"
    CENTRES = "centres"
    OPPONENTS = "opponents"
    YEARS = "years"


class CountingRule(NamedTuple):
    """`best`: how many games or rounds count, 0 for all; for an average, the smallest number that a sum is divided by.
    `sitting_out`: the points for a round without a seat, but not for a final; None if it counts as nothing, not even in
    an average."""

    counting: Counting = Counting.GAMES
    best: int = 0
    sitting_out: Fraction | int | None = None
    credit: Credit = Credit.BY_YEARS


class Ruling(NamedTuple):
    """A director's decision: these points instead of those of a game, given by its round and table, from 0. Without a
    game, the points are added to the total; below 0 for a penalty."""

    entrant: int
    points: Fraction | int
    reason: str
    game: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """What an entrant got at a table or for sitting out, which has no `table` and no `seat`. `part`: the entrant's part
    of the seat's points. `points`: already multiplied by the round's factor. `ruling`: where the points come from, if
    not from the table."""

    round: int
    table: int | None
    points: Fraction
    seat: Seat | None = None
    part: Fraction = NONE
    ruling: Ruling | None = None
    is_counted: bool = False


class Ranked(NamedTuple):
    """`rank`: from 1; equals share it. `games`: by round and table. `rulings`: all about this entrant. `ties`: the
    numbers that separate equals, in the order asked for."""

    entrant: int
    rank: int
    total: Fraction
    games: tuple[Game, ...]
    rulings: tuple[Ruling, ...]
    ties: tuple[Fraction, ...]


def seats(
    variant: str, system: System, result: TableResult, holders: Mapping[str, Sequence[Holder]], *, shares: bool = False
) -> Iterator[Seat]:
    """The seats of a finished table. `holders`: those of each power. `shares`: their points as parts of 100."""
    points, winners = score(system, result), result.sharing if result.has_victors else ()
    points = as_shares(points) if shares else points
    for it in result.powers:
        held = tuple(holders[it.power])
        yield Seat(variant, it.power, held, points[it.power], it.centres, result.years(it), it.power in winners)


def credited(holders: Sequence[Holder], credit: Credit) -> dict[int, Fraction]:
    """Entrant -> their part of the seat. A lone holder has all of it; without any years, the holders share equally."""
    years = Counter[int | None]()
    for holder, years_held in holders:
        years[holder] += years_held
    if len(years) > 1 and credit is not Credit.BY_YEARS:
        kept = {Credit.STARTER: holders[0].entrant, Credit.FINISHER: holders[-1].entrant}.get(credit)
        return {} if kept is None else {kept: Fraction(1)}
    whole = years.total()
    return {
        holder: Fraction(years_held, whole) if whole else Fraction(1, len(years))
        for holder, years_held in years.items()
        if holder is not None
    }


def standings(
    rounds: Sequence[Round], rule: CountingRule, ties: Sequence[Tie] = (), rulings: Sequence[Ruling] = ()
) -> tuple[Ranked, ...]:
    """The standings, best first, with equals as `ties` says. Everyone who had a seat, sat out or is named in a ruling
    has a row. If several rulings are about the same game, the last one holds. Raises ValueError for a ruling about a
    game in which its entrant has no points.
    """
    finals = [number for number, one in enumerate(rounds) if not one.times]
    games = {who: _chosen(of_one, finals, rule) for who, of_one in _games(rounds, rule, rulings).items()}
    rulings_by_entrant: dict[int, list[Ruling]] = {who: [] for who in games}
    for ruling in rulings:
        rulings_by_entrant[ruling.entrant].append(ruling)
    added = {who: _sum(ruling.points for ruling in rulings_by_entrant[who] if not ruling.game) for who in games}
    totals = {who: _total(of_one, rule) + added[who] for who, of_one in games.items()}
    numbers = [_numbers(tie, games, totals) for tie in ties]
    places = [_places(final, games) for final in reversed(finals)]
    keys = {who: [*(place[who] for place in places), totals[who], *(each[who] for each in numbers)] for who in games}
    return tuple(
        Ranked(who, rank, totals[who], games[who], tuple(rulings_by_entrant[who]), tuple(each[who] for each in numbers))
        for who, rank in _ranked(keys)
    )


def moved(now: Mapping[str, Place], then: Mapping[str, Place]) -> tuple[Mover, ...]:
    """Those whose rank or total changes, by name, as `then` orders them; after them those who have none then."""
    everyone = dict.fromkeys([*then, *now])
    return tuple(Mover(who, now.get(who), then.get(who)) for who in everyone if now.get(who) != then.get(who))


def _sum(numbers: Iterable[Fraction | int]) -> Fraction:
    return Fraction(sum(numbers))


def _ranked(keys: Mapping[Name, Any]) -> Iterator[tuple[Name, int]]:
    """The names with their ranks, the highest key first. Equal keys share a rank."""
    rank, last = 0, None
    for place, name in enumerate(sorted(sorted(keys), key=lambda name: keys[name], reverse=True), 1):
        rank, last = (rank if keys[name] == last else place), keys[name]
        yield name, rank


def _games(rounds: Sequence[Round], rule: CountingRule, rulings: Sequence[Ruling]) -> dict[int, list[Game]]:
    games: dict[int, list[Game]] = {ruling.entrant: [] for ruling in rulings}
    rulings_by_game = {(it.entrant, *it.game): it for it in rulings if it.game}
    for number, (tables, sat_out, times) in enumerate(rounds):
        for place, seat in ((place, seat) for place, table in enumerate(tables) for seat in table):
            games.update({who: games.get(who, []) for who, _years in seat.holders if who is not None})
            for who, part in credited(seat.holders, rule.credit).items():
                ruling = rulings_by_game.pop((who, number, place), None)
                points = (ruling.points if ruling else seat.points * part) * Fraction(times or 1)
                games[who].append(Game(number, place, points, seat, part, ruling))
        for who in sat_out:
            has_points = times and rule.sitting_out is not None
            sitting = [Game(number, None, Fraction(rule.sitting_out or 0))] if has_points else []
            games.setdefault(who, []).extend(sitting)
    if rulings_by_game:
        raise ValueError(f"No points of these games to rule on: {[*rulings_by_game]}")
    return games


def _chosen(games: Sequence[Game], finals: Collection[int], rule: CountingRule) -> tuple[Game, ...]:
    """The games, with those that count marked. Of equally good games the earlier one counts."""
    ranked = sorted((game for game in games if game.round not in finals), key=lambda game: -game.points)
    if rule.counting is Counting.POWERS:
        ranked = _first_of_each(lambda game: game.seat and (game.seat.variant, game.seat.power), ranked)
    if rule.counting is Counting.VARIANTS:
        ranked = _first_of_each(lambda game: game.seat and game.seat.variant, ranked)
    if rule.counting is Counting.ROUNDS:
        sums = defaultdict[int, Fraction](Fraction)
        for game in ranked:
            sums[game.round] += game.points
        best = sorted(sums, key=lambda number: (-sums[number], number))[: rule.best or None]
        ranked = [game for game in ranked if game.round in best]
    elif rule.counting is not Counting.AVERAGE:
        ranked = ranked[: rule.best or None]
    counted = {id(game) for game in ranked}
    return tuple(replace(game, is_counted=id(game) in counted) for game in games)


def _first_of_each(kind: Callable[[Game], Hashable], games: Iterable[Game]) -> list[Game]:
    """The first game of each kind; None is not a kind, but stands for sitting out."""
    first_games = dict[Hashable, Game]()
    for game in games:
        first_games.setdefault(kind(game), game)
    return [game for kind, game in first_games.items() if kind is not None]


def _total(games: Sequence[Game], rule: CountingRule) -> Fraction:
    counted = [game for game in games if game.is_counted]
    points = _sum(game.points for game in counted)
    if rule.counting is not Counting.AVERAGE:
        return points
    return points / max(_sum(game.part if game.seat else 1 for game in counted), Fraction(rule.best), Fraction(1))


def _places(final_round: int, games: Mapping[int, Sequence[Game]]) -> dict[int, tuple[float, Fraction]]:
    """The sort keys for a final: its first table comes before the others, and any table before no seat."""
    places = {
        who: [(-game.table, game.points) for game in of_one if game.round == final_round and game.table is not None]
        for who, of_one in games.items()
    }
    return {who: max([(-inf, NONE), *at]) for who, at in places.items()}


def _numbers(tie: Tie, games: Mapping[int, Sequence[Game]], totals: Mapping[int, Fraction]) -> dict[int, Fraction]:
    played = {who: [game for game in of_one if game.seat] for who, of_one in games.items()}
    if tie is Tie.BEST_GAME:
        return {who: max([game.points for game in of_one] or [NONE]) for who, of_one in played.items()}
    if tie is not Tie.OPPONENTS:
        return {who: _sum(game.part * getattr(game.seat, tie) for game in of_one) for who, of_one in played.items()}
    sums = defaultdict[Hashable, Fraction](Fraction)
    for who, of_one in played.items():
        for game in of_one:
            sums[game.round, game.table] += totals[who]
    return {who: _sum(sums[it.round, it.table] - totals[who] for it in of_one) for who, of_one in played.items()}


def team_key(name: str) -> str:
    """The same for names of teams that differ only in capitals or spaces."""
    return "".join(name.split()).casefold()


class TeamRank(NamedTuple):
    """`members`: name, total, and whether it counts; the best first."""

    team: str
    rank: int
    total: Fraction
    members: tuple[tuple[int, Fraction, bool], ...]


def team_standings(rows: Iterable[Ranked], teams: Mapping[str, Collection[int]], best: int = 0) -> tuple[TeamRank, ...]:
    """The teams by the totals of all members, or of the `best` members of each team. Members without a row have 0."""
    totals, members = {row.entrant: row.total for row in rows}, dict[str, tuple[tuple[int, Fraction, bool], ...]]()
    for team, of_one in teams.items():
        ordered = sorted(of_one, key=lambda who: (-totals.get(who, NONE), who))
        members[team] = tuple((who, totals.get(who, NONE), not best or at < best) for at, who in enumerate(ordered))
    sums = {team: _sum(total for _who, total, counts in of_one if counts) for team, of_one in members.items()}
    return tuple(TeamRank(team, rank, sums[team], members[team]) for team, rank in _ranked(sums))
