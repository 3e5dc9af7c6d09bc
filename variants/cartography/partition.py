"""The grid of spaces: every pixel belongs to exactly one space, sea, or part outside the game."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy import ndimage
from scipy.spatial import cKDTree

from variants.cartography.arrays import Floats, Grid, Labels, Mask, widened
from variants.cartography.facts import BoardFacts
from variants.cartography.pen import Pen
from variants.cartography.terrain import Terrain

UNASSIGNED = 0
VOID = "void"
INERT_CODE = "inert:"
CONTEXT_AREA = 400


class Partition:
    """`labels[y, x]` is the number of a space in `names`; 0 only while the grid is being made."""

    def __init__(self, facts: BoardFacts, terrain: Terrain) -> None:
        self.facts = facts
        self.spaces: dict[str, Any] = facts["spaces"]
        self.pen: Pen = terrain.pen
        self.problems = terrain.problems
        self.strait: Mask = terrain.strait
        self.names: list[str] = [""]
        self.labels: Labels = np.zeros(terrain.codes.shape, np.int16)
        self.void: Mask = np.zeros(terrain.codes.shape, bool)
        self.islet: Mask = np.zeros(terrain.codes.shape, bool)
        self.seas: set[int] = set()
        self.inert: dict[int, str] = {}
        self.inert_seas: set[int] = set()
        self.sea_curves: dict[str, Floats] = {}
        for name in self.spaces:
            self.number(name)

    def number(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)

    @property
    def scale(self) -> int:
        return self.pen.scale

    @property
    def void_number(self) -> int:
        return self.names.index(VOID) if VOID in self.names else -1

    def sea_spaces(self) -> list[str]:
        return [name for name, space in self.spaces.items() if space.get("sea")]


def divide_land(facts: BoardFacts, terrain: Terrain) -> Partition:
    """A code used by one space is that space; shared ones are split by nearest town, roughened."""
    partition = Partition(facts, terrain)
    shares = inert_shares(partition)
    owners = code_owners(partition, shares)
    report_unowned(partition, terrain, owners)
    for code, names in owners.items():
        divide_code(partition, terrain, code, names, {**partition.spaces, **shares})
    for code, entry in facts.get("inert", {}).items():
        if not isinstance(entry, dict):
            partition.labels[terrain.codes == terrain.code(code)] = partition.number(INERT_CODE + code)
    for code, entry in facts.get("inert_seas", {}).items():
        number = partition.number(INERT_CODE + code)
        partition.inert[number] = entry["name"]
        partition.inert_seas.add(number)
    for name, space in partition.spaces.items():
        if space.get("island"):
            partition.islet |= partition.labels == partition.number(name)
    return partition


def inert_shares(partition: Partition) -> dict[str, Any]:
    """Numbers the land outside the game; returns the entries that take only a share of a code."""
    shares = {}
    for code, entry in partition.facts.get("inert", {}).items():
        name = INERT_CODE + code
        shared = isinstance(entry, dict)
        partition.inert[partition.number(name)] = entry["name"] if shared else entry
        if shared:
            shares[name] = entry
    return shares


def code_owners(partition: Partition, shares: dict[str, Any]) -> dict[str, list[str]]:
    owners: dict[str, list[str]] = {}
    for name, space in {**partition.spaces, **shares}.items():
        for code in space.get("in", []):
            owners.setdefault(code, []).append(name)
    return owners


def report_unowned(partition: Partition, terrain: Terrain, owners: dict[str, list[str]]) -> None:
    used = set(np.unique(terrain.codes).tolist()) - {0}
    owned = {terrain.code(code) for code in [*owners, *partition.facts.get("inert", {})]}
    for number in sorted(used - owned):
        partition.problems.append(f"code {terrain.code_names[number]} has no space")


def divide_code(partition: Partition, terrain: Terrain, code: str, names: list[str], entries: dict[str, Any]) -> None:
    mask = terrain.codes == terrain.code(code)
    if not mask.any():
        partition.problems.append(f"code {code} of {names} covers nothing")
    elif len(names) == 1:
        partition.labels[mask] = partition.number(names[0])
    else:
        share_out(partition, mask, [(name, site) for name in names for site in entries[name].get("sites", [])])


def share_out(partition: Partition, mask: Mask, sites: list[tuple[str, list[float]]]) -> None:
    pen = partition.pen
    towns = np.array([pen.projection.point(site) for _, site in sites])
    numbers = np.array([partition.number(name) for name, _ in sites], np.int16)
    yy, xx = np.nonzero(mask)
    rough = np.column_stack([xx + pen.rough_x[yy, xx], yy + pen.rough_y[yy, xx]]) / pen.scale
    _, nearest = cKDTree(towns).query(rough, workers=-1)
    partition.labels[yy, xx] = numbers[nearest]


def join_strays(partition: Partition) -> None:
    """Pieces that touch their own kind (land or sea) and hold no site of their space join that neighbour."""
    for _ in range(3):
        if not sum([join_strays_of(partition, number, window) for number, window in boxes(partition)]):
            break


def boxes(partition: Partition) -> Iterator[tuple[int, Any]]:
    several = {partition.number(name) for name in partition.facts.get("multipart", [])}
    for number, box in enumerate(ndimage.find_objects(partition.labels), 1):
        if box is not None and number not in several and partition.names[number] != VOID:
            yield number, widened(box, 3)


def join_strays_of(partition: Partition, number: int, window: Any) -> int:
    """The number of pieces that changed hands."""
    below = partition.labels[window]
    pieces, count = ndimage.label(below == number)
    if count < 2:
        return 0
    kept = meant_pieces(partition, number, window, pieces)
    strays = [i for i in range(1, count + 1) if i not in kept]
    places = ndimage.find_objects(pieces)
    return sum([join(partition, number, below, pieces, i, places[i - 1]) for i in strays])


def meant_pieces(partition: Partition, number: int, window: Any, pieces: Grid) -> set[int]:
    """The largest piece, and those that hold one of the space's own sites."""
    sizes = np.bincount(pieces.ravel())
    sizes[0] = 0
    kept = {int(sizes.argmax())}
    for site in partition.spaces.get(partition.names[number], {}).get("sites", []):
        x, y = partition.pen.pixel(site)
        x, y = x - window[1].start, y - window[0].start
        if 0 <= y < pieces.shape[0] and 0 <= x < pieces.shape[1]:
            kept.add(int(pieces[y, x]))
    if number in partition.inert:
        kept |= {int(i) for i in np.nonzero(sizes > CONTEXT_AREA * partition.scale**2)[0]}
    return kept


