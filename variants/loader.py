"""The only reader of variants' files: each folder's data, read and checked once per process."""

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudication.board import Board
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit, UnitKind, may_stand
from variants.drawing import BoardArt, read_art
from variants.variant import PowerInfo, Variant

FILES = ("variant.toml", "board.json", "anchors.json", "map.svg", "rules.md")
WORDS = frozenset({"format", "title", "version", "summary", "credits", "counts"})
"""The entries of variant.toml that decide nothing in a game."""
HERE = Path(__file__).parent


class BrokenVariant(ValueError):
    """A variant's files contradict each other; the message names the folder and the fact."""


@dataclass(frozen=True, slots=True)
class Sources:
    """A folder's files as text."""

    folder: str
    texts: Mapping[str, str]

    @property
    def facts(self) -> dict[str, Any]:
        return tomllib.loads(self.texts["variant.toml"])

    @property
    def digest(self) -> str:
        """Over what decides results. A map drawn better or a rule said clearer leaves running games alone."""
        board = json.loads(self.texts["board.json"])
        deciding: dict[str, Any] = {key: board[key] for key in ("provinces", "army", "fleet")}
        deciding["rules"] = {key: facts for key, facts in self.facts.items() if key not in WORDS}
        return hashlib.sha256(json.dumps(deciding, sort_keys=True).encode()).hexdigest()


def load(folder: str, rules: Callable[[Board, Mapping[str, Any]], Ruleset]) -> Variant:
    """The variant in `variants/<folder>/`; `rules` makes its ruleset from the board and variant.toml.

    Raises BrokenVariant when the files contradict each other.
    """
    sources = Sources(folder, {name: (HERE / folder / name).read_text(encoding="utf-8") for name in FILES})
    facts = sources.facts
    board = Board.from_json(json.loads(sources.texts["board.json"]))
    _check_counts(folder, board, facts)
    return Variant(
        slug=facts["slug"],
        title=facts["title"],
        version=facts["version"],
        digest=sources.digest,
        summary=facts["summary"],
        credits=facts["credits"],
        powers=tuple(_power(entry) for entry in facts["powers"]),
        ruleset=rules(board, facts),
        start=_start(folder, board, facts),
        art=_art(sources, facts),
        rules_text=sources.texts["rules.md"],
    )


def _power(entry: Mapping[str, Any]) -> PowerInfo:
    return PowerInfo(**{name: entry[name] for name in ("id", "name", "adjective", "letter", "colour")})


def _art(sources: Sources, facts: Mapping[str, Any]) -> BoardArt:
    colours = {entry["id"]: str(entry["colour"]) for entry in facts["powers"]}
    return read_art(sources.texts["map.svg"], sources.texts["anchors.json"], colours)


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
