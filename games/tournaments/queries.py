"""A series as one viewer sees it: its games, its changes and its standings.

Before a game is over, the only thing read here about the people in it is whether the viewer has a seat.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from django.core.paginator import Page as PageOfRows
from django.core.paginator import Paginator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.http import Http404
from django.utils.translation import gettext as _

from games.kernel.languages import later
from games.kernel.members import assistant_rows_of
from games.kernel.models import OVER, UNDER_WAY, Game, Occupancy, Status
from games.kernel.page import Page, part
from games.kernel.queries import NOBODY
from games.kernel.wording import moment_words
from games.press.markup import message_html
from games.tournaments.models import Change, Director, Entrant, Round, Tournament
from games.tournaments.standings import (
    Records,
    Row,
    Scored,
    SeriesGame,
    Sheet,
    TeamRow,
    best_with_powers,
    counts,
    records_of,
    round_names,
    rows_of,
    scored_tables,
    tables_of,
    teams_of,
)
from games.tournaments.terms import RoundTerms, TournamentTerms, differences, round_differences, terms_of

ON_A_PAGE = 30
FACTS = Path(__file__).with_name("public_facts.sql").read_text(encoding="utf-8")
CHANGES = {
    "published": later("{who} published this."),
    "name": later("{who} changed the name from “{before}” to “{name}”."),
    "text": later("{who} changed the text."),
    "terms": later("{who} changed the terms: {changes}"),
    "director": later("{who} added {user} as a director."),
    "message": later("{who} wrote to all entrants: {text}"),
    "left": later("{who} is no longer a director."),
    "game": later("{who} added {game}."),
    "removed": later("{who} took out {game}."),
    "closes": later("{who} changed when entry closes: {moment}."),
    "check-in": later("{who} asked everyone to check in for round {number} by {moment}."),
    "seated": later("{who} seated round {number}. Tables: {count}."),
    "place-in": later("{who} gave {user} a place."),
    "place-waiting": later("{who} put {user} on the waiting list."),
    "place-substitute": later("{who} made {user} a substitute."),
    "place-out": later("{who} withdrew {user}."),
    "round": later("{who} added round {number}, “{name}”."),
    "round-terms": later("{who} changed the terms of round {number}: {changes}"),
    "replaced": later("{who} gave {user} the seat of {before} at table {table}."),
    "seat": later("{who} gave {user} a seat at table {table}."),
    "ruling": later("{who} set the points of {user} at table {table} to {points}: {reason}"),
    "adjusted": later("{who} changed the total of {user} by {points}: {reason}"),
    "no-ruling": later("{who} took back a ruling about {user}: {reason}"),
    "no-round": later("{who} deleted round {number}, “{name}”."),
}
PRIVATE_GAME = later("a private game")


def is_in_series() -> tuple[str, str]:
    """For the hook `hints_that_nothing_is_there`: the hint's name, and SQL that is true for games at a table."""
    return "is_in_series", "EXISTS (SELECT FROM tournaments_table WHERE game_id = kernel_game.id)"


@part("series")
def series_of(page: Page) -> Tournament | None:
    """The series that this game belongs to."""
    game = page.rows.game
    if not getattr(game, "is_in_series", True):
        return None
    return Tournament.objects.filter(rounds__tables__game=game).first()


def series_facts_of(user_id: int) -> dict[str, Any]:
    """For the hook `stored_facts`."""
    directed = Tournament.objects.filter(directors__user=user_id).order_by("pk")
    entered = Entrant.objects.filter(user=user_id).select_related("tournament", "wishes").order_by("pk")
    return {
        "director_of": [{"series": it.name, "address": it.slug} for it in directed],
        "tournaments": [_facts_of_entry(it) for it in entered],
    }


