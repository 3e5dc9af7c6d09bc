"""Each player's own orders and receipts, for that player alone. No other query opens sealed orders."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from django.http import Http404

from adjudication.board import province_of
from adjudication.options import must_decide
from adjudication.orders import location_of
from adjudication.units import NEUTRAL
from games.deadlines.options import EarlyEnd
from games.deadlines.queries import seats_shown_as_ready
from games.kernel import codec
from games.kernel.access import GameAccess, SeatAccess, standpoint_of
from games.kernel.marks import InApi
from games.kernel.models import OVER, Occupancy, OpenedBids, Phase, Readiness
from games.kernel.page import Page, part
from games.kernel.parts import Wanted, phase_mark
from games.kernel.phase_rows import PhaseRows
from games.kernel.refusals import Refusal
from games.kernel.rules import allowed
from games.orders.bids import power_bids_of
from games.orders.choices import sheet_view
from games.orders.parts import OwnBidResult, PowerBids, Receipt, ReceiptMark, SheetView
from games.orders.receipts import receipt_of, receipt_text, saved_at, saved_code
from games.orders.rules import may_enter_orders, may_save, may_say_ready
from games.orders.sheets import ReadSheet, SentSheet, read_once
from games.sealed import store
from games.sealed.options import SeeingBids
from variants.words.orders import pretty_order


def own_order_sheet(rows: PhaseRows, sent_sheet: SentSheet | None = None) -> SheetView | None:
    """The order page of the open phase, for a viewer who may write orders: with the orders that count now, or with
    those of `sent_sheet` and every mistake in them."""
    writable = _seat_to_write_for(rows)
    if writable is None:
        return None
    power, occupancy, phase = writable
    body = store.read_own(occupancy, phase)
    sheet = read_once(sent_sheet or SentSheet(body.lines), power, rows.position, rows.variant)
    view = sheet_view(sheet) if sent_sheet else replace(sheet_view(sheet), text=body.typed, problems=())
    return replace(
        view,
        ordinal=phase.ordinal,
        mark=phase_mark(phase.ordinal, phase.opened),
        saved=body.saved,
        ready=_is_ready(rows, occupancy, body),
        outdated=() if sent_sheet else sheet.problems,
        receipt=_receipt_mark(power, phase, body),
        by_gm=body.by_gm,
        as_gm=_gm_enters_orders(rows),
    )


def _gm_enters_orders(rows: PhaseRows) -> bool:
    """Does the game master look at the orders of a player who agreed to it?"""
    return rows.access.sheet is not None and rows.access.sheet.gm is not None


def access_to_enter(access: GameAccess, power: str) -> GameAccess:
    """Access of a game master or assistant to the seat of a player who lets them enter orders; Http404 otherwise."""
    try:
        holder = may_enter_orders(standpoint_of(access), power)
    except Refusal as refusal:
        raise Http404 from refusal
    assert access.user_id is not None, "a game master has an account"
    seat = SeatAccess(
        access.game_id,
        access.slug,
        holder.seat_id,
        holder.pk,
        access.user_id,
        power,
        since=holder.since,
        talks=False,
        gm=access.user_id,
    )
    return replace(access, lent=seat)


def _is_ready(rows: PhaseRows, occupancy: Occupancy, body: store.Body) -> bool | None:
    """Has this seat said that it is ready? None if players cannot be ready in this game, and for its game master."""
    if _gm_enters_orders(rows) or not rows.game.options[EarlyEnd].all_ready:
        return None
    seats_ready = seats_shown_as_ready(rows)
    return body.ready if seats_ready is None else occupancy.seat_id in seats_ready


def ready_seats(seats: Sequence[tuple[Occupancy, Phase]]) -> set[int]:
    """The seats among these that are shown as ready."""
    rows = Readiness.objects.filter(
        phase__in=[phase.pk for _, phase in seats], seat__in=[it.seat_id for it, _ in seats]
    )
    return set(rows.values_list("seat_id", flat=True))


def wanted_by_game(seats: Sequence[tuple[Occupancy, Phase]], ready: Collection[int]) -> dict[int, Wanted]:
    """What the open phases ask of these players or of their sitters, by game; `ready`: the seats that are shown as
    ready."""
    by_people = [(occupancy, phase) for occupancy, phase in seats if not occupancy.bot and phase.game.options.variant]
    bodies = store.read_each_own(by_people)
    wants = dict.fromkeys((phase.game_id for _, phase in seats), Wanted.NOTHING)
    for occupancy, phase in by_people:
        rules = codec.variant_of(phase.game).ruleset
        if occupancy.seat.power not in must_decide(codec.position_of(phase), rules):
            continue
        body = bodies[phase.pk]
        is_ready = body.ready or occupancy.seat_id in ready
        wants[phase.game_id] = Wanted.ORDERS if not body.saved else Wanted.READY if is_ready else Wanted.SAVED
    return wants


def _receipt_mark(power: str, phase: Phase, body: store.Body) -> ReceiptMark | None:
    """The receipt for what is saved for an open phase; None if nothing is saved, or if it is older than receipts."""
    if not body.saved or not body.salt:
        return None
    return ReceiptMark(saved_code(phase, power, body), saved_at(body))


def own_receipt(rows: PhaseRows) -> Receipt | None:
    """What the player had saved for the closed phase shown."""
    seat, occupancy, phase = rows.access.seat, rows.mine, rows.shown
    if seat is None or occupancy is None or phase is None or phase.closed is None:
        return None
    if not store.is_own(occupancy, phase):
        return None
    body, position = store.read_own(occupancy, phase), codec.position_of(phase)
    return receipt_of(read_once(SentSheet(body.lines), seat.power, position, rows.variant), phase, body)


def bid_results_of(rows: PhaseRows) -> Iterator[OwnBidResult]:
    """The player's own bids in the phase of the result, with the public result of each."""
    if not rows.game.options[SeeingBids].bids:
        return
    seat, own, result, content = rows.access.seat, rows.mine, rows.result, rows.public
    if seat is None or own is None or result is None or content is None or not store.is_own(own, result.phase):
        return
    position, board = codec.position_of(result.phase), rows.variant.ruleset.board
    sheet = read_once(SentSheet(store.read_own(own, result.phase).lines), seat.power, position, rows.variant)
    followed = {province_of(location_of(it.order)): it.order for it in content.outcomes if it.power == NEUTRAL}
    for bid in sheet.lawful.bids:
        order = followed.get(province_of(location_of(bid.order)))
        if order is not None:
            bid_words, followed_words = (pretty_order(it, position, board) for it in (bid.order, order))
            yield OwnBidResult(bid.points, bid_words, followed_words, followed_words == bid_words)


