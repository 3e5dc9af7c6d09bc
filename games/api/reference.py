"""The reference: the schema as plain values for a page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.api.problems import VERSION_1
from games.api.schema import SCOPE, schema

JSON = "application/json"
GROUPS = {
    "Variants": ("variants",),
    "Games": ("games", "phases", "log", "record"),
    "Orders": ("sheet", "ready"),
    "Ending a game": ("proposals",),
    "Messages": ("talk",),
    "What is new": ("changes", "events", "notices", "webhooks"),
    "The game master": ("gm",),
    "Seats and players": (
        *("join", "leave", "confirm", "request", "requests", "wishes", "offer", "come-back", "resign", "seats", "bot"),
        *("sitter", "sittings", "absences", "assist", "hand-over", "statement"),
    ),
}
DEEPEST = 3
FIRST_ERROR = 400
SAMPLES: dict[str, Any] = {"integer": 1, "number": 1.5, "boolean": True, "string": "text"}
MOMENTS = {"date-time": "2026-12-24T18:00:00Z", "date": "2026-12-24", "uri": "https://…"}


@dataclass(frozen=True, slots=True)
class FieldOf:
    """A field of a shape, or a parameter. `shape` is the name of its shape, "" if it is a plain value."""

    name: str
    kind: str
    shape: str
    required: bool
    says: str


@dataclass(frozen=True, slots=True)
class Shape:
    """What is sent or answered, with an example in JSON."""

    name: str
    says: str
    fields: tuple[FieldOf, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What can be done at an address. `takes` and `gives` name shapes, "" for none. `errors`: each status and why."""

    id: str
    method: str
    path: str
    says: str
    scope: str
    parameters: tuple[FieldOf, ...]
    takes: str
    gives: str
    status: str
    errors: tuple[tuple[str, str], ...]


@cache
def operations() -> dict[str, list[Operation]]:
    """By group, in the order of `GROUPS`; KeyError for an address in no group."""
    found: dict[str, list[Operation]] = {title: [] for title in GROUPS}
    for path, ways in schema()["paths"].items():
        for method, told in ways.items():
            found[_group(path)].append(_operation(path, method, told))
    return found


@cache
def shapes() -> list[Shape]:
    """All of them, by name."""
    known = schema()["components"]["schemas"]
    return [_shape(name, told) for name, told in sorted(known.items()) if "properties" in told]


def _group(path: str) -> str:
    steps = [step for step in path.removeprefix(VERSION_1).split("/") if step and "{" not in step]
    key = steps[1] if steps[0] == "games" and len(steps) > 1 else steps[0]
    return next((title for title, keys in GROUPS.items() if key in keys), f"{key} is in none of GROUPS")


def _operation(path: str, method: str, told: Mapping[str, Any]) -> Operation:
    status, answer = next((code, it) for code, it in told["responses"].items() if code.startswith("2"))
    errors = ((code, it["description"]) for code, it in told["responses"].items() if int(code) >= FIRST_ERROR)
    return Operation(
        id=told["operationId"],
        method=method.upper(),
        path=path,
        says=told.get("description", ""),
        scope=told.get(SCOPE, ""),
        parameters=tuple(_parameter(it) for it in told.get("parameters", ())),
        takes=_name_of(told.get("requestBody", {})),
        gives=_name_of(answer),
        status=status,
        errors=tuple(errors),
    )


def _name_of(body: Mapping[str, Any]) -> str:
    """The name of the shape in it."""
    reference: str = body.get("content", {}).get(JSON, {}).get("schema", {}).get("$ref", "")
    return reference.rpartition("/")[2]


def _parameter(told: Mapping[str, Any]) -> FieldOf:
    kind, _shape_name = _kind(told["schema"])
    where = "in the address" if told["in"] == "path" else kind
    return FieldOf(told["name"], where, "", told.get("required", False), told.get("description", ""))


def _shape(name: str, told: Mapping[str, Any]) -> Shape:
    needed = told.get("required", ())
    fields = []
    for field, it in told["properties"].items():
        kind, shape = _kind(it)
        fields.append(FieldOf(field, kind, shape, field in needed, it.get("description", "")))
    example = json.dumps(_sample(told, DEEPEST), ensure_ascii=False, indent=2)
    return Shape(name, told.get("description", ""), tuple(fields), example)


def _kind(told: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of a field in words, and the name of its shape or ""."""
    kind, shape = _plain_kind(told)
    return (f"{kind} or null" if told.get("nullable") else kind), shape


def _plain_kind(told: Mapping[str, Any]) -> tuple[str, str]:
    reference = _reference(told)
    if reference:
        is_object = "properties" in schema()["components"]["schemas"][reference]
        return (reference, reference) if is_object else ("text", "")
    match told.get("type"):
        case "array":
            inner, shape = _kind(told["items"])
            return f"list of {inner}", shape
        case "object" if "additionalProperties" in told:
            inner, shape = _kind(told["additionalProperties"])
            return f"{inner} by name", shape
        case kind:
            usual = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
            words = {"date-time": "moment", "date": "day", "uri": "address"}
            return words.get(told.get("format", "")) or usual.get(str(kind), "any"), ""


def _reference(told: Mapping[str, Any]) -> str:
    inner = (told.get("allOf") or [told])[0]
    return str(inner.get("$ref", "")).rpartition("/")[2]


def _sample(told: Mapping[str, Any], depth: int) -> Any:
    reference = _reference(told)
    if reference:
        return _sample(schema()["components"]["schemas"][reference], depth)
    if "enum" in told:
        return told["enum"][0]
    if "properties" in told:
        return {name: _sample(inner, depth - 1) for name, inner in told["properties"].items()} if depth else {}
    if told.get("type") == "array":
        return [_sample(told["items"], depth - 1)] if depth else []
    if "additionalProperties" in told:
        return {"…": _sample(told["additionalProperties"], depth - 1)} if depth else {}
    return MOMENTS.get(told.get("format", ""), SAMPLES.get(told.get("type", "")))
