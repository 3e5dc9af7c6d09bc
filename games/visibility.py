"""Who may see what. Pages, answers of the API and letters get their facts here and nowhere else.

What a viewer may not see does not exist for him: Http404, never a refusal. A view is built up from
public facts and the viewer's own sheet; nothing is cut down from more.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.http import Http404

from adjudication.turns import Turn
from adjudication.words import phase_words
from games import clock, codec
from games.absence import absence_of
from games.agreements import agreement_of
from games.coming import coming_in
from games.desk import bids_from_rows, desk_for, mark_of, receipt_for
from games.drawing import drawing_of, factions_of
from games.entry import has_joined, is_mustering, joining_view, members_of, requests_of
from games.farewell import farewell_of
from games.history import Recorded, centre_history
from games.live import version_of
from games.masters import asked_into, asked_name
from games.models import (
    OVER,
    UNDER_WAY,
    Game,
    Joiner,
    Notebook,
    Occupancy,
    OpenedBids,
    Phase,
    Readiness,
    Result,
    Seat,
    Seats,
    Status,
    Undoing,
)
from games.models.game import MODERATORS
from games.offers import gm_market, invitation_of, is_awaited, seats_of, standby_view, way_back
from games.phase_view import (
    GameDeadlines,
    GmPowers,
    Lobby,
    MarketView,
    NotesView,
    PhaseView,
    PowerView,
    UndoneView,
    VacantSeat,
)
from games.records import code_of, record_of
from games.relations import relations_of
from games.results import notice_views, position_lines, result_view
from games.sealed import store
from games.selectors import NOBODY, cards, events_of, head_of, names_are_hidden, narrowed
from games.sitting import is_asked, now_for, sitting_for, sittings_of
from games.talk import (
    Reader,
    first_unread,
    found_in,
    gallery_of,
    may_read,
    message_at,
    news_of,
    powers_at,
    remark_at,
    talk_of,
    unread_of,
)
from games.terms import grouped, has_bids, house_rules, terms_of, what_is_played

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.contrib.auth.base_user import AbstractBaseUser
    from django.contrib.auth.models import AnonymousUser

    from adjudication.position import Position
    from adjudication.resolution import OrderOutcome, Public
    from games.absence import AbsenceView
    from games.history import CentreHistory
    from games.models import Message, Remark, Seat, Thread
    from games.phase_view import (
        AgreementView,
        ComingView,
        Desk,
        FarewellView,
        GalleryView,
        GmMarket,
        JoiningView,
        MessageView,
        NewsView,
        PhaseHead,
        PowerBids,
        Receipt,
        RemarkView,
        ResultView,
        SearchView,
        SittingView,
        StandbyView,
        TalkView,
    )
    from games.terms import TermGroup
    from variants.variant import PowerInfo, Variant

    Viewer = AbstractBaseUser | AnonymousUser


@dataclass(frozen=True, slots=True)
class SeatAccess:
    game_id: int
    slug: str
    seat_id: int
    occupancy_id: int
    user_id: int
    power: str
    since: datetime
    sitting: int | None = None
    """The number of the sitting by which somebody else than the player is here."""
    talks: bool = True


@dataclass(frozen=True, slots=True)
class GmAccess:
    game_id: int
    slug: str
    user_id: int


@dataclass(frozen=True, slots=True)
class GameAccess:
    """A viewer before a game he may see: with a seat, as its game master, or as an observer, who may sit for a player.

    `lent` is the seat of that player: its open sheet, and its talk if the player said so, but nothing else of it.
    """

    game_id: int
    slug: str
    user_id: int | None
    seat: SeatAccess | None
    is_gm: bool
    token: str
    lent: SeatAccess | None = None

    @property
    def sheet(self) -> SeatAccess | None:
        """The seat for which the viewer may write."""
        return self.seat or self.lent

    @property
    def voice(self) -> SeatAccess | None:
        """The seat whose messages the viewer may read and write."""
        return self.sheet if self.sheet and self.sheet.talks else None


def access_game(*, user: Viewer, slug: str, token: str = "") -> GameAccess:
    """Http404 if there is no such game, or if it is by invitation and the viewer is not invited."""
    game = Game.objects.filter(slug=slug).only("pk", "slug", "gm_id", "by_invitation", "invitation").first()
    if game is None:
        raise Http404
    user_id = user.pk if user.is_authenticated else None
    seat = _seat_access(game, user_id)
    is_gm = user_id is not None and game.gm_id == user_id
    expected = seat is not None or is_gm or game.invites(token)
    if game.by_invitation and not expected and not _is_expected(game, user_id):
        raise Http404
    lent = None if seat else _lent(game, user_id)
    return GameAccess(game.pk, game.slug, user_id, seat, is_gm, token, lent)


def _lent(game: Game, user_id: int | None) -> SeatAccess | None:
    """The seat of the player for whom this user sits now."""
    sitting = now_for(game, user_id, clock.now())
    if user_id is None or sitting is None:
        return None
    held = sitting.occupancy
    return SeatAccess(
        game.pk,
        game.slug,
        held.seat_id,
        held.pk,
        user_id,
        held.seat.power,
        since=sitting.begins,
        sitting=sitting.pk,
        talks=sitting.talks,
    )


def _is_expected(game: Game, user_id: int | None) -> bool:
    if asked_into(game, user_id) is not None:
        return True
    return has_joined(game, user_id) or is_awaited(game, user_id) or is_asked(game, user_id, clock.now())


def access_seat(*, user: Viewer, slug: str) -> SeatAccess:
    """Http404 unless the viewer has a seat in the game now."""
    game = Game.objects.filter(slug=slug).first()
    seat = _seat_access(game, user.pk if user.is_authenticated else None) if game else None
    if seat is None:
        raise Http404
    return seat


def access_sheet(*, user: Viewer, slug: str) -> SeatAccess:
    """Http404 unless the viewer may write the orders of a seat now: his own, or that of a player he sits for."""
    seat = access_game(user=user, slug=slug).sheet
    if seat is None:
        raise Http404
    return seat


def access_gm(*, user: Viewer, slug: str) -> GmAccess:
    """Http404 unless the viewer is the game's master."""
    game = Game.objects.filter(slug=slug, gm_id=user.pk).first() if user.is_authenticated else None
    if game is None:
        raise Http404
    return GmAccess(game.pk, game.slug, game.gm_id)


