"""One seat's own sheet: reading what its holder typed, and laying it out as forms and receipts."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from adjudication.adjustments import adjustment_counts
from adjudication.auction import budget
from adjudication.board import province_of
from adjudication.legality import check_next
from adjudication.notation import pretty_order, read_sheet, write_order, write_sheet
from adjudication.options import bid_options, must_decide, order_options
from adjudication.orders import Build, Disband, OrderSheet, Waive, where
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.words import amount, unit_words
from games.history.drawing import arrows_of, factions_of, placed_by, unit_title
from games.history.relations import stance_towards
from games.kernel import codec
from games.kernel.parts import phase_mark
from games.orders.parts import (
    BidLine,
    BidRow,
    Choice,
    Desk,
    MinorChoice,
    OrderRow,
    PowerBids,
    ProblemView,
    Receipt,
    ReceiptMark,
)
from games.orders.receipts import file_of, saved_at, sealed_sheet

if TYPE_CHECKING:
    from collections.abc import Mapping

    from adjudication.board import Board
    from adjudication.options import UnitOptions
    from adjudication.orders import Bid, Order
    from adjudication.position import Position
    from adjudication.units import Unit
    from games.kernel.models import Phase
    from games.orders.receipts import Kept
    from variants.variant import Variant


LONGEST_TEXT = 2000
"""Characters of a typed sheet: with its canonical form it always fits into a sealed one."""


@dataclass(frozen=True, slots=True, repr=False)
class Reading:
    """What a text says: canonical lines of what is lawful, and the problems with the rest."""

    sheet: OrderSheet
    lines: str
    problems: tuple[ProblemView, ...]

    def __repr__(self) -> str:
        return "Reading(sealed)"


def read_text(power: str, phase: Phase, text: str) -> Reading:
    """Read a sheet as its holder typed it."""
    position, variant = codec.position_of(phase), codec.variant_of(phase.game)
    if len(text) > LONGEST_TEXT:
        sentence = f"The sheet has {len(text)} characters; it may have {LONGEST_TEXT}."
        return Reading(OrderSheet(), "", (ProblemView(1, "", sentence),))
    found = read_sheet(text, power, position, variant.ruleset)
    problems = tuple(ProblemView(problem.line, problem.text, problem.sentence) for problem in found.problems)
    return Reading(found.sheet, write_sheet(found.sheet, position), problems)


def receipt_for(power: str, phase: Phase, body: Kept) -> Receipt:
    """What is stored for this seat, in words."""
    position, variant = codec.position_of(phase), codec.variant_of(phase.game)
    sheet = read_text(power, phase, body.lines).sheet
    missing = missing_from(sheet, power, position, variant)
    return Receipt(
        ordinal=phase.ordinal,
        turn_title=position.turn.title,
        kind=position.turn.kind.value,
        kind_title=position.turn.kind_title,
        text=body.lines,
        orders=tuple(pretty_order(order, position, variant.ruleset.board) for order in sheet.orders),
        bids=bids_of(sheet, position, variant),
        budget=budget(power, position, variant.ruleset),
        spent=sum(bid.points for bid in sheet.bids),
        saved=body.saved,
        complete=not missing,
        missing=missing,
        code=sealed_sheet(phase, power, body).code if body.salt else "",
        at=saved_at(body),
        file=file_of(phase, power, body) if body.salt else "",
    )


def mark_of(power: str, phase: Phase, body: Kept) -> ReceiptMark | None:
    """The receipt of what is saved for an open phase; None without anything, or from before there were receipts."""
    if not body.saved or not body.salt:
        return None
    return ReceiptMark(sealed_sheet(phase, power, body).code, saved_at(body))


def bids_of(sheet: OrderSheet, position: Position, variant: Variant) -> tuple[BidLine, ...]:
    board = variant.ruleset.board
    return tuple(
        BidLine(bid.points, pretty_order(bid.order, position, board), write_order(bid.order, position))
        for bid in sheet.bids
    )


def bids_from_rows(
    rows: Mapping[str, list[list[Any]]], phase: Phase, variant: Variant
) -> tuple[PowerBids, ...]:
    """Bids that were published at the end of a game: rows of [points, canonical order] by power."""
    position = codec.position_of(phase)
    lines = {power: "\n".join(f"{points}: {order}" for points, order in bids) for power, bids in rows.items()}
    sheets = codec.sheets_of(lines, position, variant)
    return tuple(
        PowerBids(power, variant.power(power).name, bids_of(sheet, position, variant))
        for power, sheet in sheets.items()
    )


def desk_for(
    power: str,
    phase: Phase,
    text: str,
    *,
    saved: str | None,
    ready: bool | None,
    show_problems: bool,
    receipt: ReceiptMark | None = None,
) -> Desk:
    """The order page of a power, filled with a text (what is saved, or what was just typed). `saved`: the canonical
    lines that are stored, None without any."""
    position, variant = codec.position_of(phase), codec.variant_of(phase.game)
    rules = variant.ruleset
    reading = read_text(power, phase, text)
    missing = missing_from(reading.sheet, power, position, variant)
    due = _due(power, position, variant)
    return Desk(
        ordinal=phase.ordinal,
        mark=phase_mark(phase.ordinal, phase.opened),
        power=power,
        kind=position.turn.kind.value,
        text=text,
        problems=reading.problems if show_problems else (),
        rows=rows_of(reading.sheet, power, position, variant),
        bid_rows=tuple(_bid_row(bid, position) for bid in reading.sheet.bids),
        minors=minors_of(position, variant),
        budget=budget(power, position, rules),
        spent=sum(bid.points for bid in reading.sheet.bids),
        adjustment=sum(due.values()),
        adjustments=due,
        factions=factions_of(variant),
        saved=saved is not None,
        complete=not missing,
        missing=missing,
        ready=ready,
        nothing_to_decide=power not in must_decide(position, rules),
        arrows=arrows_of(reading.sheet, position, rules.board),
        placed=placed_by(reading.sheet, power, position, variant),
        homes=rules.builds.homes(power, Situation(position, rules))
        or _where_it_stands(power, position, rules.board),
        muster=rules.muster == position.turn,
        idle=tuple(unit_words(unit, rules.board) for unit in _idle(power, position, variant)),
        idle_because=rules.disorder.why,
        outdated=read_text(power, phase, saved).problems if saved else (),
        receipt=receipt,
    )


def _where_it_stands(power: str, position: Position, board: Board) -> tuple[str, ...]:
    """For a power that starts without a home."""
    return tuple(sorted({board.around(unit.location) for unit in position.units_of(power)}))


def _due(power: str, position: Position, variant: Variant) -> dict[str, int]:
    """By faction: the units to build or place (>0) or to remove (<0)."""
    if position.turn.kind is not PhaseKind.DEPLOYMENT:
        return adjustment_counts(power, Situation(position, variant.ruleset))
    situation, placed = Situation(position, variant.ruleset), list[Build]()
    for choice in order_options(power, position, variant.ruleset):
        for order in choice.orders:
            if isinstance(order, Build) and check_next(order, placed, power, situation) is None:
                placed.append(order)
    return dict(Counter(order.faction for order in placed))


def missing_from(sheet: OrderSheet, power: str, position: Position, variant: Variant) -> tuple[str, ...]:
    """What a sheet leaves undecided: units without an order, builds and removals not chosen, or what the rules of a
    phase of their own say."""
    special = variant.ruleset.special.get(position.turn.kind)
    if special:
        return special.missing(sheet.orders, power, Situation(position, variant.ruleset))
    if position.turn.kind is PhaseKind.ADJUSTMENT:
        return _missing_adjustments(sheet, power, position, variant)
    ordered = {province_of(where(order)) for order in sheet.orders}
    if position.turn.kind is PhaseKind.RETREAT:
        units = tuple(beaten.unit for beaten in position.dislodged if beaten.unit.power == power)
    else:
        idle = _idle(power, position, variant)
        units = tuple(unit for unit in position.units_of(power) if unit not in idle)
    return tuple(unit_words(unit, variant.ruleset.board) for unit in units if unit.province not in ordered)


def _idle(power: str, position: Position, variant: Variant) -> tuple[Unit, ...]:
    """The units that take no orders now."""
    leaderless = variant.ruleset.disorder.leaderless(position)
    return tuple(unit for unit in position.units_of(power) if unit.province in leaderless)


def _missing_adjustments(
    sheet: OrderSheet, power: str, position: Position, variant: Variant
) -> tuple[str, ...]:
    """As in "2 builds", "1 communist removal". A build that is waived may be one of any faction."""
    waived = sum(isinstance(order, Waive) for order in sheet.orders)
    missing = []
    for faction, count in adjustment_counts(power, Situation(position, variant.ruleset)).items():
        words = f"{variant.ruleset.factions.get(faction, '')} {'build' if count > 0 else 'removal'}".strip()
        left = abs(count) - _chosen(sheet, faction, position, builds=count > 0)
        given_up = min(waived, left) if count > 0 else 0
        waived -= given_up
        if left > given_up:
            missing.append(amount(left - given_up, words))
    return tuple(missing)


def _chosen(sheet: OrderSheet, faction: str, position: Position, *, builds: bool) -> int:
    """How many units of a faction the sheet builds, or removes."""
    if builds:
        return sum(isinstance(order, Build) and order.faction == faction for order in sheet.orders)
    removed = (position.unit_at(order.location) for order in sheet.orders if isinstance(order, Disband))
    return sum(unit is not None and unit.faction == faction for unit in removed)


def rows_of(sheet: OrderSheet, power: str, position: Position, variant: Variant) -> tuple[OrderRow, ...]:
    """What a power may order on a position, with what the sheet orders chosen."""
    return _rows(order_options(power, position, variant.ruleset), sheet, power, position, variant)


def _rows(
    options: tuple[UnitOptions, ...], sheet: OrderSheet, power: str, position: Position, variant: Variant
) -> tuple[OrderRow, ...]:
    """Each written order is chosen in one row; a waived build, which names no place, in the first row that is free."""
    left = Counter(write_order(order, position) for order in sheet.orders)
    return tuple(
        _row(choice, left, _label(choice, power, position, variant), position, variant) for choice in options
    )


def _row(
    options: UnitOptions, left: Counter[str], label: str, position: Position, variant: Variant
) -> OrderRow:
    values = [write_order(order, position) for order in options.orders]
    chosen = next((value for value in values if left[value]), "")
    left[chosen] -= 1
    choices = tuple(_choice(order, chosen, position, variant) for order in options.orders)
    return OrderRow(options.location, label, choices, chosen)


def _choice(order: Order, chosen: str, position: Position, variant: Variant) -> Choice:
    value = write_order(order, position)
    return Choice(value, pretty_order(order, position, variant.ruleset.board), value == chosen)


def _label(options: UnitOptions, power: str, position: Position, variant: Variant) -> str:
    """What a row is about: a unit, another power and what it is to this one now, or a place."""
    if options.unit is not None:
        return _unit_label(options.unit, position, variant)
    if options.location in variant.ruleset.powers:
        return _power_label(options.location, power, position, variant)
    name = variant.ruleset.board.province(options.location).name
    return name if position.turn.kind is PhaseKind.DEPLOYMENT else f"Build in {name}"


def _unit_label(unit: Unit, position: Position, variant: Variant) -> str:
    """As on the map; of its player's factions the faction is enough: "Communist army in Prague"."""
    if unit.faction:
        name = variant.ruleset.board.provinces[unit.province].name
        return f"{variant.ruleset.factions[unit.faction].capitalize()} {unit.kind.word} in {name}"
    return unit_title(unit, variant, formed=variant.ruleset.muster != position.turn)


def _power_label(other: str, power: str, position: Position, variant: Variant) -> str:
    """As in "France, now war"."""
    name, stance = variant.power(other).name, stance_towards(other, power, position, variant)
    return f"{name}, now {stance}" if stance else name


def _bid_row(bid: Bid, position: Position) -> BidRow:
    return BidRow(where(bid.order), write_order(bid.order, position), bid.points)


def minors_of(position: Position, variant: Variant) -> tuple[MinorChoice, ...]:
    """The units for whose orders points can be bid."""
    return tuple(_minor(options, position, variant) for options in bid_options(position, variant.ruleset))


def _minor(options: UnitOptions, position: Position, variant: Variant) -> MinorChoice:
    choices = tuple(_choice(order, "", position, variant) for order in options.orders)
    assert options.unit is not None, "points are bid for orders of units"
    return MinorChoice(options.location, unit_title(options.unit, variant), choices)
