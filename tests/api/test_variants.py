"""The board of a variant as programs get it."""

from __future__ import annotations

from typing import Any

import pytest
from django.urls import reverse

from tests.browsers import visitor
from variants.registry import offered

pytestmark = pytest.mark.django_db


def variant(slug: str) -> dict[str, Any]:
    answer: dict[str, Any] = visitor().get(reverse("api:variant", args=[slug])).json()
    return answer


@pytest.mark.parametrize("slug", [one.slug for one in offered()])
def test_every_board_can_be_drawn_and_walked_from_its_answer(slug: str) -> None:
    answer = variant(slug)
    board = answer["board"]
    provinces = {province["id"]: province for province in board["provinces"]}
    locations = {*provinces, *(coast for province in provinces.values() for coast in province["coasts"])}
    assert board["army"].keys() <= provinces.keys()
    assert board["fleet"].keys() <= locations
    assert {there for near in (*board["army"].values(), *board["fleet"].values()) for there in near} <= locations
    for province in provinces.values():
        points = [province["label"], *province["units"].values(), *filter(None, [province["mark"]])]
        assert all(0 <= x <= board["width"] and 0 <= y <= board["height"] for x, y in points), province
        assert province["centre"] is (province["mark"] is not None)
    powers = {power["id"] for power in answer["powers"]}
    assert board["homes"].keys() <= powers
    assert {unit["location"] for unit in board["start"]["units"]} <= locations
    assert set(board["start"]["centres"]) <= provinces.keys()


def test_the_board_of_the_standard_game_is_the_one_that_everybody_knows() -> None:
    board = variant("standard")["board"]
    spain = next(province for province in board["provinces"] if province["id"] == "SPA")
    assert (spain["name"], spain["kind"], spain["centre"]) == ("Spain", "coast", True)
    assert spain["coasts"] == ["SPA/NC", "SPA/SC"]
    assert spain["units"].keys() == {"SPA", "SPA/NC", "SPA/SC"}
    assert board["army"]["SPA"] == ["GAS", "MAR", "POR"]
    assert "SPA/NC" not in board["fleet"]["MAR"]
    assert "SPA/SC" in board["fleet"]["MAR"]
    assert board["homes"]["ENGLAND"] == ["EDI", "LON", "LVP"]
    assert board["start"]["turn"] == "S1901M"
    assert {"power": "RUSSIA", "kind": "F", "location": "STP/SC", "faction": ""} in board["start"]["units"]
    assert board["start"]["centres"]["VIE"] == "AUSTRIA"


def test_the_map_is_drawn_empty_with_the_ids_of_its_provinces() -> None:
    address = variant("standard")["map"]
    assert address == "http://testserver/api/v1/variants/standard/map.svg"
    drawn = visitor().get(address)
    assert (drawn.status_code, drawn["Content-Type"]) == (200, "image/svg+xml")
    assert 'data-province="MUN"' in drawn.content.decode()
    assert 'aria-label="Map of ' in drawn.content.decode()
    for name in ("variant", "board"):
        missing = visitor().get(reverse(f"api:{name}", args=["chess"]))
        assert (missing.status_code, missing.json()["code"]) == (404, "NotFound")
