"""Each player's own orders and receipts, for that player alone. No other query opens sealed orders."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Annotated

from django.db.models import Min
from django.http import Http404
from django.utils.translation import gettext as _

from adjudication.auction import is_order_of
from adjudication.board import province_of
from adjudication.conditional import WishesDue, wishes_due
from adjudication.notation import order_writer
from adjudication.options import must_decide
from adjudication.orders import location_of
from adjudication.position import Position
from adjudication.resolution import Public
from adjudication.situation import Situation
from adjudication.turns import PhaseKind, Turn
from adjudication.units import NEUTRAL
from games.deadlines.ahead import KINDS_WRITTEN_AHEAD
from games.deadlines.news import PHASE_OPENED, RESULT_OUT
from games.deadlines.options import EarlyEnd
from games.deadlines.queries import seats_shown_as_ready
from games.history.parts import ResultView
from games.history.queries import view_of_result
from games.history.results import outcome_views
from games.kernel import codec
from games.kernel.access import GameAccess, SeatAccess, standpoint_of
from games.kernel.marks import InApi
from games.kernel.models import OVER, Letter, Occupancy, OpenedBids, Phase, Readiness, Result
from games.kernel.page import Page, part
from games.kernel.parts import Wanted, phase_mark
from games.kernel.phase_rows import PhaseRows
from games.kernel.refusals import Refusal
from games.kernel.rules import allowed
from games.orders.bids import power_bids_of
from games.orders.choices import sheet_view
from games.orders.parts import OwnBidResult, OwnTurn, PowerBids, Receipt, ReceiptMark, SheetView
from games.orders.receipts import receipt_of, receipt_text, saved_at, saved_code
from games.orders.rules import may_enter_orders, may_save, may_say_ready
from games.orders.sheets import ReadSheet, SentSheet, read_once
from games.sealed import store
from games.sealed.options import SeeingBids
from variants.words.orders import pretty_order

MOST_RECENT = 12


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
        # Without a receipt if nothing is saved, or if it is older than receipts.
        receipt=ReceiptMark(saved_code(phase, power, body), saved_at(body)) if body.saved and body.salt else None,
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
    """What the open phases ask of these players or their sitters, by game; `ready`: the seats shown as ready."""
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


def own_sheets(user_id: int) -> tuple[dict[str, str], ...]:
    """All orders that this user has saved in the seats they hold, as typed, for that user alone."""
    occupancies = Occupancy.objects.filter(user_id=user_id, until__isnull=True).select_related("game", "seat")
    sheets = []
    for occupancy in occupancies.order_by("pk"):
        for phase in occupancy.game.phases.order_by("ordinal").defer("position"):
            body = store.read_own(occupancy, phase) if store.is_own(occupancy, phase) else None
            if body is not None and body.saved:
                place = {"game": occupancy.game.slug, "power": occupancy.seat.power, "turn": phase.turn}
                sheets.append({**place, "text": body.typed})
    return tuple(sheets)


# Parts of the page of a game.


@part("order_sheet")
def order_sheet(
    page: Page,
) -> Annotated[SheetView | None, InApi("Your order sheet in the open phase; null if you have none.")]:
    """The order page, for a viewer who may write orders for the open phase shown."""
    return own_order_sheet(page.rows)


@part("bid_results")
def own_bid_results(page: Page) -> tuple[OwnBidResult, ...]:
    """The viewer’s bids in their last moves, each beside the order that its unit followed."""
    has_bids = page.rows.game.options[SeeingBids].bids
    sheet, last = (last_own_sheet(page), _last_orders(page)) if has_bids else (None, None)
    if sheet is None or last is None:
        return ()
    position, board = sheet.position, sheet.variant.ruleset.board
    views = outcome_views((it for it in last[1].outcomes if it.power == NEUTRAL), position, sheet.variant)
    followed = {province_of(location_of(it.told.order)): it for it in views}
    told = ((bid, followed.get(province_of(location_of(bid.order)))) for bid in sheet.lawful.bids)
    return tuple(
        OwnBidResult(
            bid.points,
            pretty_order(bid.order, position, board),
            given.text,
            is_order_of(bid, given.told.order),
            given.succeeded,
            given.sentence,
        )
        for bid, given in told
        if given
    )


@part("recent_results")
def recent_results(page: Page) -> tuple[tuple[Result, Public], ...]:
    """The results since the last moves or, if that is longer ago, since the viewer last looked, oldest first; at most
    `MOST_RECENT`."""
    rows = page.rows
    if rows.shown is None:
        return ()
    past = [Turn.from_code(it.turn) for it in rows.phases[: rows.shown.ordinal + 1] if it.closed]
    moves = [ordinal for ordinal, turn in enumerate(past) if turn.kind is PhaseKind.MOVEMENT]
    since = min(moves[-1] if moves else 0, unseen_from(page))
    found = Result.objects.filter(phase__game=rows.game, phase__ordinal__range=(since, rows.shown.ordinal))
    newest = found.select_related("phase__commitment").order_by("-phase__ordinal")[:MOST_RECENT]
    return tuple((it, codec.public_result_of(it)) for it in reversed(list(newest)))


@part("unseen_from")
def unseen_from(page: Page) -> int:
    """The first phase of those whose results the viewer saw together when they last found any; beyond all if they
    never did, and in games without letters."""
    told = Letter.objects.filter(game=page.rows.game, user=page.rows.user_id, seen__isnull=False)
    openings = told.filter(kind__in=(PHASE_OPENED.letter, RESULT_OUT.letter))
    looks = openings.values("seen").annotate(first=Min("ordinal")).order_by("-seen")
    return next((ordinal - 1 for ordinal in looks.values_list("first", flat=True)[:1]), len(page.rows.phases))


def _last_orders(page: Page) -> tuple[Result, Public] | None:
    """The last result with moves, declarations or placements of the viewer’s power; without any, the last result."""
    results = recent_results(page)
    own = (it for it in reversed(results) if any(each.power == page.my_power for each in it[1].outcomes))
    return next((it for it in own if it[1].turn.kind not in KINDS_WRITTEN_AHEAD), results[-1] if results else None)


@part("last_own_sheet")
def last_own_sheet(page: Page) -> ReadSheet | None:
    """What the viewer had saved for those moves."""
    last = _last_orders(page)
    kept = _kept_for(page, last[0].phase) if last else None
    return kept and kept[1]


def _kept_for(page: Page, phase: Phase) -> tuple[store.Body, ReadSheet] | None:
    """What the viewer had saved for a closed phase, as it is stored and as it is read."""
    seat, own = page.rows.access.seat, page.rows.mine
    if seat is None or own is None or not store.is_own(own, phase):
        return None
    body = store.read_own(own, phase)
    return body, read_once(SentSheet(body.lines), seat.power, codec.position_of(phase), page.rows.variant)


@part("own_turn")
def own_turn(page: Page) -> OwnTurn | None:
    """The last orders of the viewer’s power, and what has passed since; None without a power or a result."""
    last = _last_orders(page) if page.my_power else None
    if last is None:
        return None

    def told(result: Result, public: Public) -> tuple[ResultView, tuple[str, ...]]:
        view = view_of_result(page, result, public)
        if result.phase.ordinal <= last[0].phase.ordinal or public.turn.kind not in KINDS_WRITTEN_AHEAD:
            return view, ()
        given = {each.order for each in view.outcomes if each.power == page.my_power}
        return view, tuple(_wishes_in_words(last_own_sheet(page), codec.position_of(result.phase), given))

    since = min(last[0].phase.ordinal, unseen_from(page))
    passed = [told(*it) for it in recent_results(page) if it[0].phase.ordinal >= since and it is not last]
    return OwnTurn(told(*last)[0], tuple(passed), bool(passed) and passed[0][0].head.ordinal >= unseen_from(page))


@part("came_of_wishes")
def came_of_wishes(page: Page) -> tuple[str, ...]:
    """What came of what the viewer had written ahead for the open phase, as long as no other orders are saved."""
    shown = page.rows.shown
    is_due = shown is not None and Turn.from_code(shown.turn).kind in KINDS_WRITTEN_AHEAD
    sheet = order_sheet(page) if is_due else None
    if sheet is None:
        return ()
    given = {row.chosen for row in sheet.rows}
    return tuple(_wishes_in_words(last_own_sheet(page), page.rows.position, given, sheet))


def _wishes_in_words(
    own: ReadSheet | None, position: Position, given: set[str], now: SheetView | None = None
) -> Iterator[str]:
    """What came of the wishes for a phase with this position and these orders, which may be open `now`. Nothing is said
    of wishes that other orders have replaced."""
    if own is None:
        return
    rules, write = own.variant.ruleset, order_writer(position)
    for wishes in wishes_due(own.lawful.ahead, own.power, Situation(position, rules)):
        orders, skipped = (", ".join(pretty_order(it, position, rules.board) for it in those) for those in wishes)
        choices = ", ".join(_choices_instead(wishes, now)) if now else ""
        if not given.issuperset(map(write, wishes.given)) or not (wishes.given or (skipped and (choices or not now))):
            continue
        if wishes.given and skipped:
            message = _("As you wrote ahead: {orders}. Not possible: {skipped}.")
        elif wishes.given:
            message = _("As you wrote ahead: {orders}.")
        elif now:
            message = _("You wrote ahead what is not possible: {skipped}. Choose instead: {choices}.")
        else:
            message = _("You wrote ahead what was not possible: {skipped}.")
        yield message.format(orders=orders, skipped=skipped, choices=choices)


def _choices_instead(wishes: WishesDue, now: SheetView) -> dict[str, None]:
    """What can be chosen where no wish is possible, and nothing is chosen yet."""
    about = {location_of(it) for it in wishes.skipped} if now.kind == PhaseKind.RETREAT else ()
    rows = [row for row in now.rows if now.missing and not row.chosen and (not about or row.location in about)]
    return dict.fromkeys(choice.label for row in rows for choice in row.choices)


@part("own_sheet")
def saved_for_closed(
    page: Page,
) -> Annotated[Receipt | None, InApi("What counted for you in a closed phase; null if you had no orders.")]:
    """What the player had saved for the closed phase shown."""
    phase = page.rows.shown
    kept = _kept_for(page, phase) if phase and phase.closed else None
    return receipt_of(kept[1], phase, kept[0]) if phase and kept else None


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
