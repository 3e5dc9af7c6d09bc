"""Camps: several places within one province, for powers that share it. variant.toml lists them by id.

A camp takes its kind, coasts and exits from the province it lies in. No unit can enter it, it counts neither as a
space nor as a centre, and the map shows it beside the province's own unit.
"""

from collections.abc import Mapping
from typing import Any

Camps = Mapping[str, Mapping[str, str]]


class BadCamp(ValueError):
    """A camp that is not possible; the message says why."""


def with_camps(board: Mapping[str, Any], camps: Camps) -> dict[str, Any]:
    """The content of a board.json with its camps, as in `{"BU1": {"within": "BUL", "name": "Bulgaria (first camp)"}}`.

    Raises BadCamp.
    """
    provinces, army, fleet = dict(board["provinces"]), dict(board["army"]), dict(board["fleet"])
    for camp, facts in camps.items():
        province = facts["within"]
        if province not in board["provinces"]:
            raise BadCamp(f"The camp {camp} lies within {province}, which is not on the board.")
        if camp in board["provinces"]:
            raise BadCamp(f"The camp {camp} has the id of a province.")
        coasts = [_location_in_camp(coast, camp) for coast in provinces[province]["coasts"]]
        provinces[camp] = {**provinces[province], "coasts": coasts, "abbr": camp.capitalize(), "aliases": []}
        provinces[camp] |= {"name": facts["name"], "within": province, "centre": False}
        army |= _borders_of_camp(camp, province, board["army"])
        fleet |= _borders_of_camp(camp, province, board["fleet"])
    return {**board, "provinces": provinces, "army": army, "fleet": fleet}


def _borders_of_camp(camp: str, province: str, borders: Mapping[str, Any]) -> Mapping[str, Any]:
    """The borders of a camp and of its coasts: those of its province."""
    return {_location_in_camp(here, camp): places for here, places in borders.items() if here[:3] == province}


def _location_in_camp(location: str, camp: str) -> str:
    return camp + location[3:]


def with_places_for_camps(anchors: Mapping[str, Any], camps: Camps) -> dict[str, Any]:
    """The content of an anchors.json including places for camps: the first camp is where the province's unit goes, the
    others beside it, on each coast as on land. Raises BadCamp if the map has too few places."""
    provinces = dict(anchors["provinces"])
    numbers: dict[str, int] = {}
    for camp, facts in camps.items():
        province = facts["within"]
        number = numbers[province] = numbers.get(province, -1) + 1
        spots = provinces[province]
        slots = spots.get("units", [spots["unit"]])
        if number >= len(slots):
            raise BadCamp(f"The map has {len(slots)} unit places in {province}, too few for its camps.")
        right, down = slots[number][0] - slots[0][0], slots[number][1] - slots[0][1]
        coasts = {
            _location_in_camp(coast, camp): [round(x + right, 1), round(y + down, 1)]
            for coast, (x, y) in spots.get("coasts", {}).items()
        }
        provinces[camp] = {"home": "", "label": spots["label"], "unit": slots[number], "coasts": coasts}
    return {**anchors, "provinces": provinces}
