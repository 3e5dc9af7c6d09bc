"""The standard game, and helpers to set up positions on its board."""

import json
import tomllib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from adjudication.board import Board
from adjudication.notation import read_sheet
from adjudication.orders import OrderSheet
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.turns import Turn
from adjudication.units import Unit, UnitKind
from variants.rulebook import names_of_powers
from variants.standard import rules as standard

_FOLDER = Path(standard.__file__).parent
FACTS = tomllib.loads((_FOLDER / "variant.toml").read_text(encoding="utf-8"))
BOARD = Board.from_json(json.loads((_FOLDER / "board.json").read_text(encoding="utf-8")))
STANDARD = replace(standard.rules(BOARD, FACTS), names=names_of_powers(FACTS))


def unit(power: str, text: str) -> Unit:
    kind, location = text.split()
    return Unit(power, UnitKind(kind), location)


def units(by_power: Mapping[str, list[str]]) -> tuple[Unit, ...]:
    """As in {"GERMANY": ["A MUN"]}."""
    return tuple(sorted(unit(power, text) for power, texts in by_power.items() for text in texts))


def position(turn: str, by_power: Mapping[str, list[str]], centres: Mapping[str, list[str]] | None = None) -> Position:
    held = {centre: power for power, theirs in (centres or {}).items() for centre in theirs}
    return Position(Turn.from_code(turn), units(by_power), held)


def by_power(some: tuple[Unit, ...] | list[Unit]) -> dict[str, list[str]]:
    """The inverse of `units`."""
    grouped: dict[str, list[str]] = {}
    for one in sorted(some):
        grouped.setdefault(one.power, []).append(str(one))
    return grouped


def lawful_sheets(before: Position, texts: Mapping[str, str], rules: Ruleset) -> dict[str, OrderSheet]:
    """Power -> its orders as players write them, separated by semicolons, all lawful."""
    readings = {power: read_sheet(text, power, before, rules) for power, text in texts.items()}
    assert {power: reading.problems for power, reading in readings.items() if reading.problems} == {}
    return {power: reading.sheet for power, reading in readings.items()}


START = position(
    FACTS["first_turn"],
    {entry["id"]: entry["units"] for entry in FACTS["powers"]},
    {entry["id"]: entry["homes"] for entry in FACTS["powers"]},
)
