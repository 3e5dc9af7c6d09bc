"""The order page's form: a select for each unit, the rows of bids, the text box, and every mistake in its place."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from games.kernel.languages import later, later_as
from games.kernel.wording import PhaseWords, words_for_power
from games.orders.parts import MinorChoice, OrderChoice, OrderRow, SheetView
from games.orders.sheets import MOST_BID_ROWS, ORDER_FIELD, WISH_FIELD, Controls, ReadSheet, SentBid, wish_line

TEXT_ID = "sheet-text"
BLANK_BID_ROWS = 1

KINDS = {
    "H": later_as("a kind of order", "Hold"),
    "-": later_as("a kind of order", "Move"),
    "S": later_as("a kind of order", "Support"),
    "C": later_as("a kind of order", "Convoy"),
    "R": later_as("a kind of order", "Retreat"),
    "D": later_as("a kind of order", "Disband"),
    "DISBAND": later_as("a kind of order", "Disband"),
    "BUILD": later_as("a kind of order", "Build"),
    "WAIVE": later("Build nothing"),
    "DECLARE": later_as("a kind of order", "Declare"),
}

ORDERED = (later("{given} of {needed} ordered."), later("{given} of {needed} ordered: {over} too many."))
CHOSEN = (later("{given} of {needed} chosen."), later("{given} of {needed} chosen: {over} too many."))
PLACED = (later("{given} of {needed} placed."), later("{given} of {needed} placed: {over} too many."))
COUNTED = {"M": ORDERED, "R": ORDERED, "A": CHOSEN, "P": PLACED}
"""What is said of the rows of a phase in which something is chosen, and of too many; declarations are not counted."""

ONE_LIST = frozenset({"P", "D"})
"""The kinds of phase in which a select is one short list without headings."""


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Choices under a title; "" for choices outside any group."""

    title: str
    choices: tuple[OrderChoice, ...]


@dataclass(frozen=True, slots=True)
class OrderControl:
    """The select of a unit or a building site. `stray` is a sent value that the list does not offer."""

    name: str
    label: str
    groups: tuple[ChoiceGroup, ...]
    chosen: str
    stray: str
    problem: str


@dataclass(frozen=True, slots=True)
class BidControl:
    """One row of bids: the minor power, the choice of its orders, and the points as typed."""

    number: int
    minor: str
    groups: tuple[ChoiceGroup, ...]
    order: str
    stray: str
    points: str
    problem: str

    @property
    def order_name(self) -> str:
        return f"bid-{self.number}-order"


@dataclass(frozen=True, slots=True)
class WishControl:
    """The field for wishes about one unit, about builds or about removals, and the beginning of their line."""

    about: str
    label: str
    wishes: str
    possible: tuple[str, ...]
    problem: str

    @property
    def name(self) -> str:
        return f"{WISH_FIELD}{self.about}"

    @property
    def line(self) -> str:
        return wish_line(self.about, "")


@dataclass(frozen=True, slots=True)
class Mistake:
    """A sentence and the id of the control that it is about; `line` is the line as typed, in the text box."""

    anchor: str
    about: str
    sentence: str
    line: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class SheetForm:
    """The order page's form: controls, text box, and every mistake with its place. `needed`: how many of the controls
    the power has to use; `counted` and `over` are the sentences about that, as in `COUNTED`."""

    orders: tuple[OrderControl, ...]
    bids: tuple[BidControl, ...]
    wishes: tuple[WishControl, ...]
    text: str
    mistakes: tuple[Mistake, ...]
    words: PhaseWords
    one_list: bool
    needed: int
    counted: str
    over: str

    @property
    def progress(self) -> str:
        """How much is ordered, as in "3 of 10 ordered." or "5 of 4 placed: 1 too many."."""
        message = self.over if self.too_many > 0 else self.counted
        return message.format(given=self.given, needed=self.needed, over=self.too_many)

    @property
    def too_many(self) -> int:
        """How many more controls are used than the power may use; below 0 if some are still open."""
        return self.given - self.needed

    @property
    def given(self) -> int:
        """How many orders are chosen."""
        return sum(control.chosen != "" for control in self.orders)

    @property
    def wishes_wrong(self) -> bool:
        return any(control.problem for control in self.wishes)

    @property
    def text_wrong(self) -> bool:
        return any(mistake.anchor == TEXT_ID for mistake in self.mistakes)

    @property
    def chosen(self) -> str:
        """The text that the controls stand for."""
        orders = {control.name: control.chosen for control in self.orders}
        bids = tuple(SentBid(it.minor, it.order, it.points) for it in self.bids)
        return Controls(orders, bids, {it.about: it.wishes for it in self.wishes}).text

    @property
    def text_rows(self) -> int:
        """How many lines the text box shows."""
        lines = max(self.text.count("\n"), len(self.orders))
        return max(4, min(24, lines + 2))


