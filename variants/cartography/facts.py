"""Reading a board's facts: the one YAML file from which board, map and anchors are made."""

import hashlib
from pathlib import Path
from typing import Any

import yaml

from variants.cartography.keys import check_keys
from variants.rulebook import facts_in

BoardFacts = dict[str, Any]
Pair = tuple[str, str]


def read_facts(path: Path) -> BoardFacts:
    """The facts file as nested dicts and lists, in the file's order. Each home of a power, as the variant.toml beside
    it says, has the id of that power as its `home`. Raises UnknownKeys."""
    facts: BoardFacts = yaml.safe_load(path.read_text(encoding="utf-8"))
    check_keys(facts)
    homes = homes_beside(path)
    for name, space in facts["spaces"].items():
        if name.upper() in homes:
            space["home"] = homes[name.upper()]
    return facts


def homes_beside(path: Path) -> dict[str, str]:
    """Province -> the power whose home it is. Raises BrokenVariant."""
    variant = path.parent / "variant.toml"
    powers = facts_in(path.parent.name, path.parent.parent)["powers"] if variant.exists() else []
    return {place: power["id"] for power in powers for place in power["homes"]}


def digest(path: Path) -> str:
    """SHA-256 of the facts file, written into everything that is made from it."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def pair(a: str, b: str) -> Pair:
    return (a, b) if a <= b else (b, a)


def parse_pairs(table: str) -> set[Pair]:
    """`"Edi: Liv Yor # note"` lines -> {("Edi", "Liv"), ("Edi", "Yor")}, each pair sorted."""
    pairs: set[Pair] = set()
    for line in table.splitlines():
        head, _, neighbours = line.split("#")[0].partition(":")
        pairs |= {pair(head.strip(), name) for name in neighbours.split()}
    return pairs
