"""Assembling one phase of one game for one viewer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import itemgetter
from typing import TYPE_CHECKING

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet

from adjudication.position import Position
from adjudication.resolution import OrderOutcome
from games.deadlines.queries import coming_in, ready_seats
from games.endings.queries import agreement_of, farewell_of
from games.history.parts import PowerView
from games.history.queries import result_of
from games.history.relations import relations_of
from games.history.results import notice_views, position_lines
from games.kernel import codec
from games.kernel.access import GameAccess, Viewer, access_game
from games.kernel.cards import (
    MOST_CARDS,
    MOST_COUNTED,
    NEWEST_FIRST,
    card_at,
    cards,
    game_page,
    narrowed,
    paged,
    paged_by_deadline,
)
from games.kernel.members import games_assisted_by, seats_lent_to, sittings_of
from games.kernel.models import (
    OVER,
    UNDER_WAY,
    Event,
    Following,
    Game,
    Joiner,
    Occupancy,
    OpenedBids,
    Phase,
    Result,
    Seat,
    Status,
)
from games.kernel.parts import GameCard, GamePage
from games.kernel.phase_rows import Gathered
from games.kernel.queries import NOBODY, card_of_power, head_of
from games.kernel.rules import allowed
from games.mastering.news import ORDER_CORRECTED, ROLLED_BACK, SHEET_CORRECTED
from games.mastering.queries import assistants_now, gm_powers
from games.mastering.rules import may_answer, may_decline_to_assist
from games.news.log import events_of
from games.orders.bids import published_bids
from games.orders.queries import own_order_sheet, own_sheet
from games.orders.rules import may_save, may_say_ready
from games.pages.parts import PhaseView, Showcase
from games.press.talk import unread_of
from games.seating.filling import kind_of, seconds_to_fill
from games.seating.models import JoinRequest
from games.seating.parts import MarketView
from games.seating.queries import joining_view
from games.seating.rules import joining, vacancies
from games.seating.rules.bots import may_let_own_bot_play
from games.travel.parts import ElsewhereView
from variants.maps import after, drawing_of, factions_of
from variants.variant import PowerInfo, Variant

if TYPE_CHECKING:
    from collections.abc import Iterable

    from games.endings.parts import AgreementView
    from games.history.parts import ResultView
    from games.orders.parts import PowerBids, SheetView
    from games.orders.sheets import SentSheet
    from variants.maps import Drawing


MOST_LEADERS = 3
UNDONE = (ROLLED_BACK.log, ORDER_CORRECTED.log, SHEET_CORRECTED.log)


def phase_view(access: GameAccess, ordinal: int | None = None) -> PhaseView:
    """One phase for this viewer: the open one, or the one with that ordinal (Http404 if there is none).

    Without an ordinal, before the start: the start position; after the end: the final one.
    """
    return view_of(Gathered(access, ordinal))


def public_view(access: GameAccess, ordinal: int | None = None) -> PhaseView:
    """`phase_view` as anyone who may see this game at all sees it, no matter who is looking."""
    return phase_view(replace(access, user_id=None, seat=None, lent=None, is_gm=False), ordinal)


def seen_by_strangers(slug: str, ordinal: int | None = None) -> PhaseView:
    """`phase_view` of a public game as strangers see it; Http404 if there is none."""
    return phase_view(access_game(user=AnonymousUser(), slug=slug), ordinal)


def position_view(access: GameAccess, ordinal: int | None = None) -> tuple[Position, Variant]:
    """The position that `phase_view` shows, as the rules know it."""
    rows = Gathered(access, ordinal)
    return rows.position, rows.variant


def view_of(rows: Gathered, sent: SentSheet | None = None) -> PhaseView:
    """`phase_view` of these rows, with the orders just `sent`, mistakes included, instead of the saved ones."""
    heads = tuple(head_of(phase) for phase in rows.phases)
    unread, order_sheet = unread_of(rows), own_order_sheet(rows, sent)
    drawing = drawing_of(rows.position, rows.variant, _outcomes_to_draw(rows))
    return PhaseView(
        game=card_at(rows, unread=unread),
        version=rows.access.version,
        head=head_of(rows.shown) if rows.shown else None,
        coming=coming_in(rows.game, rows.open_phase, rows.variant.ruleset.calendar),
        phases=heads,
        drawing=drawing,
        aftermath=_aftermath(rows, drawing),
        powers=_powers(rows, order_sheet),
        position_lines=position_lines(rows.position, rows.variant),
        relations=relations_of(rows.position, rows.variant, rows.my_power),
        factions=factions_of(rows.variant),
        notices=notice_views(codec.notices_of(rows.shown)) if rows.shown else (),
        result=_result(rows),
        final=rows.final,
        events=events_of(rows.game, rows.variant, hidden=rows.hidden),
        has_undone=rows.access.is_repaired and Event.objects.filter(game=rows.game, kind__in=UNDONE).exists(),
        my_power=rows.my_power,
        bot_plays_for_me=allowed(joining.may_take_over_from_bot, rows),
        can_write=allowed(may_save, rows, rows.mine, rows.shown),
        can_say_ready=not (order_sheet and order_sheet.as_gm) and allowed(may_say_ready, rows, rows.mine, rows.shown),
        order_sheet=order_sheet,
        own_sheet=own_sheet(rows),
        opened_bids=_opened_bids(rows),
        gm=gm_powers(rows, heads),
        joining=joining_view(rows, hidden=rows.hidden) if rows.game.status == Status.OPEN else None,
        seats_to_take=_seats_to_take(rows),
        names_are_hidden=rows.hidden,
        unread=unread,
        agreement=_agreement(rows),
        farewell=farewell_of(rows, rows.position) if rows.final and rows.shown is not None else None,
        market=_market(rows),
        elsewhere=ElsewhereView(tuple(rows.game.elsewhere["differences"])) if rows.game.elsewhere else None,
        assistants=assistants_now(rows),
    )


def _result(rows: Gathered) -> ResultView | None:
    if rows.result is None or rows.public is None:
        return None
    amended, bots = rows.access.is_repaired, bots_at(rows.result, rows.seated.values())
    return result_of(rows.result, rows.public, rows.variant, amended=amended, mine=rows.my_power, bots=bots)


def bots_at(result: Result, seated: Iterable[Occupancy]) -> dict[str, str]:
    """The levels of the bots among those `seated` now that played in the phase of this result, by power."""
    closed = result.phase.closed
    playing = (one for one in seated if closed and one.since <= closed)
    return {one.seat.power: one.bot or "player’s" for one in playing if one.bot or one.own_bot}


def _aftermath(rows: Gathered, drawing: Drawing) -> Drawing:
    if rows.result is None or rows.public is None or drawing.arrows:
        return drawing
    return after(drawing, codec.position_of(rows.result.phase), rows.public.outcomes, rows.variant)


def _outcomes_to_draw(rows: Gathered) -> tuple[OrderOutcome, ...]:
    if rows.public is None or rows.final or not rows.shows_its_result:
        return ()
    return rows.public.outcomes


def _powers(rows: Gathered, own: SheetView | None) -> tuple[PowerView, ...]:
    seats = rows.seats
    return tuple(_power(rows, power, seats[power.id], own) for power in rows.variant.powers if power.id in seats)


def _power(rows: Gathered, power: PowerInfo, seat: Seat, sheet: SheetView | None) -> PowerView:
    held = rows.seated.get(seat.pk)
    mine = rows.my_power == power.id
    own = mine and rows.access.lent is None
    is_person = held is not None and not held.user.is_bot
    shown = ready_seats(rows)
    ready = None if shown is None else seat.pk in shown
    return PowerView(
        id=power.id,
        name=power.name,
        called=power.called,
        adjective=power.adjective,
        letter=power.letter,
        colour=str(power.colour),
        player=held.user.get_username() if held and is_person and (own or not rows.hidden) else "",
        seated=held is not None,
        person=is_person,
        bot=held.bot if held else "",
        own_bot=held.own_bot if held else False,
        disordered=seat.disordered,
        units=len(rows.position.units_of(power.id)),
        centres=len(rows.position.centres_of(power.id)),
        mine=mine,
        ready=sheet.ready if mine and sheet else ready,
        missed=held.missed if held else 0,
        elsewhere=(rows.game.elsewhere or {}).get("players", {}).get(power.id, ""),
    )


def _opened_bids(rows: Gathered) -> tuple[PowerBids, ...] | None:
    if rows.result is None or rows.game.status not in OVER:
        return None
    opened = OpenedBids.objects.filter(phase_id=rows.result.phase_id).select_related("phase__game").first()
    return published_bids(opened) if opened else None


def _seats_to_take(rows: Gathered) -> tuple[str, ...]:
    if rows.game.status != Status.OPEN or rows.user_id is None:
        return ()
    return tuple(power.id for power in rows.variant.powers if allowed(joining.may_take_seat, rows, power.id))


def _agreement(rows: Gathered) -> AgreementView | None:
    """Sitters don't vote, and nothing is agreed on with bots."""
    is_under_way = rows.open_phase is not None and rows.game.status in UNDER_WAY and not rows.game.practice
    return agreement_of(rows) if is_under_way else None


