"""The land as a grid of country codes: base outlines, historic repainting, straits filled or carved."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import ndimage

from variants.cartography.arrays import Floats, Grid, Mask, grown
from variants.cartography.country_outlines import Outline, Polygon, read_countries
from variants.cartography.facts import BoardFacts
from variants.cartography.pen import Pen, spline

WATER = 0
CRUMB_AREA = 8
KEPT_ISLAND_AREA = 400


@dataclass
class Terrain:
    """`codes[y, x]` is an index into `code_names`; 0 is water."""

    pen: Pen
    codes: Grid
    code_names: list[str] = field(default_factory=lambda: ["~"])
    unmapped: set[str] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    strait: Mask = field(init=False)

    def __post_init__(self) -> None:
        self.strait = np.zeros(self.codes.shape, bool)

    def code(self, name: str) -> int:
        if name not in self.code_names:
            self.code_names.append(name)
        return self.code_names.index(name)


def survey(facts: BoardFacts, pen: Pen) -> Terrain:
    """Base map, repainted and reshaped as the facts say."""
    terrain = Terrain(pen, np.zeros((pen.height, pen.width), np.uint8))
    lay_countries(terrain, facts)
    close_inlets(terrain, facts.get("min_water_width", 0) * pen.scale / 2)
    drop_spits(terrain, facts.get("min_land_width", 0) * pen.scale / 2)
    drop_islands(terrain, facts)
    for ring in facts.get("paint", []):
        paint(terrain, ring)
    for change in facts.get("terrain", []):
        SHAPERS[change["op"]](terrain, change)
    drop_crumbs(terrain)
    return terrain


def lay_countries(terrain: Terrain, facts: BoardFacts) -> None:
    code_of = {name: code for code, names in facts["codes"].items() for name in names}
    for country in read_countries(facts["base"]["file"], facts["base"]["layer"]):
        for polygon in country.polygons:
            lay(terrain, polygon, country.name, code_of.get(country.name))


def lay(terrain: Terrain, polygon: Polygon, country: str, code: str | None) -> None:
    outer = np.array(polygon.outer)
    if outer[:, 0].min() > 80 or outer[:, 0].max() < -45 or outer[:, 1].max() < 12:
        return
    if np.ptp(outer[:, 0]) > 180:
        outer[outer[:, 0] < -100, 0] += 360
    patch = terrain.pen.polygon(projected(terrain, outer), [projected(terrain, hole) for hole in polygon.holes])
    if patch is None or not patch[1].any():
        return
    if code is None:
        terrain.unmapped.add(country)
        return
    window, mask = patch
    terrain.codes[window][mask] = terrain.code(code)


def projected(terrain: Terrain, outline: Outline | Floats) -> Floats:
    degrees = np.clip(np.array(outline), [-60, 0], [105, 84])
    return np.column_stack(terrain.pen.projection(degrees[:, 0], degrees[:, 1]))


def close_inlets(terrain: Terrain, half: float) -> None:
    """Water too narrow for the pen becomes the nearest land."""
    if not half:
        return
    codes, land = terrain.codes, terrain.codes > 0
    closed = ~land & ~grown(~grown(land, half), half)
    iy, ix = ndimage.distance_transform_edt(~land, return_distances=False, return_indices=True)
    codes[closed] = codes[iy, ix][closed]


def drop_spits(terrain: Terrain, half: float) -> None:
    """Land too narrow for the pen becomes water."""
    if not half:
        return
    land = terrain.codes > 0
    terrain.codes[land & ~grown(~grown(~land, half), half + 0.5)] = WATER


def drop_islands(terrain: Terrain, facts: BoardFacts) -> None:
    pieces, count = ndimage.label(terrain.codes > 0)
    pixels = ndimage.sum(np.ones_like(terrain.codes, np.float32), pieces, np.arange(count + 1))
    areas = pixels / terrain.pen.scale**2
    keep = areas >= facts.get("drop_islands_below", 20)
    for place in facts.get("keep_islands", []):
        keep_island(terrain, place, pieces, areas, keep)
    keep[0] = False
    terrain.codes[~keep[pieces]] = WATER


def keep_island(terrain: Terrain, place: list[float], pieces: Grid, areas: Floats, keep: Mask) -> None:
    x, y = terrain.pen.pixel(place)
    if not terrain.pen.inside(x, y):
        return
    w = 4 * terrain.pen.scale
    near = pieces[max(0, y - w) : y + w, max(0, x - w) : x + w]
    small = [i for i in np.unique(near[near > 0]) if areas[i] < KEPT_ISLAND_AREA]
    if small:
        keep[small] = True
    elif not (near > 0).any():
        terrain.problems.append(f"keep_islands {place}: no land there")


def paint(terrain: Terrain, ring: dict[str, Any]) -> None:
    """Pixels in the ring with one of the `from` codes become `to`."""
    rough = ring.get("warp", True)
    patch = terrain.pen.polygon(terrain.pen.projection.ring(ring["ring"]), rough=rough)
    if patch is None:
        terrain.problems.append(f"paint {ring['why']}: outside")
        return
    window, mask = patch
    below = terrain.codes[window]
    chosen = mask & np.isin(below, [terrain.code(code) for code in ring["from"]])
    if not chosen.any() and not ring.get("optional"):
        terrain.problems.append(f"paint «{ring['why']}» touches nothing")
    below[chosen] = terrain.code(ring["to"])


def fill(terrain: Terrain, change: dict[str, Any]) -> None:
    patch = terrain.pen.polygon(terrain.pen.projection.ring(change["ring"]))
    if patch is None:
        return
    window, mask = patch
    below = terrain.codes[window]
    chosen = mask & (below == WATER)
    below[chosen] = terrain.code(change["code"])
    if change.get("show") == "water":
        terrain.strait[window] |= chosen


def disc(terrain: Terrain, change: dict[str, Any]) -> None:
    x, y = terrain.pen.projection.point(change["at"])
    t = np.linspace(0, 2 * np.pi, 48)
    r = change["radius"] * (1 + 0.10 * np.sin(3 * t + 1) + 0.06 * np.sin(5 * t))
    patch = terrain.pen.polygon(np.column_stack([x + r * np.cos(t), y + r * np.sin(t)]))
    if patch is not None:
        terrain.codes[patch[0]][patch[1]] = terrain.code(change["code"])


def carve(terrain: Terrain, change: dict[str, Any]) -> None:
    curve = spline(terrain.pen.projection.line(change["line"], 9))
    patch = terrain.pen.line(curve, change["width"])
    if patch is not None:
        terrain.codes[patch[0]][patch[1]] = WATER


SHAPERS = {"fill": fill, "disc": disc, "carve": carve}


def drop_crumbs(terrain: Terrain) -> None:
    """Specks left by carving become water."""
    pieces, _ = ndimage.label(terrain.codes > 0)
    crumb = np.bincount(pieces.ravel()) / terrain.pen.scale**2 < CRUMB_AREA
    crumb[0] = False
    terrain.codes[crumb[pieces]] = WATER
