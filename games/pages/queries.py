"""Lists of games, and searches in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from operator import attrgetter, itemgetter
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Case, Count, Exists, F, IntegerField, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast, Coalesce

from games.history.queries import drawing
from games.kernel import clock
from games.kernel.access import Viewer
from games.kernel.cards import (
    MOST_CARDS,
    MOST_COUNTED,
    NEWEST_FIRST,
    cards_of_rows,
    filtered_games,
    first_games,
    game_cards,
    game_page,
    games_with_card_facts,
    newest_from,
    page_of_cards,
    paged_by_deadline,
    sorted_by_deadline,
)
from games.kernel.members import assistant_rows_of, seats_lent_to
from games.kernel.models import (
    NOT_OVER,
    OVER,
    UNDER_WAY,
    Assistant,
    Following,
    Game,
    Handover,
    Joiner,
    Occupancy,
    OpenedBids,
    Phase,
    Seat,
    Sitting,
    Status,
)
from games.kernel.page import Page, page_for_strangers, part
from games.kernel.parts import GameCard, GamePage, PowerCard
from games.kernel.plain import without_case_and_accents
from games.kernel.prepared import USER, PreparedQuery, parameters_with_values
from games.kernel.queries import NOBODY, card_of_power, variants_offered
from games.pages.views.embedding import iframe_for
from games.people.profiles import COUNT_PLAYED_YESTERDAY
from games.practice.queries import practice_games_of
from games.seating.filling import kind_of_game, seconds_to_fill
from games.seating.models import Approach, JoinRequest
from variants.maps import Drawing
from variants.registry import offered


@dataclass(frozen=True, slots=True)
class Showcase:
    """A public game on the home page. `leaders`: the powers with the most centres and how many, best first."""

    game: GameCard
    drawing: Drawing
    leaders: tuple[tuple[int, PowerCard], ...]


MOST_LEADERS, MOST_MINE = 3, 5


@dataclass(frozen=True, slots=True)
class Search:
    """What a finished game must match: a part of its name, a user who played in it, the year it was created."""

    name: str = ""
    player: int | None = None
    year: int | None = None

    def matching(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """The games among these that match. They are over; before that, players' names may be hidden."""
        if self.name:
            games = games.filter(name__plain__contains=without_case_and_accents(self.name))
        if self.player is not None:
            games = games.filter(pk__in=Occupancy.objects.filter(user_id=self.player).values("game_id"))
        if self.year is not None:
            games = games.filter(created__year=self.year)
        return games


NO_SEARCH = Search()


PERSONAL_LISTS = ("mine", "followed")
"""The lists that only users with an account have."""


def _number_of(rows: QuerySet[Any]) -> Coalesce:
    """How many of these rows a game has."""
    counted = rows.filter(game=OuterRef("pk")).order_by().values("game").annotate(count=Count("pk")).values("count")
    return Coalesce(Subquery(counted), 0)


BOTS_WANTED = Coalesce(Cast(KeyTextTransform("bots", "stored_options"), IntegerField()), 0)
COUNTS = {
    "taken": _number_of(Occupancy.objects.filter(until__isnull=True)) + _number_of(Joiner.objects.all()),
    "places": _number_of(Seat.objects.filter(disordered=False)) - BOTS_WANTED,
}
IS_FULL = Q(status=Status.OPEN, roll_call__incomplete=False, taken__gte=F("places"))
"""A game that has COUNTS and waits only for its players to confirm."""


