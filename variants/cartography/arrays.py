"""The kinds of numpy array that the map maker's functions take and give."""

from itertools import product
from math import hypot
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Floats: TypeAlias = npt.NDArray[np.float64]
Mask: TypeAlias = npt.NDArray[np.bool_]
Labels: TypeAlias = npt.NDArray[np.int16]
Grid: TypeAlias = npt.NDArray[Any]
Window: TypeAlias = tuple[slice, slice]


def length(points: Floats) -> float:
    return float(np.hypot(*np.diff(points, axis=0).T).sum())


def distances(points: Floats, place: Floats) -> Floats:
    return np.asarray(np.hypot(*(points - place).T))


def grown(mask: Mask, radius: float) -> Mask:
    """With every pixel that is at most this far away. For a few pixels: for many, measure the distances instead."""
    found, reach = np.zeros_like(mask), range(-int(radius), int(radius) + 1)
    for down, right in product(reach, reach):
        if hypot(down, right) <= radius:
            found[_inside(down), _inside(right)] |= mask[_inside(-down), _inside(-right)]
    return found


def _inside(step: int) -> slice:
    """What a step leaves on the grid."""
    return slice(max(0, step), min(0, step) or None)


def widened(window: Window, margin: int) -> Window:
    rows, columns = window
    return (
        slice(max(0, rows.start - margin), rows.stop + margin),
        slice(max(0, columns.start - margin), columns.stop + margin),
    )
