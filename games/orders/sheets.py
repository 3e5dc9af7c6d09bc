"""Incoming orders: as they were sent, and as they are read, once, on the position they are for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from django.http import QueryDict
from django.utils.translation import gettext as _

from adjudication.conditional import BUILDS, REMOVALS
from adjudication.errors import NotationError
from adjudication.notation import Problem, SheetReading, order_writer, read_sheet, write_sheet
from adjudication.options import order_options
from adjudication.orders import OrderSheet, location_of
from adjudication.position import Position
from adjudication.reasons import Misreading
from adjudication.units import NEUTRAL
from games.kernel.forms import parse_whole_number
from games.orders.parts import ProblemView
from variants.maps import unit_title
from variants.variant import Variant
from variants.words import say

LONGEST_TEXT = 2000
"""Characters of typed orders. A sealed slot holds any orders, but not this many characters of remarks."""

NO_PHASE = -1
ORDER_FIELD = "order-"
WISH_FIELD = "ahead-"
LINE_FIELD = "line-"
MOST_BID_ROWS = 12


@dataclass(frozen=True, slots=True, repr=False)
class SentBid:
    """One row of the bids as typed."""

    minor: str
    order: str
    points: str


@dataclass(frozen=True, slots=True, repr=False)
class Controls:
    """The values of a form: an order for each location, rows of bids, and wishes for the next phases by subject."""

    orders: Mapping[str, str]
    bids: tuple[SentBid, ...]
    wishes: Mapping[str, str]

    @property
    def text(self) -> str:
        orders = sheet_text(self.orders.values(), ((bid.points, bid.order) for bid in self.bids if bid.order))
        return "\n".join(filter(None, (orders, *(wish_line(*it) for it in self.wishes.items() if it[1]))))

    @property
    def control_names(self) -> tuple[str, ...]:
        """The names of the controls that produced the lines of the text."""
        chosen = [f"{ORDER_FIELD}{location}" for location, order in self.orders.items() if order]
        bids = [f"bid-{number}" for number, bid in enumerate(self.bids) if bid.order]
        return (*chosen, *bids, *(f"{WISH_FIELD}{about}" for about, wishes in self.wishes.items() if wishes))


@dataclass(frozen=True, slots=True, repr=False)
class SentSheet:
    """Orders that were sent and not read yet: `text` is the one text that is read, checked and stored.

    `ordinal` is that of the phase it was written for. `mark` is that of the phase its writer saw: "" if unknown, None
    for the open phase. `after` is the receipt code of the orders that its writer saw saved: "" for none, None to
    replace any. `controls`: the form values that the text was made from. `torn`: the content of the text box if both
    were changed without scripts, so that saving one would lose the other.
    """

    text: str
    ordinal: int = NO_PHASE
    mark: str | None = None
    after: str | None = None
    controls: Controls | None = None
    torn: str | None = None

    @classmethod
    def from_form(cls, data: QueryDict) -> SentSheet:
        """The content of a posted form, none of it trusted."""
        orders, wishes = _sent_fields(data, ORDER_FIELD), _sent_fields(data, WISH_FIELD)
        controls, text = Controls(orders, tuple(_sent_bids(data)), wishes), data.get("text", "")
        number, mark, after = parse_whole_number(data.get("ordinal", "")), data.get("mark", ""), data.get("after")
        ordinal = NO_PHASE if number is None else number
        if data.get("use") == "chosen":
            lines = (value for name in data if name.startswith(LINE_FIELD) for value in data.getlist(name))
            return cls("\n".join(filter(None, lines)), ordinal, mark, after)
        # With scripts the two always agree, so a difference means they did not run (yet).
        was_typed = data.get("use") in {"controls", "try"} and _texts_differ(text, data.get("text-before"))
        was_chosen = _texts_differ(controls.text, data.get("choices-before"))
        if data.get("use") == "text" or (was_typed and not was_chosen):
            return cls(text, ordinal, mark, after)
        return cls(controls.text, ordinal, mark, after, controls, text if was_typed else None)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ReadSheet(SentSheet):
    """Orders read on this position: the lawful ones, the mistakes in the others by line, and, by name, the controls
    that are wrong though every line can be read. `only_overspends`: as in `SheetReading`."""

    power: str
    position: Position
    variant: Variant
    lawful: OrderSheet
    problems: tuple[ProblemView, ...] = ()
    only_overspends: bool = False
    misplaced: Mapping[str, str]

    @property
    def canonical(self) -> str:
        """The lines that count."""
        return write_sheet(self.lawful, self.position)

    def can_be_saved(self, *, by_gm: bool = False) -> bool:
        """True unless a player spends too much. Orders that a player sent to the game master may do so."""
        is_right = not self.problems or (by_gm and self.only_overspends)
        return is_right and not self.misplaced and self.torn is None

    @property
    def wrong(self) -> dict[str, str]:
        """The mistakes in controls, by their names."""
        lines = self.controls.control_names if self.controls else ()
        by_line = {lines[it.line - 1]: it.sentence for it in self.problems if it.line <= len(lines)}
        return {**self.misplaced, **by_line}


def read_once(sheet: SentSheet, power: str, position: Position, variant: Variant) -> ReadSheet:
    """The orders as their power means them on this position. Orders that were already read there are not read again."""
    if isinstance(sheet, ReadSheet) and (sheet.power, sheet.position) == (power, position):
        return sheet
    length = len(sheet.text)
    too_long = NotationError(Misreading.TOO_LONG, case="sheet", count=length, most=LONGEST_TEXT)
    reading = (
        read_sheet(sheet.text, power, position, variant.ruleset)
        if length <= LONGEST_TEXT
        else SheetReading(OrderSheet(), (Problem(1, "", too_long),))
    )
    return ReadSheet(
        sheet.text,
        sheet.ordinal,
        sheet.mark,
        sheet.after,
        sheet.controls,
        sheet.torn,
        power=power,
        position=position,
        variant=variant,
        lawful=reading.sheet,
        problems=tuple(ProblemView(it.line, it.text, say(it.why, variant.ruleset), it.why) for it in reading.problems),
        only_overspends=reading.only_overspends,
        misplaced=_misplaced(sheet.controls, reading.sheet, power, position, variant) if sheet.controls else {},
    )


def sheet_from_orders(
    lawful: OrderSheet, power: str, position: Position, variant: Variant, ordinal: int = NO_PHASE
) -> ReadSheet:
    """The sheet for orders that were never text, such as those of bots."""
    text = write_sheet(lawful, position)
    return ReadSheet(text, ordinal, power=power, position=position, variant=variant, lawful=lawful, misplaced={})


def sheet_text(orders: Iterable[str], bids: Iterable[tuple[str, str]]) -> str:
    """Form controls as text: orders, then (points, order) for each bid, without empty ones."""
    chosen = [order.strip() for order in orders]
    offered = [(points.strip(), order.strip()) for points, order in bids]
    lines = [order for order in chosen if order]
    lines += [f"{points or 0}: {order}" for points, order in offered if points or order]
    return "\n".join(lines)


def wish_line(subject: str, wishes: str) -> str:
    """Wishes as a line of text; `subject` is as in WishRow."""
    return f"{subject if subject in {BUILDS, REMOVALS} else f'IF {subject} DISLODGED'}: {wishes}"


def _misplaced(
    controls: Controls, lawful: OrderSheet, power: str, position: Position, variant: Variant
) -> dict[str, str]:
    """The mistakes in unfinished bids, and in orders from a tampered form: for no unit, or in another's row."""
    write = order_writer(position)
    orders_offered = {it.location: set(map(write, it.orders)) for it in order_options(power, position, variant.ruleset)}
    for order in lawful.orders:
        orders_offered.get(location_of(order), set()).add(write(order))
    mistakes = {
        f"{ORDER_FIELD}{location}": (
            _("This isn’t on the list. Choose an order that is.")
            if location in orders_offered
            else _("You have nothing to order in {location}. Reload the page to see your orders.").format(
                location=location
            )
        )
        for location, order in controls.orders.items()
        if order and order not in orders_offered.get(location, ())
    }
    minors = {unit.location: unit for unit in position.units_of(NEUTRAL)}
    for number, bid in enumerate(controls.bids):
        if bid.minor and bid.minor not in minors:
            mistakes[f"bid-{number}"] = _(
                "There is no minor power’s unit in {place}. Choose one from the list."
            ).format(place=bid.minor)
        elif not bid.order:
            name = unit_title(minors[bid.minor], variant)
            mistakes[f"bid-{number}"] = _("Choose an order for {unit}, or remove the bid.").format(unit=name)
    return mistakes


def _texts_differ(text: str, before: str | None) -> bool:
    """Do the texts differ in more than spaces? If the earlier text is unknown, they don't."""
    return before is not None and text.split() != before.split()


def _one_line(value: str) -> str:
    return " ".join(value.replace(";", " ").split())


def _sent_fields(data: QueryDict, field: str) -> dict[str, str]:
    """The values of the fields whose names begin with `field`, by the rest of their names."""
    names = [name for name in data if name.startswith(field)]
    return {name.removeprefix(field): _one_line(data.get(name, "")) for name in names}


def _sent_bids(data: QueryDict) -> Iterator[SentBid]:
    """The rows of bids that are not blank."""
    for number in range(MOST_BID_ROWS):
        minor, order, points = (
            _one_line(data.get(f"bid-{number}-{part}", "")) for part in ("minor", "order", "points")
        )
        if minor or order:
            yield SentBid(minor, order, points)
