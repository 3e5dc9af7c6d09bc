"""What a variant is to the judge: a ruleset and a start, read from facts alone, without map or words for players."""

import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from adjudication.board import Board
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit, UnitKind, may_stand

Rules: TypeAlias = Callable[[Board, Mapping[str, Any]], Ruleset]
"""Makes a ruleset from the board and variant.toml."""

HERE = Path(__file__).parent


class BrokenVariant(ValueError):
    """A variant's files contradict each other; the message names the folder and the fact."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The part of a variant that decides results."""

    slug: str
    title: str
    ruleset: Ruleset
    start: Position


def read_rulebook(folder: str, rules: Rules) -> Rulebook:
    """From `variants/<folder>/`; raises BrokenVariant."""
    facts = tomllib.loads((HERE / folder / "variant.toml").read_text(encoding="utf-8"))
    return rulebook_of(folder, facts, (HERE / folder / "board.json").read_text(encoding="utf-8"), rules)


def rulebook_of(folder: str, facts: Mapping[str, Any], board_text: str, rules: Rules) -> Rulebook:
    """From the facts in variant.toml and the text of board.json; raises BrokenVariant."""
    board = Board.from_json(json.loads(board_text))
    _check_counts(folder, board, facts)
    return Rulebook(facts["slug"], facts["title"], rules(board, facts), _start(folder, board, facts))


def _start(folder: str, board: Board, facts: Mapping[str, Any]) -> Position:
    minors = minor_units(facts)
    units = [_unit(entry["id"], text) for entry in facts["powers"] for text in entry["units"]]
    units += [Unit(NEUTRAL, UnitKind(kind), province) for province, kind in minors.items()]
    for unit in units:
        if not may_stand(unit.kind, unit.location, board):
            raise BrokenVariant(f"{folder}: {unit} of {unit.power} may not stand there.")
    return Position(
        turn=Turn.from_code(facts["first_turn"]),
        units=tuple(units),
        centres=_first_centres(facts),
        memory={"minors": minors} if minors else {},
    )


def _unit(power: str, text: str) -> Unit:
    kind, location = text.split()
    return Unit(power, UnitKind(kind), location)


def minor_units(facts: Mapping[str, Any]) -> dict[str, str]:
    """Minor power's province -> kind of its unit ("A" or "F"), sorted; empty without minors."""
    minors = facts.get("minors", {})
    kinds = dict.fromkeys(minors.get("armies", ()), "A")
    kinds |= dict.fromkeys(minors.get("fleets", ()), "F")
    return dict(sorted(kinds.items()))


def _first_centres(facts: Mapping[str, Any]) -> dict[str, str]:
    return {
        centre: entry["id"] for entry in facts["powers"] for centre in (*entry["homes"], *entry["colonies"])
    }


def _check_counts(folder: str, board: Board, facts: Mapping[str, Any]) -> None:
    found = {
        "spaces": len(board.provinces),
        "centres": len(board.centres),
        "army_borders": sum(len(near) for near in board.army.values()) // 2,
        "fleet_borders": len({_border(a, b) for a, near in board.fleet.items() for b in near}),
        "minors": len(minor_units(facts)),
    }
    for what, count in facts["counts"].items():
        if found[what] != count:
            raise BrokenVariant(f"{folder}: {found[what]} {what} on the board, {count} declared.")


def _border(one: str, other: str) -> tuple[str, str]:
    first, second = sorted((one, other))
    return first, second
