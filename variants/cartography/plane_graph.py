"""The drawing as a plane graph: smoothed shared arcs, rings and polygons of every space."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from shapely.geometry import Polygon

from variants.cartography.arrays import Floats, length
from variants.cartography.partition import Partition
from variants.cartography.smoothing import smooth_loop, smooth_open, thin
from variants.cartography.topology import OFF_THE_MAP, Arc, Vertex, trace

# how much each kind of line is smoothed and thinned, in map units and square map units
SMOOTHING = {"coast": 0.75, "land": 1.5, "sea": 4.0, "frame": 0.0, "void": 0.0}
THINNING = {"coast": 0.45, "land": 0.6, "sea": 0.2, "frame": 0.01, "void": 0.01}
LONG_PINCH = 30


@dataclass
class Node:
    """A point where spaces meet; (x, y) in map units."""

    spaces: set[int]
    place: Floats


@dataclass(frozen=True)
class RingStep:
    """An arc as a ring follows it: its points in that order, the space beyond it and its ends."""

    points: Floats
    arc: Arc
    beyond: int
    start: Vertex | None
    end: Vertex | None


Ring = list[RingStep]


@dataclass(frozen=True)
class Cross:
    """A declared four-way crossing."""

    names: list[str]
    place: Floats


class PlaneGraph:
    def __init__(self, partition: Partition) -> None:
        self.partition = partition
        self.names = partition.names
        nodes, self.arcs = trace(partition.labels)
        scale = partition.scale
        self.nodes = {v: Node(spaces, np.array([v[1] / scale, v[0] / scale])) for v, spaces in nodes.items()}
        self.crosses = [self._pinched(names) for names in partition.facts.get("fourway", [])]
        for arc in self.arcs:
            arc.kind = self._kind(arc)
            arc.line = self._drawn(arc)
            arc.length = length(arc.line)
        self.rings = self._rings()
        self.polygons: dict[int, Any] = {number: polygon(rings) for number, rings in self.rings.items()}

    def _kind(self, arc: Arc) -> str:
        if OFF_THE_MAP in arc.sides:
            return "frame"
        if self.partition.void_number in arc.sides:
            return "void"
        wet = len(arc.sides & self.partition.seas)
        return ("land", "coast", "sea")[wet]

    def _pinched(self, names: list[str]) -> Cross:
        """Contracts the short arc inside a declared crossing, so that four spaces meet at one node."""
        wanted = {self.partition.number(name) for name in names}
        arc = self._shortest_between(wanted)
        if arc is None:
            return self._ready_cross(names, wanted)
        middle = arc.points[len(arc.points) // 2] / self.partition.scale
        if len(arc.points) / self.partition.scale > LONG_PINCH:
            self.partition.problems.append(f"four-way {names}: contracted arc is long")
        self._contract(arc, middle)
        return Cross(names, middle)

    def _shortest_between(self, wanted: set[int]) -> Arc | None:
        found = [arc for arc in self.arcs if self._joins(arc, wanted)]
        return min(found, key=lambda arc: len(arc.points)) if found else None

    def _joins(self, arc: Arc, wanted: set[int]) -> bool:
        if arc.start is None or arc.end is None or arc.start == arc.end:
            return False
        a, b = self.nodes[arc.start].spaces, self.nodes[arc.end].spaces
        return (a | b) == wanted and len(a) == 3 and len(b) == 3

    def _ready_cross(self, names: list[str], wanted: set[int]) -> Cross:
        for node in self.nodes.values():
            if node.spaces == wanted:
                return Cross(names, node.place)
        self.partition.problems.append(f"four-way {names}: no pair of triple points to contract")
        return Cross(names, np.zeros(2))

    def _contract(self, arc: Arc, middle: Floats) -> None:
        if arc.start is None or arc.end is None:
            return
        self.nodes[arc.start].spaces |= self.nodes.pop(arc.end).spaces
        self.nodes[arc.start].place = middle
        self.arcs.remove(arc)
        for other in self.arcs:
            if other.start == arc.end:
                other.start = arc.start
            if other.end == arc.end:
                other.end = arc.start

    def _drawn(self, arc: Arc) -> Floats:
        points = arc.points / self.partition.scale
        if arc.start is not None and arc.end is not None:
            points[0], points[-1] = self.nodes[arc.start].place, self.nodes[arc.end].place
        if arc.kind == "frame":
            projection = self.partition.pen.projection
            points = np.clip(points, 0, [projection.width, projection.height])
        sigma = SMOOTHING[arc.kind] * self.partition.scale
        if arc.start is None:
            line = thin(smooth_loop(points, min(sigma, len(points) / 12)), THINNING[arc.kind], keep=8)
        else:
            line = thin(smooth_open(points, min(sigma, len(points) / 6)), THINNING[arc.kind], keep=2)
        return without_repeats(np.round(line, 1))

    def _rings(self) -> dict[int, list[Ring]]:
        """The rings of every space, walked with the space on the left."""
        rings: dict[int, list[Ring]] = {}
        open_steps: dict[int, dict[Vertex, list[RingStep]]] = {}
        for arc in self.arcs:
            for space, step in both_ways(arc):
                if space == OFF_THE_MAP:
                    continue
                if step.start is None:
                    rings.setdefault(space, []).append([step])
                else:
                    open_steps.setdefault(space, {}).setdefault(step.start, []).append(step)
        for space, steps in open_steps.items():
            while steps:
                rings.setdefault(space, []).append(self._ring(space, steps))
        return rings

    def _ring(self, space: int, steps: dict[Vertex, list[RingStep]]) -> Ring:
        first = next(iter(steps))
        ring: Ring = []
        place: Vertex | None = first
        while place is not None and (not ring or place != first):
            if place not in steps:
                self.partition.problems.append(f"open ring at {self.names[space]}")
                break
            step = steps[place].pop()
            if not steps[place]:
                del steps[place]
            ring.append(step)
            place = step.end
        return ring


def both_ways(arc: Arc) -> list[tuple[int, RingStep]]:
    return [
        (arc.left, RingStep(arc.line, arc, arc.right, arc.start, arc.end)),
        (arc.right, RingStep(arc.line[::-1], arc, arc.left, arc.end, arc.start)),
    ]


def without_repeats(line: Floats) -> Floats:
    keep = np.ones(len(line), bool)
    keep[1:] = np.any(line[1:] != line[:-1], axis=1)
    return np.asarray(line[keep])


def ring_points(ring: Ring) -> Floats:
    return np.vstack([ring[0].points, *(step.points[1:] for step in ring[1:])])


def polygon(rings: list[Ring]) -> Any:
    """The area of the rings by the even-odd rule."""
    pieces = [Polygon(points) for points in map(ring_points, rings) if len(points) >= 4]
    pieces.sort(key=lambda piece: -piece.area)
    whole = None
    for piece in pieces:
        whole = piece if whole is None else whole.symmetric_difference(piece)
    return whole
