"""What may stand in a variant.toml: every key, its type and whether it is needed, as variant.schema.json declares."""

import json
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import reduce
from operator import getitem
from pathlib import Path
from typing import Any, TypeAlias

TEXT = Path(__file__).with_name("variant.schema.json").read_text(encoding="utf-8")
"""The declaration as JSON Schema, for editors too. It uses only the keywords that this module knows."""
SCHEMA: Mapping[str, Any] = json.loads(TEXT)
KINDS: Mapping[type, tuple[str, str]] = {
    str: ("string", "text"),
    int: ("integer", "a whole number"),
    bool: ("boolean", "true or false"),
    list: ("array", "a list"),
    dict: ("object", "a section"),
}
WORDS = dict(KINDS.values())
Where: TypeAlias = tuple[str | int, ...]
"""The keys that lead to an entry, with the number of the entry in each list."""


def read_facts(text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The content of a variant.toml, and a sentence for everything wrong in it, by line."""
    try:
        facts = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return {}, (f"this is not TOML: {error}.",)
    found = tuple(faults_in(facts))
    lines = _lines_of({where for where, _ in found if where}, text)
    faults = sorted((lines.get(where, 0), sentence) for where, sentence in found)
    return facts, tuple(f"line {line}: {it}" if line else it for line, it in faults)


def faults_in(value: Any, schema: Mapping[str, Any] = SCHEMA, where: Where = ()) -> Iterator[tuple[Where, str]]:
    """Everything wrong in an entry: where, and a sentence."""
    if expected := _expected(value, schema):
        *sections, name = [key for key in where if isinstance(key, str)]
        shown = json.dumps(value, ensure_ascii=False, default=str)
        yield where, f"“{name}” in {_section(sections)}: {shown} is not {expected}."
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from faults_in(each, schema.get("items", {}), (*where, number))
    elif isinstance(value, dict):
        yield from _faults_in_section(value, schema, where)


def _expected(value: Any, schema: Mapping[str, Any]) -> str:
    """What the value must be; "" if it is that."""
    if "type" in schema and KINDS.get(type(value), ("",))[0] != schema["type"]:
        return WORDS[schema["type"]]
    if value not in schema.get("enum", [value]):
        return " or ".join(map(json.dumps, schema["enum"]))
    if "pattern" in schema and not re.search(schema["pattern"], value):
        return f"like {json.dumps(schema['examples'][0])}"
    is_outside = "minimum" in schema and not schema["minimum"] <= value <= schema["maximum"]
    return f"from {schema['minimum']} to {schema['maximum']}" if is_outside else ""


def _faults_in_section(
    section: Mapping[str, Any], schema: Mapping[str, Any], where: Where
) -> Iterator[tuple[Where, str]]:
    known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
    missing = [key for key in schema.get("required", ()) if key not in section]
    for key, each in section.items():
        if key in known or others is not False:
            yield from faults_in(each, known.get(key, others), (*where, key))
            continue
        hint = ""
        for meant in get_close_matches(key.lower(), known, n=1):
            hint, missing = f" Did you mean “{meant}”?", [it for it in missing if it != meant]
        yield (*where, key), f"“{key}” means nothing in {_section(where)}.{hint} Known are {', '.join(known)}."
    for key in missing:
        yield where, f"“{key}” is missing in {_section(where)}. {known[key]['description']}"


def _section(where: Sequence[str | int]) -> str:
    name = ".".join(key for key in where if isinstance(key, str))
    return f"[{name}]" if name else "variant.toml"


def _lines_of(entries: Collection[Where], text: str) -> Mapping[Where, int]:
    """The line with which each of these entries is complete or its section begins."""
    lines, found = text.splitlines(), dict[Where, int]()
    for number in range(1, len(lines) + 1):
        if len(found) == len(entries):
            break
        with suppress(tomllib.TOMLDecodeError):  # in the middle of an entry
            facts: Any = tomllib.loads("\n".join(lines[:number]))
            found |= {where: number for where in entries if where not in found and _is_in(facts, where)}
    return found


def _is_in(facts: Any, where: Where) -> bool:
    with suppress(LookupError, TypeError):
        reduce(getitem, where, facts)
        return True
    return False