def _seat_access(game: Game, user_id: int | None) -> SeatAccess | None:
    if user_id is None:
        return None
    held = (
        Occupancy.objects.filter(game=game, user_id=user_id, until__isnull=True)
        .select_related("seat")
        .first()
    )
    if held is None:
        return None
    return SeatAccess(game.pk, game.slug, held.seat_id, held.pk, user_id, held.seat.power, held.since)


def lobby(user: Viewer, **wanted: str) -> Lobby:
    """The viewer's own games, and the public ones by what can be done with them; newest first.

    `wanted` narrows them as `selectors.narrowed` does.
    """
    user_id = user.pk if user.is_authenticated else None
    newest = narrowed(Game.objects.order_by("-created", "-pk"), **wanted)
    public = newest.filter(by_invitation=False)
    held = Occupancy.objects.filter(user_id=user_id or NOBODY, until__isnull=True).values("game_id")
    joined = Joiner.objects.filter(user_id=user_id or NOBODY).values("game_id")
    own = Q(gm_id=user_id) | Q(pk__in=held) | Q(pk__in=joined)
    return Lobby(
        mine=cards(newest.filter(own), user_id=user_id) if user_id else (),
        open=cards(public.filter(status=Status.OPEN), user_id=user_id),
        running=cards(public.filter(status__in=UNDER_WAY), user_id=user_id),
        finished=cards(public.filter(status__in=OVER), user_id=user_id),
    )