def sheet_to_write(rows: PhaseRows, sent_sheet: SentSheet | None) -> ReadSheet | None:
    """The orders of `sent_sheet`, or else those that count now, read; None if the viewer may not write orders now."""
    writable = _seat_to_write_for(rows)
    if writable is None:
        return None
    power, mine, phase = writable
    if sent_sheet is None:
        body = store.read_own(mine, phase)
        sent_sheet = SentSheet(body.lines, after=saved_code(phase, power, body))
    return read_once(sent_sheet, power, rows.position, rows.variant)


def newest_mark(access: GameAccess) -> str:
    """The mark of the open phase and, after a space, the receipt code of the orders saved for the seat that the viewer
    writes for; no code if nothing is saved. Raises Http404 without an open phase."""
    seat, phase = access.sheet, access.game.phases.filter(closed__isnull=True).defer("position").first()
    if seat is None or phase is None:
        raise Http404
    mine = Occupancy.objects.get(pk=seat.occupancy_id)
    code = saved_code(phase, seat.power, store.read_own(mine, phase))
    return f"{phase_mark(phase.ordinal, phase.opened)} {code}"


def _seat_to_write_for(rows: PhaseRows) -> tuple[str, Occupancy, Phase] | None:
    """The power, occupancy and phase for which the viewer may write orders; None if there is none."""
    seat, occupancy, phase = rows.access.sheet, rows.mine, rows.shown
    if seat is None or occupancy is None or phase is None or phase.closed is not None:
        return None
    return seat.power, occupancy, phase


