"""Reading the base geography: country outlines in a TopoJSON file."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

LonLat = tuple[float, float]
Outline = list[LonLat]
BASE = Path(__file__).parent / "base"


@dataclass(frozen=True)
class Polygon:
    """One piece of a country: outer ring and holes, with points as (longitude, latitude) in degrees."""

    outer: Outline
    holes: list[Outline]


@dataclass(frozen=True)
class Country:
    name: str
    polygons: list[Polygon]


def read_countries(file: str, layer: str) -> list[Country]:
    topology = json.loads((BASE / file).read_text(encoding="utf-8"))
    arcs = [unpack(arc, topology["transform"]) for arc in topology["arcs"]]
    shapes = topology["objects"][layer]["geometries"]
    return [country(shape, arcs) for shape in shapes if shape["type"] in ("Polygon", "MultiPolygon")]


def unpack(arc: list[list[int]], transform: dict[str, Any]) -> Outline:
    """Delta-coded integers -> degrees."""
    (sx, sy), (tx, ty) = transform["scale"], transform["translate"]
    x = y = 0
    points = []
    for dx, dy in arc:
        x, y = x + dx, y + dy
        points.append((x * sx + tx, y * sy + ty))
    return points


def country(shape: dict[str, Any], arcs: list[Outline]) -> Country:
    pieces = [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]
    polygons = [Polygon(ring(piece[0], arcs), [ring(hole, arcs) for hole in piece[1:]]) for piece in pieces]
    return Country(shape.get("properties", {}).get("name", ""), polygons)


def ring(indices: list[int], arcs: list[Outline]) -> Outline:
    """Arcs joined end to end; a negative index ~i means arc i walked backwards."""
    joined: Outline = []
    for i in indices:
        arc = arcs[i] if i >= 0 else arcs[~i][::-1]
        joined.extend(arc if not joined else arc[1:])
    return joined
