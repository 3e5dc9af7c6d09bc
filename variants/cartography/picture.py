"""map.svg: the blank board as one inline SVG, painted by classes and `data-colour` alone."""

import math
from collections.abc import Iterator
from html import escape
from typing import Any

import numpy as np
from scipy import ndimage

from variants.cartography.arrays import Floats
from variants.cartography.board import afloat, kind
from variants.cartography.facts import parse_pairs
from variants.cartography.partition import Partition
from variants.cartography.paths import area, number, outlines, parts_inside, path
from variants.cartography.pen import spline
from variants.cartography.placement import LAND_TYPE, SEA_TYPE, Anchors, Spot
from variants.cartography.plane_graph import PlaneGraph
from variants.cartography.smoothing import thin
from variants.signs import STAR

COAST_TYPE = 10
HALOS = ("halo-far", "halo-mid", "halo-near", "shore")
# Kinds of centre, told apart by shape. Painted by attributes: ancestors' rules don't reach into a <use>.
INK_FILL, KNOCK_FILL = 'fill="var(--board-ink)"', 'fill="var(--board-knock)"'
OUTLINED = f'{KNOCK_FILL} stroke="var(--board-ink)" stroke-width="1.3"'
CENTRE_MARKS = {
    "centre": f'<circle r="4.6" {OUTLINED}/><circle r="1.9" {INK_FILL}/>',
    "home": f'<circle r="5.2" {INK_FILL}/><path {KNOCK_FILL} transform="scale(.62)" d="{STAR}"/>',
    "communist": f'<path fill="var(--board-red)" transform="scale(.87)" d="{STAR}"/>',
    "democratic": f'<path {OUTLINED} transform="scale(.8)" d="{STAR}"/>',
    "imperial": f'<path {INK_FILL} transform="scale(.83)" d="M-6 4.6-6.6-3.4-3-.4 0-5.4 3-.4 6.6-3.4 6 4.6z"/>',
}


