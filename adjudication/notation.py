"""Orders and sheets as text. The canonical text follows the DATC; reading is tolerant."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from adjudication.auction import bid_refusal, overspending_refusal
from adjudication.conditional import add_line_ahead, ahead_lines, is_written_ahead
from adjudication.errors import NotationError
from adjudication.legality import next_order_refusal
from adjudication.line_cache import line_cache_of, read_order
from adjudication.line_words import (
    BULLET,
    KINDS,
    LONGEST_LINE,
    SEPARATOR_LINE,
    VERBS,
    check_line_length,
    without_hidden_characters,
    words_of,
)
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
from adjudication.parser import Parser
from adjudication.place_names import PlaceNames, place_names_of
from adjudication.position import Position
from adjudication.power_names import power_names_of
from adjudication.reasons import Misreading, OrderRefusal, Reason
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.turns import PhaseKind
from adjudication.units import mark_of, unit_as_ordered

_BID = re.compile(
    r"(-?\d{1,9}) ?(?:(?:dps?|points?) ?)?:(.*)|(?:dps?|bid) ?:? ?(\d{1,9}) ?:? (.*)|(\d{1,9}) ?(?:dps?|points?) (.*)",
    re.IGNORECASE,
)
"""Takes linear time on any line without double spaces: numbers are limited in length."""
_MARKS = {(word,) for word in KINDS}
_UNIT_STARTS = {"A ", "F "}
_NEEDING_MORE = {"move", "support", "convoy", "retreat"}
_CONTINUING = {*_NEEDING_MORE, "hold"}
"""No order begins with these verbs; a line that begins with one continues the line before."""
_VERB_OF_LABEL = {
    PhaseKind.MOVEMENT: {"orders": "", "moves": "", "movement": ""},
    PhaseKind.RETREAT: {"orders": "", "retreats": "", "disband": "disband", "disbands": "disband"},
    PhaseKind.ADJUSTMENT: {
        **dict.fromkeys(("orders", "adjustments"), ""),
        **dict.fromkeys(("build", "builds"), "build"),
        **dict.fromkeys(("removal", "removals", "remove", "removes", "disband", "disbands"), "disband"),
    },
    PhaseKind.DEPLOYMENT: {"orders": "", "builds": "build", "deployment": "", "place": "build"},
    PhaseKind.DECLARATION: {"orders": "", "declarations": ""},
}
"""What may stand before a colon in each phase, and what it says that the units after it do."""
_NONE = ("", "-", "none", "nothing")


@dataclass(frozen=True, slots=True)
class Problem:
    """What is invalid on line `line` (counted from 1), and why."""

    line: int
    text: str
    why: NotationError | OrderRefusal


@dataclass(frozen=True, slots=True)
class SheetReading:
    """The legal part of the text, and the problems with the rest. `only_overspends`: the only problem is that the bids
    are for more points than the power has, which forfeits them (rule 7)."""

    sheet: OrderSheet
    problems: tuple[Problem, ...]
    only_overspends: bool = False


def parse_order(text: str, position: Position, ruleset: Ruleset, power: str = "") -> Order:
    """One order, as written by players or in the DATC; its legality is not checked. If several units share a province,
    the one that belongs to `power` is ordered.

    Raises NotationError, which says what is wrong and what is allowed.
    """
    return read_order(text, Situation(position, ruleset), power)


def read_sheet(text: str, power: str, position: Position, ruleset: Ruleset) -> SheetReading:
    """A whole sheet: on each line an order, a bid such as "2: A AUS S A MUN - CZE", or orders written ahead, as in "IF
    A MUN DISLODGED: BUR, SIL". A ";" separates lines too; anything after "#" is ignored."""
    return read_sheet_in(text, power, Situation(position, ruleset))


def read_sheet_in(text: str, power: str, situation: Situation) -> SheetReading:
    """`read_sheet` in a position that is already laid out."""
    reader = _reader_of_sheet(text, power, situation)
    reasons = {problem.why.reason for problem in reader.problems}
    return SheetReading(reader.sheet, tuple(reader.problems), reasons == {Reason.OVERSPENT})