BOTH_CHANGED = Mistake(
    TEXT_ID,
    later("The lists and the text"),
    later("You changed both. Choose one of them and save it with its own button."),
)


def saved_form(order_sheet: SheetView) -> SheetForm:
    bids = tuple(SentBid(bid.minor, bid.canonical, str(bid.points)) for bid in order_sheet.bids)
    chosen = {row.location: row.chosen for row in order_sheet.rows}
    wishes = {row.about: row.wishes for row in order_sheet.wishes}
    return _sheet_form(order_sheet, Controls(chosen, bids, wishes), {}, order_sheet.text)


def sent_form(order_sheet: SheetView, sheet: ReadSheet) -> SheetForm:
    """The form as it was sent, with every mistake marked and all that was typed. `order_sheet` is made from `sheet`."""
    if sheet.controls is None:
        all_mistakes = tuple(
            Mistake(TEXT_ID, _("Line {line}, “{text}”").format(line=it.line, text=it.text), it.sentence, it.text)
            for it in sheet.problems
        )
        return replace(saved_form(order_sheet), text=sheet.text, mistakes=all_mistakes)
    form = _sheet_form(order_sheet, sheet.controls, sheet.wrong, sheet.text)
    return form if sheet.torn is None else replace(form, text=sheet.torn, mistakes=(BOTH_CHANGED, *form.mistakes))


def _sheet_form(order_sheet: SheetView, controls: Controls, wrong: Mapping[str, str], text: str) -> SheetForm:
    """`wrong`: name -> sentence."""
    names = [f"{ORDER_FIELD}{row.location}" for row in order_sheet.rows]
    names += [f"bid-{number}" for number in range(MOST_BID_ROWS)]
    names += [f"{WISH_FIELD}{row.about}" for row in order_sheet.wishes]
    in_page_order = sorted(wrong.items(), key=lambda item: names.index(item[0]) if item[0] in names else -1)
    rows, due = order_sheet.rows, order_sheet.adjustments
    needed = len(rows) if order_sheet.kind in "MR" else sum(map(abs, due.values()))
    progress_text, too_many_text = map(str, COUNTED.get(order_sheet.kind, ("", "")))
    # Lines in canonical notation (from controls and apps) spelt as in the lists; other lines unchanged.
    lists = [row.choices for row in order_sheet.rows] + [minor.choices for minor in order_sheet.minors]
    labels = {choice.value: choice.label for choices in lists for choice in choices}
    parts = (line.rpartition(": ") for line in text.splitlines())
    return SheetForm(
        orders=tuple(order_controls(rows, controls.orders, ORDER_FIELD, wrong, kind=order_sheet.kind)),
        bids=tuple(_bid_controls(order_sheet, controls.bids, wrong)),
        wishes=tuple(_wish_controls(order_sheet, controls.wishes, wrong)),
        text="\n".join(f"{points}{colon}{labels.get(order, order)}" for points, colon, order in parts),
        mistakes=tuple(Mistake(name, _control_label(name, order_sheet), sentence) for name, sentence in in_page_order),
        words=words_for_power(order_sheet),
        one_list=order_sheet.kind in ONE_LIST,
        needed=needed if order_sheet.kind in COUNTED else 0,
        counted=progress_text,
        over=too_many_text,
    )


