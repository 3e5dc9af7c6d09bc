"""Longitude and latitude to map units: projection, local magnifiers, frame, local shifts."""

import math
from itertools import pairwise
from typing import Any

import numpy as np
from pyproj import Transformer

from variants.cartography.arrays import Floats

KM_PER_DEGREE = 111.2


class Projection:
    """Every step is smooth and one-to-one (`scale_range` shows it), so topology is preserved.

    A "lens" enlarges (gain > 0) or shrinks (gain < 0) the country around a town; a "shift" moves it.
    """

    def __init__(self, facts: dict[str, Any]) -> None:
        terms = facts["projection"]
        self.width, self.height = facts["size"]
        self._transform = Transformer.from_crs("EPSG:4326", terms["proj4"], always_xy=True).transform
        self._lenses = [self._lens(lens) for lens in terms.get("lenses", [])]
        frame = {side: self._enlarged(*self._transform(at[1], at[0])) for side, at in terms["frame"].items()}
        self._left, self._top = frame["left"][0], frame["top"][1]
        self._per_x = self.width / (frame["right"][0] - self._left)
        self._per_y = self.height / (self._top - frame["bottom"][1])
        self._shifts = [self._shift(shift) for shift in terms.get("shifts", [])]

    def _lens(self, lens: dict[str, Any]) -> tuple[float, float, float, float]:
        x, y = self._transform(lens["at"][1], lens["at"][0])
        return x, y, lens["radius_km"] * 1000.0, lens["gain"]

    def _shift(self, shift: dict[str, Any]) -> tuple[float, float, float, float, float]:
        x, y = self._framed(shift["at"][1], shift["at"][0])
        radius = shift["radius_km"] * 1000.0 * self._per_x
        return float(x), float(y), float(radius), shift["dx"], shift["dy"]

    def _enlarged(self, x: Any, y: Any) -> tuple[Floats, Floats]:
        x, y = np.asarray(x, float), np.asarray(y, float)
        ox, oy = np.zeros_like(x), np.zeros_like(y)
        for cx, cy, radius, gain in self._lenses:
            dx, dy = x - cx, y - cy
            weight = gain * np.exp(-(dx * dx + dy * dy) / (2 * radius * radius))
            ox += dx * weight
            oy += dy * weight
        return x + ox, y + oy

    def _framed(self, lon: Any, lat: Any) -> tuple[Floats, Floats]:
        x, y = self._enlarged(*self._transform(np.asarray(lon, float), np.asarray(lat, float)))
        return (x - self._left) * self._per_x, (self._top - y) * self._per_y

    def __call__(self, lon: Any, lat: Any) -> tuple[Floats, Floats]:
        x, y = self._framed(lon, lat)
        ox, oy = np.zeros_like(x), np.zeros_like(y)
        for cx, cy, radius, dx, dy in self._shifts:
            weight = np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / (2 * radius * radius))
            ox = ox + dx * weight
            oy = oy + dy * weight
        return x + ox, y + oy

    def line(self, places: list[list[float]], step: float = 0.5) -> Floats:
        """[[lat, lon], ...] -> N x 2 map points, one at least every `step` degrees."""
        dense: list[tuple[float, ...]] = []
        for (a0, o0), (a1, o1) in pairwise(places):
            n = max(1, int(math.hypot(a1 - a0, o1 - o0) / step))
            dense += [(a0 + (a1 - a0) * i / n, o0 + (o1 - o0) * i / n) for i in range(n)]
        dense.append(tuple(places[-1]))
        degrees = np.array(dense)
        return np.column_stack(self(degrees[:, 1], degrees[:, 0]))

    def ring(self, places: list[list[float]], step: float = 0.5) -> Floats:
        return self.line(places + places[:1], step)

    def point(self, place: list[float]) -> tuple[float, float]:
        x, y = self(place[1], place[0])
        return float(x), float(y)

    def degrees(self, x: float, y: float) -> list[float]:
        """The inverse of `point`, to a hundredth of a degree: [latitude, longitude]."""
        lat, lon, span = 50.0, 20.0, 40.0
        while span > 0.005:
            lats, lons = np.meshgrid(np.linspace(lat - span, lat + span, 41), np.linspace(lon - span, lon + span, 41))
            px, py = self(lons, lats)
            nearest = np.nanargmin((px - x) ** 2 + (py - y) ** 2)
            lat, lon, span = float(lats.flat[nearest]), float(lons.flat[nearest]), span / 8
        return [round(lat, 2), round(lon, 2)]

    def scale_range(self) -> tuple[float, float, float]:
        """(smallest Jacobian determinant inside the frame, smallest and largest km per unit).

        If the determinant is positive, the map has no folds.
        """
        lat, lon = np.meshgrid(np.linspace(24, 72, 160), np.linspace(-26, 62, 240), indexing="ij")
        e = 0.02
        x0, y0 = self(lon, lat)
        x1, y1 = self(lon + e / np.cos(np.radians(lat)), lat)
        x2, y2 = self(lon, lat + e)
        inside = (x0 > 0) & (x0 < self.width) & (y0 > 0) & (y0 < self.height)
        areas = -((x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)) / e / e
        low, high = float(areas[inside].min()), float(areas[inside].max())
        return low, KM_PER_DEGREE / math.sqrt(high), KM_PER_DEGREE / math.sqrt(max(low, 1e-9))
