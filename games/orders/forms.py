"""The order page's form. Controls and text box end as one text, which the engine reads; mistakes come back by line."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from games.kernel.wording import words_for_adjustments, words_for_muster, words_of
from games.orders.services import sheet_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from django.http import QueryDict

    from games.kernel.wording import PhaseWords
    from games.orders.parts import Choice, Desk, MinorChoice, OrderRow


ORDER_FIELD = "order-"

TEXT_ID = "sheet-text"

MOST_BID_ROWS = 12

BLANK_BID_ROWS = 1

LONGEST_NUMBER = 9

KINDS = {
    "H": "Hold",
    "-": "Move",
    "S": "Support",
    "C": "Convoy",
    "R": "Retreat",
    "D": "Disband",
    "DISBAND": "Disband",
    "BUILD": "Build",
    "WAIVE": "Build nothing",
    "DECLARE": "Declare",
}

ONE_LIST = frozenset({"P", "D"})
"""The kinds of phase in which a select is one short list without headings."""


@dataclass(frozen=True, slots=True, repr=False)
class TypedBid:
    """One row of the bids as typed."""

    minor: str
    order: str
    points: str

    @property
    def blank(self) -> bool:
        return not (self.minor or self.order)


@dataclass(frozen=True, slots=True, repr=False)
class SentSheet:
    """What a player sent: from the controls or, when `by_text`, from the text box. `torn`: without scripts both were
    changed, so that to save the one would lose the other. `mark`: of the phase as it stood on the page."""

    ordinal: int
    mark: str
    by_text: bool
    torn: bool
    typed: str
    orders: Mapping[str, str]
    bids: tuple[TypedBid, ...]

    @classmethod
    def of(cls, sent: QueryDict) -> SentSheet:
        """Read a posted form; nothing in it is trusted."""
        orders, bids = _sent_orders(sent), tuple(_sent_bids(sent))
        was_typed = _typed_before_scripts_ran(sent)
        was_chosen = _differs(_chosen_text(orders.values(), bids), sent.get("choices-before"))
        return cls(
            ordinal=_ordinal(sent.get("ordinal", "")),
            mark=sent.get("mark", ""),
            by_text=sent.get("use") == "text" or (was_typed and not was_chosen),
            torn=was_typed and was_chosen,
            typed=sent.get("text", ""),
            orders=orders,
            bids=bids,
        )

    @property
    def text(self) -> str:
        """The sheet as the one text that is read, checked and stored."""
        if self.by_text:
            return self.typed
        return _chosen_text(self.orders.values(), self.bids)


def _chosen_text(orders: Iterable[str], bids: Iterable[TypedBid]) -> str:
    return sheet_text(orders, ((bid.points, bid.order) for bid in bids if bid.order))


def _typed_before_scripts_ran(sent: QueryDict) -> bool:
    """Was the text changed on a page whose scripts, which would have said so, did not run (yet)?"""
    return sent.get("use") in {"controls", "try"} and _differs(sent.get("text", ""), sent.get("text-before"))


def _differs(text: str, before: str | None) -> bool:
    """Otherwise than by its spaces; what is not known to have been before did not change."""
    return before is not None and text.split() != before.split()


def _ordinal(typed: str) -> int:
    """The phase that the form was made for; none has the ordinal -1 of a form that was tampered with."""
    return int(typed) if typed.isdecimal() and len(typed) < LONGEST_NUMBER else -1


def _one_line(value: str) -> str:
    return " ".join(value.replace(";", " ").split())


def _sent_orders(sent: QueryDict) -> dict[str, str]:
    """Location -> the order chosen there."""
    names = [name for name in sent if name.startswith(ORDER_FIELD)]
    return {name.removeprefix(ORDER_FIELD): _one_line(sent.get(name, "")) for name in names}


def _sent_bids(sent: QueryDict) -> Iterable[TypedBid]:
    for number in range(MOST_BID_ROWS):
        minor, order, points = (sent.get(f"bid-{number}-{part}", "") for part in ("minor", "order", "points"))
        bid = TypedBid(_one_line(minor), _one_line(order), _one_line(points))
        if not bid.blank:
            yield bid


@dataclass(frozen=True, slots=True)
class ChoiceGroup:
    """Without a title its choices stand in no group."""

    title: str
    choices: tuple[Choice, ...]


@dataclass(frozen=True, slots=True)
class OrderControl:
    """A unit's or a building site's select. `stray` is a sent value that the list does not offer."""

    name: str
    label: str
    groups: tuple[ChoiceGroup, ...]
    chosen: str
    stray: str
    problem: str


@dataclass(frozen=True, slots=True)
class BidControl:
    """One row of the bids: its minor, the orders of that minor, the points as typed."""

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
class Mistake:
    """One sentence and the id of the control that it is about; `line` is the typed line, of a text."""

    anchor: str
    about: str
    sentence: str
    line: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class SheetForm:
    """The order page's form: controls, text box, and every mistake with its place."""

    orders: tuple[OrderControl, ...]
    bids: tuple[BidControl, ...]
    text: str
    mistakes: tuple[Mistake, ...]
    words: PhaseWords
    one_list: bool
    progress: str

    @property
    def text_wrong(self) -> bool:
        return any(mistake.anchor == TEXT_ID for mistake in self.mistakes)

    @property
    def chosen(self) -> str:
        """What the controls say, as text."""
        bids = (TypedBid(bid.minor, bid.order, bid.points) for bid in self.bids)
        return _chosen_text((control.chosen for control in self.orders), bids)

    @property
    def text_rows(self) -> int:
        """Lines that the text box shows."""
        lines = max(self.text.count("\n"), len(self.orders))
        return max(4, min(24, lines + 2))


