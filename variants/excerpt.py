"""Parts of a drawn board, and small copies of it.

Text in, text out: each function reduces the SVG that `variants.drawing.draw_board` made. A map.svg has one element per
line. Its shapes are in tenths of a map unit and written as M and L with absolute points, l with relative ones, and z.
Boxes are x, y, width and height in map units.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import groupby, pairwise

from variants.lines import Point

ViewBox = tuple[float, float, float, float]
Bounds = tuple[float, float, float, float]
VIEW = re.compile(r'viewBox="([^"]+)"')
PATH_DATA = re.compile(r' d="([^"]*)"')
PUT = re.compile(r'<(?:text|use)[^>]* x="([^"]+)" y="([^"]+)"')
RING = re.compile(r"M[^M]*")
PATH_STEP = re.compile(r"([MLl])([^MLlz]*)")
NUMBER = re.compile(r"-?\d*\.?\d+")
PATH_ID = re.compile(r'^<path id="([^"]*)"')
NAMELESS = re.compile(r"^<path(?! id=)")
LOOKS = re.compile(r' (?:class|data-colour|fill)="[^"]*"')
GROUND = '<g class="ground"'
EDGE = '<rect class="edge"'
SMALL_SHAPE = re.compile(r'<path (?:[^>]*data-colour="(?!sea")|class="context"|fill="url\(#b-hatch\)")')
PAINT = re.compile(r'data-colour="[^"]*"|class="context"')
INERT_CLASS = 'class="inert"'
TENTHS = 10
SHARE = 3 / 2
"""Width to height of a part that is cut out."""
LEAST = 330.0
FRAME_MARGIN = 65.0
LABEL_ROOM = 25.0
GRAIN = 50
"""Tenths of a map unit between the points of a small copy."""


def box_around(points: Iterable[Point], whole: ViewBox) -> ViewBox:
    """The part of the board that contains these points and their surroundings; the whole board if there are none."""
    places = list(points)
    if not places:
        return whole
    x, y = ((min(each) + max(each)) / 2 for each in zip(*places, strict=True))
    span_x, span_y = (max(each) - min(each) + 2 * FRAME_MARGIN for each in zip(*places, strict=True))
    width = min(max(span_x, span_y * SHARE, LEAST), whole[2])
    height = min(max(width / SHARE, span_y), whole[3])
    left = min(max(x - width / 2, whole[0]), whole[0] + whole[2] - width)
    top = min(max(y - height / 2, whole[1]), whole[1] + whole[3] - height)
    return round(left, 1), round(top, 1), round(width, 1), round(height, 1)


def box_of(svg: str) -> ViewBox:
    """The box that an SVG shows."""
    match = VIEW.search(svg)
    if match is None:
        raise ValueError("The drawing has no viewBox.")
    x, y, width, height = map(float, match[1].split())
    return x, y, width, height


def is_inside(point: Point, box: ViewBox, margin: float = 0.0) -> bool:
    x, y, width, height = box
    return x - margin <= point[0] <= x + width + margin and y - margin <= point[1] <= y + height + margin


def board_to_borrow_from(svg: str) -> str:
    """The whole board, with an id on every shape of its ground, so that excerpts on the page can reuse it."""
    before, ground, rest = _split_at_ground(svg)
    lines = (NAMELESS.sub(f'<path id="b-{number}"', line) for number, line in enumerate(ground.split("\n")))
    return before + "\n".join(lines) + rest


def excerpt(svg: str, box: ViewBox, whole: str, name: str) -> str:
    """The part of the board inside the box. Its ground reuses the shapes of `whole`, the SVG on the same page from
    `board_to_borrow_from`: the same board, though owners and units may differ. `name` makes the ids of this part's land
    unique on the page."""
    before, ground, rest = _split_at_ground(svg)
    lines = zip(ground.split("\n"), _split_at_ground(whole)[1].split("\n"), strict=True)
    shapes = "".join(_borrowed_line(line, source, box) for line, source in lines).replace("b-land", f"{name}-land")
    opening = VIEW.sub(f'viewBox="{" ".join(f"{side:g}" for side in box)}"', before[: before.index(">") + 1], count=1)
    return opening + shapes + "\n".join(line for line in rest.split("\n") if _lies_in(line, box))


def _split_at_ground(svg: str) -> tuple[str, str, str]:
    """The SVG in three parts: before the ground, the ground, and the rest."""
    start = svg.index(GROUND)
    end = svg.rindex("</g>", start, svg.index(EDGE)) + len("</g>")
    return svg[:start], svg[start:end], svg[end:]


def _borrowed_line(line: str, source: str, box: ViewBox) -> str:
    """A line of the ground that reuses the shape of the line `source`; "" if it lies outside the box."""
    shape, name = PATH_DATA.search(line), PATH_ID.search(source)
    if shape is None or name is None or not line.startswith("<path"):
        return line
    if not any(_touches(bounds, box) for bounds in _bounds_of_rings(shape[1])):
        return ""
    return f'<use href="#{name[1]}"{"".join(LOOKS.findall(line))}/>'


def _lies_in(line: str, box: ViewBox) -> bool:
    match = PUT.match(line)
    if match:
        return is_inside((float(match[1]), float(match[2])), box, LABEL_ROOM)
    return not line.startswith(EDGE)


def points_of(ring: str) -> Iterator[Point]:
    """The points of one closed or open line, in the units of the line."""
    x, y = 0.0, 0.0
    for letter, numbers in PATH_STEP.findall(ring):
        values = [float(number) for number in NUMBER.findall(numbers)]
        for dx, dy in zip(values[::2], values[1::2], strict=True):
            x, y = (x + dx, y + dy) if letter == "l" else (dx, dy)
            yield x, y


def _touches(bounds: Bounds, box: ViewBox) -> bool:
    left, top, right, bottom = bounds
    x, y, width, height = box
    return left <= x + width and right >= x and top <= y + height and bottom >= y


@lru_cache(maxsize=2_000)
def _bounds_of_rings(shape: str) -> tuple[Bounds, ...]:
    """The bounds of every ring of a shape in tenths: left, top, right and bottom in map units."""
    bounds = list[Bounds]()
    for ring in RING.findall(shape):
        xs, ys = zip(*points_of(ring), strict=True)
        bounds.append((min(xs) / TENTHS, min(ys) / TENTHS, max(xs) / TENTHS, max(ys) / TENTHS))
    return tuple(bounds)


# Small copies.


def miniature(svg: str) -> str:
    """Only the land with its colours, for display at the size of a stamp."""
    x, y, width, height = box_of(svg)
    view_box = f"{x:g} {y:g} {width:g} {height:g}"
    shapes = "".join(_small_path(line) for line in svg.split("\n") if SMALL_SHAPE.match(line))
    scale = GRAIN / TENTHS
    return (
        f'<svg class="board board--small" viewBox="{view_box}" aria-hidden="true">'
        f'<g transform="scale({scale:g})">{shapes}</g></svg>'
    )


def _small_path(line: str) -> str:
    shape, paint = PATH_DATA.search(line), PAINT.search(line)
    rings = "".join(coarse_ring(list(points_of(ring))) for ring in RING.findall(shape[1])) if shape else ""
    return f'<path {paint[0] if paint else INERT_CLASS} d="{rings}"/>' if rings else ""


def coarse_ring(points: list[Point]) -> str:
    """A ring on the grid of small copies, where neighbours keep their common border; "" if nothing is left of it."""
    dots = [(round(x / GRAIN), round(y / GRAIN)) for x, y in points]
    corners = [dots[0], *(there for here, there in pairwise(dots) if there != here)]
    if len(set(corners)) < 3:  # noqa: PLR2004 - a triangle is the least that has a face
        return ""
    steps = [(bx - ax, by - ay) for (ax, ay), (bx, by) in pairwise(corners)]
    strides = [(x * n, y * n) for (x, y), n in ((step, len(list(group))) for step, group in groupby(steps))]
    line = " ".join(f"{x} {y}" for x, y in strides)
    return f"M{corners[0][0]} {corners[0][1]}l{line}z".replace(" -", "-")
