"""The reference: the schema as plain values for a page."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from games.api.problems import VERSION_1
from games.api.schema import SCOPE, openapi_schema

JSON = "application/json"
GROUPS = {
    "Variants": ("variants",),
    "Games": ("games", "phases", "log", "record"),
    "Orders": ("sheet", "ready"),
    "Ending a game": ("proposals",),
    "Messages": ("talk",),
    "What is new": ("changes", "events", "notices", "webhooks"),
    "The game master": ("gm",),
    "Tournaments": ("tournaments",),
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
class FieldRow:
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
    fields: tuple[FieldRow, ...]
    example: str


@dataclass(frozen=True, slots=True)
class Operation:
    """What can be done at an address. `takes` and `gives` name shapes, "" for none. `errors`: each status and why."""

    id: str
    method: str
    path: str
    says: str
    scope: str
    parameters: tuple[FieldRow, ...]
    takes: str
    gives: str
    status: str
    errors: tuple[tuple[str, str], ...]


@cache
def operations() -> dict[str, list[Operation]]:
    """The operations by group, in the order of `GROUPS`; raises KeyError for an address in no group."""
    grouped: dict[str, list[Operation]] = {title: [] for title in GROUPS}
    for path, methods in openapi_schema()["paths"].items():
        for method, description in methods.items():
            steps = [step for step in path.removeprefix(VERSION_1).split("/") if step and "{" not in step]
            key = steps[1] if steps[0] == "games" and len(steps) > 1 else steps[0]
            group = next((title for title, keys in GROUPS.items() if key in keys), f"{key} is in none of GROUPS")
            grouped[group].append(_operation(path, method, description))
    return grouped


@cache
def shapes() -> list[Shape]:
    known = openapi_schema()["components"]["schemas"]
    return [_shape(name, description) for name, description in sorted(known.items()) if "properties" in description]


def _operation(path: str, method: str, description: Mapping[str, Any]) -> Operation:
    status, answer = next(
        (code, response) for code, response in description["responses"].items() if code.startswith("2")
    )
    errors = (
        (code, response["description"])
        for code, response in description["responses"].items()
        if int(code) >= FIRST_ERROR
    )
    return Operation(
        id=description["operationId"],
        method=method.upper(),
        path=path,
        says=description.get("description", ""),
        scope=description.get(SCOPE, ""),
        parameters=tuple(_parameter(response) for response in description.get("parameters", ())),
        takes=_name_of(description.get("requestBody", {})),
        gives=_name_of(answer),
        status=status,
        errors=tuple(errors),
    )


def _name_of(body: Mapping[str, Any]) -> str:
    """The name of the shape that this body refers to."""
    reference: str = body.get("content", {}).get(JSON, {}).get("schema", {}).get("$ref", "")
    return reference.rpartition("/")[2]


def _parameter(description: Mapping[str, Any]) -> FieldRow:
    kind, _shape_name = _kind_and_shape(description["schema"])
    place = "in the address" if description["in"] == "path" else kind
    return FieldRow(
        description["name"], place, "", description.get("required", False), description.get("description", "")
    )


def _shape(name: str, description: Mapping[str, Any]) -> Shape:
    required = description.get("required", ())
    fields = []
    for field, field_schema in description["properties"].items():
        kind, shape = _kind_and_shape(field_schema)
        fields.append(FieldRow(field, kind, shape, field in required, field_schema.get("description", "")))
    example = json.dumps(_sample_value(description, DEEPEST), ensure_ascii=False, indent=2)
    return Shape(name, description.get("description", ""), tuple(fields), example)


def _kind_and_shape(description: Mapping[str, Any]) -> tuple[str, str]:
    """The kind of a field in words, and the name of its shape or ""."""
    kind, shape = _kind_unless_null(description)
    return (f"{kind} or null" if description.get("nullable") else kind), shape


def _kind_unless_null(description: Mapping[str, Any]) -> tuple[str, str]:
    reference = _referred_shape(description)
    if reference:
        is_object = "properties" in openapi_schema()["components"]["schemas"][reference]
        return (reference, reference) if is_object else ("text", "")
    match description.get("type"):
        case "array":
            inner, shape = _kind_and_shape(description["items"])
            return f"list of {inner}", shape
        case "object" if "additionalProperties" in description:
            inner, shape = _kind_and_shape(description["additionalProperties"])
            return f"{inner} by name", shape
        case kind:
            usual = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
            words = {"date-time": "moment", "date": "day", "uri": "address"}
            return words.get(description.get("format", "")) or usual.get(str(kind), "any"), ""


def _referred_shape(description: Mapping[str, Any]) -> str:
    inner = (description.get("allOf") or [description])[0]
    return str(inner.get("$ref", "")).rpartition("/")[2]


def _sample_value(description: Mapping[str, Any], depth: int) -> Any:
    reference = _referred_shape(description)
    if reference:
        return _sample_value(openapi_schema()["components"]["schemas"][reference], depth)
    if "enum" in description:
        return description["enum"][0]
    if "properties" in description:
        return (
            {name: _sample_value(inner, depth - 1) for name, inner in description["properties"].items()}
            if depth
            else {}
        )
    if description.get("type") == "array":
        return [_sample_value(description["items"], depth - 1)] if depth else []
    if "additionalProperties" in description:
        return {"…": _sample_value(description["additionalProperties"], depth - 1)} if depth else {}
    return MOMENTS.get(description.get("format", ""), SAMPLES.get(description.get("type", "")))
