"""Two versions of one seat's orders side by side, and what both could be combined to."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.orders.choices import bid_views, minor_choices, missing_from, order_rows, wishes_of
from games.orders.sheets import LINE_FIELD, ORDER_FIELD, WISH_FIELD, ReadSheet, SentSheet, read_once, wish_line


@dataclass(frozen=True, slots=True)
class Side:
    """What one version says about one thing: in words, and as lines of text; both "" for nothing."""

    words: str
    lines: str


@dataclass(frozen=True, slots=True)
class ComparedRow:
    """What both versions say about a unit, a place, a minor power's unit, something written ahead, or in remarks.
    `why`: the reason why mine can't be added to what is saved."""

    name: str
    label: str
    saved: Side
    mine: Side
    why: str = ""

    @property
    def differs(self) -> bool:
        return self.saved.lines != self.mine.lines

    @property
    def needs_choice(self) -> bool:
        """When my orders and the saved ones are combined, must the player choose between them here?"""
        return self.differs and bool(self.mine.lines) and bool(self.saved.lines or self.why)

    @property
    def is_added(self) -> bool:
        return self.differs and not self.saved.lines and not self.why


@dataclass(frozen=True, slots=True)
class Comparison:
    """The rows in which at least one version says something; what mine leaves open, and how many points it bids."""

    rows: tuple[ComparedRow, ...]
    missing: tuple[str, ...]
    spent: int

    @property
    def added(self) -> tuple[ComparedRow, ...]:
        """The rows that take my version, because nothing is saved there and the combination is lawful."""
        return tuple(row for row in self.rows if row.is_added)

    @property
    def asked(self) -> tuple[ComparedRow, ...]:
        return tuple(row for row in self.rows if row.needs_choice)


def compare_sheets(saved_sheet: ReadSheet, my_sheet: ReadSheet) -> Comparison:
    """Compare two versions. Both are by one power and were read on one position."""
    saved_sides, my_sides = dict(_sides_by_row(saved_sheet)), dict(_sides_by_row(my_sheet))
    rows = [
        ComparedRow(f"{LINE_FIELD}{key}", label, saved_sides[key, label], side)
        for (key, label), side in my_sides.items()
        if side.lines or saved_sides[key, label].lines
    ]
    spent = sum(bid.points for bid in my_sheet.lawful.bids)
    return Comparison(tuple(_added_while_lawful(rows, saved_sheet)), missing_from(my_sheet), spent)


def _added_while_lawful(rows: list[ComparedRow], saved_sheet: ReadSheet) -> Iterator[ComparedRow]:
    """The rows of mine that can be added one by one to what is saved while the whole stays lawful."""
    all_lines = [row.saved.lines for row in rows if row.saved.lines]
    for row in rows:
        if row.saved.lines:
            yield row
            continue
        with_mine = SentSheet("\n".join([*all_lines, row.mine.lines]))
        problems = read_once(with_mine, saved_sheet.power, saved_sheet.position, saved_sheet.variant).problems
        if problems:
            yield ComparedRow(row.name, row.label, row.saved, row.mine, problems[-1].sentence)
        else:
            all_lines.append(row.mine.lines)
            yield row


def _sides_by_row(sheet: ReadSheet) -> Iterator[tuple[tuple[str, str], Side]]:
    """Everything that the sheet says, by name and label, in the order of the page."""
    for row in order_rows(sheet):
        words = next((choice.label for choice in row.choices if choice.chosen), "")
        yield (f"{ORDER_FIELD}{row.location}", row.label), Side(words, row.chosen)
    bids = bid_views(sheet.lawful, sheet.position, sheet.variant)
    for minor in minor_choices(sheet.position, sheet.variant):
        minor_bids = [bid for bid in bids if bid.minor == minor.location]
        words = ", ".join(f"{bid.points}: {bid.order}" for bid in minor_bids)
        yield (
            (f"bid-{minor.location}", minor.label),
            Side(words, "\n".join(f"{it.points}: {it.canonical}" for it in minor_bids)),
        )
    for wish in wishes_of(sheet):
        line = wish_line(wish.about, wish.wishes) if wish.wishes else ""
        yield (f"{WISH_FIELD}{wish.about}", wish.label), Side(wish.wishes, line)
    remarks = [remark.strip() for line in sheet.text.splitlines() if (remark := line.partition("#")[2])]
    yield ("remarks", _("Remarks")), Side(" · ".join(remarks), "\n".join(f"# {remark}" for remark in remarks))