class Picture:
    def __init__(self, plane: PlaneGraph, anchors: dict[str, Anchors], digest: str) -> None:
        self.plane, self.anchors, self.digest = plane, anchors, digest
        self.partition: Partition = plane.partition
        self.facts = self.partition.facts
        self.spaces: dict[str, Any] = self.partition.spaces
        self.projection = self.partition.pen.projection
        self.afloat = afloat(parse_pairs(self.facts.get("fleet") or ""))

    def svg(self) -> str:
        width, height = self.projection.width, self.projection.height
        head = f'<svg xmlns="http://www.w3.org/2000/svg" class="board" viewBox="0 0 {width} {height}"'
        ground = ['<g class="ground" transform="scale(.1)">', *self._water(), *self._land(), *self._detail(), "</g>"]
        layers = [self._defs(), *ground, *self._signs(), *self._writing()]
        return "\n".join([f'{head} data-facts="{self.digest}">', *layers, "</svg>", ""])

    def _defs(self) -> str:
        grow = self.facts.get("centre_size", 11) / 11
        marks = "".join(
            f'<g id="b-{name}" transform="scale({grow:.2f})">{shape}</g>'
            for name, shape in CENTRE_MARKS.items()
            if name in self._mark_names()
        )
        hatch = '<rect class="inert" width="6" height="6"/><path class="stripe" d="M0 0V6"/>'
        turned = 'width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="scale(10)rotate(45)"'
        return f'<defs><pattern id="b-hatch" {turned}>{hatch}</pattern>{marks}</defs>'

    def _mark_names(self) -> set[str]:
        return {mark_name(space) for space in self.spaces.values() if space.get("sc")}

    # -- water
    def _water(self) -> Iterator[str]:
        yield '<g class="seas">'
        for name in self.partition.sea_spaces():
            yield self._province(name)
        for i in sorted(self.partition.inert_seas):
            yield self._outside(i, "not in play", 'class="dead"')
        yield "</g>"
        yield f'<path class="graticule" d="{graticule(self)}"/>'
        for halo in HALOS:
            yield f'<use class="{halo}" href="#b-land"/>'
        lines = "".join(path(arc.line) for arc in self.plane.arcs if arc.kind == "sea")
        yield f'<path class="sea-line" d="{lines}"/>'

    def _province(self, name: str) -> str:
        space = self.spaces[name]
        code = name.upper()
        shape = area(self.plane.rings.get(self.partition.number(name), []))
        traits = {"province": code, "kind": kind(space, name in self.afloat), "colour": blank_colour(space)}
        what = " ".join(f'data-{trait}="{value}"' for trait, value in traits.items())
        return f'<path id="p-{code}" {what} d="{shape}"><title>{escape(space["name"])}</title></path>'

    def _outside(self, i: int, why: str, paint: str) -> str:
        title = f"{escape(self.partition.inert[i])} ({why})"
        return f'<path {paint} d="{area(self.plane.rings.get(i, []))}"><title>{title}</title></path>'

    # -- land
    def _land(self) -> Iterator[str]:
        yield '<g class="land"><g id="b-land">'
        paint = f'class="{self.facts["inert_class"]}"' if "inert_class" in self.facts else 'fill="url(#b-hatch)"'
        for i in self.partition.inert:
            if i not in self.partition.inert_seas:
                yield self._outside(i, "impassable", paint)
        for name, space in self.spaces.items():
            if not space.get("sea"):
                yield self._province(name)
        yield "</g></g>"
        void = self.plane.rings.get(self.partition.void_number, [])
        if void:
            yield f'<path class="void" d="{area(void)}"/>'

    # -- marks on the land
    def _detail(self) -> Iterator[str]:
        yield from drawn("strait", outlines(self.partition.strait, self.partition.scale, 0.7, 0.22, shortest=6))
        yield from drawn("lake", "".join(self._lake(ring) for ring in self.facts.get("lakes", [])))
        mouths = self._strait_mouths()
        yield from drawn("mouth", mouths)
        yield from drawn("sea-line", mouths)
        for name, space in self.spaces.items():
            if space.get("island"):
                yield self._islet(name)
        yield from drawn("frontier", self._frontiers())
        yield from drawn(
            "canal", "".join(path(self.projection.line(line, 99)) for line in self.facts.get("canals", []))
        )

    # -- signs
    def _signs(self) -> Iterator[str]:
        for cross in self.plane.crosses:
            title = f"<title>{escape(', '.join(cross.names))} all border each other</title>"
            place = f'cx="{number(cross.place[0])}" cy="{number(cross.place[1])}"'
            yield f'<circle class="crossing" {place} r="3.6">{title}</circle>'
        for bridge in self.facts.get("bridges", []):
            a, b = (self.projection.point(place) for place in bridge["at"])
            yield f'<path class="bridge" d="{double_arrow(a, b)}"/>'
        width, height = self.projection.width, self.projection.height
        yield f'<rect class="edge" x=".75" y=".75" width="{width - 1.5}" height="{height - 1.5}"/>'

    def _lake(self, ring: list[list[float]]) -> str:
        corners = self.projection.ring(ring, 99)
        curve = spline(np.vstack([corners[-3:-1], corners, corners[1:3]]), 6)[12 : 12 + 6 * (len(corners) - 1) + 1]
        closed = np.vstack([curve[:-1], curve[:1]])
        return path(thin(closed, 0.2, keep=6), close=True)

    def _strait_mouths(self) -> str:
        """Where a strait filled with land meets the open sea, the border is a sea line, not a coast."""
        scale = self.partition.scale
        near = ndimage.binary_dilation(self.partition.strait, iterations=int(1.4 * scale))
        coasts = [arc for arc in self.plane.arcs if arc.kind == "coast"]
        return "".join(path(piece) for arc in coasts for piece in parts_inside(arc, near, scale))

    def _islet(self, name: str) -> str:
        mask = self.partition.islet & (self.partition.labels == self.partition.number(name))
        shape = outlines(mask, self.partition.scale, 0.6, 0.15)
        return f'<path class="islet" data-islet="{name.upper()}" data-colour="none" d="{shape}"/>'

    def _frontiers(self) -> str:
        inert = set(self.partition.inert)
        lands = [arc for arc in self.plane.arcs if arc.kind == "land" and not arc.sides <= inert]
        return "".join(path(arc.line) for arc in lands if self._nation(arc.left) != self._nation(arc.right))

    def _nation(self, i: int) -> str:
        name = self.plane.names[i]
        space = self.spaces.get(name, {})
        return power_id(space.get("nation") or home(space) or name)

    # -- text
    def _writing(self) -> Iterator[str]:
        yield f'<g class="labels" font-size="{number(LAND_TYPE)}">'
        yield from (self._label(name, LAND_TYPE) for name in self.anchors if not self.spaces[name].get("sea"))
        yield f'</g><g class="coast-labels" font-size="{COAST_TYPE}">'
        for each in self.anchors.values():
            yield from (text(coast, spot, COAST_TYPE) for coast, spot in each.coasts.items())
        yield f'</g><g class="sea-labels" font-size="{number(SEA_TYPE)}">'
        yield from (self._label(name, SEA_TYPE) for name in self.anchors if self.spaces[name].get("sea"))
        yield from self._extra_labels()
        yield '</g><g class="context-labels" font-size="17">'
        yield from self._context_labels()
        yield '</g><g class="centres">'
        for name, each in self.anchors.items():
            if each.centre:
                yield f'<use href="#b-{mark_name(self.spaces[name])}" {at(each.centre)}/>'
        yield "</g>"

    def _label(self, name: str, usual: float) -> str:
        each = self.anchors[name]
        size = "" if each.type_size == usual else f' font-size="{number(each.type_size)}"'
        return text(name, each.label, each.type_size, size)

    def _extra_labels(self) -> Iterator[str]:
        for name, places in self.facts.get("extra_labels", {}).items():
            for x, y, *turn in places:
                yield text(name, (x, y), SEA_TYPE, "".join(f' transform="rotate({t} {x} {y})"' for t in turn))

    def _context_labels(self) -> Iterator[str]:
        for label in self.facts.get("context_labels", []):
            x, y = self.projection.point(label["at"])
            more = f' font-size="{label["size"]}"' if "size" in label else ""
            more += f' transform="rotate({label["turn"]} {number(x)} {number(y)})"' if "turn" in label else ""
            more += ' class="sea-context"' if label.get("sea") else ""
            yield text(label["text"], (x, y), 0, more)