def _market(rows: Gathered) -> MarketView:
    asked = rows.access.is_asked_to_master and allowed(may_answer, rows)
    helps = rows.access.is_asked_to_assist and allowed(may_decline_to_assist, rows)
    variant, lent = rows.variant, rows.access.lent
    if rows.game.status not in UNDER_WAY:
        own_bot = allowed(may_let_own_bot_play, rows)
        return MarketView(asked_to_master=asked, asked_to_assist=helps, may_let_own_bot=own_bot)
    outside = rows.user_id is not None and rows.held is None
    offered = vacancies.invitation_of(rows) if outside and allowed(vacancies.may_answer_invitation, rows) else None
    lost = vacancies.way_back(rows) if outside and allowed(vacancies.may_come_back, rows) else None
    free = [power.id for power in variant.powers if allowed(vacancies.only_vacant, rows, power.id)]
    return MarketView(
        vacant=tuple(power for power in free if rows.holder(power) is None),
        bots=tuple(power for power in free if rows.holder(power)),
        offered=variant.power(offered.seat.power).name if offered else "",
        way_back=variant.power(lost.seat.power).name if lost else "",
        may_resign=allowed(vacancies.may_resign, rows),
        may_let_own_bot=allowed(may_let_own_bot_play, rows),
        asked_to_sit=outside and lent is None and _is_asked_to_sit(rows),
        sits_for=variant.power(lent.power).name if lent else "",
        asked_to_master=asked,
        asked_to_assist=helps,
    )


