"""What the API promises: its schema, kept in a file, and how the code differs from it.

    python -m tests.api.contract

writes the file anew, once the newest lines of `changes` in `games/api/guide.toml` name every difference. Version 1 is
frozen: it takes additions only, and refuses a change or a removal.
"""

from __future__ import annotations

import json
import os
import sys
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

FILE = Path(__file__).with_name("openapi.json")
VERSION = "/api/v1"
INPUT = "Input"
"""How the names of all shapes end that are sent."""
WORDS = "description"
"""What a program does not read."""

Facts = dict[str, dict[str, object]]


class Difference(NamedTuple):
    """`name`: as in "Phase.game", "Event.kind=SOLO", "GET /games/" or "GET /games/ show"."""

    name: str
    what: str
    breaks: bool = True
    is_wording: bool = False

    def __str__(self) -> str:
        return f"{self.name} {self.what}"


def differences(kept: Mapping[str, Any], made: Mapping[str, Any]) -> list[Difference]:
    """Each thing that is in one schema only, or not the same in both. What a new thing consists of is not named."""
    before, after = facts_of(kept), facts_of(made)
    new, gone = after.keys() - before.keys(), before.keys() - after.keys()
    found = [Difference(name, "is gone") for name in _outermost(gone)]
    for name in _outermost(new):
        is_sent = name.partition(".")[0].endswith(INPUT) or "in" in after[name]
        must_be_sent = is_sent and after[name].get("required") is True
        found.append(Difference(name, "is new, and must be sent" if must_be_sent else "is new", breaks=must_be_sent))
    for name in before.keys() & after.keys():
        found.extend(_changes(name, before[name], after[name]))
    return sorted(found)


def _outermost(names: Iterable[str]) -> list[str]:
    """Without the parts of others among them."""
    known = set(names)
    return [name for name in known if not any(name.startswith((f"{it}.", f"{it} ", f"{it}=")) for it in known)]


def _changes(name: str, before: Mapping[str, object], after: Mapping[str, object]) -> Iterator[Difference]:
    keys = [key for key in {**before, **after} if before.get(key) != after.get(key)]
    told = [key for key in keys if key.rpartition(".")[2] != WORDS]
    if told:
        yield Difference(name, "; ".join(f"{key}: was {before.get(key)}, is {after.get(key)}" for key in sorted(told)))
    elif keys:
        yield Difference(name, "is described in other words", breaks=False, is_wording=True)


def facts_of(schema: Mapping[str, Any]) -> Facts:
    """What the schema says of each thing in it, by its name."""
    found: Facts = {}
    for path, value in _leaves(schema):
        pieces, rest = _named(path)
        *_outer, facts = (found.setdefault(name, {}) for name in accumulate(pieces))
        facts[".".join(rest)] = value
    return found


def _leaves(value: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every single value with the way to it. Parameters are told apart by their names, other members by themselves."""
    parts = _by_name(value) if isinstance(value, list) else value
    if not isinstance(parts, dict) or not parts:
        yield path, parts
        return
    for key, inner in parts.items():
        yield from _leaves(inner, (*path, key))


def _by_name(members: list[Any]) -> dict[str, Any]:
    names = [it.get("name", place) if isinstance(it, dict) else it for place, it in enumerate(members)]
    return {str(name): it if isinstance(it, dict) else True for name, it in zip(names, members, strict=True)}


def _named(path: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The name of the thing that a place in the schema belongs to, in pieces, and the rest of the way there."""
    name, rest = path[:1], path[1:]
    match path:
        case ("components", "schemas", shape, "properties", field, "enum", value, *_):
            name, rest = (shape, f".{field}", f"={value}"), ()
        case ("components", "schemas", shape, "properties", field, *more):
            name, rest = (shape, f".{field}"), tuple(more)
        case ("components", "schemas", shape, "required", field, *_):
            name, rest = (shape, f".{field}"), ("required",)
        case ("components", "schemas", shape, "enum", value, *_):
            name, rest = (shape, f"={value}"), ()
        case ("components", "schemas", shape, *more):
            name, rest = (shape,), tuple(more)
        case ("paths", where, method, "parameters" | "responses", part, *more):
            name, rest = (_operation(method, where), f" {part}"), tuple(more)
        case ("paths", where, method, *more):
            name, rest = (_operation(method, where),), tuple(more)
    return name, rest


def _operation(method: str, where: str) -> str:
    return f"{method.upper()} {where.removeprefix(VERSION)}"


def kept() -> dict[str, Any]:
    """The schema in the file."""
    read: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return read


def unnamed(found: Iterable[Difference], changes: Iterable[str]) -> list[Difference]:
    """Those that no line of the API's changes names in backticks."""
    lines = " ".join(changes)
    return [it for it in found if not it.is_wording and f"`{it.name}`" not in lines]


def main() -> None:
    os.environ["DJANGO_SETTINGS_MODULE"] = "diplomacy_site.settings.test"
    import django  # noqa: PLC0415  # the settings come first

    django.setup()
    from games.api.guide import TEXTS  # noqa: PLC0415
    from games.api.schema import openapi_schema  # noqa: PLC0415

    found = differences(kept(), openapi_schema())
    if missing := unnamed(found, next(iter(TEXTS["changes"].values()))):
        sys.exit("\n".join(["Name these under changes in games/api/guide.toml first:", *map(str, missing)]))
    if breaking := [it for it in found if it.breaks]:
        sys.exit("\n".join(["Version 1 is frozen. A change or a removal needs a version 2:", *map(str, breaking)]))
    FILE.write_text(json.dumps(openapi_schema(), ensure_ascii=False, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    sys.stdout.write("".join(f"{it}\n" for it in found))


if __name__ == "__main__":
    main()