def read_sheets(written: Mapping[str, str], position: Position, ruleset: Ruleset) -> dict[str, OrderSheet]:
    """The legal part of every power's sheet; `written`: power -> text."""
    situation = Situation(position, ruleset)
    return {power: _reader_of_sheet(text, power, situation).sheet for power, text in sorted(written.items())}


def _reader_of_sheet(text: str, power: str, situation: Situation) -> "_SheetReader":
    reader = _SheetReader(power, situation)
    for number, line in _numbered_lines(without_hidden_characters(text), place_names_of(situation.board)):
        if ";" not in line:
            reader.read(number, line)
            continue
        for part in line.split(";"):
            reader.read(number, part.strip())
    return reader


def _numbered_lines(text: str, names: PlaceNames) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, without remarks, bullets and double spaces. A line that was wrapped is joined again."""
    first, before, indent = 0, "", 0
    for number, raw_line in enumerate(text.splitlines(), start=1):
        line = raw_line.partition("#")[0]
        words, depth = " ".join(line.split()), 0
        if line[:2] not in _UNIT_STARTS:
            if SEPARATOR_LINE.fullmatch(words):
                continue
            depth = len(line) - len(line.lstrip())
            if before and len(before) < LONGEST_LINE and _continues_line(words, before, names, is_inner=depth > indent):
                before = f"{before} {words}"
                continue
            bullet = BULLET.match(words)
            words = words[bullet.end() :] if bullet else words
        if before:
            yield first, before
        first, before, indent = number, words, depth
    if before:
        yield first, before


def _continues_line(line: str, before: str, names: PlaceNames, *, is_inner: bool) -> bool:
    """Does this continue the line before, as "- BUR" after "A MAR S A PAR"? `is_inner`: is it indented?"""
    words = words_of(line)
    if not words:
        return False
    verb = VERBS.get(words[0])
    place = names.find(words, int(verb == "move"))
    is_place = place is not None and place[1] == len(words)
    last = " ".join(words_of(before.rpartition(" ")[2])[-1:])
    is_open = last in KINDS or VERBS.get(last) in _NEEDING_MORE or (before.endswith(",") and ":" in before)
    if is_open and (is_place or is_inner):
        return True
    if words[0] == "-":
        return is_place
    is_whole = any(word in VERBS for word in words_of(before))
    if is_whole and verb in _CONTINUING and (len(words) == 1 or words[1] in KINDS):
        return False  # a new order, as in "Move A PAR to BUR", which must not spoil the one before
    return verb in _CONTINUING or words[0] in {"via", "from"}


class _SheetReader:
    __slots__ = ("ahead", "bids", "lines", "orders", "points_spent", "power", "problems", "situation")

    def __init__(self, power: str, situation: Situation) -> None:
        self.power = power
        self.situation = situation
        self.lines = line_cache_of(situation.board)
        self.orders: list[Order] = []
        self.bids: list[Bid] = []
        self.points_spent = 0
        self.ahead = NOTHING_AHEAD
        self.problems: list[Problem] = []

    @property
    def sheet(self) -> OrderSheet:
        return OrderSheet(tuple(self.orders), tuple(self.bids), self.ahead)

    def read(self, number: int, text: str) -> None:
        try:
            check_line_length(text)
            for refusal in self._refusals_of_line(text) if text else ():
                if refusal:
                    self.problems.append(Problem(number, text, refusal))
        except NotationError as error:
            self.problems.append(Problem(number, text, error))

    def _refusals_of_line(self, text: str) -> Sequence[OrderRefusal | None]:
        label, colon, rest = text.partition(":")
        if text[:2] in _UNIT_STARTS and not colon:
            return [self._add_order(order) for order in self.lines.read(text, self.situation, self.power)]
        if colon and self._names_the_writer(label):
            text = rest.strip()
            label, colon, rest = text.partition(":")
        if bid := _BID.fullmatch(text):
            return (self._add_bid(int(bid[1] or bid[3] or bid[5]), bid[2] or bid[4] or bid[6] or ""),)
        labels = _VERB_OF_LABEL[self.situation.position.turn.kind]
        verb = labels.get(" ".join(words_of(label))) if colon else None
        if verb is not None:
            return [self._add_order(order) for order in self._listed_orders(rest.strip(), verb)]
        if is_written_ahead(text):
            self.ahead = add_line_ahead(text, self.ahead, self.power, self.situation)
            return ()
        if not text or self._is_title(text):
            return ()
        if colon and words_of(label)[:1] in _MARKS:
            text = f"{label} {rest}"
        return [self._add_order(order) for order in self.lines.read(text, self.situation, self.power)]

    def _listed_orders(self, text: str, verb: str) -> Sequence[Order]:
        is_none = text.lower().rstrip(".") in _NONE
        return () if is_none else Parser(text, self.situation, self.power, verb).orders()

    def _names_the_writer(self, label: str) -> bool:
        """Does the label name the writer? Raises NotationError if it names another power."""
        power = power_names_of(self.situation.ruleset).power_called(label)
        if power and power != self.power:
            raise NotationError(Misreading.OF_ANOTHER_POWER, power=power)
        return power is not None

    def _is_title(self, text: str) -> bool:
        turn = self.situation.position.turn
        if str(turn.year) not in text:
            return False
        titles = (turn.title, f"{turn.title} {turn.kind_title}", turn.code)
        return words_of(text.rstrip(":")) in map(words_of, titles)

    def _add_order(self, order: Order) -> OrderRefusal | None:
        refusal = next_order_refusal(order, self.orders, self.power, self.situation)
        if refusal is None:
            self.orders.append(order)
        return refusal

    def _add_bid(self, points: int, text: str) -> OrderRefusal | None:
        """Add a bid, even one that cannot count: it costs points, and overspending forfeits all bids (D5, rule 7)."""
        bid = Bid(read_order(text.strip(), self.situation), points)
        self.points_spent += points
        self.bids.append(bid)
        return bid_refusal(bid, self.situation) or overspending_refusal(self.points_spent, self.power, self.situation)


def write_sheet(sheet: OrderSheet, position: Position) -> str:
    """Canonical text that `read_sheet` reads back."""
    write = order_writer(position)
    bids = [f"{bid.points}: {write(bid.order)}" for bid in sheet.bids]
    return "\n".join((*map(write, sheet.orders), *bids, *ahead_lines(sheet.ahead)))


def write_order(order: Order, position: Position) -> str:
    """The order as canonical text, as in "A LON - NWY VIA". An empty place is written without a unit."""
    return order_writer(position)(order)


def order_writer(position: Position) -> Callable[[Order], str]:
    """`write_order` for many orders in one position, whose units are looked up only once."""
    removal = position.turn.kind is PhaseKind.ADJUSTMENT

    @cache
    def unit_at(location: str) -> str:
        dislodged = position.dislodged_at(location)
        unit = dislodged.unit if dislodged else position.unit_at(location)
        return str(unit_as_ordered(unit, location)) if unit else location

    def write(order: Order) -> str:
        match order:
            case Waive():
                return "WAIVE"
            case Declare():
                return f"DECLARE {order.stance.upper()} {order.power}"
            case Build():
                return f"BUILD {mark_of(order.kind, order.faction)} {order.location}"
        unit = unit_at(order.location)
        if removal and isinstance(order, Disband):
            return f"DISBAND {unit}"
        return f"{unit} {_write_unit_order(order, unit_at)}"

    return write


def _write_unit_order(order: Hold | Move | Support | Convoy | Retreat | Disband, unit_at: Callable[[str], str]) -> str:
    match order:
        case Support():
            goal = f" - {order.destination}" if order.destination else ""
            return f"S {unit_at(order.supported)}{goal}"
        case Move():
            return f"- {order.destination}{' VIA' if order.via else ''}"
        case Hold():
            return "H"
        case Convoy():
            return f"C {unit_at(order.army)} - {order.destination}"
        case Retreat():
            return f"- {order.destination}"
        case Disband():
            return "D"
