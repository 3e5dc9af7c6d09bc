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

    def course(self) -> Point:
        """The direction in which it arrives, of length 1."""
        return toward(self.control, self.b)

    def shape(self) -> str:
        return f"M{dot(self.a)}Q{dot(self.control)} {dot(self.b)}"


def tenths(length: float) -> str:
    """Rounded as in arrows.js, where a half goes up; a hair more, so that neither depends on the last bit."""
    return f"{length + 1e-9:.1f}"


def dot(point: Point) -> str:
    return f"{tenths(point[0])} {tenths(point[1])}"


def centred(point: Point) -> str:
    return f'cx="{tenths(point[0])}" cy="{tenths(point[1])}"'


def toward(a: Point, b: Point) -> Point:
    span = math.dist(a, b)
    return ((b[0] - a[0]) / span, (b[1] - a[1]) / span) if span else (0.0, 0.0)


def ahead(point: Point, course: Point, by: float) -> Point:
    return point[0] + course[0] * by, point[1] + course[1] * by


def bow(a: Point, b: Point, first_gap: float, last_gap: float, bend: float = BEND) -> Curve:
    """A curve from a to b, bent to its right, that keeps its distance from both."""
    span = math.dist(a, b)
    gaps = min(1.0, span * 0.6 / (first_gap + last_gap + 1e-9))
    x, y = toward(a, b)
    control = ahead(((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), (-y, x), span * bend)
    start, end = toward(a, control), toward(control, b)
    return Curve(ahead(a, start, first_gap * gaps), control, ahead(b, end, -last_gap * gaps))


def cased(shape: str) -> str:
    """A line with a pale edge, so that it stays visible where it crosses others."""
    return f'<path class="casing" d="{shape}"/><path class="line" d="{shape}"/>'


def arrow_head(curve: Curve) -> str:
    x, y = curve.course()
    tip, base = ahead(curve.b, (x, y), 2), ahead(curve.b, (x, y), -9)
    return f"M{dot(tip)}L{dot(ahead(base, (-y, x), 5.5))} {dot(ahead(base, (y, -x), 5.5))}z"