def join(partition: Partition, number: int, below: Labels, pieces: Grid, piece: int, box: Any) -> int:
    window = widened(box, 3)
    mask = pieces[window] == piece
    ring = ndimage.binary_dilation(mask, iterations=2) & ~mask
    around = below[window][ring]
    around = around[(around > 0) & (around != number)]
    kin = around[np.isin(around, sorted(partition.seas)) == (number in partition.seas)]
    if number in partition.seas and not len(kin):
        kin = around
    if not len(kin):
        return 0
    below[window][mask] = np.bincount(kin).argmax()
    return 1


def smooth_checkers(labels: Labels) -> None:
    """Removes one-pixel checkerboards, so every lattice node has degree 2, 3 or a true 4."""
    for _ in range(12):
        a, b, c, d = labels[:-1, :-1], labels[:-1, 1:], labels[1:, :-1], labels[1:, 1:]
        falling = (a == d) & (a != b) & (a != c)
        rising = (b == c) & (b != a) & (b != d)
        spots = np.argwhere(falling | rising)
        if not len(spots):
            return
        for y, x in spots:
            smooth_checker(labels, int(y), int(x))


def smooth_checker(labels: Labels, y: int, x: int) -> None:
    if labels[y, x] == labels[y + 1, x + 1]:
        labels[y, x + 1] = labels[y, x]
    else:
        labels[y, x] = labels[y, x + 1]
