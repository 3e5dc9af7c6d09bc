"""The API is what its schema in the file promises, and every difference has a name."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import TYPE_CHECKING, Any

import pytest

from games.api.schema import openapi_schema
from tests.api.contract import Difference, differences, kept, unnamed
from tests.secrecy.rows import OWN_IN_API, ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator

HOW = "name it under changes in games/api/guide.toml, then type: python -m tests.api.contract"
SHAPE = re.compile(r"#/components/schemas/(\w+)")
A_SEATS_OWN = {"Absences", "Receipt", "Replaced", "Sheet", "Sitting"}

SMALL: dict[str, Any] = {
    "paths": {
        "/api/v1/games/": {
            "get": {
                "parameters": [{"name": "show", "in": "query", "schema": {"type": "string"}}],
                "responses": {"200": {"description": "All of them."}, "404": {"description": "None."}},
            }
        }
    },
    "components": {
        "schemas": {
            "Game": {
                "description": "A game.",
                "properties": {
                    "name": {"type": "string", "description": "Its name."},
                    "status": {"type": "string", "enum": ["open", "over"]},
                },
                "required": ["name", "status"],
            },
            "GameInput": {"properties": {"name": {"type": "string"}}, "required": ["name"]},
        }
    },
}


def test_the_code_answers_as_the_file_promises() -> None:
    found = differences(kept(), openapi_schema())
    assert found == [], f"{'; '.join(map(str, found))}: {HOW}"


@pytest.fixture
def made() -> dict[str, Any]:
    return deepcopy(SMALL)


def told(made: dict[str, Any]) -> list[str]:
    """Each difference from the small schema; with ! if programs could stumble over it."""
    return [f"{it}{'!' if it.breaks else ''}" for it in differences(SMALL, made)]


def test_what_is_new_is_named_as_a_whole(made: dict[str, Any]) -> None:
    shapes = made["components"]["schemas"]
    shapes["Game"]["properties"]["map"] = {"type": "object", "enum": ["a"]}
    shapes["Game"]["required"].append("map")
    shapes["Map"] = {"properties": {"title": {"type": "string"}}, "required": ["title"]}
    shapes["Game"]["properties"]["status"]["enum"].append("held")
    made["paths"]["/api/v1/maps/"] = {"get": {"responses": {"200": {"description": "Maps."}}}}
    made["paths"]["/api/v1/games/"]["get"]["parameters"].append({"name": "pace", "in": "query"})
    assert told(made) == [
        "GET /games/ pace is new",
        "GET /maps/ is new",
        "Game.map is new",
        "Game.status=held is new",
        "Map is new",
    ]


def test_what_changes_or_goes_breaks_programs(made: dict[str, Any]) -> None:
    shapes = made["components"]["schemas"]
    shapes["Game"]["properties"]["name"]["type"] = "integer"
    shapes["Game"]["required"].remove("status")
    del shapes["Game"]["properties"]["status"]["enum"][1]
    del made["paths"]["/api/v1/games/"]["get"]["responses"]["404"]
    assert told(made) == [
        "GET /games/ 404 is gone!",
        "Game.name type: was string, is integer!",
        "Game.status required: was True, is None!",
        "Game.status=over is gone!",
    ]


def test_what_must_be_sent_from_now_on_breaks_programs_and_what_may_be_sent_does_not(made: dict[str, Any]) -> None:
    sent = made["components"]["schemas"]["GameInput"]
    sent["properties"] |= {"variant": {"type": "string"}, "pace": {"type": "string"}}
    sent["required"].append("variant")
    asked = made["paths"]["/api/v1/games/"]["get"]["parameters"]
    asked += [{"name": "page", "in": "query"}, {"name": "year", "in": "query", "required": True}]
    assert told(made) == [
        "GET /games/ page is new",
        "GET /games/ year is new, and must be sent!",
        "GameInput.pace is new",
        "GameInput.variant is new, and must be sent!",
    ]


def test_other_words_are_a_difference_but_no_change(made: dict[str, Any]) -> None:
    made["components"]["schemas"]["Game"]["properties"]["name"]["description"] = "What it is called."
    (found,) = differences(SMALL, made)
    assert (str(found), found.breaks) == ("Game.name is described in other words", False)
    assert unnamed([found], []) == []


def test_a_line_of_the_changes_must_name_a_difference_in_full() -> None:
    found = [Difference("Game.map", "is new", breaks=False), Difference("Game", "is gone")]
    assert unnamed(found, ["`Game.map` is its map."]) == [found[1]]
    assert unnamed(found, ["`Game.map` is its map.", "`Game` is gone."]) == []


def test_what_is_a_seats_own_is_shown_by_no_operation_but_those_in_the_table_of_secrecy() -> None:
    assert {way["operationId"] for way in operations() if A_SEATS_OWN & shapes_in(way)} == set(OWN_IN_API)
    assert set(OWN_IN_API.values()) <= set(ROWS)


def operations() -> Iterator[dict[str, Any]]:
    for ways in openapi_schema()["paths"].values():
        yield from ways.values()


def shapes_in(way: dict[str, Any]) -> set[str]:
    """All shapes in what an operation answers if it works."""
    known = openapi_schema()["components"]["schemas"]
    open_, found = [it for status, it in way["responses"].items() if status.startswith("2")], set[str]()
    while open_:
        new = set(SHAPE.findall(json.dumps(open_.pop()))) - found
        found |= new
        open_ += [known[name] for name in new]
    return found
