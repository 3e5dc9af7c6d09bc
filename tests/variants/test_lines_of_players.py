"""Lines of known meaning are read rightly, or refused with a sentence, and never read wrongly."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from adjudication.board import Board, province_of
from adjudication.judge import adjudicate
from adjudication.notation import read_sheet, write_order, write_sheet
from adjudication.options import order_options
from adjudication.orders import Convoy, Hold, Move, Order, OrderSheet, Support
from adjudication.reasons import Misreading
from adjudication.turns import PhaseKind
from variants.phase_json import read_phase
from variants.registry import find
from variants.words import say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from adjudication.position import Position
    from adjudication.ruleset import Ruleset
    from adjudication.units import Unit
    from variants.variant import Variant

FILE = Path(__file__).with_name("lines_of_players.txt")
REFUSED, NOTHING = "!", "-"


@dataclass(frozen=True)
class Page:
    """Lines written by one power for one position: meaning and text."""

    variant: Variant
    power: str
    position: Position
    lines: list[tuple[str, str]]


def split(text: str, at: str) -> dict[str, list[str]]:
    """As in "FRANCE: A PAR, A MAR; ITALY: A ROM"."""
    entries = (entry.split(":") for entry in text.split(at) if ":" in entry)
    return {power.strip(): [one.strip() for one in listed.split(",")] for power, listed in entries}


def page(heading: str) -> Page:
    first, _, rest = heading.removeprefix("==").partition(";")
    slug, power, phase = first.split()
    units, _, centres = rest.partition(" centres ")
    units, _, beaten = units.partition(" beaten ")
    fallen = {
        whose: [dict(zip(("unit", "by"), unit.rsplit("/", 1), strict=True)) for unit in some]
        for whose, some in split(beaten, ";").items()
    }
    document = {"phase": phase, "units": split(units, ";"), "centers": split(centres, ";"), "dislodged": fallen}
    variant = find(slug)
    return Page(variant, power, read_phase(document, variant.rulebook).position, [])


def pages() -> list[Page]:
    found: list[Page] = []
    for line in FILE.read_text(encoding="utf-8").split("\n"):
        if line.startswith("=="):
            found.append(page(line))
        elif " :: " in line and not line.startswith("#"):
            meaning, _, text = line.partition(" :: ")
            found[-1].lines.append((meaning, text.replace("\\n", "\n")))
    return found


def meaning(text: str, on: Page) -> tuple[str, str]:
    """What the text means, and the sentences that refuse it."""
    found = read_sheet(text, on.power, on.position, on.variant.ruleset)
    if found.problems:
        return REFUSED, " ".join(say(it.why, on.variant.ruleset) for it in found.problems)
    return write_sheet(found.sheet, on.position).replace("\n", " / ") or NOTHING, ""


@pytest.mark.parametrize("on", pages(), ids=lambda on: f"{on.variant.slug} {on.position.turn.code} {on.power}")
def test_what_players_write_means_what_they_mean(on: Page) -> None:
    wrong = [(text, known, *meaning(text, on)) for known, text in on.lines if meaning(text, on)[0] != known]
    assert wrong == []


A_FORM = re.compile(r"[AF] [A-Z]{3}|[(][A-Za-z]{1,3}[)]|[A-Z]{3} or [A-Z][a-z]+|BUILD A")
"""As in "A MUN - BOH", "hold (H)", "Did you mean Munich (Mun)?" or "there is Spain (nc)"."""


def test_whatever_cannot_be_read_is_answered_with_what_can_be() -> None:
    answered: set[str] = set()
    for on in pages():
        for _, text in on.lines:
            found = read_sheet(text, on.power, on.position, on.variant.ruleset)
            for why in (it.why for it in found.problems if isinstance(it.why.reason, Misreading)):
                answered.add(why.reason)
                assert A_FORM.search(say(why, on.variant.ruleset)), (text, say(why, on.variant.ruleset))
    assert len(answered) > 8


# Lines made of what people vary: names, order words, coasts, and what stands around an order.

UNREAD = 0.02
MADE, PLAYED, LABELLED, OWNED = 900, 20, 0.1, 0.3
BOARDS = ("standard", "1926", "locarno", "ambition-and-empire", "balkan-battle")
HOLDS = ("H", "h", "holds", "hold", "stands", "Holds.", "holding")
SUPPORTS = ("S", "s", "supports", "support", "sup", "supporting", "supp.")
CONVOYS = ("C", "convoys", "convoy", "convoying")
TOWARDS = (" - ", "-", " -> ", "->", " > ", " → ", " ⇒ ", " – ", " to ", " moves to ", " M ", " m ", " --> ")
AROUND = (
    "{}",
    "{}",
    "- {}",
    "3. {}",
    "• {}",
    "`{}`",
    "**{}**",
    "{};",
    "{}.",
    "  {}",
    "> {}",
    "{} # remark",
    "\u200b{}",
)
OPPOSITES = ("NOT", "never", "don't", "unless", "except", "Brumm", "cancel", "if", "x", "?")
LONG_COASTS = {"NC": "North Coast", "SC": "south coast", "EC": "east coast", "WC": "West Coast"}


def beginnings(board: Board) -> dict[str, list[str]]:
    """Province -> beginnings of its name, of four letters or more, with which no other name on the board begins."""
    names = [
        (it.id, name.lower()) for it in board.provinces.values() for name in (it.name, it.abbr, it.id, *it.aliases)
    ]
    found: dict[str, list[str]] = {}
    for province in board.provinces.values():
        name = province.name
        for length in range(4, len(name)):
            others = [one for one, called in names if one != province.id and called.startswith(name[:length].lower())]
            if not others and name[:length].isalpha():
                found.setdefault(province.id, []).append(name[:length])
    return found


class Writer:
    """Writes the orders of one power in the ways of many people."""

    def __init__(self, variant: Variant, chance: random.Random) -> None:
        self.variant = variant
        self.board = variant.ruleset.board
        self.chance = chance
        self.begun = beginnings(self.board)

    def place(self, location: str, coast: bool = True) -> str:
        province = self.board.provinces[province_of(location)]
        whole = [province.id, province.abbr, province.name, province.name.upper(), province.id.lower()]
        name = self.chance.choice([*whole, *self.begun.get(province.id, ())])
        side = location[4:]
        if not (coast and side):
            return name
        styles = (f"/{side.lower()}", f"({side.lower()})", f" ({side})", f" {side}", f"-{side.lower()}", side)
        long = (f" {LONG_COASTS[side]}", f" ({LONG_COASTS[side]})")
        return name + self.chance.choice((*styles, *long) if len(name.split()) == 1 else (*styles[:3], *long))

    def unit(self, unit: Unit) -> str:
        army, fleet = ("A ", "a ", "Army ", "army ", "A  "), ("F ", "f ", "Fleet ", "fleet ", "FLEET ")
        return self.chance.choice(army if unit.kind == "A" else fleet) + self.place(unit.location)

    def sea(self) -> str:
        return self.place(self.chance.choice([it.id for it in self.board.provinces.values() if it.kind == "sea"]))

    def way(self, by_sea: bool) -> str:
        """An arrow; sometimes one from sea to sea, if it leads across."""
        seas = [self.sea() for _ in range(self.chance.choice((0, 0, 1, 2)))] if by_sea else []
        return self.chance.choice(TOWARDS).join(["", *seas, ""]) if seas else self.chance.choice(TOWARDS)

    def owner(self, unit: Unit) -> str:
        """Before a unit that is helped, sometimes the name of its power."""
        if unit.power not in self.variant.ruleset.powers or self.chance.random() > OWNED:
            return ""
        power = self.variant.power(unit.power)
        return self.chance.choice((f"{power.name} ", f"{power.adjective} ", f"{power.name}'s "))

    def order(self, order: Order, units: dict[str, Unit]) -> str:
        pick, here = self.chance.choice, self.unit(units[province_of(getattr(order, "location", ""))])
        match order:
            case Hold():
                return f"{here} {pick(HOLDS)}"
            case Move():
                via = pick((" VIA", " via convoy", f" via {self.sea()}")) if order.via else ""
                return f"{here}{self.way(order.via)}{self.place(order.destination)}{via}"
            case Support():
                helped = units[order.supported]
                goal = (
                    f"{pick(TOWARDS)}{self.place(order.destination)}"
                    if order.destination
                    else pick(("", " H", " holds"))
                )
                return f"{here} {pick(SUPPORTS)} {self.owner(helped)}{self.unit(helped)}{goal}"
            case Convoy():
                helped = units[order.army]
                goal = f"{self.way(by_sea=True)}{self.place(order.destination)}"
                return f"{here} {pick(CONVOYS)} {self.owner(helped)}{self.unit(helped)}{goal}"
        raise AssertionError(order)


@lru_cache(maxsize=1)
def all_made() -> list[tuple[Page, str, str]]:
    return list(chain.from_iterable(map(made, BOARDS)))


def made(slug: str) -> Iterator[tuple[Page, str, str]]:
    """Positions, and for each a line with its meaning."""
    chance, variant = random.Random(slug), find(slug)
    writer, rules = Writer(variant, chance), variant.ruleset
    position = variant.start
    for number in range(MADE // len(BOARDS)):
        if number % PLAYED == 0:
            position = played(position, rules, chance)
        power = chance.choice([power for power in rules.powers if position.units_of(power)])
        order = chance.choice(chance.choice(order_options(power, position, rules)).orders)
        text = chance.choice(AROUND).format(writer.order(order, position.units_by_province()))
        label = f"{variant.power(power).name}: " if chance.random() < LABELLED and text[0].isalpha() else ""
        yield Page(variant, power, position, []), write_order(order, position), label + text


def played(position: Position, rules: Ruleset, chance: random.Random) -> Position:
    """The position before the next moves, after random orders."""
    while True:
        rows = {power: order_options(power, position, rules) for power in rules.powers}
        sheets = {power: OrderSheet(tuple(chance.choice(row.orders) for row in some)) for power, some in rows.items()}
        position = adjudicate(position, sheets, rules).public.next
        if position.turn.kind is PhaseKind.MOVEMENT:
            return position


def test_of_made_lines_nearly_all_are_read_and_none_is_read_wrongly() -> None:
    read = [(text, known, *meaning(text, on)) for on, known, text in all_made()]
    assert [it for it in read if it[2] not in {it[1], REFUSED}] == []
    refused = [it for it in read if it[2] == REFUSED]
    assert len(refused) <= UNREAD * len(read), refused


def test_a_line_with_a_word_too_many_is_not_read() -> None:
    chance = random.Random(1)
    for on, _, text in all_made():
        words = text.partition("#")[0].split()
        words.insert(chance.randrange(len(words) + 1), chance.choice(OPPOSITES))
        assert meaning(" ".join(words), on)[0] == REFUSED, words
