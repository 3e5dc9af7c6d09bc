"""Lines of a drawing: points in map units, curves, and how the SVG writes them."""

import math
from dataclasses import dataclass

Point = tuple[float, float]
BEND = 0.13


@dataclass(frozen=True, slots=True)
class Curve:
    """A quadratic curve from `a` to `b`."""

    a: Point
    control: Point
    b: Point

    def at(self, t: float) -> Point:
        (ax, ay), (cx, cy), (bx, by) = self.a, self.control, self.b
        u = 1 - t
        return u * u * ax + 2 * u * t * cx + t * t * bx, u * u * ay + 2 * u * t * cy + t * t * by

    def path_data(self) -> str:
        return f"M{coordinates(self.a)}Q{coordinates(self.control)} {coordinates(self.b)}"


def tenths(length: float) -> str:
    """The length rounded as in arrows.js: halves are rounded up, with a hair more against errors in the last bit."""
    return f"{length + 1e-9:.1f}"


def coordinates(point: Point) -> str:
    return f"{tenths(point[0])} {tenths(point[1])}"


def circle_centre(point: Point) -> str:
    return f'cx="{tenths(point[0])}" cy="{tenths(point[1])}"'


def direction(a: Point, b: Point) -> Point:
    span = math.dist(a, b)
    return ((b[0] - a[0]) / span, (b[1] - a[1]) / span) if span else (0.0, 0.0)


def point_ahead(point: Point, course: Point, by: float) -> Point:
    return point[0] + course[0] * by, point[1] + course[1] * by


def bent_curve(a: Point, b: Point, first_gap: float, last_gap: float, bend: float = BEND) -> Curve:
    """A curve from a to b, bent to its right, that keeps its distance from both."""
    span = math.dist(a, b)
    gaps = min(1.0, span * 0.6 / (first_gap + last_gap + 1e-9))
    x, y = direction(a, b)
    control = point_ahead(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), (-y, x), span * bend)
    start, end = direction(a, control), direction(control, b)
    return Curve(point_ahead(a, start, first_gap * gaps), control, point_ahead(b, end, -last_gap * gaps))


def line_with_edge(shape: str) -> str:
    """A line with a pale edge, so that it stays visible where it crosses others."""
    return f'<path class="casing" d="{shape}"/><path class="line" d="{shape}"/>'


def arrow_head(curve: Curve) -> str:
    x, y = direction(curve.control, curve.b)
    tip, base = point_ahead(curve.b, (x, y), 2), point_ahead(curve.b, (x, y), -9)
    left, right = point_ahead(base, (y, -x), 5.5), point_ahead(base, (-y, x), 5.5)
    return f"M{coordinates(tip)}L{coordinates(right)} {coordinates(left)}z"