def _facts_of_entry(entrant: Entrant) -> dict[str, Any]:
    wishes = getattr(entrant, "wishes", None)
    told = {"powers": wishes.powers, "variants": wishes.variants, "refused": wishes.refused} if wishes else {}
    own = {"place": entrant.place, "team": entrant.team, "second_seat": entrant.second_seat}
    return {"tournament": entrant.tournament.name, "address": entrant.tournament.slug, **own, **told}


def published_series(page: str) -> PageOfRows[Tournament]:
    """A page of the published series, the newest first. For a page that doesn't exist, the nearest one that does."""
    rows = Tournament.objects.filter(published__isnull=False).order_by("-published", "-pk")
    return Paginator(rows, ON_A_PAGE).get_page(page)


def directed_by(user_id: int | None) -> QuerySet[Tournament]:
    return Tournament.objects.filter(directors__user_id=user_id or NOBODY).order_by("-pk")


def games_to_add(user_id: int, page: str) -> PageOfRows[Game]:
    """A page of the games that this user runs and that are in no series, the newest first."""
    run = Q(gm=user_id) | Q(pk__in=assistant_rows_of(user_id).values("game_id"))
    games = Game.objects.of_people().of_this_site().filter(run, table__isnull=True)
    return Paginator(games.order_by("-created", "-pk"), ON_A_PAGE).get_page(page)


def version_of_series(slug: str, *, for_strangers: bool) -> str | None:
    """A digest of all public facts of a series or tournament on which its page depends, but for points as if all games
    ended now. None for a draft and, unless it is for strangers, with a game by invitation, which not all see alike."""
    rows = Tournament.objects.filter(slug=slug, published__isnull=False)
    if not for_strangers:
        rows = rows.exclude(rounds__tables__game__by_invitation=True)
    return rows.values_list(RawSQL(FACTS, ()), flat=True).first()


@dataclass(frozen=True, slots=True)
class Line:
    at: datetime
    sentence: str


