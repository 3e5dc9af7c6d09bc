"""Tracing the grid into a planar drawing: nodes where three or more spaces meet, arcs between them."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from variants.cartography.arrays import Floats, Labels

Vertex = tuple[int, int]
Edge = tuple[str, int, int]
OFF_THE_MAP = 0


@dataclass(eq=False)
class Arc:
    """A border without a crossing: `points` as traced (x, y in pixels), `line` as drawn (map units).

    `start` and `end` are nodes, None for a closed loop.
    """

    points: Floats
    left: int
    right: int
    start: Vertex | None
    end: Vertex | None
    kind: str = ""
    line: Floats = field(default_factory=lambda: np.zeros((0, 2)))
    length: float = 0.0

    @property
    def sides(self) -> set[int]:
        return {self.left, self.right}


class Tracer:
    """Walks the pixel edges between different labels; outside the grid the label is 0."""

    def __init__(self, labels: Labels) -> None:
        self.padded = np.pad(labels, 1)
        level = self.padded[:-1, 1:-1] != self.padded[1:, 1:-1]
        upright = self.padded[1:-1, :-1] != self.padded[1:-1, 1:]
        degree = np.zeros((labels.shape[0] + 1, labels.shape[1] + 1), np.int8)
        degree[:, :-1] += level
        degree[:, 1:] += level
        degree[:-1, :] += upright
        degree[1:, :] += upright
        self.nodes = {(int(y), int(x)) for y, x in np.argwhere(degree >= 3)}
        self.level = {(int(y), int(x)) for y, x in np.argwhere(level)}
        self.upright = {(int(y), int(x)) for y, x in np.argwhere(upright)}
        self.used: set[Edge] = set()

    def arcs(self) -> list[Arc]:
        found = []
        for vertex in sorted(self.nodes):
            for edge, end in self._edges(vertex):
                if edge not in self.used:
                    found.append(self._walk(vertex, edge, end))
        for y, x in sorted(self.level):
            if ("h", y, x) not in self.used:
                found.append(self._walk((y, x), ("h", y, x), (y, x + 1)))
        return found

    def labels_at(self, vertex: Vertex) -> set[int]:
        y, x = vertex
        return set(self.padded[y : y + 2, x : x + 2].ravel().tolist())

    def _edges(self, vertex: Vertex) -> Iterator[tuple[Edge, Vertex]]:
        y, x = vertex
        if (y, x) in self.level:
            yield ("h", y, x), (y, x + 1)
        if (y, x - 1) in self.level:
            yield ("h", y, x - 1), (y, x - 1)
        if (y, x) in self.upright:
            yield ("v", y, x), (y + 1, x)
        if (y - 1, x) in self.upright:
            yield ("v", y - 1, x), (y - 1, x)

    def _sides(self, a: Vertex, b: Vertex) -> tuple[int, int]:
        """Labels to the left and right when walking from a to b (y grows downwards)."""
        (y0, x0), (y1, x1) = a, b
        if y0 == y1:
            x = min(x0, x1)
            above, below = int(self.padded[y0, x + 1]), int(self.padded[y0 + 1, x + 1])
            return (above, below) if x1 > x0 else (below, above)
        y = min(y0, y1)
        west, east = int(self.padded[y + 1, x0]), int(self.padded[y + 1, x0 + 1])
        return (east, west) if y1 > y0 else (west, east)

    def _walk(self, start: Vertex, edge: Edge, vertex: Vertex) -> Arc:
        self.used.add(edge)
        path = [start, vertex]
        left, right = self._sides(start, vertex)
        while vertex not in self.nodes and vertex != start:
            step = next((found for found in self._edges(vertex) if found[0] not in self.used), None)
            if step is None:
                break
            edge, vertex = step
            self.used.add(edge)
            path.append(vertex)
        points = np.array(path, float)[:, ::-1].copy()
        return Arc(points, left, right, self._node(start), self._node(vertex))

    def _node(self, vertex: Vertex) -> Vertex | None:
        return vertex if vertex in self.nodes else None


def trace(labels: Labels) -> tuple[dict[Vertex, set[int]], list[Arc]]:
    """(labels around each node, arcs in a fixed order)."""
    tracer = Tracer(labels)
    arcs = tracer.arcs()
    return {node: tracer.labels_at(node) for node in sorted(tracer.nodes)}, arcs
