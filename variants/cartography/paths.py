"""Writes points as the shortest SVG path, and masks as their outlines."""

from typing import Any

import numpy as np
from scipy import ndimage

from variants.cartography.arrays import Floats, Grid, Mask
from variants.cartography.plane_graph import Ring, ring_points
from variants.cartography.smoothing import smooth_loop, thin
from variants.cartography.topology import OFF_THE_MAP, Arc, trace


def number(value: float) -> str:
    """At most one decimal and no needless zeros: 0.5 -> .5, -0.0 -> 0."""
    text = f"{value:.1f}".removesuffix(".0")
    text = text.replace("-0.", "-.", 1) if text.startswith("-0.") else text
    text = text[1:] if text.startswith("0.") else text
    return "0" if text in ("-0", "") else text


def couple(x: int, y: int) -> str:
    return f"{x}{y}" if y < 0 else f"{x} {y}"


def path(points: Any, close: bool = False) -> str:
    """Relative path data through the points, in whole tenths of a map unit, so without decimal points."""
    tenths = np.round(np.asarray(points) * 10).astype(int)
    if close and (tenths[0] == tenths[-1]).all():
        tenths = tenths[:-1]
    steps = [couple(dx, dy) for dx, dy in np.diff(tenths, axis=0) if dx or dy]
    text = "M" + couple(*tenths[0])
    for i, step in enumerate(steps):
        text += ("l" if i == 0 else "" if step[0] == "-" else " ") + step
    return text + ("z" if close else "")


def area(rings: list[Ring]) -> str:
    return "".join(path(ring_points(ring), close=True) for ring in rings)


def outlines(mask: Mask, scale: int, sigma: float, thinning: float, shortest: float = 0) -> str:
    """The closed outlines of a mask, smoothed; loops of fewer than `shortest` map units are left out."""
    rows, columns = np.nonzero(mask)
    if not len(rows):
        return ""
    top, left = max(int(rows.min()) - 2, 0), max(int(columns.min()) - 2, 0)
    window = mask[top : int(rows.max()) + 3, left : int(columns.max()) + 3].astype(np.int16) + 1
    part_diagonals(window)
    loops = [arc for arc in trace(window)[1] if OFF_THE_MAP not in arc.sides]
    moved = [(arc.points + np.array([left, top])) / scale for arc in loops if len(arc.points) >= shortest * scale]
    return "".join(path(thin(rounded(points, sigma * scale), thinning, keep=6), close=True) for points in moved)


def part_diagonals(labels: Grid) -> None:
    """Joins pixels that touch only at a corner."""
    for _ in range(4):
        a, b, c, d = labels[:-1, :-1], labels[:-1, 1:], labels[1:, :-1], labels[1:, 1:]
        ys, xs = np.nonzero((a == d) & (b == c) & (a != b))
        labels[ys, xs] = labels[ys, xs + 1]


def rounded(points: Floats, sigma: float) -> Floats:
    if (points[0] == points[-1]).all():
        return smooth_loop(points, min(sigma, len(points) / 10))
    return points


def parts_inside(arc: Arc, mask: Mask, scale: int, shortest: float = 4) -> list[Floats]:
    """The runs of an arc's drawn points that lie inside the mask."""
    pixels = np.clip((arc.line * scale).astype(int), 0, [mask.shape[1] - 1, mask.shape[0] - 1])
    inside = mask[pixels[:, 1], pixels[:, 0]]
    runs, count = ndimage.label(inside)
    pieces = [arc.line[runs == i] for i in range(1, count + 1)]
    return [piece for piece in pieces if np.hypot(*np.diff(piece, axis=0).T).sum() > shortest]
