"""From positions and outcomes to what the map shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from adjudication.notation import pretty_order
from adjudication.orders import Build, Convoy, Declare, Disband, Hold, Move, Retreat, Support, Waive
from adjudication.resolution import Result
from adjudication.units import NEUTRAL
from adjudication.words import amount
from games.phase_view import Drawing
from variants.drawing import Arrow, UnitMark, draw_board
from variants.registry import find

if TYPE_CHECKING:
    from collections.abc import Iterable

    from adjudication.board import Board
    from adjudication.orders import Bid, Order, Sheet
    from adjudication.position import Position
    from adjudication.resolution import OrderOutcome
    from adjudication.units import Unit
    from variants.variant import Variant

MINOR = "minor"
FAILURES = frozenset(Result) - {Result.SUCCEEDS, Result.GIVEN, Result.AVAILABLE, Result.STANDS}


def draw(variant_slug: str, drawing: Drawing) -> str:
    """The map as SVG; every text in it is escaped."""
    return draw_board(
        find(variant_slug).art,
        drawing.owners,
        drawing.units,
        dislodged=drawing.dislodged,
        arrows=drawing.arrows,
        title=drawing.title,
    )


def drawing_of(position: Position, variant: Variant, outcomes: Iterable[OrderOutcome] = ()) -> Drawing:
    """A position, with an arrow for each of these outcomes of the orders given on it."""
    return Drawing(
        owners={centre: colour_of(power, variant) for centre, power in position.centres.items()},
        units=tuple(_mark(unit, variant) for unit in position.units),
        dislodged=tuple(_mark(beaten.unit, variant) for beaten in position.dislodged),
        arrows=tuple(arrow for outcome in outcomes if (arrow := _arrow(outcome)) is not None),
        title=f"Map of {variant.title}, {position.turn.title}, {position.turn.kind_title.lower()}",
    )


def arrows_of(sheet: Sheet, position: Position, board: Board) -> tuple[Arrow, ...]:
    """What a sheet would do: its orders, and its bids as arrows of the minor powers' units."""
    own = [(order, pretty_order(order, position, board)) for order in sheet.orders]
    bids = [(bid.order, _bid_words(bid, position, board)) for bid in sheet.bids]
    drawn = (_drawn(order, ok=True, title=title) for order, title in (*own, *bids))
    return tuple(arrow for arrow in drawn if arrow is not None)


def _bid_words(bid: Bid, position: Position, board: Board) -> str:
    return f"Bid of {amount(bid.points, 'point')}: {pretty_order(bid.order, position, board)}"


def colour_of(power: str, variant: Variant) -> str:
    """The colour slot on the map: "1" to "8", or "minor"."""
    return MINOR if power == NEUTRAL else str(variant.power(power).colour)


def succeeded(outcome: OrderOutcome) -> bool:
    return not FAILURES & set(outcome.results)


def unit_title(unit: Unit, variant: Variant) -> str:
    """As in "German army in Munich", "Army in Austria" for a minor."""
    province = variant.ruleset.board.provinces[unit.province].name
    if unit.power == NEUTRAL:
        return f"{unit.kind.word.capitalize()} in {province}"
    return f"{variant.power(unit.power).adjective} {unit.kind.word} in {province}"


def _mark(unit: Unit, variant: Variant) -> UnitMark:
    return UnitMark(
        kind=unit.kind.value,
        location=unit.location,
        colour=colour_of(unit.power, variant),
        letter="" if unit.power == NEUTRAL else variant.power(unit.power).letter,
        title=unit_title(unit, variant),
    )


def _arrow(outcome: OrderOutcome) -> Arrow | None:
    if Result.ILLEGAL in outcome.results:
        return None
    return _drawn(outcome.order, ok=succeeded(outcome), title=outcome.sentence)


def _drawn(order: Order, *, ok: bool, title: str) -> Arrow | None:
    places = _places(order)
    if places is None:
        return None
    kind, unit, target, aux = places
    return Arrow(kind=kind, unit=unit, target=target, aux=aux, ok=ok, title=title)


def _places(order: Order) -> tuple[str, str, str, str] | None:  # noqa: C901, PLR0911 - a line for each kind
    """(kind, unit, target, aux) as the drawing names them; None for what leaves no trace on the map."""
    match order:
        case Hold(location):
            return "hold", location, "", ""
        case Move(location, destination):
            return "move", location, destination, ""
        case Support(location, supported, None):
            return "support-hold", location, supported, ""
        case Support(location, supported, destination):
            return "support-move", location, destination or "", supported
        case Convoy(location, army, destination):
            return "convoy", location, destination, army
        case Retreat(location, destination):
            return "retreat", location, destination, ""
        case Disband(location):
            return "disband", location, "", ""
        case Build(_, location):
            return "build", location, location, ""
        case Waive() | Declare():
            return None