class SeriesView:
    """A series for one viewer; Http404 for a draft unless they direct it. Each fact is read only once."""

    def __init__(self, slug: str, user_id: int | None) -> None:
        own = Director.objects.filter(tournament=OuterRef("pk"), user_id=user_id or NOBODY)
        found = Tournament.objects.filter(slug=slug).annotate(is_own=Exists(own)).first()
        if found is None or not (found.published or found.is_own):
            raise Http404
        self.row, self.user_id, self.is_director = found, user_id, found.is_own
        self.terms = terms_of(found)

    @cached_property
    def _directors(self) -> list[Director]:
        return list(self.row.directors.select_related("user").order_by("pk"))

    @property
    def directors(self) -> list[str]:
        return [row.user.get_username() for row in self._directors]

    @property
    def plays(self) -> bool:
        """Is the viewer a director who plays?"""
        return any(row.plays and row.user_id == self.user_id for row in self._directors)

    @cached_property
    def table_query(self) -> QuerySet[Any]:
        """What reads the tables; a page that needs more about them adds to it first."""
        rows: QuerySet[Any] = tables_of(self.row).annotate(is_mine=self._seat_in_game())
        return rows

    @cached_property
    def tables(self) -> list[Any]:
        """The tables of the series, the newest first."""
        return list(self.table_query)

    @cached_property
    def games(self) -> dict[int, SeriesGame]:
        """The games by id, in the order of `tables`."""
        return {table.game_id: self._game(table) for table in self.tables}

    def _game(self, table: Any) -> SeriesGame:
        game = table.game
        if not self._may_see(game, is_mine=table.is_mine):
            return SeriesGame(table.pk, "", str(PRIVATE_GAME), "", self._state(table) if game.status in OVER else "")
        return SeriesGame(table.pk, game.slug, game.name, game.variant_title, self._state(table))

    def _seat_in_game(self) -> Exists:
        """Whether the viewer plays in a row's game."""
        held = Occupancy.objects.filter(user_id=self.user_id or NOBODY, until__isnull=True)
        return Exists(held.filter(game=OuterRef("game")))

    def _may_see(self, game: Game, *, is_mine: bool) -> bool:
        return not game.by_invitation or is_mine or game.is_run_by(self.user_id)

    def _state(self, table: Any) -> str:
        game = table.game
        if game.status == Status.OPEN and not self.row.is_series:
            return _("not begun yet")
        if game.status not in OVER:
            return str(game.get_status_display())
        if counts(table, self.terms):
            return _("counts")
        if game.verdict.get("void"):
            return _("void, so it doesn’t count")
        if table.outcome is None:
            return _("closed before it began, so it doesn’t count")
        return _("began on a day that doesn’t count")

    @cached_property
    def round_rows(self) -> list[Round]:
        return list(self.row.rounds.order_by("number"))

    @property
    def has_tables(self) -> bool:
        """Is a round of the tournament seated?"""
        return any(row.seated for row in self.round_rows)

    @cached_property
    def entrant_rows(self) -> list[Entrant]:
        """Everyone who has ever entered, even if they have withdrawn since, with their users."""
        return list(self.row.entrants.select_related("user").order_by("turn", "pk"))

    @cached_property
    def _records(self) -> Records:
        entrants = () if self.row.is_series else self.entrant_rows
        running = isinstance(self.terms, TournamentTerms) and self.terms.shows_running
        return records_of(self.row, self.tables, self.round_rows, entrants, running=running)

    @cached_property
    def sheet(self) -> Sheet:
        """The games that count, and everything that their points depend on."""
        return self._records.sheet()

    @cached_property
    def standings(self) -> tuple[Row, ...]:
        """The standings from the games that count, the best first."""
        return rows_of(self.sheet, self.games)

    @cached_property
    def team_standings(self) -> tuple[TeamRow, ...]:
        return teams_of(self.sheet)

    @cached_property
    def running(self) -> tuple[Row, ...]:
        """The standings if all games without hidden names ended now; () if the terms don't show that, or if no game is
        in progress."""
        return rows_of(self._records.sheet(running=True), self.games) if self._records.games else ()

    @cached_property
    def scored(self) -> tuple[Scored, ...]:
        """The results of the games that count."""
        return scored_tables(self.sheet, self.games)

    @cached_property
    def best_with_powers(self) -> tuple[Scored, ...]:
        """In a tournament, the best result of each power."""
        return () if self.row.is_series else best_with_powers(self.scored)

    @cached_property
    def round_names(self) -> tuple[str, ...]:
        return round_names(self.sheet)

    @cached_property
    def text(self) -> str:
        return message_html(self.row.text) if self.row.text else ""

    @cached_property
    def going_on(self) -> int:
        """How many public games are in progress."""
        return sum(table.game.status in UNDER_WAY and not table.game.by_invitation for table in self.tables)

    @cached_property
    def change_rows(self) -> list[Any]:
        """The rows of the public changes, the newest first."""
        rows = Change.objects.filter(tournament=self.row).select_related("by", "game", "user")
        return list(rows.annotate(is_mine=self._seat_in_game()).order_by("-pk"))

    @cached_property
    def changes(self) -> list[Line]:
        """The public changes, the newest first."""
        return [Line(row.at, self._sentence(row)) for row in self.change_rows]

    def _sentence(self, row: Any) -> str:
        facts = {**row.facts, "who": row.by.get_username(), "user": row.user and row.user.get_username()}
        if row.game is not None:
            seen = self._may_see(row.game, is_mine=row.is_mine)
            facts["game"] = _("the game “{name}”").format(name=row.game.name) if seen else PRIVATE_GAME
        if "moment" in facts:
            facts["moment"] = moment_words(datetime.fromisoformat(facts["moment"]))
        if row.kind == "terms":
            kind = type(self.terms)
            facts["changes"] = differences(kind.stored(facts["before"]), kind.stored(facts["after"]))
        if row.kind == "round-terms":
            before, after = (RoundTerms.stored(facts[name]) for name in ("before", "after"))
            facts["changes"] = round_differences(self.terms, before, after)
        return CHANGES[row.kind].format(**facts)
