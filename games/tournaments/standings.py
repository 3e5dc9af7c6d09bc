"""The standings of series and tournaments, read in five statements from any number of games that count.

In a series the points of a power go to the player who holds its seat at the end of the game; in a tournament they go to
entrants, as its terms say. Nothing is read of a table with hidden names before its end.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.translation import gettext as _

from adjudication.turns import Turn
from games.kernel import clock, codec
from games.kernel.models import OVER, UNDER_WAY, Game, Occupancy, Phase
from games.kernel.news import tell
from games.kernel.options import Names
from games.kernel.queries import NOBODY
from games.seating.reliability import IN_ANONYMOUS_GAME
from games.tournaments import news
from games.tournaments.models import Entrant, Round, Ruling, Table, Tournament
from games.tournaments.results import outcomes_now, table_result
from games.tournaments.rules import combining
from games.tournaments.rules.combining import Holder, Seat, credited, seats, standings, team_key, team_standings
from games.tournaments.rules.plan import Plan
from games.tournaments.terms import RoundTerms, Terms, TournamentTerms, terms_of

FIRST = 3
"""So many are named when a table is over, without any of equals that they would part; all who lead are named."""
NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class SeriesGame:
    """A game of a series, at the table with this number. If the viewer may not see it, `slug` is "" and `name` reveals
    nothing."""

    table: int
    slug: str
    name: str
    variant_title: str
    state: str


@dataclass(frozen=True, slots=True)
class Played:
    """A player's points from one game. `part`: their part of the seat's points, as in "2/5", "" for all of them.
    `reason`: why a director gave these points instead."""

    game: SeriesGame
    power_name: str
    points: str
    counted: bool
    part: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class InRound:
    """The points of a round: of the games that count or, if none does, of all of them."""

    points: str
    counted: bool


@dataclass(frozen=True, slots=True)
class Given:
    """Points that a director added to a total."""

    points: str
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """A player in the standings; several can share a `rank`. `rounds`: None for a round without points. `played`: in a
    series, the newest game first."""

    rank: int
    name: str
    team: str
    total: str
    rounds: tuple[InRound | None, ...]
    played: tuple[Played, ...]
    given: tuple[Given, ...] = ()

    @property
    def has_notes(self) -> bool:
        """Is there more to say than the points of the games?"""
        return bool(self.given) or any(it.reason or it.part for it in self.played)


@dataclass(frozen=True, slots=True)
class TeamRow:
    """`members`: name, total, and whether it counts; the best first."""

    rank: int
    name: str
    total: str
    members: tuple[tuple[str, str, bool], ...]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A power at a table that is over. `players`: every entrant who held it, the first one first."""

    power: str
    power_name: str
    players: tuple[str, ...]
    centres: int
    points: str
    fell_in: int | None
    won: bool


@dataclass(frozen=True, slots=True)
class Scored:
    """A table that counts. `round`: from 1. `table`: the row, with its game and when it `began`."""

    round: int
    table: Any
    game: SeriesGame
    seats: tuple[SeatRow, ...]


class Person(NamedTuple):
    name: str
    team: str


Span = tuple[int | None, datetime, datetime]
"""A user, None for a bot and for anyone who can't score, who held a seat from one moment to another."""


