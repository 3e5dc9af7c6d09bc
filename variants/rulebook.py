"""Everything that the adjudicator needs: a variant's ruleset and start, read from its facts without map or words."""

import importlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any, TypeAlias, cast

from adjudication.board import Board, BoardError
from adjudication.position import Position
from adjudication.ruleset import Ruleset
from adjudication.turns import Turn
from adjudication.units import NEUTRAL, Unit, UnitKind, may_stand, unit_from_text
from variants.camps import BadCamp, with_camps
from variants.declaration import read_facts

Rules: TypeAlias = Callable[[Board, Mapping[str, Any]], Ruleset]
"""Makes a ruleset from the board and variant.toml."""

VARIANTS = Path(__file__).parent
FAMILIES = {"standard": "variants.standard.rules", "diplomacy_points": "variants.families.diplomacy_points"}
"""The module of each family that a variant.toml may name under `rules`."""


VERSIONS, DIGEST = "versions", "digest"
"""Beside the files of its newest version, a folder has those of each earlier one that differ from the next, as in
`versions/1.0/`, and there the digest that this version has."""


class BrokenVariant(ValueError):
    """A variant's files are wrong or contradict each other; the message names the folder and, in a line each, what is
    wrong."""


@dataclass(frozen=True, slots=True)
class Rulebook:
    """The part of a variant that decides results."""

    slug: str
    title: str
    ruleset: Ruleset
    start: Position


def earlier_versions(home: Path) -> dict[str, str]:
    """Version -> its digest, the oldest first, for the versions in a variant's folder that are not the newest."""
    digests = {it.parent.name: it.read_text(encoding="utf-8").strip() for it in home.glob(f"{VERSIONS}/*/{DIGEST}")}
    return dict(sorted(digests.items(), key=lambda it: [int(part) for part in it[0].split(".")]))


def path_of(home: Path, name: str) -> Path:
    """A file in a variant's folder or, for an earlier version, in the first later one that has it."""
    if home.parent.name != VERSIONS:
        return home / name
    newest = home.parent.parent
    order = [*earlier_versions(newest)]
    later = [home, *(home.parent / it for it in order[order.index(home.name) + 1 :] if home.name in order)]
    return next((it / name for it in later if (it / name).exists()), newest / name)


def read_rulebook(folder: str, rules: Rules, variants: Path = VARIANTS) -> Rulebook:
    """The rulebook of `variants/<folder>/`; raises BrokenVariant."""
    facts = facts_in(folder, variants)
    board_file = board_path(folder, facts, "board.json", variants)
    return rulebook_of(folder, facts, board_file.read_text(encoding="utf-8"), rules)


def facts_in(folder: str, variants: Path = VARIANTS) -> Mapping[str, Any]:
    """The content of variant.toml; raises BrokenVariant."""
    return facts_from(folder, path_of(variants / folder, "variant.toml").read_text(encoding="utf-8"))


def facts_from(folder: str, text: str) -> dict[str, Any]:
    """The content of a variant.toml with this text; raises BrokenVariant."""
    facts, faults = read_facts(text)
    if faults:
        raise BrokenVariant("\n".join(f"{folder}/variant.toml: {fault}" for fault in faults))
    return facts


def board_folder(folder: str, facts: Mapping[str, Any]) -> str:
    """The folder whose board and map a variant plays on: its own, unless variant.toml names another as `board`."""
    return str(facts.get("board", folder))


def board_home(folder: str, facts: Mapping[str, Any], variants: Path = VARIANTS) -> Path:
    """The path of that folder: beside the variant or, if it isn't there, among our own. Raises
    BrokenVariant if it is in neither."""
    name = board_folder(folder, facts)
    home = variants / name if (variants / name).exists() else VARIANTS / name
    if not home.exists():
        raise BrokenVariant(f"{folder}: “board” names {name}, which is no folder beside it and none of ours.")
    return home


def board_path(folder: str, facts: Mapping[str, Any], name: str, variants: Path = VARIANTS) -> Path:
    """A file of the board that a variant plays on. An earlier version may have its own, though it names another's."""
    home, kept = variants / folder, path_of(variants / folder, name)
    return kept if home.parent.name == VERSIONS and kept.exists() else board_home(folder, facts, variants) / name


