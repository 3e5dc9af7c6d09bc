"""Where label, unit, centre mark and coastal fleets go, found by exhaustive search on the grid."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from scipy import ndimage

from variants.cartography.arrangements import UNIT_SIZE, Arrangement, Parts, Rectangle, arrangements
from variants.cartography.arrays import Floats, Mask
from variants.cartography.coasts import Coast
from variants.cartography.lettering import text_size
from variants.cartography.partition import Partition

Spot = tuple[float, float]
LAND_TYPE, SEA_TYPE = 14.0, 12.5
# a space whose middle is this far from its edge gets a larger label
ROOMY, ROOMY_TYPE = 52.0, 1.25
TYPE_STEPS = (1.0, 0.92, 0.85)
MIN_CLEARANCE = 2.0
ENOUGH = 6.0
"""Clearance beyond this makes a place no better."""
SLOT_GAP = 4.0


@dataclass
class Anchors:
    """Places in map units; `type_size` of the label; `problem` is empty when everything fits."""

    unit: Spot
    label: Spot
    type_size: float
    centre: Spot | None = None
    coasts: dict[str, Spot] = field(default_factory=dict)
    units: list[Spot] = field(default_factory=list)
    problem: str = ""


class Room:
    """The inside of one space at one sample per map unit; `clearance` is the distance to its edge."""

    def __init__(self, partition: Partition, name: str, window: Any) -> None:
        self.mask = inside(partition, name, window)
        self.x = window[1].start / partition.scale - 0.5
        self.y = window[0].start / partition.scale - 0.5
        if partition.spaces[name].get("sea"):
            self.mask = roomiest(self.mask)
        self.clearance = ndimage.distance_transform_edt(self.mask)

    @cached_property
    def pull(self) -> Floats:
        """What a place loses by being away from the middle."""
        rows, columns = np.nonzero(self.mask)
        yy, xx = np.mgrid[0 : self.mask.shape[0], 0 : self.mask.shape[1]]
        return np.asarray(0.02 * np.hypot(xx - columns.mean(), yy - rows.mean()))

    def spot(self, row: int, column: int) -> Spot:
        return self.at(column, row)

    def at(self, x: float, y: float) -> Spot:
        return round(float(x + self.x), 1), round(float(y + self.y), 1)

    def grid(self) -> tuple[Floats, Floats]:
        """(x, y) of every sample in map units."""
        rows, columns = np.mgrid[0 : self.mask.shape[0], 0 : self.mask.shape[1]]
        return columns + self.x, rows + self.y


def inside(partition: Partition, name: str, window: Any) -> Mask:
    scale = partition.scale
    mask = partition.labels[window] == partition.number(name)
    if partition.spaces[name].get("island"):
        mask &= ~partition.islet[window]
    mask = np.pad(mask, ((0, -mask.shape[0] % scale), (0, -mask.shape[1] % scale)))
    blocks = mask.reshape(mask.shape[0] // scale, scale, mask.shape[1] // scale, scale)
    return np.pad(blocks.all(axis=(1, 3)), 1)


def roomiest(mask: Mask) -> Mask:
    """The piece of water with the most room."""
    pieces, count = ndimage.label(mask)
    if count < 2:
        return mask
    clearance = ndimage.distance_transform_edt(mask)
    return np.asarray(pieces == pieces.flat[int(clearance.argmax())])


def place_all(partition: Partition, coasts: dict[str, list[Coast]]) -> dict[str, Anchors]:
    windows = ndimage.find_objects(partition.labels)
    found = {}
    for name in partition.spaces:
        number = partition.number(name)
        if number <= len(windows) and windows[number - 1] is not None:
            found[name] = place(partition, name, Room(partition, name, windows[number - 1]), coasts.get(name, []))
    return found


def place(partition: Partition, name: str, room: Room, coasts: list[Coast]) -> Anchors:
    space = partition.spaces[name]
    mark = float(partition.facts.get("centre_size", 11)) if space.get("sc") else 0.0
    type_size = SEA_TYPE if space.get("sea") else LAND_TYPE
    roomy = room.clearance.max() > ROOMY
    anchors = fitted(name, room, mark, type_size * (ROOMY_TYPE if roomy else 1.0))
    for coast in coasts:
        if coast.name:
            declared = np.array(partition.pen.projection.point(space["coasts"][coast.name]))
            anchors.coasts[coast.name] = fleet_spot(room, coast, declared, anchors)
    if space.get("unit_slots", 1) > 1:
        add_slots(name, space["unit_slots"], room, anchors, mark)
    return anchors


def fitted(name: str, room: Room, mark: float, type_size: float) -> Anchors:
    best = best_arrangement(name, room, mark, type_size)
    if best is None:
        return scattered(room, mark, type_size)
    _, (x, y), arrangement, size = best
    spots = {part: room.at(x + box.x, y + box.y) for part, box in arrangement.boxes.items()}
    return Anchors(spots["unit"], spots["label"], size, spots.get("centre"))


def scattered(room: Room, mark: float, type_size: float) -> Anchors:
    """If nothing fits: each part near the roomiest point."""
    row, column = np.unravel_index(int(room.clearance.argmax()), room.clearance.shape)
    x, y = room.spot(int(row), int(column))
    centre = (round(x - UNIT_SIZE[0] / 2 - 7, 1), y) if mark else None
    label = (x, round(y + UNIT_SIZE[1] / 2 + 7, 1))
    return Anchors((x, y), label, type_size, centre, problem="no common place")


def best_arrangement(
    name: str, room: Room, mark: float, type_size: float
) -> tuple[float, tuple[int, int], Arrangement, float] | None:
    """The best-looking arrangement; a coarser test (a spit may cut a corner) only if the fine one finds none."""
    for pitch in (5, 10):
        best = None
        for size in (type_size * step for step in TYPE_STEPS):
            for arrangement in arrangements(Parts(text_size(name, size), mark)):
                if best and ENOUGH + arrangement.bonus <= best[0]:
                    continue
                for score, spot in search(room, arrangement, pitch):
                    if best is None or score + arrangement.bonus > best[0]:
                        best = (score + arrangement.bonus, spot, arrangement, size)
        if best:
            return best
    return None


def search(room: Room, arrangement: Arrangement, pitch: int) -> Iterator[tuple[float, tuple[int, int]]]:
    """The best (score, (x, y)) for the arrangement's centre, if every box fits inside."""
    clear = worst_clearance(room, samples(arrangement, pitch))
    if clear.max() < MIN_CLEARANCE:
        return
    score = np.minimum(clear, ENOUGH) - room.pull
    score[clear < MIN_CLEARANCE] = -1e9
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    yield float(score[row, column]), (int(column), int(row))


