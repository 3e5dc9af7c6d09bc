"""Smoothing and thinning of traced lines."""

import heapq

import numpy as np
from scipy.ndimage import gaussian_filter1d

from variants.cartography.arrays import Floats


def smooth_open(points: Floats, sigma: float) -> Floats:
    """Gaussian along the line; both ends stay put."""
    if len(points) < 4 or sigma <= 0:
        return points
    chord = points[0] + (points[-1] - points[0]) * np.linspace(0, 1, len(points))[:, None]
    bend = points - chord
    n = len(bend)
    mirrored = np.vstack([-bend[::-1], bend[1:], -bend[::-1][1:]])
    smooth = gaussian_filter1d(mirrored, sigma, axis=0, mode="nearest")[n - 1 : 2 * n - 1]
    line = chord + smooth
    line[0], line[-1] = points[0], points[-1]
    return np.asarray(line)


def smooth_loop(points: Floats, sigma: float) -> Floats:
    """Gaussian round a closed line whose last point repeats the first."""
    smooth = gaussian_filter1d(points[:-1], sigma, axis=0, mode="wrap")
    return np.vstack([smooth, smooth[:1]])


def thin(points: Floats, area: float, keep: int = 4) -> Floats:
    """Visvalingam: drops points whose triangle with its neighbours is smaller than `area`."""
    return Thinning(points).run(area, keep) if len(points) > keep else points


class Thinning:
    def __init__(self, points: Floats) -> None:
        self.points = points
        n = len(points)
        self.before, self.after = list(range(-1, n - 1)), list(range(1, n + 1))
        self.version = [0] * n
        self.alive = [True] * n
        self.queue = [(self._triangle(i), i, 0) for i in range(1, n - 1)]
        heapq.heapify(self.queue)

    def run(self, area: float, keep: int) -> Floats:
        left = len(self.points)
        while self.queue and left > keep:
            size, i, version = heapq.heappop(self.queue)
            if not self.alive[i] or version != self.version[i]:
                continue
            if size >= area:
                break
            self._drop(i, size)
            left -= 1
        return np.asarray(self.points[[i for i, alive in enumerate(self.alive) if alive]])

    def _triangle(self, i: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = (self.points[k] for k in (self.before[i], i, self.after[i]))
        return float(abs((bx - ax) * (cy - ay) - (cx - ax) * (by - ay)) / 2)

    def _drop(self, i: int, size: float) -> None:
        self.alive[i] = False
        before, after = self.before[i], self.after[i]
        self.after[before], self.before[after] = after, before
        for j in (before, after):
            if 0 < j < len(self.points) - 1:
                self.version[j] += 1
                heapq.heappush(self.queue, (max(self._triangle(j), size), j, self.version[j]))