def home(space: dict[str, Any]) -> str:
    """The id of the power whose country this is, or ""."""
    return power_id(space.get("home") or space.get("owner") or "")


def power_id(name: str) -> str:
    return name.upper().replace(" ", "_")


def blank_colour(space: dict[str, Any]) -> str:
    if space.get("sea"):
        return "sea"
    return "minor" if space.get("sc") else "none"


def mark_name(space: dict[str, Any]) -> str:
    return str(space.get("faction") or ("home" if space.get("home") or space.get("star") else "centre"))


def drawn(style: str, shape: str) -> Iterator[str]:
    if shape:
        yield f'<path class="{style}" d="{shape}"/>'


def at(spot: Spot) -> str:
    return f'x="{number(spot[0])}" y="{number(spot[1])}"'


def text(words: str, spot: Spot, size: float, more: str = "") -> str:
    """The words centred on the spot."""
    return f"<text {at((spot[0], spot[1] + size * 0.36))}{more}>{escape(words)}</text>"


def double_arrow(a: Spot, b: Spot) -> str:
    (x0, y0), (x1, y1) = a, b
    span = math.hypot(x1 - x0, y1 - y0)
    dx, dy = (x1 - x0) / span, (y1 - y0) / span
    return f"M{number(x0)} {number(y0)}L{number(x1)} {number(y1)}" + head(b, dx, dy) + head(a, -dx, -dy)


def head(tip: Spot, dx: float, dy: float) -> str:
    x, y = tip
    left, right = (x - 7 * dx - 4 * dy, y - 7 * dy + 4 * dx), (x - 7 * dx + 4 * dy, y - 7 * dy - 4 * dx)
    return f"M{number(x)} {number(y)}L{number(left[0])} {number(left[1])} {number(right[0])} {number(right[1])}z"


def graticule(picture: Picture) -> str:
    meridians = [(np.full(40, float(lon)), np.linspace(20, 80, 40)) for lon in range(-60, 90, 10)]
    parallels = [(np.linspace(-60, 85, 60), np.full(60, float(lat))) for lat in range(20, 81, 10)]
    lines = [np.column_stack(picture.projection(lon, lat)) for lon, lat in meridians + parallels]
    return "".join(
        path(thin(np.round(line), 6.0)) for line in (visible(picture, each) for each in lines) if len(line) > 2
    )


def visible(picture: Picture, line: Floats) -> Floats:
    low, high = -40, np.array([picture.projection.width, picture.projection.height]) + 40
    return np.asarray(line[((line > low) & (line < high)).all(axis=1)])