def reader_of(access: GameAccess) -> Reader:
    seat = access.voice
    return Reader(access.user_id, seat.power if seat else None, seat.since if seat else None, access.is_gm)


def talk_view(access: GameAccess, address: str | None = None, *, before: int | None = None) -> TalkView:
    """The threads that this viewer may read, and with an address one of them (Http404 unless he may read it).

    Of that thread the newest messages, or those before a place.
    """
    game = Game.objects.get(pk=access.game_id)
    variant = codec.variant_of(game)
    powers = None if address is None else _readable(game, variant, access, address)
    return talk_of(game, variant, reader_of(access), powers, before=before)


def news_view(access: GameAccess, address: str, *, after: int) -> NewsView:
    """What was written in a thread after a place; Http404 unless this viewer may read it."""
    game = Game.objects.get(pk=access.game_id)
    variant = codec.variant_of(game)
    powers = _readable(game, variant, access, address)
    return news_of(game, variant, reader_of(access), powers, after=after)


def _readable(game: Game, variant: Variant, access: GameAccess, address: str) -> tuple[str, ...]:
    powers = powers_at(address, variant)
    if powers is None or not may_read(game, reader_of(access), powers):
        raise Http404
    return powers


def gallery_view(access: GameAccess, *, before: int | None = None) -> GalleryView:
    """What everybody has written about a game since it is over; Http404 before."""
    game = Game.objects.get(pk=access.game_id)
    if game.status not in OVER:
        raise Http404
    return gallery_of(game, access.user_id, before=before)


def remark_view(access: GameAccess, place: int) -> tuple[Remark, RemarkView]:
    """One remark of the gallery; Http404 if there is none, or no gallery yet."""
    game = Game.objects.get(pk=access.game_id)
    found = remark_at(game, access.user_id, place) if game.status in OVER else None
    if found is None:
        raise Http404
    return found


def search_view(access: GameAccess, words: str, page: int) -> SearchView:
    """The messages with these words that this viewer may read."""
    game = Game.objects.get(pk=access.game_id)
    return found_in(game, codec.variant_of(game), reader_of(access), words, page)


def message_view(access: GameAccess, address: str, place: int) -> tuple[Message, MessageView, TalkView]:
    """One message with its view, and the talk it is in; Http404 unless this viewer may read it."""
    game = Game.objects.get(pk=access.game_id)
    variant = codec.variant_of(game)
    found = message_at(game, variant, reader_of(access), _readable(game, variant, access, address), place)
    if found is None:
        raise Http404
    return (*found, talk_view(access, address))


def notes_view(seat: SeatAccess) -> NotesView:
    """What this player has noted since he sits there; a predecessor's notes are that one's for ever."""
    notes = Notebook.objects.filter(occupancy_id=seat.occupancy_id).first()
    return NotesView(notes.text, notes.version) if notes else NotesView("", 0)


def unread_count(access: GameAccess) -> int:
    """How many messages wait for this player, sitter or game master; Http404 for anybody else."""
    if access.sheet is None and not access.is_gm:
        raise Http404
    return unread_of(Game.objects.get(pk=access.game_id), reader_of(access))


def unread_message(access: GameAccess, thread: Thread) -> MessageView | None:
    """What this viewer has still to read in a thread, the oldest of it; None if nothing."""
    game = Game.objects.get(pk=access.game_id)
    return first_unread(game, codec.variant_of(game), reader_of(access), thread)


def phase_view(access: GameAccess, ordinal: int | None = None, *, typed: str | None = None) -> PhaseView:
    """One phase for this viewer: the open one, or the one with that ordinal (Http404 if there is none).

    Without an ordinal, before the start: the start position; after the end: the final one.
    With `typed` the desk is filled with that text instead of the saved sheet, and names its mistakes.
    """
    return _Builder(access, ordinal, typed).view()


