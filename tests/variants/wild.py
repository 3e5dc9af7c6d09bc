"""All that the rules tell in games of chance, with lawful orders, wild ones and lines that make no sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple, TypeAlias

from adjudication.auction import bid_refusal
from adjudication.errors import NotationError
from adjudication.fitting import SheetWarning, warnings_about
from adjudication.judge import adjudicate, put_in_civil_disorder
from adjudication.legality import next_order_refusal
from adjudication.notation import parse_order, read_sheet
from adjudication.options import must_decide
from adjudication.orders import (
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
from adjudication.parser import parse_unit
from adjudication.position import Position
from adjudication.reasons import Coded, Facts, OrderRefusal
from adjudication.resolution import Notice, OrderOutcome, Public, Verdict
from adjudication.ruleset import Ruleset
from adjudication.situation import Situation
from adjudication.units import Unit, UnitKind
from tests.adjudication.boards import STANDARD
from tests.adjudication.boards import position as laid_out
from tests.adjudication.test_datc import CASES
from tests.long_round import how_many
from tests.variants.chance import any_sheet
from variants.bots import Level, play
from variants.registry import offered, teaching
from variants.survivors import verdict_after_last_year
from variants.variant import Variant

Told: TypeAlias = OrderOutcome | Notice | Verdict | OrderRefusal | NotationError | SheetWarning
ORDERS_EACH, LINES_EACH = 6, 4
PIECES = (
    *("-", "S", "C", "H", "D", "B", "A", "F", "CA", "DA", "VIA", ",", "2:", "0:", "BUILD", "BUILDS:", "REMOVALS:"),
    *("IF", "DISLODGED:", "WAIVE", "DISBAND", "PLACE", "DECLARE WAR", "ally", "foo", "“x”", "Mun ich", "Nort Sea"),
    *("Spain", "Bul", "France", "German", "St", "Liverp", "Gulf of", "Bra", "Spa/ec", "A", "F"),
)


class Said(NamedTuple):
    """What was told, in which phase of a game of which variant."""

    told: Told
    ruleset: Ruleset
    where: str

    @property
    def kind(self) -> str | None:
        """None if an order simply succeeded."""
        return self.told.kind if isinstance(self.told, Notice | Verdict) else self.told.reason

    @property
    def facts(self) -> Facts:
        return self.told.facts

    def __str__(self) -> str:
        return f"{self.where}: {self.kind!r} {dict(self.facts)}"


@lru_cache(maxsize=1)
def all_that_is_said() -> tuple[Said, ...]:
    """Everything with a reason or a kind that the games of this run tell, in all variants, and the test cases."""
    said = [
        Said(told, variant.ruleset, f"{variant.slug}, {turn}")
        for variant in (*offered(), *teaching())
        for turn, told in [*_game(variant, Random(variant.slug)), *_ends(variant)]
    ]
    said += [Said(told, STANDARD, case["id"]) for case in CASES for told in _test_case(case)]
    return tuple(each for each in said if each.kind is not None)


def kinds_said() -> set[Coded]:
    return {each.kind for each in all_that_is_said() if isinstance(each.kind, Coded)}


def _game(variant: Variant, chance: Random) -> Iterator[tuple[str, Told]]:
    position, ruleset = variant.start, variant.ruleset
    yield from (("a position", error) for error in _misread_units(ruleset, chance))
    for number in range(how_many("wild")):
        turn = position.turn.code
        for power in ruleset.powers:
            yield from ((turn, told) for told in _refused(power, position, ruleset, chance))
            sheet = any_sheet(power, position, ruleset, Random(f"{turn} {power}"))
            yield from ((turn, told) for told in warnings_about(sheet, power, Situation(position, ruleset)))
        public = _played(position, ruleset, chance)
        yield from ((turn, told) for told in _public(public))
        position = public.next
        if public.verdict:
            return
        if number % 8 == 5:
            position, notices = put_in_civil_disorder(position, chance.choice(ruleset.powers), ruleset)
            yield from ((turn, notice) for notice in notices)


def _test_case(case: Mapping[str, Any]) -> Iterator[Told]:
    turn = "S1901M" if case["phase"] == "movement" else "W1901A"
    before = laid_out(turn, case["units"], case.get("centres", {}))
    sheets: dict[str, OrderSheet] = {}
    for power, text, _ in case["orders"]:
        orders = sheets[power].orders if power in sheets else ()
        sheets[power] = OrderSheet((*orders, parse_order(text, before, STANDARD)))
    yield from _public(adjudicate(before, sheets, STANDARD).public)


def _public(public: Public) -> Iterator[Told]:
    yield from public.outcomes
    yield from public.notices
    if public.verdict:
        yield public.verdict


def _played(position: Position, ruleset: Ruleset, chance: Random) -> Public:
    """The phase of bots, which know how to dislodge, and of chance. Some orders are wild, some sheets missing."""
    sheets: dict[str, OrderSheet] = {}
    for power in must_decide(position, ruleset):
        bot = play(power, position, ruleset, chance.getrandbits(16), Level.EASY)
        sheet = chance.choice((bot, bot, any_sheet(power, position, ruleset, chance)))
        wild = [_wild_order(power, position, ruleset, chance) for _ in range(chance.choice((0, 0, 2)))]
        if chance.random() < 0.93:
            sheets[power] = sheet._replace(orders=(*wild, *sheet.orders))
    return adjudicate(position, sheets, ruleset).public


def _refused(power: str, position: Position, ruleset: Ruleset, chance: Random) -> Iterator[Told]:
    situation, accepted = Situation(position, ruleset), list[Order]()
    for _ in range(ORDERS_EACH):
        order = _wild_order(power, position, ruleset, chance)
        refusal = next_order_refusal(order, accepted, power, situation)
        accepted += [order] if refusal is None else []
        wrong = bid_refusal(Bid(order, chance.randint(0, 3)), situation)
        if refusal:
            yield refusal
        if wrong:
            yield wrong
    lines = [_wild_line(power, position, ruleset, chance) for _ in range(LINES_EACH)]
    rich = "9: A MUN H\n9: A AUS H"
    for text in ("\n".join(lines), "\n".join(_ahead(power, position, ruleset, chance)), rich):
        yield from (problem.why for problem in read_sheet(text, power, position, ruleset).problems)


def _misread_units(ruleset: Ruleset, chance: Random) -> Iterator[NotationError]:
    """Units as positions name them."""
    for place in chance.choices([*ruleset.board.locations], k=12):
        for text in (place, f"A {place}", f"F {place[:3]}"):
            try:
                parse_unit(text, ruleset.powers[0], ruleset.board)
            except NotationError as error:
                yield error


def _wild_order(power: str, position: Position, ruleset: Ruleset, chance: Random) -> Order:
    board = ruleset.board
    anywhere, provinces = [*board.locations], [*board.provinces]
    units = _units(power, position, chance)
    here = chance.choice(units).location if units else chance.choice(anywhere)
    near = [*sorted(board.army.get(here[:3], ())), *sorted(board.fleet.get(here, ()))]
    there = chance.choice(near if near and chance.random() < 0.6 else anywhere)
    other = chance.choice(chance.choice(([unit.province for unit in position.units], provinces)) or provinces)
    homes = [*ruleset.homes.get(chance.choice(ruleset.powers), ())] or anywhere
    faction = chance.choice([*ruleset.factions, ""])
    return chance.choice(
        (
            Hold(here),
            Move(here, there),
            Move(here, there, via=True),
            Support(here, other),
            Support(here, other, there),
            Convoy(here, other, there[:3]),
            Retreat(here, there),
            Disband(here),
            Build(chance.choice([*UnitKind]), chance.choice(chance.choice((homes, anywhere))), faction),
            Waive(),
            Declare(chance.choice(("war", "neutrality", "alliance", "peace")), chance.choice(ruleset.powers)),
        )
    )


def _units(power: str, position: Position, chance: Random) -> list[Unit]:
    """Those that can be ordered in this phase, or all that there are, or none."""
    beaten = [each.unit for each in position.dislodged]
    there = beaten or [*position.units]
    own = [unit for unit in there if unit.power == power]
    return chance.choice((own, own, own, own, there, []))


def _wild_line(power: str, position: Position, ruleset: Ruleset, chance: Random) -> str:
    board = ruleset.board
    units = [str(unit) for unit in _units(power, position, chance)] or ["A XXX"]
    words = (PIECES, units, [*board.locations], [province.name for province in board.provinces.values()])
    if chance.random() < 0.5:
        return " ".join(chance.choice(chance.choices(words, (8, 4, 5, 1))[0]) for _ in range(chance.randint(1, 7)))
    verb, more = chance.choice(("-", "S", "C", "H", "- - ")), chance.choice(("", "", *PIECES))
    return f"{chance.choice(units)} {verb} {chance.choice(chance.choice(words))} {more}".strip()


def _ahead(power: str, position: Position, ruleset: Ruleset, chance: Random) -> Iterator[str]:
    """Lines for coming phases, each with its mistake, and two that are too long."""
    units = position.units_of(power) or position.units
    first, anywhere = (str(units[0]) if units else "A XXX"), chance.choice([*ruleset.board.provinces])
    home = next(iter(ruleset.homes.get(power, ())), anywhere)
    yield f"{'x' * 130}, y"
    yield "a" * 2_100
    yield from (f"IF {first} DISLODGED", f"IF {first} DISLODGED: {anywhere}, disband, Bur", f"IF {first} DISLODGED: ,")
    yield from (f"IF {unit} DISLODGED: disband" for unit in (units[-1:] + units[-1:]))
    yield from (f"BUILDS: A {home}, A {home}", f"BUILDS: waive, A {home}", f"BUILDS: A {home}", f"BUILDS: F {home}")
    yield from ("REMOVALS: x", f"REMOVALS: {anywhere}", f"REMOVALS: {', '.join(unit.province for unit in units)}")
    yield f"REMOVALS: {units[0].province if units else 'XXX'}"


def _ends(variant: Variant) -> Iterator[tuple[str, Verdict]]:
    """Of positions in which one power has all, several share it, and nobody is left."""
    start, ruleset = variant.start, variant.ruleset
    centres = dict.fromkeys(ruleset.board.centres, "")
    for powers in (*([power] for power in ruleset.powers), []):
        held = {**dict.fromkeys(centres, powers[0])} if powers else {}
        units = tuple(unit for unit in start.units if unit.power in powers)
        over = replace(start, centres=held, units=units)
        found = (ruleset.victory.verdict(over, ruleset), verdict_after_last_year(over, variant, over.turn.year - 1))
        yield from (("at the end", verdict) for verdict in found if verdict)
    drawn = verdict_after_last_year(start, variant, start.turn.year - 1)
    yield from (("at the end", drawn),) if drawn else ()
