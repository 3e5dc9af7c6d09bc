"""A series as one viewer sees it: its games, its changes and its standings.

Before a game is over, the only thing read here about the people in it is whether the viewer has a seat.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from django.core.paginator import Page as PageOfRows
from django.core.paginator import Paginator
from django.db.models import Count, Exists, F, IntegerField, OuterRef, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.db.models.fields.json import KT
from django.db.models.functions import Cast
from django.http import Http404
from django.utils.translation import gettext as _

from games.kernel import clock
from games.kernel.languages import later
from games.kernel.members import assistant_rows_of
from games.kernel.models import NOT_OVER, OVER, UNDER_WAY, Game, Occupancy, Status
from games.kernel.page import Page, part
from games.kernel.queries import NOBODY
from games.kernel.rules import allowed
from games.kernel.wording import moment_words
from games.people.moderation import is_moderator
from games.press.markup import message_html
from games.tournaments import rights
from games.tournaments.letters import HINDRANCES
from games.tournaments.models import Change, Director, Entrant, Look, Place, Round, Table, Tournament
from games.tournaments.parts import PlayerRow, SeriesGame
from games.tournaments.rights import Here, director_act, entrant_act
from games.tournaments.sheet import Sheet
from games.tournaments.standings import counts, one_spelling, sheet_of, tables_in, tables_of
from games.tournaments.terms import RoundTerms, TournamentTerms, differences, round_differences
from games.tournaments.texts import texts

ON_A_PAGE = 30
FACTS = Path(__file__).with_name("public_facts.sql").read_text(encoding="utf-8")
CHANGES = texts("changes")
ABOUT_POINTS = ("ruling", "adjusted", "no-ruling", "no-points", "no-adjustment", "lot", "moved")
"""The changes that tell points or ranks: nobody reads them who doesn't see the standings."""
PRIVATE_GAME = later("a private game")


def is_in_series() -> tuple[str, str]:
    """For the hook `hints_that_nothing_is_there`: the hint's name, and SQL that is true for games at a table."""
    return "is_in_series", "EXISTS (SELECT FROM tournaments_table WHERE game_id = kernel_game.id)"


def name_of_series() -> str:
    """For the hook `public_facts`: what a game's page says of the series that the game belongs to."""
    return (
        "(SELECT jsonb_build_array(it.name, it.hidden) FROM tournaments_table played JOIN tournaments_round round"
        " ON round.id = played.round_id JOIN tournaments_tournament it ON it.id = round.tournament_id"
        " WHERE played.game_id = kernel_game.id)"
    )


@part("series")
def series_of(page: Page) -> Tournament | None:
    """The series that this game belongs to."""
    game = page.rows.game
    if not getattr(game, "is_in_series", True):
        return None
    return Tournament.objects.filter(rounds__tables__game=game, hidden__isnull=True).first()


def entries_to_play(user_id: int) -> list[tuple[Entrant, Round | None]]:
    """The user's entries in tournaments with rounds to seat, or without rounds so far, each with the round for which
    they are asked to check in and have not."""
    shown = {"tournament__shut": None, "tournament__hidden": None, "tournament__finished": None}
    rows = Entrant.objects.filter(user=user_id, tournament__published__isnull=False, **shown).exclude(place=Place.OUT)
    entries = list[tuple[Entrant, Round | None]]()
    for entrant in rows.select_related("tournament").prefetch_related("tournament__rounds").order_by("-pk"):
        rounds = sorted(entrant.tournament.rounds.all(), key=lambda it: it.number)
        to_seat = [it for it in rounds if it.seated is None]
        called = [it for it in to_seat if it.check_in_until and it.check_in_until > clock.now()]
        waits = (it for it in called if entrant.place == Place.IN and user_id not in it.present)
        if to_seat or not rounds:
            entries.append((entrant, next(waits, None)))
    return entries