def terms_view(access: GameAccess) -> tuple[TermGroup, ...]:
    """Everything one agrees to by joining, in words and by group."""
    game = Game.objects.get(pk=access.game_id)
    variant = codec.variant_of(game)
    chosen = terms_of(game.options, variant, by_invitation=game.by_invitation)
    return grouped((what_is_played(variant), *chosen, *house_rules(game.options, variant)))


def public_view(access: GameAccess, ordinal: int | None = None) -> PhaseView:
    """`phase_view` as anybody sees it who may see this game at all, whoever is looking."""
    return phase_view(replace(access, user_id=None, seat=None, lent=None, is_gm=False), ordinal)


def position_view(access: GameAccess, ordinal: int | None = None) -> tuple[Position, Variant]:
    """The position that `phase_view` shows, as the rules know it."""
    builder = _Builder(access, ordinal, None)
    return builder.position, builder.variant


@dataclass(frozen=True, slots=True)
class OwnSheet:
    """What somebody has saved for one phase, as he typed it; `turn` is a code."""

    slug: str
    power: str
    turn: str
    text: str


def own_sheets(user_id: int) -> tuple[OwnSheet, ...]:
    """All sheets that this person has saved in the seats he holds, for his eyes only."""
    held = Occupancy.objects.filter(user_id=user_id, until__isnull=True).select_related("game", "seat")
    return tuple(sheet for occupancy in held.order_by("pk") for sheet in _sheets_in(occupancy))


def _sheets_in(occupancy: Occupancy) -> Iterator[OwnSheet]:
    for phase in occupancy.game.phases.order_by("ordinal").defer("position"):
        if not store.is_own(occupancy, phase):
            continue
        body = store.read_own(occupancy, phase)
        if body.saved:
            yield OwnSheet(occupancy.game.slug, occupancy.seat.power, phase.turn, body.typed)


def deadlines_of(user_id: int) -> tuple[GameDeadlines, ...]:
    """The deadlines that come in all running games that this person plays or masters."""
    held = Occupancy.objects.filter(user_id=user_id, until__isnull=True).values("game_id")
    games = Game.objects.filter(Q(gm_id=user_id) | Q(pk__in=held), status=Status.RUNNING).order_by("pk")
    return tuple(
        GameDeadlines(game.slug, game.name, coming_in(game, phase, codec.variant_of(game).ruleset.calendar))
        for game in games
        if (phase := game.phases.filter(closed__isnull=True).defer("position").first())
    )


def absence_view(access: GameAccess) -> AbsenceView:
    """The days that this player has booked and may book; Http404 for everybody else."""
    if access.seat is None or access.user_id is None:
        raise Http404
    return absence_of(Game.objects.get(pk=access.game_id), access.user_id)


def vacant_seats(user: Viewer, **wanted: str) -> tuple[VacantSeat, ...]:
    """The vacant seats of public games under way, those with the nearest deadline first, as `lobby` narrows games."""
    user_id = user.pk if user.is_authenticated else None
    public = Game.objects.filter(by_invitation=False, status__in=UNDER_WAY).order_by("-created", "-pk")
    return seats_of(narrowed(public, **wanted), user_id)


def standby_of(user: Viewer) -> StandbyView | None:
    """Which vacant seats this viewer has asked to be told of; None if none."""
    return standby_view(user.pk) if user.is_authenticated else None


def gm_market_view(access: GmAccess) -> GmMarket:
    """The people for the seats of this game, for its master."""
    return gm_market(Game.objects.get(pk=access.game_id))


def successor(access: GmAccess) -> str:
    """The name of the one whom the game master has asked to take the game over; "" if nobody is asked."""
    return asked_name(access.game_id)


def sitter_view(access: GameAccess) -> SittingView | None:
    """The sitter whom this player has named; Http404 for everybody else."""
    if access.seat is None:
        raise Http404
    return sitting_for(access.seat.occupancy_id)


def my_sittings(user: Viewer) -> tuple[SittingView, ...]:
    """What this viewer is asked to do as a sitter, or does."""
    return sittings_of(user.pk) if user.is_authenticated else ()