TORN = Mistake(
    TEXT_ID,
    "The choices and the text",
    "You changed both. Save the one that you mean by its own button; the other is still as you left it.",
)


def saved_form(desk: Desk) -> SheetForm:
    """The form as it stands saved."""
    return SheetForm(
        orders=tuple(_order_controls(desk, {row.location: row.chosen for row in desk.rows}, {})),
        bids=tuple(_bid_controls(desk, _desk_bids(desk), {})),
        text=_as_people_write(desk.text, desk),
        mistakes=(),
        words=_words(desk),
        one_list=desk.kind in ONE_LIST,
        progress=_progress(desk),
    )


def sent_form(desk: Desk, sent: SentSheet) -> SheetForm:
    """The form as it was sent, `desk` being made from `sent.text`: nothing typed is lost, every mistake is named."""
    if sent.by_text:
        return _from_text(desk, sent)
    form = _from_controls(desk, sent)
    return replace(form, text=sent.typed, mistakes=(TORN, *form.mistakes)) if sent.torn else form


def _from_text(desk: Desk, sent: SentSheet) -> SheetForm:
    drawn = saved_form(desk)
    mistakes = tuple(
        Mistake(TEXT_ID, f"Line {it.line}, “{it.text}”", it.sentence, it.text) for it in desk.problems
    )
    return replace(drawn, text=sent.typed, mistakes=mistakes)


def _from_controls(desk: Desk, sent: SentSheet) -> SheetForm:
    places = [f"{ORDER_FIELD}{location}" for location, order in sent.orders.items() if order]
    places += [f"bid-{number}" for number, bid in enumerate(sent.bids) if bid.order]
    wrong = {places[it.line - 1]: it.sentence for it in desk.problems if it.line <= len(places)}
    wrong = {**_misplaced(desk, sent), **_unfinished(desk, sent), **wrong}
    orders = tuple(_order_controls(desk, sent.orders, wrong))
    bids = tuple(_bid_controls(desk, sent.bids, wrong))
    order = [
        *(f"{ORDER_FIELD}{row.location}" for row in desk.rows),
        *(f"bid-{number}" for number in range(MOST_BID_ROWS)),
    ]
    placed = sorted(wrong.items(), key=lambda item: order.index(item[0]) if item[0] in order else -1)
    mistakes = tuple(Mistake(place, _about(place, desk), sentence) for place, sentence in placed)
    text = _as_people_write(sent.text, desk)
    return SheetForm(orders, bids, text, mistakes, _words(desk), desk.kind in ONE_LIST, _progress(desk))


def _progress(desk: Desk) -> str:
    return f"{len(desk.placed)} of {desk.adjustment} placed." if desk.kind == "P" else ""


def _words(desk: Desk) -> PhaseWords:
    adjectives = {faction.letter: faction.adjective for faction in desk.factions}
    if desk.kind == "A":
        return words_for_adjustments(desk.adjustments, adjectives)
    return words_for_muster() if desk.muster else words_of(desk.kind)


def _as_people_write(text: str, desk: Desk) -> str:
    """Lines in canonical notation, as controls and programs send them, spelt as in the lists; others stay."""
    lists = [row.choices for row in desk.rows] + [minor.choices for minor in desk.minors]
    labels = {choice.value: choice.label for choices in lists for choice in choices}
    return "\n".join(_spelt(line, labels) for line in text.splitlines())


def _spelt(line: str, labels: Mapping[str, str]) -> str:
    points, colon, order = line.rpartition(": ")
    return f"{points}{colon}{labels.get(order, order)}"


