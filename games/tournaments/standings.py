"""Reads the standings of series and tournaments, in five statements from any number of games that count, and tells
them. Nothing is read of a table with hidden names before its end.
"""

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any

from django.db.models import OuterRef, QuerySet, Subquery

from adjudication.turns import Turn
from games.kernel import clock
from games.kernel.models import OVER, UNDER_WAY, Game, Occupancy, Phase
from games.kernel.news import tell
from games.kernel.options import Names
from games.seating.reliability import IN_ANONYMOUS_GAME
from games.tournaments import news, rights
from games.tournaments.models import Entrant, Round, Ruling, Table, Tournament
from games.tournaments.parts import SeriesGame
from games.tournaments.results import stand_in
from games.tournaments.rules.combining import team_key
from games.tournaments.sheet import NEVER, Person, Sheet, Span, written
from games.tournaments.terms import Terms, terms_of

FIRST = 3
"""So many are named when a table is over, without any of equals that they would part; all who lead are named."""


def tables_of(tournament: Tournament) -> QuerySet[Any]:
    """The tables with their games and the moment when each `began`, the newest first."""
    first = Phase.objects.filter(game=OuterRef("game"), ordinal=0).values("opened")
    rows = Table.objects.filter(round__tournament=tournament).select_related("game")
    return rows.annotate(began=Subquery(first)).order_by("-added", "-pk")


def tables_in(rows: QuerySet[Any]) -> list[Any]:
    """The tables that `tables_of` reads. One that was played elsewhere has a stand-in for its game."""
    tables = list(rows)
    for it in tables:
        if it.game_id is None:
            it.game, it.began = stand_in(it), it.added
    return tables


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
    terms: Terms | None = None,
) -> Sheet:
    """The sheet of `tables`, as `tables_of` reads them, by these `terms` or its own. Its rounds and entrants (all, with
    their users) are not read again if they are given. `running`: read also what `as_if_ended` needs of games in
    progress without hidden names."""
    terms, rows = terms or terms_of(tournament), list(tournament.rounds.order_by("number") if rows is None else rows)
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
    for it in tables:
        if it.game_id < 0:
            turns[it.game_id] = Turn.from_code(f"F{it.outcome['last']}M")
            for power, who in it.outcome["holders"].items():
                spans[it.game_id][power] = [(_known(who, people), it.began, NEVER)]
    ruled = list(Ruling.objects.filter(tournament=tournament).select_related("user").order_by("pk"))
    return Sheet(
        *(tournament, terms, people, rows, in_rounds, outcomes, going, phases, turns, closings, spans, ruled, games)
    )


def _known(who: int | str, people: dict[int, Person]) -> int | None:
    """The user, if they can score; for a player without an account, a number below 0 under which they score."""
    if isinstance(who, int):
        return who if who in people else None
    known = {it.name: number for number, it in people.items() if number < 0}
    number = known.get(who, -1 - len(known))
    people.setdefault(number, Person(who, ""))
    return number


def one_spelling(entrants: Iterable[Entrant]) -> list[Entrant]:
    """The entrants; teams whose names differ only in capitals or spaces are written like the first of them."""
    rows, spellings = list(entrants), dict[str, str]()
    for it in rows:
        it.team = spellings.setdefault(team_key(it.team), it.team)
    return rows


def _spans(
    began: Mapping[int, datetime], people: dict[int, Person], *, only_these: bool
) -> defaultdict[int, dict[str, list[Span]]]:
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


def ranks_in(tournament: Tournament) -> dict[int, int]:
    """User -> rank, for everyone who has points."""
    found = sheet_of(tournament, tables_in(tables_of(tournament))).found
    return {row.entrant: row.rank for row in found}


def tell_standings(game: Game) -> None:
    """For the hook `game_over`, after `store_outcome`: write in the log of a tournament's game who leads now."""
    played = Table.objects.filter(game=game, round__tournament__is_series=False).select_related("round__tournament")
    table = played.first()
    if table is None or table.outcome is None or (game.verdict or {}).get("void"):
        return
    tournament = table.round.tournament
    if rights.hides_standings(tournament):
        return
    sheet = sheet_of(tournament, tables_in(tables_of(tournament)))
    ranks = [row.rank for row in sheet.found]
    rows = [row for row in sheet.found if row.rank == 1 or bisect_right(ranks, row.rank) <= FIRST]
    first = [f"{row.rank}. {sheet.people[row.entrant].name} {written(row.total)}" for row in rows]
    if first:
        tell(news.STANDINGS, game, at=clock.now(), tournament=tournament.name, leaders=", ".join(first))