def vacant_seat(access: GameAccess, power: str) -> VacantSeat:
    """One vacant seat of this game; Http404 if there is none of that power."""
    found = seats_of(Game.objects.filter(pk=access.game_id, status__in=UNDER_WAY), access.user_id)
    seat = next((seat for seat in found if seat.power.id == power), None)
    if seat is None:
        raise Http404
    return seat


def history_view(access: GameAccess) -> CentreHistory:
    """The supply centres of all powers from the start to now."""
    game = Game.objects.get(pk=access.game_id)
    rows = game.phases.order_by("ordinal").values_list("ordinal", "turn", "position__centres")
    recorded = [Recorded(ordinal, Turn.from_code(turn), centres) for ordinal, turn, centres in rows]
    last = Result.objects.filter(phase__game=game).order_by("-phase__ordinal").first()
    if last is not None and game.status in OVER:
        end = codec.public_of(last).next
        recorded.append(Recorded(recorded[-1].ordinal, end.turn, end.centres))
    return centre_history(recorded, codec.variant_of(game))


def undone_view(access: GameAccess) -> tuple[UndoneView, ...]:
    """What was undone in this game, the newest first: results that were public, and that count no more."""
    game = Game.objects.get(pk=access.game_id)
    variant = codec.variant_of(game)
    acts = Undoing.objects.filter(game=game).select_related("by").order_by("-pk")
    return tuple(_undone(act, variant) for act in acts)


def record_view(access: GameAccess) -> dict[str, Any]:
    """The game's published record, as a document for JSON: public facts, and sealed records without what they seal."""
    return record_of(Game.objects.select_related("gm").get(pk=access.game_id))


def receipt_view(access: GameAccess, ordinal: int) -> Receipt:
    """What is stored for the viewer's seat in a phase: while that is open also for who sits for him. Http404 for
    everybody else, and for what is older than receipts."""
    seat = access.sheet
    phase = Phase.objects.select_related("game").filter(game_id=access.game_id, ordinal=ordinal).first()
    if seat is None or phase is None or (seat.sitting is not None and phase.closed is not None):
        raise Http404
    occupancy = Occupancy.objects.get(pk=seat.occupancy_id)
    if not store.is_own(occupancy, phase):
        raise Http404
    receipt = receipt_for(seat.power, phase, store.read_own(occupancy, phase))
    if not receipt.file:
        raise Http404
    return receipt


def _undone(act: Undoing, variant: Variant) -> UndoneView:
    results = {
        result.phase_id: result
        for result in Result.every.filter(phase__undoing=act).select_related("phase__commitment")
    }
    phases = Phase.every.filter(undoing=act).order_by("ordinal")
    judged = [results[phase.pk] for phase in phases if phase.pk in results]
    return UndoneView(
        at=act.at,
        by=act.by.get_username(),
        back_to=Turn.from_code(act.back_to).title,
        reason=act.reason,
        results=tuple(_result_view_of(it.phase, codec.public_of(it), it.missed, variant) for it in judged),
        unjudged=tuple(_title(phase) for phase in phases if phase.pk not in results),
    )


def _title(phase: Phase) -> str:
    return phase_words(Turn.from_code(phase.turn))


def _result_view_of(phase: Phase, public: Public, missed: list[str], variant: Variant) -> ResultView:
    amendments = phase.amendments.order_by("pk")
    position, record = codec.position_of(phase), code_of(phase)
    return result_view(public, position, head_of(phase), missed, variant, amendments, sealed_record=record)