@dataclass(frozen=True)
class Sheet:
    """What is stored about tables, everything that their points depend on, and the standings.

    `people`: everyone who can score, by user. `tables`: those of each round, in the order of the `rows`. `outcomes`:
    those of the tables that count, by game. `going`: the games that may be shown as if they ended now, with their
    `phases`: game, number and turn. `turns`: the last turn of each game. `ends`: when each year of a game ended.
    `games`: by id, as the viewer sees them.
    """

    tournament: Tournament
    terms: Terms
    people: dict[int, Person]
    rows: Sequence[Round]
    tables: Sequence[Sequence[Table]]
    outcomes: Mapping[int, Mapping[str, Any]]
    going: Mapping[int, Game]
    phases: Sequence[tuple[int, int, str]]
    turns: Mapping[int, Turn]
    ends: Mapping[int, Mapping[int, datetime]]
    spans: Mapping[int, Mapping[str, Sequence[Span]]]
    ruled: Sequence[Ruling]
    games: Mapping[int, SeriesGame]

    def as_if_ended(self) -> Sheet:
        """The same as if the games that are `going` ended now. Reads one statement."""
        return replace(self, outcomes={**self.outcomes, **outcomes_now(self.going, self.phases)})

    @cached_property
    def rounds(self) -> tuple[combining.Round, ...]:
        """The rounds with their tables, which have no seats if they don't count."""
        held = {game: self._holders(game, outcome) for game, outcome in self.outcomes.items()}
        in_rounds = zip(self.rows, self.tables, strict=True)
        return tuple(_round(row, tables, self.terms, self.outcomes, held) for row, tables in in_rounds)

    def _holders(self, game: int, outcome: Mapping[str, Any]) -> dict[str, tuple[Holder, ...]]:
        """Power -> holders; in a series, only the last one. Changes to a seat after its power fell don't matter."""
        spans, ends, first_year = self.spans[game], self.ends[game], -1 if self.tournament.is_series else 0
        return {
            power: holders_of(
                spans.get(power, ()), [end for year, end in ends.items() if fell is None or year <= fell]
            )[first_year:]
            for power, _centres, fell in outcome["powers"]
        }

    @cached_property
    def rulings(self) -> tuple[combining.Ruling, ...]:
        return tuple(_rulings(self))

    @cached_property
    def found(self) -> tuple[combining.Row, ...]:
        """The standings, the best first and equal ones by name."""
        rows = standings(self.rounds, self.terms.rule, self.terms.ties, self.rulings)
        if not any(row.games or row.rulings for row in rows):
            return ()
        return tuple(sorted(rows, key=lambda row: (row.rank, self.people[row.entrant].name.casefold())))

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The rows of the standings, the best first."""
        return tuple(map(self._row, self.found))

    def _row(self, row: combining.Row) -> Row:
        person = self.people[row.entrant]
        return Row(
            row.rank,
            person.name,
            person.team,
            written(row.total),
            tuple(_in_round([it for it in row.games if it.round == number]) for number in range(len(self.rounds))),
            tuple(self._played(it) for it in row.games if it.seat),
            tuple(Given(written(Fraction(it.points)), it.reason) for it in row.rulings if it.game is None),
        )

    def _played(self, it: combining.Game) -> Played:
        assert it.seat is not None
        assert it.table is not None
        game = self.tables[it.round][it.table].game
        power = codec.variant_of(game).power(it.seat.power)
        part, reason = "" if it.part == 1 else str(it.part), it.ruling.reason if it.ruling else ""
        return Played(self.games[game.pk], power.name, written(it.points), it.is_counted, part, reason)

    @cached_property
    def teams(self) -> tuple[TeamRow, ...]:
        terms, members = self.terms, defaultdict[str, list[int]](list)
        if not isinstance(terms, TournamentTerms) or terms.team_best is None:
            return ()
        for user, person in self.people.items():
            if person.team:
                members[person.team].append(user)
        return tuple(
            TeamRow(
                row.rank,
                row.team,
                written(row.total),
                tuple((self.people[who].name, written(total), counts) for who, total, counts in row.members),
            )
            for row in team_standings(self.found, members, terms.team_best)
        )

    @cached_property
    def scored(self) -> tuple[Scored, ...]:
        """The tables that count, by round and number."""
        return tuple(
            Scored(number, table, self.games[table.game_id], tuple(self._seat_rows(found, table)))
            for number, (of_one, tables) in enumerate(zip(self.rounds, self.tables, strict=True), 1)
            for found, table in zip(of_one.tables, tables, strict=True)
            if found
        )

    def _seat_rows(self, seats: Iterable[Seat], table: Table) -> Iterable[SeatRow]:
        """The seats of a table, those with the most points first."""
        variant = codec.variant_of(table.game)
        years_of_fall = {power: year for power, _centres, year in self.outcomes[table.game_id]["powers"]}
        for it in sorted(seats, key=lambda seat: (-seat.points, -seat.centres)):
            who = dict.fromkeys(self.people[holder.entrant].name for holder in it.holders if holder.entrant is not None)
            name, year = variant.power(it.power).name, years_of_fall[it.power]
            yield SeatRow(it.power, name, tuple(who), it.centres, written(it.points), year, it.won)

    @cached_property
    def best_with_powers(self) -> tuple[Scored, ...]:
        """For each power of each variant, the tables at which its players got the most points, rulings counted, with
        only that seat; none where they never got any."""
        got, found = defaultdict[tuple[int, str], Fraction](Fraction), defaultdict[tuple[str, str], list[Any]](list)
        for game in (game for row in self.found for game in row.games):
            if game.seat and game.table is not None:
                at = (self.tables[game.round][game.table].game_id, game.seat.power)
                got[at] += game.points / (self.rounds[game.round].times or 1)
        for table in self.scored:
            for seat in table.seats:
                if points := got[table.table.game_id, seat.power]:
                    only = replace(table, seats=(replace(seat, points=written(points)),))
                    found[table.table.game.variant_slug, seat.power].append((points, only))
        best = {at: max(points for points, _table in results) for at, results in found.items()}
        return tuple(it for at in sorted(found) for points, it in found[at] if points == best[at])

    @cached_property
    def round_names(self) -> tuple[str, ...]:
        """The names that the directors gave the rounds; () for a series."""
        names = [RoundTerms.stored(row.terms).name if row.terms else "" for row in self.rows]
        if isinstance(self.terms, TournamentTerms):
            return tuple(name or _("Round {number}").format(number=at) for at, name in enumerate(names, 1))
        return ()


def tables_of(tournament: Tournament) -> QuerySet[Any]:
    """The tables with their games and the moment when each `began`, the newest first."""
    first = Phase.objects.filter(game=OuterRef("game"), ordinal=0).values("opened")
    rows = Table.objects.filter(round__tournament=tournament).select_related("game")
    return rows.annotate(began=Subquery(first)).order_by("-added", "-pk")


def counts(table: Any, terms: Terms) -> bool:
    """Does this table count? Only games that are over do."""
    game = table.game
    is_valid = game.status in OVER and not game.verdict.get("void") and table.outcome is not None
    return is_valid and table.began is not None and terms.allow(table.began)


def is_shown_running(table: Any) -> bool:
    """May the standings show the points that this table would have if it ended now?"""
    game = table.game
    is_public = not game.by_invitation and not game.options[Names].hidden_names
    return is_public and game.status in UNDER_WAY and table.began is not None


def sheet_of(
    tournament: Tournament,
    tables: Sequence[Any],
    games: Mapping[int, SeriesGame] = MappingProxyType({}),
    rows: Sequence[Round] | None = None,
    entrants: Iterable[Entrant] | None = None,
    *,
    running: bool = False,
) -> Sheet:
    """The sheet of `tables`, as `tables_of` reads them. Its rounds and entrants (all, with their users) are not read
    again if they are given. `running`: read also
    what `as_if_ended` needs of games in progress without hidden names."""
    terms, rows = terms_of(tournament), list(tournament.rounds.order_by("number") if rows is None else rows)
    in_rounds = [sorted((it for it in tables if it.round_id == row.pk), key=lambda it: it.number) for row in rows]
    outcomes = {it.game_id: it.outcome for it in tables if counts(it, terms)}
    going = {it.game_id: it.game for it in tables if running and is_shown_running(it)}
    rows_of_phases = Phase.objects.filter(game__in=[*outcomes, *going]).order_by("ordinal")
    moments = list(rows_of_phases.values_list("game_id", "ordinal", "turn", "closed"))
    phases = [(game, at, turn) for game, at, turn, _closed in moments if game in going]
    turns, closings = dict[int, Turn](), defaultdict[int, dict[int, datetime]](dict)
    for game, _ordinal, turn, moment in moments:
        turns[game] = Turn.from_code(turn)
        if moment is not None:
            closings[game][turns[game].year] = moment
    people = dict[int, Person]()
    if not tournament.is_series:
        rows_of_all = tournament.entrants.select_related("user").order_by("turn", "pk")
        entered = one_spelling(rows_of_all if entrants is None else entrants)
        people = {it.user_id: Person(it.user.get_username(), it.team) for it in entered}
    began = {it.game_id: it.began for it in tables if it.game_id in outcomes or it.game_id in going}
    spans = _spans(began, people, only_these=not tournament.is_series)
    ruled = list(Ruling.objects.filter(tournament=tournament).select_related("user").order_by("pk"))
    return Sheet(
        *(tournament, terms, people, rows, in_rounds, outcomes, going, phases, turns, closings, spans, ruled, games)
    )


def one_spelling(entrants: Iterable[Entrant]) -> list[Entrant]:
    """The entrants; teams whose names differ only in capitals or spaces are written like the first of them."""
    rows, spellings = list(entrants), dict[str, str]()
    for it in rows:
        it.team = spellings.setdefault(team_key(it.team), it.team)
    return rows


def _spans(
    began: Mapping[int, datetime], people: dict[int, Person], *, only_these: bool
) -> Mapping[int, Mapping[str, list[Span]]]:
    """Game -> power -> spans, the earliest first, without those from before the game began. Players who score are in
    `people`, or are added to it."""
    rows = Occupancy.objects.filter(~IN_ANONYMOUS_GAME, game__in=[*began]).order_by("since", "pk")
    spans_by_game = defaultdict[int, dict[str, list[Span]]](lambda: defaultdict(list))
    named = rows.values_list("game_id", "seat__power", "user_id", "user__username", "bot", "since", "until")
    for game, power, user, name, bot, start, until in named:
        if until is not None and until <= began[game]:
            continue
        scores = not bot and (user in people or not only_these)
        if scores:
            people.setdefault(user, Person(name, ""))
        spans_by_game[game][power].append((user if scores else None, start, until or NEVER))
    return spans_by_game


def holders_of(spans: Sequence[Span], ends: Sequence[datetime]) -> tuple[Holder, ...]:
    """The holders of a seat, each with the number of years at whose end they held it; None for vacant years."""
    ends = sorted(ends) or [NEVER]
    spans = [it for it in spans if it[1] < ends[-1]]
    holders = [Holder(who, sum(since < end <= until for end in ends)) for who, since, until in spans]
    vacant_years, is_held = len(ends) - sum(it.years for it in holders), bool(spans) and spans[-1][2] >= ends[-1]
    if vacant_years or not is_held:
        holders.append(Holder(None, vacant_years))
    if vacant_years and is_held:
        holders.append(Holder(spans[-1][0]))
    return tuple(holders)


def _round(
    row: Round,
    tables: Sequence[Table],
    terms: Terms,
    outcomes: Mapping[int, Mapping[str, Any]],
    holders: Mapping[int, Mapping[str, Sequence[Holder]]],
) -> combining.Round:
    own_terms = RoundTerms.stored(row.terms) if row.terms else None
    system = terms.system(own_terms.scoring if own_terms else "")
    here, as_drawn = [it.game for it in tables if it.game_id in outcomes], terms.conceded_as_drawn
    results = {it.pk: table_result(it, outcomes[it.pk], conceded_as_drawn=as_drawn) for it in here}
    table_results = tuple(
        tuple(seats(it.game.variant_slug, system, results[it.game_id], holders[it.game_id], shares=terms.shares))
        if it.game_id in outcomes
        else ()
        for it in tables
    )
    plan = row.plan if row.seated and row.plan else {"tables": (), "bench": ()}
    left_out = Plan(tuple(map(tuple, plan["tables"])), tuple(plan["bench"])).people_out
    held = {who for table in table_results for seat in table for who, _years in seat.holders}
    sat_out = tuple(who for who in left_out if who not in held)
    return combining.Round(table_results, sat_out, own_terms.times if own_terms else 1)


def _rulings(sheet: Sheet) -> Iterable[combining.Ruling]:
    """The rulings about totals, and those about tables that count and where this user has points."""
    places = {it.pk: (number, at) for number, of_one in enumerate(sheet.tables) for at, it in enumerate(of_one)}
    credit, rounds = sheet.terms.rule.credit, sheet.rounds
    for row in sheet.ruled:
        ruling = combining.Ruling(row.user_id, Fraction(row.points), row.reason)
        place = places.get(row.table_id or NOBODY)
        if row.table_id is None:
            sheet.people.setdefault(row.user_id, Person(row.user.get_username(), ""))
            yield ruling
        elif place and any(row.user_id in credited(it.holders, credit) for it in rounds[place[0]].tables[place[1]]):
            yield ruling._replace(game=place)


def _in_round(games: Sequence[combining.Game]) -> InRound | None:
    counted = [it for it in games if it.is_counted]
    points = sum((it.points for it in counted or games), Fraction(0))
    return InRound(written(points), bool(counted)) if games else None


def written(points: Fraction) -> str:
    """The points with at most two decimals, as in "33.33"."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def ranks_in(tournament: Tournament) -> dict[int, int]:
    """User -> rank, for everyone who has points."""
    found = sheet_of(tournament, list(tables_of(tournament))).found
    return {row.entrant: row.rank for row in found}


def tell_standings(game: Game) -> None:
    """For the hook `game_over`, after `store_outcome`: write in the log of a tournament's game who leads now."""
    played = Table.objects.filter(game=game, round__tournament__is_series=False).select_related("round__tournament")
    table = played.first()
    if table is None or table.outcome is None or (game.verdict or {}).get("void"):
        return
    tournament = table.round.tournament
    sheet = sheet_of(tournament, list(tables_of(tournament)))
    ranks = [row.rank for row in sheet.found]
    rows = [row for row in sheet.found if row.rank == 1 or bisect_right(ranks, row.rank) <= FIRST]
    first = [f"{row.rank}. {sheet.people[row.entrant].name} {written(row.total)}" for row in rows]
    if first:
        tell(news.STANDINGS, game, at=clock.now(), tournament=tournament.name, leaders=", ".join(first))