class GameLists:
    """The lists of games in the lobby of one viewer: their own and those they follow, the nearest deadline first, and
    the public ones, newest first, sorted by what can be done with them.

    Their own games are those they run or help to run, play, sit in or have joined, and those they asked to join without
    being declined. A full game whose players are asked to confirm is not open but running. `wanted` filters them as
    `filtered_games` does, and `search` the finished ones. No list has practice games.
    """

    def __init__(self, user: Viewer, *, search: Search = NO_SEARCH, **wanted: str) -> None:
        user_id = user.pk if user.is_authenticated else None
        self._fill_lists(user_id, seats_lent_to(user_id), search, wanted)

    @classmethod
    def of_user_unfiltered(cls, user_id: int) -> GameLists:
        """The unfiltered lists of a user who sits for nobody."""
        lists = cls.__new__(cls)
        lists._fill_lists(user_id, {}, NO_SEARCH, {})
        return lists

    def _fill_lists(
        self, user_id: int | None, lent: Mapping[int, Occupancy], search: Search, wanted: Mapping[str, str]
    ) -> None:
        self.user_id, self.lent = user_id, lent
        self.is_unfiltered = user_id is not None and not lent and not any(wanted.values()) and search is NO_SEARCH
        newest = filtered_games(Game.objects.of_people().order_by(*NEWEST_FIRST), **wanted)
        public_games = newest.filter(by_invitation=False)
        self.public, games_over = public_games, public_games.filter(status__in=OVER)
        followed_games = Following.objects.filter(user_id=self.user_id or NOBODY).values("game_id")
        self.lists = {
            "mine": newest.filter(self._condition_of_own_games()) if self.user_id else newest.none(),
            "followed": public_games.filter(pk__in=followed_games).exclude(self._condition_of_own_games())
            if self.user_id
            else newest.none(),
            "open": public_games.alias(**COUNTS).filter(~IS_FULL, status=Status.OPEN),
            "running": public_games.alias(**COUNTS).filter(
                Q(status__in=UNDER_WAY) | IS_FULL, status__in=(Status.OPEN, *UNDER_WAY)
            ),
            "finished": search.matching(games_over),
        }

    def _condition_of_own_games(self) -> Q:
        me = self.user_id or NOBODY
        games_played = Occupancy.objects.filter(user_id=me, until__isnull=True).values("game_id")
        games_joined = Joiner.objects.filter(user_id=me).values("game_id")
        requests = JoinRequest.objects.filter(user_id=me).exclude(accepted=False)
        # One by invitation can only be reached with its link again.
        games_requested = requests.filter(game__status=Status.OPEN, game__by_invitation=False).values("game_id")
        games_run = Game.objects.filter(gm_id=me).order_by().values("pk")
        games_helped = assistant_rows_of(me).values("game_id")
        games_lent = Game.objects.filter(pk__in=list(self.lent)).order_by().values("pk")
        # Alternatives would make Postgres look at every game.
        return Q(pk__in=games_run.union(games_played, games_joined, games_requested, games_helped, games_lent))

    def page(self, list_name: str, *, after: str = "", most: int = MOST_CARDS) -> GamePage:
        """The first games of a list, or those that follow the game with the slug `after`."""
        if list_name == "mine" and self.is_unfiltered and not after and most == MOST_CARDS:
            return page_of_cards(cards_of_rows(OWN_GAMES(self.user_id), user_id=self.user_id, lent=self.lent), most)
        visible = Game.objects.filter(Q(by_invitation=False) | self._condition_of_own_games())
        in_turn = paged_by_deadline if list_name in PERSONAL_LISTS else newest_from
        games = in_turn(self.lists[list_name], among=visible, after=after)
        page = game_page(games, user_id=self.user_id, lent=self.lent, most=most)
        return replace(page, games=_with_time_to_fill(page.games)) if list_name == "open" else page

    def cards(self, games: QuerySet[Game]) -> tuple[GameCard, ...]:
        return game_cards(games, user_id=self.user_id, lent=self.lent)

    def first_of_personal_lists(self) -> dict[str, list[GameCard]]:
        """The first games of the user's two lists, and their practice games, which are in neither list, newest first.
        They are read together, with whether the user runs any game (`runs_games`), and what they are `asked` for."""
        rows = FIRST_OF_PERSONAL_LISTS(self.user_id) if self.is_unfiltered else list(self._rows_of_personal_lists())
        self.runs_games = any(game.runs_games for game in rows)
        lists: dict[str, list[GameCard]] = {"practice": [], **{list_name: [] for list_name in PERSONAL_LISTS}}
        self.asked = list[tuple[str, GameCard]]()
        for row, game in zip(rows, cards_of_rows(rows, user_id=self.user_id, lent=self.lent), strict=True):
            if row.asks and game.status not in OVER:
                self.asked.append((row.asks, game))
            if row.is_own or row.is_followed:
                lists["practice" if game.practice else "followed" if game.i_only_follow else "mine"].append(game)
        lists["practice"].sort(key=attrgetter("created"), reverse=True)
        return lists

    def _rows_of_personal_lists(self) -> QuerySet[Any]:
        own_games, followed_games = (
            sorted_by_deadline(self.lists[list_name]).values("pk")[:MOST_MINE] for list_name in PERSONAL_LISTS
        )
        me = self.user_id or NOBODY
        practice = practice_games_of(me).values("pk")
        unanswered = Sitting.objects.filter(sitter=me, accepted__isnull=True, ended__isnull=True)
        sittings = unanswered.filter(ends__gt=clock.now_in_sql(), occupancy__until__isnull=True)
        asking = {
            "play": Approach.objects.filter(user=me, accepted__isnull=True, invited=True).values("game_id"),
            "sit": sittings.values("occupancy__game_id"),
            "run": Handover.objects.filter(taker=me, accepted__isnull=True).values("game_id"),
            "assist": Assistant.objects.filter(user=me, accepted__isnull=True).values("game_id"),
        }
        asks = Case(*(When(pk__in=rows, then=Value(what)) for what, rows in asking.items()), default=Value(""))
        listed = Q(pk__in=own_games) | Q(pk__in=followed_games) | Q(pk__in=practice)
        games = Game.objects.filter(listed | Q(pk__in=asking.pop("play").union(*asking.values())))
        follows = Following.objects.filter(game=OuterRef("pk"), user_id=me)
        owned = Case(When(self._condition_of_own_games(), then=Value(value=True)), default=Value(value=False))
        run = Game.objects.filter(Q(gm_id=me) | Q(pk__in=assistant_rows_of(me).values("game_id")), practice=False)
        runs = Exists(run.filter(status__in=NOT_OVER))
        marked = sorted_by_deadline(games).annotate(
            is_followed=Exists(follows), is_own=owned, runs_games=runs, asks=asks
        )
        return games_with_card_facts(marked, self.user_id, self.lent)

    def count_games_and_players(self, lists: Sequence[str]) -> tuple[dict[str, int], int]:
        """How many games each of these lists has, counted up to MOST_COUNTED, and how many people played yesterday;
        read in one statement."""
        is_prepared = self.is_unfiltered and list(lists) == list(self.lists)
        sql, values = _unfiltered_counting_sql() if is_prepared else self.counting_sql(lists)
        with connection.cursor() as cursor:
            cursor.execute(sql, parameters_with_values(values, {USER: self.user_id}))
            *sizes, played = cursor.fetchone()
        return dict(zip(lists, sizes, strict=True)), played

    def counting_sql(self, lists: Iterable[str]) -> tuple[str, list[Any]]:
        """The SQL for these counts, and its parameters."""
        counted = [_counting_sql(self.lists[list_name]) for list_name in lists]
        figures = ", ".join(f"({sql})" for sql in [*(sql for sql, _ in counted), COUNT_PLAYED_YESTERDAY])
        return f"SELECT {figures}", [value for _, values in counted for value in values]