def series_facts_of(user_id: int) -> dict[str, Any]:
    """For the hook `stored_facts`."""
    tournaments = Tournament.objects.filter(directors__user=user_id).order_by("pk")
    entrants = Entrant.objects.filter(user=user_id).select_related("tournament", "wishes").order_by("pk")
    looks = Look.objects.filter(user=user_id).order_by("pk").values_list("tournament__slug", "at")
    return {
        "looks_at_wishes": [{"address": slug, "at": at.isoformat()} for slug, at in looks],
        "director_of": [{"series": it.name, "address": it.slug} for it in tournaments],
        "tournaments": [
            {"tournament": it.tournament.name, "address": it.tournament.slug}
            | {name: getattr(it, name) for name in ("place", "team", "second_seat")}
            | {name: getattr(it.wishes, name) for name in ("powers", "variants", "refused") if hasattr(it, "wishes")}
            for it in entrants
        ],
    }


def published_series(page: str, *, over: bool = False) -> PageOfRows[Tournament]:
    """A page of the published series and tournaments, or of those that are over, the newest first. For a page that
    doesn't exist, the nearest one that does.

    A tournament is over once all its rounds are seated, a series after its last day; and all their games are over.
    """
    rows = Tournament.objects.filter(published__isnull=False, hidden__isnull=True).order_by("-published", "-pk")
    if over:
        seated = Count("rounds", filter=Q(rounds__seated__isnull=False))
        rows = rows.annotate(seated=seated, promised=Cast(KT("terms__rounds"), IntegerField()), last=KT("terms__last"))
        past = Q(is_series=True, last__lt=clock.now().astimezone(UTC).date().isoformat())
        rows = rows.filter(past | Q(is_series=False, seated__gte=F("promised")))
        rows = rows.exclude(Exists(Table.objects.filter(round__tournament=OuterRef("pk"), game__status__in=NOT_OVER)))
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
    rows = Tournament.objects.filter(slug=slug, published__isnull=False, hidden__isnull=True)
    if not for_strangers:
        rows = rows.exclude(rounds__tables__game__by_invitation=True)
    return rows.values_list(RawSQL(FACTS, ([*ABOUT_POINTS],) * 2), flat=True).first()


@dataclass(frozen=True, slots=True)
class Line:
    """`key` names it among the lines of its series."""

    at: datetime
    sentence: str
    key: str


class Offers:
    """By the name of an act: is the viewer offered it now?"""

    def __init__(self, view: Here, *about: object) -> None:
        self.view, self.about = view, about

    def __getitem__(self, name: str) -> bool:
        rule = (director_act.by_name | entrant_act.by_name)[name].rule
        return rule is not None and allowed(rule, self.view, *self.about)