def receipt_file_of(access: GameAccess, ordinal: int) -> str:
    """The receipt for the stored orders of the viewer's seat in a phase, as a text to keep. Sitters get it while the
    phase is open. Raises Http404 for everyone else, and for orders older than receipts."""
    seat = access.sheet
    phase = Phase.objects.select_related("game").filter(game_id=access.game_id, ordinal=ordinal).first()
    if seat is None or phase is None or (seat.sitting is not None and phase.closed is not None):
        raise Http404
    occupancy = Occupancy.objects.get(pk=seat.occupancy_id)
    if not store.is_own(occupancy, phase):
        raise Http404
    body = store.read_own(occupancy, phase)
    if not body.salt:
        raise Http404
    return receipt_text(phase, seat.power, body)


@dataclass(frozen=True, slots=True)
class OwnSheet:
    """The orders saved for one phase, as typed; `turn` is a code."""

    slug: str
    power: str
    turn: str
    text: str


def own_sheets(user_id: int) -> tuple[OwnSheet, ...]:
    """All orders that this user has saved in the seats they hold, for that user alone."""
    occupancies = Occupancy.objects.filter(user_id=user_id, until__isnull=True).select_related("game", "seat")
    return tuple(sheet for occupancy in occupancies.order_by("pk") for sheet in _saved_sheets(occupancy))


def _saved_sheets(occupancy: Occupancy) -> Iterator[OwnSheet]:
    for phase in occupancy.game.phases.order_by("ordinal").defer("position"):
        if not store.is_own(occupancy, phase):
            continue
        body = store.read_own(occupancy, phase)
        if body.saved:
            yield OwnSheet(occupancy.game.slug, occupancy.seat.power, phase.turn, body.typed)


# Parts of the page of a game.


@part("order_sheet")
def order_sheet(
    page: Page,
) -> Annotated[SheetView | None, InApi("Your order sheet in the open phase; null if you have none.")]:
    """The order page, for a viewer who may write orders for the open phase shown."""
    return own_order_sheet(page.rows)


@part("bid_results")
def own_bid_results(page: Page) -> tuple[OwnBidResult, ...]:
    """The viewer’s bids in the phase of the result, each beside the order that its unit followed."""
    return tuple(bid_results_of(page.rows))


@part("own_sheet")
def saved_for_closed(
    page: Page,
) -> Annotated[Receipt | None, InApi("What counted for you in a closed phase; null if you had no orders.")]:
    """What the player had saved for the closed phase shown."""
    return own_receipt(page.rows)


@part("can_write")
def can_write(page: Page) -> Annotated[bool, InApi("You can save orders for this phase now.")]:
    """May the viewer save orders now?"""
    return allowed(may_save, page.rows, page.rows.mine, page.rows.shown)


@part("is_asked")
def is_asked(page: Page) -> bool:
    """Does the viewer have anything to decide in this phase?"""
    own = order_sheet(page)
    return own is not None and not own.nothing_to_decide


@part("can_say_ready")
def can_say_ready(page: Page) -> Annotated[bool, InApi("You can say that you are ready now.")]:
    """May the viewer say now that they are ready? A game master may not do so for a player."""
    return not enters_for_player(page) and allowed(may_say_ready, page.rows, page.rows.mine, page.rows.shown)


@part("enters_for_player")
def enters_for_player(page: Page) -> bool:
    """Is the viewer the game master, at the seat of a player who agreed to it?"""
    return _gm_enters_orders(page.rows)


@part("opened_bids")
def opened_bids(
    page: Page,
) -> Annotated[
    tuple[PowerBids, ...] | None, InApi("All bids, if they were opened after the end; null while they are sealed.")
]:
    """All bids of the phase that led to this result; None if they stay sealed."""
    rows = page.rows
    if rows.game.status not in OVER or rows.result is None:
        return None
    opened = OpenedBids.objects.filter(phase_id=rows.result.phase_id).select_related("phase__game").first()
    return power_bids_of(opened) if opened else None
