"""facts.yaml -> board.json: the spaces and borders the adjudicator plays on."""

import json
from collections.abc import Iterable
from typing import Any

from adjudication.board import BOARD_FORMAT
from variants.cartography.facts import BoardFacts, Pair, parse_pairs


def board(facts: BoardFacts, digest: str) -> dict[str, Any]:
    """The content of board.json; `facts` is the SHA-256 of the file it was made from. `ambiguous` is included only if
    the board has short names that could mean several provinces."""
    fleet = parse_pairs(facts.get("fleet") or "")
    several = facts.get("ambiguous", {})
    return {
        **({"ambiguous": ambiguous(several)} if several else {}),
        "format": BOARD_FORMAT,
        "facts": digest,
        "provinces": provinces(facts, fleet),
        "army": neighbours(land_ids(facts), parse_pairs(facts["army"])),
        "fleet": neighbours({name.upper() for edge in fleet for name in edge}, fleet),
    }


def as_json(content: dict[str, Any]) -> str:
    """The form of the drawn files: sorted, so that a change gives a small diff."""
    return json.dumps(content, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def provinces(facts: BoardFacts, fleet: set[Pair]) -> dict[str, Any]:
    at_sea = afloat(fleet)
    aliases = facts.get("aliases", {})
    return {
        name.upper(): {
            "name": space["name"],
            "abbr": name,
            "kind": kind(space, name in at_sea),
            "centre": bool(space.get("sc")),
            "coasts": sorted(f"{name}/{coast}".upper() for coast in space.get("coasts", ())),
            "aliases": sorted(aliases.get(name, ())),
        }
        for name, space in facts["spaces"].items()
    }


def ambiguous(several: dict[str, list[str]]) -> dict[str, list[str]]:
    """Name that may not be used -> ids of the provinces it could mean."""
    return {name: sorted(each.upper() for each in meant) for name, meant in several.items()}


def afloat(fleet: set[Pair]) -> set[str]:
    """The spaces a fleet can be in."""
    return {name.partition("/")[0] for edge in fleet for name in edge}


def kind(space: dict[str, Any], shore: bool) -> str:
    if space.get("island"):
        return "island"
    if space.get("sea"):
        return "sea"
    return "coast" if shore else "land"


def land_ids(facts: BoardFacts) -> set[str]:
    """Every province an army may be in."""
    spaces = facts["spaces"].items()
    return {name.upper() for name, space in spaces if not space.get("sea") or space.get("island")}


def neighbours(ids: Iterable[str], edges: set[Pair]) -> dict[str, list[str]]:
    table: dict[str, list[str]] = {each: [] for each in ids}
    for a, b in edges:
        table[a.upper()].append(b.upper())
        table[b.upper()].append(a.upper())
    return {each: sorted(found) for each, found in table.items()}