class SeriesView(Here):
    """A series for one viewer; Http404 for a draft unless they direct it, and for a hidden one unless they moderate.
    Each fact is read only once."""

    def __init__(self, slug: str, user_id: int | None) -> None:
        own = Director.objects.filter(tournament=OuterRef("pk"), user_id=user_id or NOBODY)
        tournament = Tournament.objects.filter(slug=slug).annotate(is_own=Exists(own)).first()
        if tournament is None or not (tournament.is_own or tournament.published):
            raise Http404
        if tournament.hidden and not tournament.is_own and not is_moderator(user_id):
            raise Http404
        super().__init__(tournament, user_id)
        self.is_director = tournament.is_own

    @property
    def offers(self) -> Offers:
        return Offers(self)

    @cached_property
    def table_query(self) -> QuerySet[Any]:
        """What reads the tables; a page that needs more about them adds to it first."""
        rows: QuerySet[Any] = tables_of(self.row).annotate(is_mine=self._seat_in_game())
        return rows

    @cached_property
    def tables(self) -> list[Any]:
        """The tables of the series, the newest first."""
        return tables_in(self.table_query)

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
        """Does the viewer play in a row's game?"""
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
            over = _("played elsewhere") if table.game_id < 0 else _("over")
            return _("counts") if self.row.is_series else over
        if game.verdict.get("void"):
            return _("void, so it doesn’t count")
        if table.outcome is None:
            return _("closed before it began, so it doesn’t count")
        return _("began on a day that doesn’t count")

    @property
    def mixes_sizes(self) -> bool:
        """Do the terms add points of boards for different numbers of players?"""
        played = [it.game.variant for it in self.tables] if self.row.is_series else []
        planned = [board for row in self.round_rows if row.terms for board in RoundTerms.stored(row.terms).boards()]
        return not self.terms.shares and len({it.players for it in (*played, *planned)}) > 1

    @property
    def hindered(self) -> list[tuple[Round, RoundTerms, str]]:
        """The rounds that could not begin at their hour, and why."""
        rows = [row for row in self.round_rows if row.hindrance]
        return [(row, RoundTerms.stored(row.terms), HINDRANCES[row.hindrance]) for row in rows]

    @property
    def has_tables(self) -> bool:
        """Is a round of the tournament seated?"""
        return any(row.seated for row in self.round_rows)

    @cached_property
    def entrant_rows(self) -> list[Entrant]:
        """Everyone who has ever entered, even if they have withdrawn since, with their users."""
        return one_spelling(self.row.entrants.select_related("user").order_by("turn", "pk"))

    @cached_property
    def hides_standings(self) -> bool:
        return rights.hides_standings(self.row)

    @cached_property
    def sees_standings(self) -> bool:
        return rights.sees_standings(self.row, self.user_id)

    @cached_property
    def sheet(self) -> Sheet:
        """The games that count, everything that their points depend on, and the standings; empty for those who don't
        see them now."""
        if not self.sees_standings:
            return replace(sheet_of(self.row, (), {}, self.round_rows, ()), ruled=())
        entrants = () if self.row.is_series else self.entrant_rows
        running = isinstance(self.terms, TournamentTerms) and self.terms.shows_running
        return sheet_of(self.row, self.tables, self.games, self.round_rows, entrants, running=running)

    @property
    def winners(self) -> tuple[PlayerRow, ...]:
        """The players who are first."""
        return tuple(row for row in self.sheet.standings if row.rank == 1)

    @cached_property
    def best_of_powers(self) -> dict[str, tuple[str, ...]]:
        """Power -> the players with its best result; with the variant's title where there are several."""
        found, scored = dict[str, tuple[str, ...]](), self.sheet.best_with_powers
        several = len({it.table.game.variant_slug for it in scored}) > 1
        for it in scored:
            (seat,) = it.seats
            power = f"{seat.power_name} ({it.game.variant_title})" if several else seat.power_name
            found[power] = tuple(dict.fromkeys((*found.get(power, ()), *seat.players)))
        return found

    @cached_property
    def running(self) -> tuple[PlayerRow, ...]:
        """The standings if all games without hidden names ended now; () if the terms don't show that, or if no game is
        in progress."""
        return self.sheet.as_if_ended().standings if self.sheet.going else ()

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
        rows = rows if self.sees_standings else rows.exclude(kind__in=ABOUT_POINTS)
        return list(rows.annotate(is_mine=self._seat_in_game()).order_by("-pk"))

    @cached_property
    def changes(self) -> list[Line]:
        """The public changes, the newest first."""
        rows = list(enumerate(reversed(self.change_rows)))
        return [Line(row.at, self._sentence(row), f"change-{at}") for at, row in reversed(rows)]

    def _sentence(self, row: Any) -> str:
        facts = {**row.facts, "who": row.by.get_username(), "user": row.user and row.user.get_username()}
        if row.game is not None:
            seen = self._may_see(row.game, is_mine=row.is_mine)
            facts["game"] = _("the game “{name}”").format(name=row.game.name) if seen else PRIVATE_GAME
        if "moment" in facts:
            facts["moment"] = moment_words(datetime.fromisoformat(facts["moment"]))
        if row.kind == "lot":
            names = [it.user.get_username() for it in self.entrant_rows if it.user_id in facts["people"]]
            facts["people"] = ", ".join(names)
        if row.kind == "terms":
            kind = type(self.terms)
            facts["changes"] = differences(kind.stored(facts["before"]), kind.stored(facts["after"]))
        if row.kind == "round-terms":
            before, after = (RoundTerms.stored(facts[name]) for name in ("before", "after"))
            facts["changes"] = round_differences(self.terms, before, after)
        return CHANGES[row.kind].format(**facts)