class _Builder:
    """Gathers the rows of one view, each of them public or the viewer's own."""

    def __init__(self, access: GameAccess, ordinal: int | None, typed: str | None) -> None:
        self.access = access
        self.typed = typed
        self.version = version_of(access.game_id)
        self.game = Game.objects.get(pk=access.game_id)
        self.variant: Variant = codec.variant_of(self.game)
        self.phases = list(self.game.phases.order_by("ordinal").defer("position"))
        self.shown = self._shown(ordinal)
        self.final = ordinal is None and self.game.status in OVER
        self.result = self._result()
        self.public: Public | None = codec.public_of(self.result) if self.result else None
        self.position = self._position()
        self.seats = list(self.game.seats.all())
        seated = Occupancy.objects.filter(game=self.game, until__isnull=True).select_related("user")
        self.seated = {occupancy.seat_id: occupancy for occupancy in seated}
        self.hidden = names_are_hidden(self.game, access.user_id)
        self.joining = self._joining()

    def _shown(self, ordinal: int | None) -> Phase | None:
        if ordinal is None:
            return self.phases[-1] if self.phases else None
        phase = next((phase for phase in self.phases if phase.ordinal == ordinal), None)
        if phase is None:
            raise Http404
        return phase

    def _result(self) -> Result | None:
        """Of the phase shown once it has one, else of the phase before."""
        if self.shown is None:
            return None
        wanted = [self.shown.ordinal - 1, self.shown.ordinal]
        results = Result.objects.filter(phase__game=self.game, phase__ordinal__in=wanted).select_related(
            "phase__commitment"
        )
        return results.order_by("-phase__ordinal").first()

    def _position(self) -> Position:
        if self.shown is None:
            return self.variant.start
        if self.final and self.public is not None and self._result_is_of_the_phase_shown():
            return self.public.next
        return codec.position_of(self.shown)

    def _result_is_of_the_phase_shown(self) -> bool:
        return self.result is not None and self.shown is not None and self.result.phase_id == self.shown.pk

    def view(self) -> PhaseView:
        heads = tuple(head_of(phase) for phase in self.phases)
        (card,) = cards(Game.objects.filter(pk=self.game.pk), user_id=self.access.user_id)
        return PhaseView(
            game=card,
            version=self.version,
            head=head_of(self.shown) if self.shown else None,
            coming=self._coming(),
            phases=heads,
            drawing=drawing_of(self.position, self.variant, self._outcomes_to_draw()),
            powers=self._powers(),
            position_lines=position_lines(self.position, self.variant),
            relations=relations_of(self.position, self.variant, self._my_power()),
            factions=factions_of(self.variant),
            notices=notice_views(codec.notices_of(self.shown)) if self.shown else (),
            result=self._result_view(),
            final=self.final,
            events=events_of(self.game, self.variant, hidden=self.hidden),
            my_power=self._my_power(),
            bot_plays_for_me=self._bot_plays_for_me(),
            can_write=self._can_write(),
            desk=self._desk(),
            own_sheet=self._own_sheet(),
            opened_bids=self._opened_bids(),
            gm=self._gm(heads),
            joining=self.joining,
            seats_to_take=self._seats_to_take(),
            i_may_leave=self._i_may_leave(),
            names_are_hidden=self.hidden,
            unread=unread_of(self.game, reader_of(self.access)),
            agreement=self._agreement(),
            farewell=self._farewell(),
            market=self._market(),
        )

    def _market(self) -> MarketView:
        asked = asked_into(self.game, self.access.user_id) is not None
        if self.game.status not in UNDER_WAY:
            return MarketView(asked_to_master=asked)
        free = [seat.power for seat in self.seats if seat.pk not in self.seated and not seat.disordered]
        offered = invitation_of(self.game, self.access.user_id)
        lost = way_back(self.game, self.access.user_id)
        return MarketView(
            vacant=tuple(power.id for power in self.variant.powers if power.id in free),
            offered=self.variant.power(offered.seat.power).name if offered else "",
            way_back=self.variant.power(lost.seat.power).name if lost else "",
            may_resign=self.access.seat is not None,
            asked_to_sit=self.access.lent is None and is_asked(self.game, self.access.user_id, clock.now()),
            sits_for=self.variant.power(self.access.lent.power).name if self.access.lent else "",
            asked_to_master=asked,
        )

    def _agreement(self) -> AgreementView | None:
        now = next((phase for phase in self.phases if phase.closed is None), None)
        if now is None or self.game.status not in UNDER_WAY:
            return None
        position = self.position if now is self.shown else codec.position_of(now)
        return agreement_of(self.game, position, self.variant, self._voting_power())

    def _voting_power(self) -> str | None:
        """Whoever sits for a player does not vote."""
        return self.access.seat.power if self.access.seat else None

    def _farewell(self) -> FarewellView | None:
        if not self.final or self.shown is None:
            return None
        return farewell_of(self.game, self.position, self.variant, self.access.user_id)

    def _coming(self) -> tuple[ComingView, ...]:
        phase = next((phase for phase in self.phases if phase.closed is None), None)
        return coming_in(self.game, phase, self.variant.ruleset.calendar)

    def _outcomes_to_draw(self) -> tuple[OrderOutcome, ...]:
        if self.public is None or self.final or not self._result_is_of_the_phase_shown():
            return ()
        return self.public.outcomes

    def _result_view(self) -> ResultView | None:
        if self.result is None or self.public is None:
            return None
        judged = self.result.phase
        return _result_view_of(judged, self.public, self.result.missed, self.variant)

    def _powers(self) -> tuple[PowerView, ...]:
        seats = {seat.power: seat for seat in self.seats}
        ready = self._ready_seats()
        return tuple(
            self._power(power, seats[power.id], ready) for power in self.variant.powers if power.id in seats
        )

    def _power(self, power: PowerInfo, seat: Seat, ready: frozenset[int] | None) -> PowerView:
        held = self.seated.get(seat.pk)
        mine = self.access.sheet is not None and self.access.sheet.power == power.id
        own = mine and self.access.lent is None
        return PowerView(
            id=power.id,
            name=power.name,
            adjective=power.adjective,
            letter=power.letter,
            colour=power.colour,
            player=held.user.get_username() if held and (own or not self.hidden) else "",
            seated=held is not None,
            bot=held.bot if held else False,
            disordered=seat.disordered,
            units=len(self.position.units_of(power.id)),
            centres=len(self.position.centres_of(power.id)),
            mine=mine,
            ready=None if ready is None or not (mine or self.game.options.show_ready) else seat.pk in ready,
            missed=held.missed if held else 0,
        )

    def _ready_seats(self) -> frozenset[int] | None:
        """The seats that have said so; None where the game has no readiness or the phase shown is closed."""
        if not self.game.options.all_ready or self.shown is None or self.shown.closed is not None:
            return None
        return frozenset(Readiness.objects.filter(phase=self.shown).values_list("seat_id", flat=True))

    def _my_power(self) -> str | None:
        return self.access.sheet.power if self.access.sheet else None

    def _mine(self) -> Occupancy | None:
        return self.seated.get(self.access.sheet.seat_id) if self.access.sheet else None

    def _bot_plays_for_me(self) -> bool:
        mine = self._mine()
        return mine is not None and mine.bot and self.access.seat is not None

    def _can_write(self) -> bool:
        if self._mine() is None or self.shown is None or self.shown.closed is not None:
            return False
        return self.shown.time_left(clock.now()) > timedelta(0)

    def _desk(self) -> Desk | None:
        mine, phase = self._mine(), self.shown
        if mine is None or phase is None or phase.closed is not None or self.access.sheet is None:
            return None
        body = store.read_own(mine, phase)
        ready = self._ready_seats()
        return desk_for(
            self.access.sheet.power,
            phase,
            body.typed if self.typed is None else self.typed,
            saved=body.lines if body.saved else None,
            ready=None if ready is None else mine.seat_id in ready,
            show_problems=self.typed is not None,
            receipt=mark_of(self.access.sheet.power, phase, body),
        )

    def _own_sheet(self) -> Receipt | None:
        mine, phase = self._mine(), self.shown
        if mine is None or phase is None or phase.closed is None or self.access.seat is None:
            return None
        if not store.is_own(mine, phase):
            return None
        return receipt_for(self.access.seat.power, phase, store.read_own(mine, phase))

    def _opened_bids(self) -> tuple[PowerBids, ...] | None:
        if self.result is None or self.game.status not in OVER:
            return None
        opened = (
            OpenedBids.objects.filter(phase_id=self.result.phase_id).select_related("phase__game").first()
        )
        return bids_from_rows(opened.bids, opened.phase, self.variant) if opened else None

    def _joining(self) -> JoiningView | None:
        if self.game.status != Status.OPEN:
            return None
        return joining_view(
            self.game, self.access.user_id, seated=self.access.seat is not None, hidden=self.hidden
        )

    def _i_may_leave(self) -> bool:
        return self.joining is not None and (self.access.seat is not None or self.joining.joined)

    def _seats_to_take(self) -> tuple[str, ...]:
        if self.joining is None or not self.joining.may_join or self.game.options.seats != Seats.CHOICE:
            return ()
        free = {seat.power for seat in self.seats if seat.pk not in self.seated}
        return tuple(power.id for power in self.variant.powers if power.id in free)

    def _gm(self, heads: tuple[PhaseHead, ...]) -> GmPowers | None:
        if not self.access.is_gm:
            return None
        status, phase = self.game.status, next((phase for phase in self.phases if phase.closed is None), None)
        ticking = phase is not None and phase.time_left(clock.now()) > timedelta(0)
        playable = tuple(seat.power for seat in self.seats if not seat.disordered) if phase else ()
        names_known = self.game.options.gm_sees_names()
        return GmPowers(
            can_start=status == Status.OPEN and bool(members_of(self.game)) and not is_mustering(self.game),
            can_pause=status == Status.RUNNING and ticking,
            can_resume=status == Status.PAUSED,
            can_extend=status in {Status.RUNNING, Status.PAUSED} and ticking,
            can_process_now=status == Status.RUNNING and ticking and self.game.options.gm_processes_early,
            can_declare=playable if ticking else (),
            can_seat=playable if names_known else (),
            can_empty=self._powers_to_empty() if ticking else (),
            can_preview=phase is not None and self._may_preview(),
            can_repair=self._phases_to_take_back(heads),
            can_change_position=status in {Status.RUNNING, Status.PAUSED} and ticking,
            can_close=status not in OVER and self.game.incident != MODERATORS,
            can_look_at_bids=self._phases_to_look_at(heads),
            requests=requests_of(self.game),
            invitation=self.game.invitation if self.game.by_invitation else "",
        )

    def _powers_to_empty(self) -> tuple[str, ...]:
        return tuple(seat.power for seat in self.seats if seat.pk in self.seated)

    def _may_preview(self) -> bool:
        return self.game.options.gm_may_preview() and not self._gm_has_had_a_seat()

    def _gm_has_had_a_seat(self) -> bool:
        return Occupancy.objects.filter(game=self.game, user_id=self.access.user_id or NOBODY).exists()

    def _phases_to_take_back(self, heads: tuple[PhaseHead, ...]) -> tuple[PhaseHead, ...]:
        if self.game.status not in {Status.RUNNING, Status.PAUSED}:
            return ()
        judged = self._judged_ordinals()
        return tuple(head for head in reversed(heads) if head.ordinal in judged)

    def _judged_ordinals(self) -> set[int]:
        return set(Result.objects.filter(phase__game=self.game).values_list("phase__ordinal", flat=True))

    def _phases_to_look_at(self, heads: tuple[PhaseHead, ...]) -> tuple[PhaseHead, ...]:
        """Judged movement phases, where the options allow it and the game master never had a seat."""
        if not self.game.options.gm_may_look() or not has_bids(self.variant):
            return ()
        if self._gm_has_had_a_seat():
            return ()
        judged = self._judged_ordinals()
        return tuple(head for head in heads if head.ordinal in judged and head.kind == "M")
