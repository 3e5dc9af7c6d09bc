"""Orders and sheets as text. The canonical text follows the DATC; reading is tolerant."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.auction import bid_refusal, overspending
from adjudication.conditional import add_line, ahead_lines, is_ahead
from adjudication.errors import NotationError
from adjudication.legality import check_next
from adjudication.line_cache import read_order
from adjudication.orders import (
    NOTHING_AHEAD,
    Bid,
    Build,
    Convoy,
    Declare,
    Disband,
    Hold,
    Move,
    Order,
    OrderSheet,
    Retreat,
    Support,
    Waive,
)
from adjudication.place_names import check_line, words_of
from adjudication.position import Position
from adjudication.reasons import OrderRefusal, Reason
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import as_ordered, mark_of

_BID = re.compile(r"(-?\d{1,9})\s*(?:(?:dps?|points?)\s*)?:(.*)", re.IGNORECASE)
"""Takes linear time on any line: no two parts match the same spaces, and numbers are limited in length."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is invalid on line `line` (counted from 1), and why."""

    line: int
    text: str
    why: NotationError | OrderRefusal


@dataclass(frozen=True, slots=True)
class SheetReading:
    """The legal part of the text, and what is wrong with the rest. `only_overspends`: nothing but that the bids are for
    more points than the power has, which forfeits them (rule 7)."""

    sheet: OrderSheet
    problems: tuple[Problem, ...]
    only_overspends: bool = False


def parse_order(text: str, position: Position, ruleset: Ruleset, power: str = "") -> Order:
    """One order, as the DATC or players write it; its legality is not checked. If several units share a province, the
    one that belongs to `power` is ordered.

    Raises NotationError, which says what is wrong and what is allowed.
    """
    return read_order(text, Situation(position, ruleset), power)


def read_sheet(text: str, power: str, position: Position, ruleset: Ruleset) -> SheetReading:
    """A whole sheet: one order per line, or a bid such as "2: A AUS S A MUN - CZE", or what is written ahead, as in
    "IF A MUN DISLODGED: BUR, SIL". A ";" separates lines too; anything after "#" is ignored."""
    reader = _read(text, power, Situation(position, ruleset))
    reasons = {problem.why.reason for problem in reader.problems}
    return SheetReading(reader.sheet, tuple(reader.problems), reasons == {Reason.OVERSPENT})


def read_sheets(written: Mapping[str, str], position: Position, ruleset: Ruleset) -> dict[str, OrderSheet]:
    """The legal part of every power's sheet; `written`: power -> text."""
    situation = Situation(position, ruleset)
    return {power: _read(text, power, situation).sheet for power, text in sorted(written.items())}


def _read(text: str, power: str, situation: Situation) -> "_SheetReader":
    reader = _SheetReader(power, situation)
    for number, line in enumerate(text.splitlines(), start=1):
        for part in line.partition("#")[0].split(";"):
            reader.read(number, " ".join(part.split()))
    return reader


class _SheetReader:
    __slots__ = ("ahead", "bids", "orders", "power", "problems", "situation", "spent")

    def __init__(self, power: str, situation: Situation) -> None:
        self.power = power
        self.situation = situation
        self.orders: list[Order] = []
        self.bids: list[Bid] = []
        self.spent = 0
        self.ahead = NOTHING_AHEAD
        self.problems: list[Problem] = []

    @property
    def sheet(self) -> OrderSheet:
        return OrderSheet(tuple(self.orders), tuple(self.bids), self.ahead)

    def read(self, number: int, text: str) -> None:
        try:
            check_line(text)
            refusal = None if not text or self._is_heading(text) else self._take(text)
        except NotationError as error:
            self.problems.append(Problem(number, text, error))
            return
        if refusal:
            self.problems.append(Problem(number, text, refusal))

    def _is_heading(self, text: str) -> bool:
        return text.endswith(":") and words_of(text.removesuffix(":")) == words_of(self.power.replace("_", " "))

    def _take(self, text: str) -> OrderRefusal | None:
        bid = _BID.fullmatch(text)
        if bid:
            return self._take_bid(int(bid[1]), bid[2])
        if is_ahead(text):
            self.ahead = add_line(text, self.ahead, self.power, self.situation)
            return None
        order = read_order(text, self.situation, self.power)
        refusal = check_next(order, self.orders, self.power, self.situation)
        if refusal is None:
            self.orders.append(order)
        return refusal

    def _take_bid(self, points: int, text: str) -> OrderRefusal | None:
        """Keep even a bid that cannot count: its points are spent, and overspending forfeits all bids (D5, rule 7)."""
        bid = Bid(read_order(text, self.situation), points)
        self.spent += points
        self.bids.append(bid)
        return bid_refusal(bid, self.situation) or overspending(self.spent, self.power, self.situation)


def write_sheet(sheet: OrderSheet, position: Position) -> str:
    """Canonical text that `read_sheet` reads back."""
    orders = [write_order(order, position) for order in sheet.orders]
    bids = [f"{bid.points}: {write_order(bid.order, position)}" for bid in sheet.bids]
    return "\n".join((*orders, *bids, *ahead_lines(sheet.ahead)))


def write_order(order: Order, position: Position) -> str:
    """Canonical text, as in "A LON - NWY VIA". An empty place is written without a unit."""
    match order:
        case Waive():
            return "WAIVE"
        case Declare():
            return f"DECLARE {order.stance.upper()} {order.power}"
        case Build():
            return f"BUILD {mark_of(order.kind, order.faction)} {order.location}"
    unit = _write_unit(order.location, position)
    if isinstance(order, Disband) and position.turn.kind is PhaseKind.ADJUSTMENT:
        return f"DISBAND {unit}"
    return f"{unit} {_write_deed(order, position)}"


def _write_deed(order: Hold | Move | Support | Convoy | Retreat | Disband, position: Position) -> str:
    match order:
        case Hold():
            return "H"
        case Disband():
            return "D"
        case Retreat():
            return f"- {order.destination}"
        case Move():
            return f"- {order.destination}{' VIA' if order.via else ''}"
        case Convoy():
            return f"C {_write_unit(order.army, position)} - {order.destination}"
        case Support():
            goal = f" - {order.destination}" if order.destination else ""
            return f"S {_write_unit(order.supported, position)}{goal}"


def _write_unit(location: str, position: Position) -> str:
    dislodged = position.dislodged_at(location)
    unit = dislodged.unit if dislodged else position.unit_at(location)
    return str(as_ordered(unit, location)) if unit else location
