"""What is stored about the tables of a tournament, and the points, standings and teams that follow from it.

In a series the points of a power go to the player who holds its seat at the end of the game; in a tournament they go to
entrants, as its terms say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from adjudication.turns import Turn
from games.kernel import codec
from games.kernel.models import Game
from games.kernel.queries import NOBODY
from games.tournaments.models import Round, Ruling, Table, Tournament
from games.tournaments.parts import Given, InRound, Played, PlayerRow, ScoredTable, SeatRow, SeriesGame, TeamRow
from games.tournaments.results import outcomes_now, table_result
from games.tournaments.rules import combining
from games.tournaments.rules.combining import Holder, Seat, credited, seats, standings, team_standings
from games.tournaments.rules.plan import SeatingPlan
from games.tournaments.terms import RoundTerms, Terms, TournamentTerms

NEVER = datetime.max.replace(tzinfo=UTC)


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
            for power, _centres, fell, _by_year in outcome["powers"]
        }

    @cached_property
    def rulings(self) -> tuple[combining.Ruling, ...]:
        return tuple(_rulings(self))

    @cached_property
    def found(self) -> tuple[combining.Ranked, ...]:
        """The standings, the best first and equal ones by name."""
        rows = standings(self.rounds, self.terms.rule, self.terms.ties, self.rulings)
        if not any(row.games or row.rulings for row in rows):
            return ()
        return tuple(sorted(rows, key=lambda row: (row.rank, self.people[row.entrant].name.casefold())))

    @cached_property
    def standings(self) -> tuple[PlayerRow, ...]:
        """The rows of the standings, the best first."""
        return tuple(map(self._row, self.found))

    def _row(self, row: combining.Ranked) -> PlayerRow:
        person = self.people[row.entrant]
        return PlayerRow(
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
    def scored(self) -> tuple[ScoredTable, ...]:
        """The tables that count, by round and number."""
        return tuple(
            ScoredTable(number, table, self.games[table.game.pk], tuple(self._seat_rows(found, table)))
            for number, (of_one, tables) in enumerate(zip(self.rounds, self.tables, strict=True), 1)
            for found, table in zip(of_one.tables, tables, strict=True)
            if found
        )

    def _seat_rows(self, seats: Iterable[Seat], table: Table) -> Iterable[SeatRow]:
        """The seats of a table, those with the most points first."""
        variant = codec.variant_of(table.game)
        years_of_fall = {power: year for power, _centres, year, _by_year in self.outcomes[table.game.pk]["powers"]}
        for it in sorted(seats, key=lambda seat: (-seat.points, -seat.centres)):
            who = dict.fromkeys(self.people[holder.entrant].name for holder in it.holders if holder.entrant is not None)
            name, year = variant.power(it.power).name, years_of_fall[it.power]
            yield SeatRow(it.power, name, tuple(who), it.centres, written(it.points), year, it.won)

    @cached_property
    def best_with_powers(self) -> tuple[ScoredTable, ...]:
        """For each power of each variant, the tables at which its players got the most points, rulings counted, with
        only that seat; none where they never got any."""
        got, found = defaultdict[tuple[int, str], Fraction](Fraction), defaultdict[tuple[str, str], list[Any]](list)
        for game in (game for row in self.found for game in row.games):
            if game.seat and game.table is not None:
                at = (self.tables[game.round][game.table].game.pk, game.seat.power)
                got[at] += game.points / (self.rounds[game.round].times or 1)
        for table in self.scored:
            for seat in table.seats:
                if points := got[table.table.game.pk, seat.power]:
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
        tuple(seats(it.game.variant_slug, system, results[it.game.pk], holders[it.game.pk], shares=terms.shares))
        if it.game_id in outcomes
        else ()
        for it in tables
    )
    plan = row.plan if row.seated and row.plan else {"tables": (), "bench": ()}
    left_out = SeatingPlan(tuple(map(tuple, plan["tables"])), tuple(plan["bench"])).people_out
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
