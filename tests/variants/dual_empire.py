"""Helpers to set up positions of the Collapse of the Dual Empire."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from adjudication.judge import resolve
from adjudication.notation import Problem, read_sheet
from adjudication.position import Position
from adjudication.resolution import OrderOutcome, Public
from adjudication.turns import Turn
from adjudication.units import unit_from_text
from tests.adjudication.boards import lawful_sheets
from variants.dual_empire.rules import rules
from variants.rulebook import read_rulebook
from variants.words import say

RULEBOOK = read_rulebook("dual_empire", rules)
RULES = RULEBOOK.ruleset
START = RULEBOOK.start
BOARD = RULES.board

Lists = Mapping[str, Sequence[str]]


def position(
    turn: str, units: Lists, centres: Lists | None = None, factions: Mapping[str, str] | None = None
) -> Position:
    """As in position("NOV1918M", {"GERMANS": ["CA VIE"]}). `centres`: those that changed hands since the start;
    `factions`: those that supply a different faction now."""
    others = {centre: power for power, theirs in (centres or {}).items() for centre in theirs}
    return Position(
        turn=Turn.from_code(turn),
        units=tuple(unit_from_text(power, text) for power, texts in units.items() for text in texts),
        centres={**START.centres, **others},
        memory={"factions": factions} if factions else {},
    )


def played(before: Position, orders: Lists) -> Public:
    """One phase with orders as players write them, all lawful."""
    written = {power: "\n".join(lines) for power, lines in orders.items()}
    return resolve(before, lawful_sheets(before, written, RULES), RULES).public


def problem(text: str, power: str, before: Position) -> str:
    """The sentence about the only problem with these lines."""
    (only,) = problems(text, power, before)
    return say(only.why, RULES)


def problems(text: str, power: str, before: Position) -> tuple[Problem, ...]:
    return read_sheet(text, power, before, RULES).problems


def units_of(power: str, after: Position) -> list[str]:
    return [str(unit) for unit in sorted(after.units_of(power))]


def outcome(public: Public, unit: str) -> OrderOutcome:
    """As in "CA VIE"."""
    (only,) = (each for each in public.outcomes if str(each.unit) == unit)
    return only


def results(public: Public, unit: str) -> list[str]:
    return [result.value for result in outcome(public, unit).results]


def counted(before: Position) -> Public:
    """The end of the month before a build turn, with no retreats to order."""
    return resolve(replace(before, turn=Turn.from_code("DEC1918R")), {}, RULES).public


def sentences(public: Public) -> list[str]:
    return [say(notice, RULES) for notice in public.notices]