def _is_asked_to_sit(rows: Gathered) -> bool:
    return sittings_of(rows.game, rows.user_id, rows.now).filter(accepted__isnull=True).exists()


@dataclass(frozen=True, slots=True)
class Search:
    """What a finished game must match: a part of its name, a user who played in it, the year it was created."""

    name: str = ""
    player: int | None = None
    year: int | None = None

    def found(self, games: QuerySet[Game]) -> QuerySet[Game]:
        """Those of these games, which are over: earlier, names of players may be hidden."""
        if self.name:
            games = games.filter(name__icontains=self.name)
        if self.player is not None:
            games = games.filter(pk__in=Occupancy.objects.filter(user_id=self.player).values("game_id"))
        if self.year is not None:
            games = games.filter(created__year=self.year)
        return games


EVERYTHING = Search()


OF_ONE = ("mine", "followed")
"""The lists that only users with an account have."""


class Shelves:
    """The lists of games in the lobby of one viewer: their own and those they follow, the nearest deadline first, and
    the public ones, newest first, sorted by what can be done with them.

    Their own are those they run or help to run, play, sit in or have joined, and those they asked to join without being
    declined.
    `wanted` filters them as `narrowed` does, and `search` the finished ones. Practice games are on none.
    """

    def __init__(self, user: Viewer, *, search: Search = EVERYTHING, **wanted: str) -> None:
        self.user_id = user.pk if user.is_authenticated else None
        self.lent = seats_lent_to(self.user_id)
        newest = narrowed(Game.objects.of_people().order_by(*NEWEST_FIRST), **wanted)
        public = newest.filter(by_invitation=False)
        self.public, over = public, public.filter(status__in=OVER)
        self.shelves = {
            "mine": newest.filter(self._own()) if self.user_id else newest.none(),
            "followed": self._followed(public) if self.user_id else newest.none(),
            "open": public.filter(status=Status.OPEN),
            "running": public.filter(status__in=UNDER_WAY),
            "finished": search.found(over),
        }

    def _followed(self, public: QuerySet[Game]) -> QuerySet[Game]:
        mine = Following.objects.filter(user_id=self.user_id or NOBODY).values("game_id")
        return public.filter(pk__in=mine).exclude(self._own())

    def _own(self) -> Q:
        me = self.user_id or NOBODY
        held = Occupancy.objects.filter(user_id=me, until__isnull=True).values("game_id")
        joined = Joiner.objects.filter(user_id=me).values("game_id")
        asking = JoinRequest.objects.filter(user_id=me).exclude(accepted=False)
        # One by invitation can only be reached with its link again.
        asked = asking.filter(game__status=Status.OPEN, game__by_invitation=False).values("game_id")
        run = Game.objects.filter(gm_id=me).order_by().values("pk")
        helped = games_assisted_by(me).values("game_id")
        sat_in = Game.objects.filter(pk__in=list(self.lent)).order_by().values("pk")
        # Alternatives would make Postgres look at every game.
        return Q(pk__in=run.union(held, joined, asked, helped, sat_in))

    def page(self, shelf: str, *, after: str = "", most: int = MOST_CARDS) -> GamePage:
        """The first games of a shelf, or those that follow the game with the slug `after`."""
        shown = Game.objects.filter(Q(by_invitation=False) | self._own())
        in_turn = paged_by_deadline if shelf in OF_ONE else paged
        games = in_turn(self.shelves[shelf], among=shown, after=after)
        page = game_page(games, user_id=self.user_id, lent=self.lent, most=most)
        return replace(page, games=_with_time_to_fill(page.games)) if shelf == "open" else page

    def cards(self, games: QuerySet[Game]) -> tuple[GameCard, ...]:
        return cards(games, user_id=self.user_id, lent=self.lent)

    def count(self, shelf: str) -> int:
        """How many games it has, counted up to MOST_COUNTED."""
        return self.shelves[shelf].order_by()[:MOST_COUNTED].count()


