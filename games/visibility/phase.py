"""One phase of one game, put together for one viewer."""

from __future__ import annotations

from dataclasses import fields, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from games import clock, codec
from games.agreements import agreement_of
from games.coming import coming_in
from games.desk import bids_from_rows
from games.drawing import drawing_of, factions_of
from games.entry import joining_view
from games.farewell import farewell_of
from games.masters import asked_into
from games.models import OVER, UNDER_WAY, Game, OpenedBids, Seats, Status
from games.offers import invitation_of, way_back
from games.phase_view import MarketView, PhaseView, PowerView
from games.relations import relations_of
from games.results import notice_views, position_lines
from games.selectors import cards, events_of, head_of
from games.sitting import is_asked
from games.talk import unread_of
from games.terms import grouped, house_rules, terms_of, what_is_played
from games.visibility.game_master import gm_powers
from games.visibility.gathered import Gathered
from games.visibility.own import own_desk, own_sheet
from games.visibility.past import result_of
from games.visibility.talk import reader_of

if TYPE_CHECKING:
    from adjudication.position import Position
    from adjudication.resolution import OrderOutcome
    from games.models import Seat
    from games.phase_view import AgreementView, FarewellView, JoiningView, PowerBids, ResultView
    from games.terms import TermGroup
    from games.visibility.access import GameAccess
    from variants.variant import PowerInfo, Variant


def phase_view(access: GameAccess, ordinal: int | None = None, *, typed: str | None = None) -> PhaseView:
    """One phase for this viewer: the open one, or the one with that ordinal (Http404 if there is none).

    Without an ordinal, before the start: the start position; after the end: the final one.
    With `typed` the desk is filled with that text instead of the saved sheet, and names its mistakes.
    """
    return _view(Gathered(access, ordinal), typed)


def public_view(access: GameAccess, ordinal: int | None = None) -> PhaseView:
    """`phase_view` as anybody sees it who may see this game at all, whoever is looking."""
    return phase_view(replace(access, user_id=None, seat=None, lent=None, is_gm=False), ordinal)


def position_view(access: GameAccess, ordinal: int | None = None) -> tuple[Position, Variant]:
    """The position that `phase_view` shows, as the rules know it."""
    rows = Gathered(access, ordinal)
    return rows.position, rows.variant


def terms_view(access: GameAccess) -> tuple[TermGroup, ...]:
    """Everything one agrees to by joining, in words and by group."""
    game = Game.objects.get(pk=access.game_id)
    variant = codec.variant_of(game)
    chosen = terms_of(game.options, variant, by_invitation=game.by_invitation)
    return grouped((what_is_played(variant), *chosen, *house_rules(game.options, variant)))


def choices_of(access: GameAccess) -> dict[str, Any]:
    """What was chosen when the game was created, as arguments of the service that creates games, except `by`. All of it
    stands in its terms. `press` None: as the rules of the variant say."""
    game = Game.objects.get(pk=access.game_id)
    options, usual = game.options, codec.variant_of(game).press_default
    return {
        "name": game.name,
        "variant": game.variant_slug,
        "by_invitation": game.by_invitation,
        **{field.name: getattr(options, field.name) for field in fields(options)},
        "press": None if options.press == usual else options.press,
    }


def _view(rows: Gathered, typed: str | None) -> PhaseView:
    heads = tuple(head_of(phase) for phase in rows.phases)
    (card,) = cards(Game.objects.filter(pk=rows.game.pk), user_id=rows.access.user_id)
    joining = _joining(rows)
    return PhaseView(
        game=card,
        version=rows.version,
        head=head_of(rows.shown) if rows.shown else None,
        coming=coming_in(rows.game, rows.open_phase, rows.variant.ruleset.calendar),
        phases=heads,
        drawing=drawing_of(rows.position, rows.variant, _outcomes_to_draw(rows)),
        powers=_powers(rows),
        position_lines=position_lines(rows.position, rows.variant),
        relations=relations_of(rows.position, rows.variant, rows.my_power),
        factions=factions_of(rows.variant),
        notices=notice_views(codec.notices_of(rows.shown)) if rows.shown else (),
        result=_result(rows),
        final=rows.final,
        events=events_of(rows.game, rows.variant, hidden=rows.hidden),
        my_power=rows.my_power,
        bot_plays_for_me=_bot_plays_for_me(rows),
        can_write=_can_write(rows),
        desk=own_desk(rows, typed),
        own_sheet=own_sheet(rows),
        opened_bids=_opened_bids(rows),
        gm=gm_powers(rows, heads),
        joining=joining,
        seats_to_take=_seats_to_take(rows, joining),
        i_may_leave=joining is not None and (rows.access.seat is not None or joining.joined),
        names_are_hidden=rows.hidden,
        unread=unread_of(rows.game, reader_of(rows.access)),
        agreement=_agreement(rows),
        farewell=_farewell(rows),
        market=_market(rows),
    )