def _cards_of_own_games(user_id: int) -> QuerySet[Any]:
    lists = GameLists.of_user_unfiltered(user_id)
    return games_with_card_facts(first_games(sorted_by_deadline(lists.lists["mine"]), MOST_CARDS), user_id)


@cache
def _unfiltered_counting_sql() -> tuple[str, list[Any]]:
    """The SQL for the counts of an unfiltered lobby, built once, with USER in place of the user."""
    lists = GameLists.of_user_unfiltered(USER)
    return lists.counting_sql(lists.lists)


OWN_GAMES: PreparedQuery[Any] = PreparedQuery(_cards_of_own_games, USER)
FIRST_OF_PERSONAL_LISTS: PreparedQuery[Any] = PreparedQuery(
    lambda user_id: GameLists.of_user_unfiltered(user_id)._rows_of_personal_lists(), USER
)


def _counting_sql(games: QuerySet[Game]) -> tuple[str, tuple[Any, ...]]:
    """The SQL for the number of these games, up to MOST_COUNTED, and its parameters."""
    try:
        sql, values = games.order_by().values("pk")[:MOST_COUNTED].query.sql_with_params()
    except EmptyResultSet:
        return "SELECT 0", ()
    return f"SELECT count(*) FROM ({sql}) AS listed", values  # noqa: S608 - written by the framework


def _with_time_to_fill(games: tuple[GameCard, ...]) -> tuple[GameCard, ...]:
    kinds = [None if game.bots else kind_of_game(game.variant, game.options.movement_seconds) for game in games]
    took = seconds_to_fill([kind for kind in kinds if kind])
    return tuple(
        replace(game, similar_took=took.get(kind) if kind else None) for game, kind in zip(games, kinds, strict=True)
    )


def newest_game_with_open_bids() -> str:
    """The slug of the newest public game that is over and shows what everyone bid; "" if there is none."""
    bidden = [variant.slug for variant in variants_offered() if variant.bids]
    over = Game.objects.of_people().filter(by_invitation=False, status__in=OVER, variant_slug__in=bidden)
    with_bids = over.filter(stored_options__open_bids_at_end=True)
    with_bids = with_bids.filter(Exists(OpenedBids.objects.filter(phase__game=OuterRef("pk"))))
    return with_bids.order_by(*NEWEST_FIRST).values_list("slug", flat=True).first() or ""


def showcase() -> Showcase | None:
    """The public game with the next deadline, or the newest one that is over, as strangers see it."""
    slugs = [variant.slug for variant in offered()]
    phases = Phase.objects.filter(
        closed__isnull=True, game__by_invitation=False, game__status=Status.RUNNING, game__variant_slug__in=slugs
    )
    slug = phases.order_by("deadline", "pk").values_list("game__slug", flat=True).first()
    if slug is None:
        over = Game.objects.of_this_site().filter(by_invitation=False, status__in=OVER, variant_slug__in=slugs)
        slug = over.order_by(*NEWEST_FIRST).values_list("slug", flat=True).first()
    if slug is None:
        return None
    page = page_for_strangers(slug)
    centres_of, powers = page.rows.position.centres_of, page.rows.variant.powers
    counts = [(len(centres_of(power.id)), card_of_power(power)) for power in powers]
    best = sorted((each for each in counts if each[0]), key=itemgetter(0), reverse=True)
    return Showcase(page.game, drawing(page), tuple(best[:MOST_LEADERS]))


@part("frame")
def iframe_of_page(page: Page) -> str:
    """The HTML that shows the board of this game on another site."""
    return iframe_for(page.rows.game.slug, page.name)