def _about(place: str, desk: Desk) -> str:
    if place.startswith("bid-"):
        return f"Bid {int(place.removeprefix('bid-')) + 1}"
    location = place.removeprefix(ORDER_FIELD)
    return next((row.label for row in desk.rows if row.location == location), location)


def _misplaced(desk: Desk, sent: SentSheet) -> dict[str, str]:
    """Orders of a form that was tampered with: for a unit that is not there, or one unit's order in another's row."""
    offered = {row.location: {choice.value for choice in row.choices} for row in desk.rows}
    return {
        f"{ORDER_FIELD}{location}": (
            "This is not on the list. Choose something that is."
            if location in offered
            else f"You have nothing to order in {location}. Reload the page to see your orders."
        )
        for location, order in sent.orders.items()
        if order and order not in offered.get(location, ())
    }


def _unfinished(desk: Desk, sent: SentSheet) -> dict[str, str]:
    names = {minor.location: minor.label for minor in desk.minors}
    wrong = {}
    for number, bid in enumerate(sent.bids):
        if bid.minor and bid.minor not in names:
            wrong[f"bid-{number}"] = (
                f"{bid.minor} is not a minor power with a unit on the map. Choose one from the list."
            )
        elif not bid.order:
            wrong[f"bid-{number}"] = f"Choose an order for {names[bid.minor]}, or take the row away."
    return wrong


def _order_controls(
    desk: Desk, chosen: Mapping[str, str], wrong: Mapping[str, str]
) -> Iterable[OrderControl]:
    return controls_of(desk.rows, chosen, ORDER_FIELD, wrong, kind=desk.kind)


def controls_of(
    rows: Iterable[OrderRow],
    chosen: Mapping[str, str],
    field: str,
    wrong: Mapping[str, str] | None = None,
    *,
    kind: str,
) -> Iterable[OrderControl]:
    """A select for each row, whose name begins with `field`, in a phase of this kind. `chosen`: location -> order;
    `wrong`: name -> sentence."""
    for row in rows:
        value, name = chosen.get(row.location, ""), f"{field}{row.location}"
        groups = (ChoiceGroup("", row.choices),) if kind in ONE_LIST else _grouped(row.choices, kind)
        problem = (wrong or {}).get(name, "")
        yield OrderControl(name, row.label, groups, value, _stray(value, row.choices), problem)


def _bid_controls(desk: Desk, bids: tuple[TypedBid, ...], wrong: Mapping[str, str]) -> Iterable[BidControl]:
    choices = {minor.location: minor.choices for minor in desk.minors}
    for number, bid in enumerate((*bids, *(TypedBid("", "", "") for _ in range(_blanks(desk, bids))))):
        own = choices.get(bid.minor, ())
        stray = _stray(bid.order, own)
        yield BidControl(
            number, bid.minor, _grouped(own), bid.order, stray, bid.points, wrong.get(f"bid-{number}", "")
        )


def _blanks(desk: Desk, bids: tuple[TypedBid, ...]) -> int:
    return max(BLANK_BID_ROWS, desk.budget + BLANK_BID_ROWS - len(bids)) if len(bids) < MOST_BID_ROWS else 0


def _desk_bids(desk: Desk) -> tuple[TypedBid, ...]:
    return tuple(TypedBid(row.minor, row.order, str(row.points)) for row in desk.bid_rows)


def _stray(value: str, choices: tuple[Choice, ...]) -> str:
    return "" if not value or any(choice.value == value for choice in choices) else value


def _grouped(choices: tuple[Choice, ...], kind: str = "M") -> tuple[ChoiceGroup, ...]:
    groups: dict[str, list[Choice]] = {}
    for choice in choices:
        groups.setdefault(kind_title(choice.value, kind), []).append(choice)
    return tuple(ChoiceGroup(title, tuple(members)) for title, members in groups.items())


def kind_title(order: str, kind: str = "M") -> str:
    """The heading of an order written canonically in a phase of this kind: "A MUN - CZE" is a "Move", among retreats
    a "Retreat", "A AUS S A MUN" a "Support hold"."""
    words = order.split()
    sign = words[0] if words[0] in KINDS else words[2]
    if (sign, kind) == ("-", "R"):
        return KINDS["R"]
    if sign == "S":
        return "Support move" if "-" in words else "Support hold"
    return KINDS[sign]


def minor_orders(minors: tuple[MinorChoice, ...]) -> dict[str, list[tuple[str, str, str]]]:
    """For scripts: each minor's orders as (value, label, heading)."""
    return {
        it.location: [(one.value, one.label, kind_title(one.value)) for one in it.choices] for it in minors
    }