def samples(arrangement: Arrangement, pitch: int) -> list[tuple[int, int]]:
    """Offsets to test, at most `pitch` units apart in every box."""
    return sorted({spot for box in arrangement.boxes.values() for spot in box_samples(box, pitch)})


def box_samples(box: Rectangle, pitch: int) -> Iterator[tuple[int, int]]:
    down = int(np.ceil(box.height / pitch)) + 1 if box.height >= 14 or pitch < 10 else 2
    for fx in np.linspace(-0.5, 0.5, int(np.ceil(box.width / pitch)) + 1):
        for fy in np.linspace(-0.5, 0.5, down):
            yield round(box.x + fx * box.width), round(box.y + fy * box.height)


def worst_clearance(room: Room, offsets: Iterable[tuple[int, int]]) -> Floats:
    """For each sample, the smallest clearance among the samples at these offsets; zero where one of them is outside."""
    around = np.array(list(offsets))
    worst = np.zeros_like(room.clearance)
    left, top = np.maximum(-around.min(axis=0), 0)
    right, bottom = np.array(worst.shape[::-1]) - np.maximum(around.max(axis=0), 0)
    if left < right and top < bottom:
        inner = worst[top:bottom, left:right]
        inner[:] = np.inf
        for x, y in around:
            np.minimum(inner, room.clearance[top + y : bottom + y, left + x : right + x], out=inner)
    return worst


def fleet_spot(room: Room, coast: Coast, declared: Floats, anchors: Anchors) -> Spot:
    """Inside the space, near the shore and the declared place, away from the other marks."""
    off_shore = ndimage.distance_transform_edt(~shoreline(room, coast))
    xx, yy = room.grid()
    score = np.minimum(room.clearance, 15) * 2 - np.abs(off_shore - 14) * 1.2
    score = score - np.hypot(xx - declared[0], yy - declared[1]) * 0.12
    for x, y in (spot for spot in (anchors.label, anchors.centre, anchors.unit) if spot):
        score = score - np.maximum(26 - np.hypot(xx - x, yy - y), 0) * 2
    score = np.where(room.mask, score, -1e9)
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    return room.spot(int(row), int(column))


def shoreline(room: Room, coast: Coast) -> Mask:
    line = np.zeros_like(room.mask)
    corners = np.round(coast.points() - [room.x, room.y]).astype(int)
    for a, b in pairwise(corners):
        steps = max(int(np.abs(b - a).max()), 1) + 1
        x, y = np.round(a + (b - a) * np.linspace(0, 1, steps)[:, None]).astype(int).T
        ok = (x >= 0) & (x < line.shape[1]) & (y >= 0) & (y < line.shape[0])
        line[y[ok], x[ok]] = True
    return line


def add_slots(name: str, count: int, room: Room, anchors: Anchors, mark: float) -> None:
    """Further unit places, clear of everything placed before and of each other."""
    taken = [Rectangle(*anchors.label, *text_size(name, anchors.type_size)), Rectangle(*anchors.unit, *UNIT_SIZE)]
    taken += [Rectangle(*anchors.centre, mark, mark)] if anchors.centre else []
    taken += [Rectangle(*spot, *UNIT_SIZE) for spot in anchors.coasts.values()]
    clear = worst_clearance(room, box_samples(Rectangle(0, 0, *UNIT_SIZE), 14))
    anchors.units = [anchors.unit]
    for _ in range(count - 1):
        free = (clear >= 2.5) & unoccupied(room, taken)
        if not free.any():
            anchors.problem = f"only {len(anchors.units)} of {count} unit places"
            return
        spot = next_slot(room, clear, free, anchors.unit)
        anchors.units.append(spot)
        taken.append(Rectangle(*spot, *UNIT_SIZE))


def unoccupied(room: Room, taken: list[Rectangle]) -> Mask:
    xx, yy = room.grid()
    free = np.ones_like(room.mask)
    for box in taken:
        apart_x = np.abs(xx - box.x) >= (box.width + UNIT_SIZE[0]) / 2 + SLOT_GAP
        free &= apart_x | (np.abs(yy - box.y) >= (box.height + UNIT_SIZE[1]) / 2 + SLOT_GAP)
    return free


def next_slot(room: Room, clear: Floats, free: Mask, near: Spot) -> Spot:
    xx, yy = room.grid()
    score = np.minimum(clear, 6) - 0.06 * np.hypot(xx - near[0], yy - near[1])
    row, column = np.unravel_index(int(np.where(free, score, -1e9).argmax()), free.shape)
    return room.spot(int(row), int(column))