def rules_in(folder: str, variants: Path = VARIANTS) -> Rules:
    """Those of the family that variant.toml names, or `rules` from `variants/<folder>/rules.py`; raises ImportError or
    AttributeError if there are none."""
    family, file = facts_in(folder, variants).get("rules", {}).get("family"), path_of(variants / folder, "rules.py")
    if family or file.parent.parent == VARIANTS:
        rules: Rules = importlib.import_module(FAMILIES.get(family, f"variants.{file.parent.name}.rules")).rules
        return rules
    spec = spec_from_file_location(f"rules_of_{folder}", file)
    assert spec is not None
    assert spec.loader is not None
    module: Any = module_from_spec(spec)
    spec.loader.exec_module(module)
    return cast("Rules", module.rules)


def rulebook_of(folder: str, facts: Mapping[str, Any], board_text: str, rules: Rules) -> Rulebook:
    """The rulebook from the facts in variant.toml and the text of board.json; raises BrokenVariant."""
    board = board_of(folder, facts, board_text)
    counts = counts_of(board, facts)
    for kind, count in facts["counts"].items():
        if counts[kind] != count:
            raise BrokenVariant(f"{folder}: {counts[kind]} {kind} on the board, {count} declared.")
    names_by_id = {it["id"]: f"the {it['name']}" if it.get("article") else it["name"] for it in facts["powers"]}
    if len(names_by_id) < len(facts["powers"]):
        raise BrokenVariant(f"{folder}: two powers have the same “id”.")
    words = {"called": names_by_id, "names": names_of_powers(facts), "sentences": facts.get("sentences", {})}
    try:
        ruleset = replace(rules(board, facts), **words)
    except KeyError as error:
        raise BrokenVariant(f"{folder}: its rules look for {error}, which variant.toml does not have.") from error
    return Rulebook(facts["slug"], facts["title"], ruleset, _start(folder, board, facts))


def names_of_powers(facts: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Power -> the names that people use for it."""
    aliases = facts.get("aliases", {})
    return {it["id"]: (it["name"], it["adjective"], *aliases.get(it["id"], ())) for it in facts["powers"]}


def board_of(folder: str, facts: Mapping[str, Any], board_text: str) -> Board:
    """The board with the camps of variant.toml; raises BrokenVariant."""
    try:
        return Board.from_json(with_camps(json.loads(board_text), facts.get("camps", {})))
    except (BadCamp, BoardError) as error:
        raise BrokenVariant(f"{folder}: {error}") from error


def _start(folder: str, board: Board, facts: Mapping[str, Any]) -> Position:
    minors = minor_units(facts)
    units = [unit_from_text(entry["id"], text) for entry in facts["powers"] for text in entry["units"]]
    units += [Unit(NEUTRAL, UnitKind(kind), province) for province, kind in minors.items()]
    for unit in units:
        if unit.province not in board.provinces or not may_stand(unit.kind, unit.location, board):
            raise BrokenVariant(f"{folder}: {unit} of {unit.power} may not stand there.")
    centres = {c: entry["id"] for entry in facts["powers"] for c in (*entry["homes"], *entry["colonies"])}
    for centre in sorted(centres.keys() - {*board.centres}):
        raise BrokenVariant(f"{folder}: {centre}, of {centres[centre]}, is not a supply centre on the board.")
    return Position(
        turn=Turn.from_code(facts["first_turn"]),
        units=tuple(units),
        centres=centres,
        memory={"minors": minors} if minors else {},
    )


def minor_units(facts: Mapping[str, Any]) -> dict[str, str]:
    """Minor power's province -> kind of its unit ("A" or "F"), sorted; empty if there are none."""
    minors = facts.get("minors", {})
    kinds = dict.fromkeys(minors.get("armies", ()), "A")
    kinds |= dict.fromkeys(minors.get("fleets", ()), "F")
    return dict(sorted(kinds.items()))


def counts_of(board: Board, facts: Mapping[str, Any]) -> dict[str, int]:
    """The numbers on the board of what a variant.toml declares as `counts`. A camp is not a space, and its ways out are
    those of the province around it."""
    return {
        "spaces": len(spaces(board)),
        "centres": len(board.centres),
        "army_borders": _pairs(board.army, board),
        "fleet_borders": _pairs(board.fleet, board),
        "minors": len(minor_units(facts)),
    }


def spaces(board: Board) -> tuple[str, ...]:
    """The provinces without their camps, sorted."""
    return tuple(province.id for province in board.provinces.values() if not province.within)


def _pairs(borders: Mapping[str, Iterable[str]], board: Board) -> int:
    pairs = ((here, there) for here in borders if not board.province(here).within for there in borders[here])
    return len({frozenset(pair) for pair in pairs})