def _control_label(name: str, order_sheet: SheetView) -> str:
    if name.startswith("bid-"):
        return _("Bid {number}").format(number=int(name.removeprefix("bid-")) + 1)
    labels = {f"{ORDER_FIELD}{row.location}": row.label for row in order_sheet.rows}
    labels |= {f"{WISH_FIELD}{row.about}": row.label for row in order_sheet.wishes}
    return labels.get(name, name.removeprefix(ORDER_FIELD).removeprefix(WISH_FIELD))


def order_controls(
    rows: Iterable[OrderRow],
    choices: Mapping[str, str],
    field: str,
    wrong: Mapping[str, str] | None = None,
    *,
    kind: str,
) -> Iterable[OrderControl]:
    """A select for each row, whose names begin with `field`. `kind`: that of the phase. `choices`: location -> order;
    `wrong`: name -> sentence."""
    for row in rows:
        value, name = choices.get(row.location, ""), f"{field}{row.location}"
        is_plain = kind in ONE_LIST and not any(choice.army for choice in row.choices)
        groups = (ChoiceGroup("", row.choices),) if is_plain else _groups(row.choices, kind)
        problem = (wrong or {}).get(name, "")
        yield OrderControl(name, row.label, groups, value, _value_off_list(value, row.choices), problem)


def _bid_controls(order_sheet: SheetView, bids: tuple[SentBid, ...], wrong: Mapping[str, str]) -> Iterable[BidControl]:
    choices = {minor.location: minor.choices for minor in order_sheet.minors}
    blank_rows = BLANK_BID_ROWS + max(0, order_sheet.budget - len(bids)) if len(bids) < MOST_BID_ROWS else 0
    for number, bid in enumerate((*bids, *[SentBid("", "", "")] * blank_rows)):
        own = choices.get(bid.minor, ())
        stray = _value_off_list(bid.order, own)
        yield BidControl(number, bid.minor, _groups(own), bid.order, stray, bid.points, wrong.get(f"bid-{number}", ""))


def _wish_controls(
    order_sheet: SheetView, wishes: Mapping[str, str], wrong: Mapping[str, str]
) -> Iterable[WishControl]:
    for row in order_sheet.wishes:
        problem = wrong.get(f"{WISH_FIELD}{row.about}", "")
        yield WishControl(row.about, row.label, wishes.get(row.about, ""), row.possible, problem)


def _value_off_list(value: str, choices: tuple[OrderChoice, ...]) -> str:
    return "" if not value or any(choice.value == value for choice in choices) else value


def _groups(choices: tuple[OrderChoice, ...], kind: str = "M") -> tuple[ChoiceGroup, ...]:
    groups: dict[str, list[OrderChoice]] = {}
    for choice in choices:
        groups.setdefault(choice.army or kind_title(choice.value, kind), []).append(choice)
    return tuple(ChoiceGroup(title, tuple(members)) for title, members in groups.items())


def kind_title(order: str, kind: str = "M") -> str:
    """The heading for a canonical order in a phase of this kind: "A MUN - CZE" is a "Move", in a retreat phase a
    "Retreat"; "A AUS S A MUN" is a "Support hold"."""
    words = order.split()
    sign = words[0] if words[0] in KINDS else words[2]
    if (sign, kind) == ("-", "R"):
        return str(KINDS["R"])
    if sign == "S":
        return _("Support move") if "-" in words else _("Support hold")
    return str(KINDS[sign])


def minor_orders(minors: tuple[MinorChoice, ...]) -> dict[str, list[tuple[str, str, str]]]:
    """The orders of each minor power for scripts, as (value, label, heading)."""
    return {minor.location: [(it.value, it.label, kind_title(it.value)) for it in minor.choices] for minor in minors}
