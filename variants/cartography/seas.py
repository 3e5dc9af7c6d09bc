"""Cutting the water into seas: hand-listed lines, bands along the frame, and one flood per sea."""

from typing import Any

import numpy as np
from scipy import ndimage

from variants.cartography.arrays import Floats, Grid, Labels, Mask
from variants.cartography.partition import INERT_CODE, UNASSIGNED, VOID, Partition
from variants.cartography.pen import spline

LINE_WIDTH = 0.8


def divide_water(partition: Partition) -> None:
    """Gives every unassigned pixel to a sea; inland water goes to the land around it."""
    barrier = draw_lines(partition)
    if "bands" in partition.facts:
        Bands(partition, partition.facts["bands"]).lay()
    water = (partition.labels == UNASSIGNED) & ~partition.void
    flooded = flood(partition, water & ~barrier)
    claim(partition.labels, water, flooded)


def draw_lines(partition: Partition) -> Mask:
    barrier = np.zeros(partition.labels.shape, bool)
    for line in partition.facts.get("sea_lines", []):
        curve = spline(partition.pen.projection.line(line["pts"], 99))
        if line.get("to_band"):
            curve = continued(curve, partition.pen.projection.height + 5)
        partition.sea_curves[line["id"]] = curve
        patch = partition.pen.line(curve, LINE_WIDTH)
        if patch is not None:
            barrier[patch[0]] |= patch[1]
    return barrier


def continued(curve: Floats, bottom: float) -> Floats:
    """The curve extended in its last direction to the bottom edge."""
    course = curve[-1] - curve[-8]
    t = (bottom - curve[-1][1]) / course[1] if course[1] > 0 else 0
    return np.vstack([curve, curve[-1] + course * max(t, 0)])


def flood(partition: Partition, free: Mask) -> Labels:
    """The sea of every pixel reached from a seed, 0 elsewhere."""
    pools, count = ndimage.label(free)
    owner = np.zeros(count + 1, np.int16)
    for name, sites in seeds(partition).items():
        partition.seas.add(partition.number(name))
        for site in sites:
            claim_pool(partition, name, site, pools, owner)
    return np.asarray(owner[pools])


def seeds(partition: Partition) -> dict[str, Any]:
    inert = partition.facts.get("inert_seas", {})
    found = {name: partition.spaces[name]["sites"] for name in partition.sea_spaces()}
    return found | {INERT_CODE + code: entry["sites"] for code, entry in inert.items()}


def claim_pool(partition: Partition, name: str, site: list[float], pools: Grid, owner: Labels) -> None:
    x, y = partition.pen.pixel(site)
    if not partition.pen.inside(x, y):
        partition.problems.append(f"sea seed of {name} outside the frame")
        return
    pool = int(pools[y, x]) or commonest(pools[max(0, y - 9) : y + 9, max(0, x - 9) : x + 9])
    if pool == UNASSIGNED:
        partition.problems.append(f"sea seed of {name} {site} is not on water")
        return
    if owner[pool] and owner[pool] != partition.number(name):
        partition.problems.append(f"LEAK: {name} and {partition.names[owner[pool]]} share one water body")
    owner[pool] = partition.number(name)


def commonest(window: Grid) -> int:
    found = window[window > 0]
    return int(np.bincount(found).argmax()) if len(found) else UNASSIGNED


def claim(labels: Labels, water: Mask, flooded: Labels) -> None:
    known = flooded > 0
    waiting = water & ~known
    iy, ix = ndimage.distance_transform_edt(~known, return_distances=False, return_indices=True)
    inland = waiting & ~touched(water, known)
    labels[waiting & ~inland] = flooded[iy, ix][waiting & ~inland]
    labels[known] = flooded[known]
    if inland.any():
        dry = (labels > 0) & ~known & ~waiting
        iy, ix = ndimage.distance_transform_edt(~dry, return_distances=False, return_indices=True)
        labels[inland] = labels[iy, ix][inland]


def touched(water: Mask, known: Mask) -> Mask:
    """The water bodies that hold at least one flooded pixel."""
    bodies, count = ndimage.label(water)
    seeded = np.zeros(count + 1, bool)
    seeded[np.unique(bodies[known])] = True
    return np.asarray(seeded[bodies])


class Bands:
    """Water along the frame, for coasts that go on outside the map.

    The left and right bands replace land at the edge; a void strip separates the bottom one from land that
    has no coast there.
    """

    def __init__(self, partition: Partition, terms: dict[str, Any]) -> None:
        self.partition = partition
        self.labels = partition.labels
        self.height, self.width = partition.labels.shape
        sizes = {name: int(terms[name] * partition.scale) for name in ("height", "void", "left", "right", "corner")}
        self.band, self.gap = sizes["height"], sizes["void"]
        self.left, self.right, self.corner = sizes["left"], sizes["right"], sizes["corner"]
        self.middle = self._middle(partition.sea_curves[terms["line"]])

    def _middle(self, curve: Floats) -> int:
        """The column where the dividing line enters the bottom band."""
        row = (self.height - self.band - self.gap - 2) / self.partition.scale
        return int(np.interp(row, curve[:, 1], curve[:, 0]) * self.partition.scale)

    def lay(self) -> None:
        self.labels[self._first_land(self.left) :, : self.left] = UNASSIGNED
        self.labels[self._first_land(self.width - self.right) :, self.width - self.right :] = UNASSIGNED
        shore = self._west_shore()
        self.labels[self.height - self.band :, :] = UNASSIGNED
        self._round(self.left, self.corner // 2, west=True)
        self._round(self.width - self.right - self.corner, self.corner, west=False)
        self._lay_void(shore)

    def _first_land(self, column: int) -> int:
        """The first row below the lowest water in this column."""
        water = np.nonzero(self.labels[: self.height - self.band - self.gap, column] == UNASSIGNED)[0]
        return int(water.max()) + 1 if len(water) else 0

    def _west_shore(self) -> int:
        """The first land column west of the inlet that the dividing line follows."""
        row, column = self.height - self.band - self.gap - 2, self.middle
        while column > 0 and self.labels[row, column] == UNASSIGNED:
            column -= 1
        return column

    def _round(self, start: int, radius: int, west: bool) -> None:
        """Rounds the outer corner of the land."""
        bottom = self.height - self.band
        cx = start + radius if west else start
        cy = bottom - radius - (self.gap if west else 0)
        yy, xx = np.mgrid[cy:bottom, start : start + radius]
        outside = (yy - cy) ** 2 + (xx - cx) ** 2 > radius * radius
        self.labels[yy[outside], xx[outside]] = UNASSIGNED

    def _lay_void(self, shore: int) -> None:
        rows = slice(self.height - self.band - self.gap, self.height - self.band)
        self.partition.void[rows, self.left + self.corner // 2 : shore + 1] = True
        self.labels[rows, shore + 1 : self.middle + 1] = UNASSIGNED
        self.labels[self.partition.void] = self.partition.number(VOID)