def _result(rows: Gathered) -> ResultView | None:
    if rows.result is None or rows.public is None:
        return None
    return result_of(rows.result, rows.public, rows.variant)


def _outcomes_to_draw(rows: Gathered) -> tuple[OrderOutcome, ...]:
    if rows.public is None or rows.final or not rows.shows_its_result:
        return ()
    return rows.public.outcomes


def _powers(rows: Gathered) -> tuple[PowerView, ...]:
    seats = {seat.power: seat for seat in rows.seats}
    return tuple(_power(rows, power, seats[power.id]) for power in rows.variant.powers if power.id in seats)


def _power(rows: Gathered, power: PowerInfo, seat: Seat) -> PowerView:
    held = rows.seated.get(seat.pk)
    mine = rows.my_power == power.id
    own = mine and rows.access.lent is None
    ready = rows.ready if mine or rows.game.options.show_ready else None
    return PowerView(
        id=power.id,
        name=power.name,
        adjective=power.adjective,
        letter=power.letter,
        colour=power.colour,
        player=held.user.get_username() if held and (own or not rows.hidden) else "",
        seated=held is not None,
        bot=held.bot if held else False,
        disordered=seat.disordered,
        units=len(rows.position.units_of(power.id)),
        centres=len(rows.position.centres_of(power.id)),
        mine=mine,
        ready=None if ready is None else seat.pk in ready,
        missed=held.missed if held else 0,
    )


def _bot_plays_for_me(rows: Gathered) -> bool:
    return rows.mine is not None and rows.mine.bot and rows.access.seat is not None


def _can_write(rows: Gathered) -> bool:
    if rows.mine is None or rows.shown is None or rows.shown.closed is not None:
        return False
    return rows.shown.time_left(clock.now()) > timedelta(0)


def _opened_bids(rows: Gathered) -> tuple[PowerBids, ...] | None:
    if rows.result is None or rows.game.status not in OVER:
        return None
    opened = OpenedBids.objects.filter(phase_id=rows.result.phase_id).select_related("phase__game").first()
    return bids_from_rows(opened.bids, opened.phase, rows.variant) if opened else None


def _joining(rows: Gathered) -> JoiningView | None:
    if rows.game.status != Status.OPEN:
        return None
    seated = rows.access.seat is not None
    return joining_view(rows.game, rows.access.user_id, seated=seated, hidden=rows.hidden)


def _seats_to_take(rows: Gathered, joining: JoiningView | None) -> tuple[str, ...]:
    if joining is None or not joining.may_join or rows.game.options.seats != Seats.CHOICE:
        return ()
    free = {seat.power for seat in rows.seats if seat.pk not in rows.seated}
    return tuple(power.id for power in rows.variant.powers if power.id in free)


def _agreement(rows: Gathered) -> AgreementView | None:
    """Whoever sits for a player does not vote."""
    now = rows.open_phase
    if now is None or rows.game.status not in UNDER_WAY:
        return None
    position = rows.position if now is rows.shown else codec.position_of(now)
    voter = rows.access.seat.power if rows.access.seat else None
    return agreement_of(rows.game, position, rows.variant, voter)


def _farewell(rows: Gathered) -> FarewellView | None:
    if not rows.final or rows.shown is None:
        return None
    return farewell_of(rows.game, rows.position, rows.variant, rows.access.user_id)


def _market(rows: Gathered) -> MarketView:
    user_id, lent = rows.access.user_id, rows.access.lent
    asked = asked_into(rows.game, user_id) is not None
    if rows.game.status not in UNDER_WAY:
        return MarketView(asked_to_master=asked)
    free = [seat.power for seat in rows.seats if seat.pk not in rows.seated and not seat.disordered]
    offered, lost = invitation_of(rows.game, user_id), way_back(rows.game, user_id)
    return MarketView(
        vacant=tuple(power.id for power in rows.variant.powers if power.id in free),
        offered=rows.variant.power(offered.seat.power).name if offered else "",
        way_back=rows.variant.power(lost.seat.power).name if lost else "",
        may_resign=rows.access.seat is not None,
        asked_to_sit=lent is None and is_asked(rows.game, user_id, clock.now()),
        sits_for=rows.variant.power(lent.power).name if lent else "",
        asked_to_master=asked,
    )
