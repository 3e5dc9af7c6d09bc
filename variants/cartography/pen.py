"""Drawing on the pixel grid: filled polygons, thick lines, splines, and hand-like roughness."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from PIL import Image, ImageDraw
from scipy import ndimage

from variants.cartography.arrays import Floats, Mask, Window
from variants.cartography.projection import Projection

Patch = tuple[Window, Mask]

# (amplitude, wave length) in map units of each octave of the roughness
OCTAVES = ((6.0, 44.0), (3.0, 13.0), (1.2, 4.5))
WARP_MARGIN = 40


def spline(points: Any, steps: int = 14) -> Floats:
    """A Catmull-Rom curve through the points."""
    p = np.asarray(points, float)
    if len(p) < 3:
        t = np.linspace(0, 1, steps * 2)[:, None]
        return np.asarray(p[0] * (1 - t) + p[-1] * t)
    q = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    pieces = [_span(q[i - 1 : i + 3], steps) for i in range(1, len(q) - 2)]
    return np.vstack([*pieces, q[-2:-1]])


def _span(control: Floats, steps: int) -> Floats:
    p0, p1, p2, p3 = control
    t = np.linspace(0, 1, steps, endpoint=False)[:, None]
    bend = (2 * p0 - 5 * p1 + 4 * p2 - p3) * t * t + (-p0 + 3 * p1 - 3 * p2 + p3) * t**3
    return np.asarray(0.5 * (2 * p1 + (-p0 + p2) * t + bend))


class Pen:
    """Turns map points into masks on a grid of `scale` pixels per map unit."""

    def __init__(self, projection: Projection, scale: int, seed: int) -> None:
        self.projection = projection
        self.scale = scale
        self.width, self.height = projection.width * scale, projection.height * scale
        chance = np.random.default_rng(seed)
        self.rough_x = self._roughness(chance)
        self.rough_y = self._roughness(chance)

    def _roughness(self, chance: np.random.Generator) -> Floats:
        """Smooth noise in pixels, the same for the same seed."""
        total = np.zeros((self.height, self.width), np.float32)
        for amplitude, wave in OCTAVES:
            total += self._octave(chance, wave / 2.0) * amplitude * self.scale * 0.6
        return total

    def _octave(self, chance: np.random.Generator, cell: float) -> Any:
        h = int(self.projection.height / cell) + 3
        w = int(self.projection.width / cell) + 3
        coarse = ndimage.gaussian_filter(chance.standard_normal((h, w)), 1.0)
        coarse /= coarse.std()
        fine = ndimage.zoom(coarse.astype(np.float32), (self.height / h, self.width / w), order=1)
        fine = fine[: self.height, : self.width]
        missing = ((0, self.height - fine.shape[0]), (0, self.width - fine.shape[1]))
        return np.pad(fine, missing, mode="edge")

    def pixel(self, place: list[float]) -> tuple[int, int]:
        """(x, y) of a [lat, lon] place."""
        x, y = self.projection.point(place)
        return int(x * self.scale), int(y * self.scale)

    def inside(self, x: int, y: int) -> bool:
        return bool(0 <= x < self.width and 0 <= y < self.height)

    def _window(self, pixels: Floats, margin: int) -> Window | None:
        x0, y0 = np.maximum(np.floor(pixels.min(0)).astype(int) - margin, 0)
        x1, y1 = np.ceil(pixels.max(0)).astype(int) + margin
        x1, y1 = min(x1, self.width), min(y1, self.height)
        return None if x1 <= x0 or y1 <= y0 else (slice(y0, y1), slice(x0, x1))

    def polygon(self, points: Floats, holes: Iterable[Floats] = (), rough: bool = False) -> Patch | None:
        """The filled polygon, or None if it lies outside the map."""
        pixels = np.asarray(points) * self.scale
        window = self._window(pixels, WARP_MARGIN if rough else 2)
        if window is None:
            return None
        image, brush = _blank(window)
        brush.polygon(_moved(pixels, window), fill=1)
        for hole in holes:
            brush.polygon(_moved(np.asarray(hole) * self.scale, window), fill=0)
        mask = np.array(image, dtype=bool)
        return window, self._roughened(mask, window) if rough else mask

    def _roughened(self, mask: Mask, window: Window) -> Mask:
        yy, xx = np.mgrid[0 : mask.shape[0], 0 : mask.shape[1]]
        yy = np.clip((yy + self.rough_y[window]).round().astype(int), 0, mask.shape[0] - 1)
        xx = np.clip((xx + self.rough_x[window]).round().astype(int), 0, mask.shape[1] - 1)
        return np.asarray(mask[yy, xx])

    def line(self, points: Floats, width: float) -> Patch | None:
        """A line `width` map units wide, or None if it lies outside the map."""
        pixels = np.asarray(points) * self.scale
        thick = max(2, round(width * self.scale))
        window = self._window(pixels, thick)
        if window is None:
            return None
        image, brush = _blank(window)
        moved = _moved(pixels, window)
        brush.line(moved, fill=1, width=thick, joint="curve")
        if thick > 4:
            for x, y in moved:
                brush.ellipse([x - thick / 2, y - thick / 2, x + thick / 2, y + thick / 2], fill=1)
        return window, np.array(image, dtype=bool)


def _blank(window: Window) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    rows, columns = window
    image = Image.new("1", (int(columns.stop - columns.start), int(rows.stop - rows.start)), 0)
    return image, ImageDraw.Draw(image)


def _moved(pixels: Floats, window: Window) -> list[tuple[float, float]]:
    rows, columns = window
    return [(float(x - columns.start), float(y - rows.start)) for x, y in pixels]