def _with_time_to_fill(games: tuple[GameCard, ...]) -> tuple[GameCard, ...]:
    kinds = [None if game.bots else kind_of(game.variant, game.options.movement_seconds) for game in games]
    took = seconds_to_fill([kind for kind in kinds if kind])
    return tuple(
        replace(game, similar_took=took.get(kind) if kind else None) for game, kind in zip(games, kinds, strict=True)
    )


def showcase() -> Showcase | None:
    """The public game with the next deadline, or the newest one that is over, as strangers see it."""
    running = Phase.objects.filter(closed__isnull=True, game__by_invitation=False, game__status=Status.RUNNING)
    slug = running.order_by("deadline", "pk").values_list("game__slug", flat=True).first()
    if slug is None:
        over = Game.objects.of_this_site().filter(by_invitation=False, status__in=OVER).order_by(*NEWEST_FIRST)
        slug = over.values_list("slug", flat=True).first()
    return _shown_off(Gathered(access_game(user=AnonymousUser(), slug=slug), None)) if slug else None


def _shown_off(rows: Gathered) -> Showcase:
    variant, position = rows.variant, rows.position
    held = [(len(position.centres_of(power.id)), card_of_power(power)) for power in variant.powers]
    best = sorted((each for each in held if each[0]), key=itemgetter(0), reverse=True)
    drawing = drawing_of(position, variant, _outcomes_to_draw(rows))
    return Showcase(card_at(rows, unread=0), drawing, tuple(best[:MOST_LEADERS]))
