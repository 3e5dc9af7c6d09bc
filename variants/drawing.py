"""A board with its owners, units and orders as one inline SVG.

Text in, text out: the loader reads `map.svg` and `anchors.json`, the page puts the result into its HTML.
All styling is by classes and `data-colour` slots, which `board.css` paints. Places are locations: "MUN", or
"SPA/NC" for a fleet on a named coast; coordinates are map units.
"""

import json
import math
import re
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from hashlib import blake2s
from html import escape

from adjudication.board import province_of
from variants import lines, signs

SLOT = re.compile(r'(data-(?:province|islet)="([^"]+)"[^>]*? data-colour=")([^"]*)')
WRITING = '<g class="labels"'
SEA = "sea"
DISLODGED_BY = (18.0, -16.0)
TOKEN_GAP, OPEN_GAP = 15.0, 3.0
HELD_BY, HELD_WIDTH = (-11.0, -15.5), 22
"""Above the unit: its name is mostly below it."""
GROUND_BYTES = 6
BID_BY = (-13.0, -11.0)
OWNER_BY, HOLDER_BY = (-9.5, 3.2), (-12.5, 3.2)
LETTER_ROOM = 13.0
# to tell owners apart without colours: strokes of a 12 by 12 tile by colour slot
FIRST = {
    "1": "M-1 13 13-1M-7 7 7-7M5 19 19 5",
    "2": "M-1-1 13 13M5-7 19 7M-7 5 7 19",
    "3": "M0 6H12",
    "4": "M6 0V12",
    "5": "M2 3h2M8 9h2",
    "6": "M0 6H12M6 0V12",
    "7": "M0 3 3 0 9 6 12 3M0 9 3 6 9 12 12 9",
    "8": "M-1 13 13-1M-1-1 13 13",
}
SECOND = {str(int(slot) + len(FIRST)): shape for slot, shape in FIRST.items()} | {
    "17": "M0 4 12 0M0 10 12 6",
    "18": "M0 0 12 4M0 6 12 10",
}
"""For variants with nine or ten powers: a palette of its own, all of which readers can tell apart."""
PALETTES = (FIRST, SECOND)
# where along the supported move its supporters arrive, the first one first
MEETINGS = (0.45, 0.55, 0.35, 0.25)


class UnknownPlaceError(ValueError):
    """A unit or an order names a place the board does not have."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """An order to draw; all three places are locations, "" where the kind needs none.

    kind           unit            target                    aux
    hold           that holds
    move           that moves      destination
    retreat        that retreats   destination
    support-hold   that supports   the supported unit
    support-move   that supports   the move's destination    the moving unit
    convoy         the fleet       the army's destination    the army
    disband        that disbands
    build          where

    `points`: what was bid for it, 0 for an order of one's own.
    """

    kind: str
    unit: str
    target: str
    aux: str
    ok: bool
    title: str
    points: int = 0


@dataclass(frozen=True, slots=True)
class ColourSlot:
    """A map shape whose colour depends on the position, and its colour when no one owns it."""

    province: str
    unowned: str


@dataclass(frozen=True, eq=False)
class BoardArt:
    """A blank map cut at its colours: `pieces[i]` comes before the colour of `slots[i]`.

    `writing` is its last layer, labels and centre marks: orders are drawn under it, units over it.
    """

    head: str
    pieces: tuple[str, ...]
    slots: tuple[ColourSlot, ...]
    writing: str
    places: Mapping[str, lines.Point]
    centres: Mapping[str, lines.Point]
    labels: Mapping[str, lines.Point]

    @cached_property
    def ground(self) -> str:
        """An id for everything on the map that doesn't depend on the position."""
        content = "\0".join((self.head, *self.pieces, self.writing, standing_places(self)))
        return blake2s(content.encode(), digest_size=GROUND_BYTES).hexdigest()


def read_art(map_svg: str, anchors_json: str, colours: Mapping[str, str]) -> BoardArt:
    """The board in the texts of map.svg and anchors.json; `colours`: power id -> colour slot ("1" to "18")."""
    provinces = json.loads(anchors_json)["provinces"]
    head, _, body = map_svg.partition(">")
    ground, mark, writing = body.removesuffix("\n").removesuffix("</svg>").partition(WRITING)
    pieces, slots, end = [], [], 0
    for slot in SLOT.finditer(ground):
        pieces.append(ground[end : slot.start(3)])
        province, colour = provinces[slot[2]], slot[3]
        if colour != SEA and "centre" not in province:  # land without a centre has its country's tint
            colour = colours.get(province["home"], colour)
        slots.append(ColourSlot(slot[2], colour))
        end = slot.end(3)
    centres, labels = (
        {name: (each[key][0], each[key][1]) for name, each in provinces.items() if key in each}
        for key in ("centre", "label")
    )
    places = {
        location: (x, y)
        for name, province in provinces.items()
        for location, (x, y) in {name: province["unit"], **province.get("coasts", {})}.items()
    }
    return BoardArt(head, (*pieces, ground[end:]), tuple(slots), mark + writing, places, centres, labels)


def draw_board(
    art: BoardArt,
    owners: Mapping[str, str],
    units: Iterable[signs.UnitMark],
    dislodged: Iterable[signs.UnitMark] = (),
    arrows: Iterable[Arrow] = (),
    title: str = "",
    *,
    holders: Iterable[signs.CentreMark] = (),
    letters: Mapping[str, str] | None = None,
    contested: Mapping[str, str] | None = None,
    homes: Mapping[str, str] | None = None,
    stood: tuple[Iterable[signs.UnitMark], Iterable[signs.UnitMark]] | None = None,
    bare: bool = False,
) -> str:
    """The complete `<svg class="board">`; `owners`: province id -> colour slot of the power that controls it.

    With `letters`, colour slot -> letter, owners are told apart by letters and patterns too, and the map carries where
    units stand. `contested`, `homes` (which the map itself does not show): province id -> what is said of it.
    `stood`: the units and the dislodged ones when the orders were given, if they stand elsewhere by now. `bare`:
    without the ground, for a page that has it; its colours are listed instead. The order of the inputs does not
    matter. Raises UnknownPlaceError, and ValueError for an unknown kind.
    """
    drawing = BoardDrawing(art, owners, sorted_marks(units), sorted_marks(dislodged))
    past = drawing
    if stood is not None:
        past = BoardDrawing(art, owners, sorted_marks(stood[0]), sorted_marks(stood[1]), arrived=drawing.units)
    label = f'{art.head} role="img" aria-label="{escape(title)}"'
    holders = sorted(holders, key=lambda each: each.centre)
    held_by_factions = {mark.centre for mark in holders}
    marks = [
        *drawing.homes(homes or {}),
        *drawing.owner_letters(letters or {}, held_by_factions),
        *drawing.clashes(contested or {}),
    ]
    layers = drawing.layers(past, arrows, holders, marks, "" if bare else art.writing)
    if bare:
        return "".join([label, f' data-colours="{listed_colours(art, owners)}">', *layers, "</svg>"])
    attributes = ">"
    if letters:
        attributes = f' data-ground="{art.ground}" data-places="{standing_places(art)}">{land_patterns(min(letters))}'
    return "".join([label, attributes, *coloured_pieces(art, owners), *layers, "</svg>"])


@lru_cache(maxsize=len(FIRST) + len(SECOND))
def land_patterns(slot: str) -> str:
    """The fills that `board.css` uses for owned land: the palette's patterns with this slot."""
    (palette,) = (each for each in PALETTES if slot in each)
    tiles = (
        f'<pattern id="own-{slot}" width="12" height="12" patternUnits="userSpaceOnUse" patternTransform="scale(10)">'
        f'<rect width="12" height="12" data-colour="{slot}"/><path class="weave" d="{shape}"/></pattern>'
        for slot, shape in palette.items()
    )
    return f"<defs>{''.join(tiles)}</defs>"


def standing_places(art: BoardArt) -> str:
    """The places of units, as in "BER 645 510;SPA/NC 200 760", for scripts that draw orders."""
    return ";".join(f"{name} {x:g} {y:g}" for name, (x, y) in sorted(art.places.items()))


def sorted_marks(marks: Iterable[signs.UnitMark]) -> tuple[signs.UnitMark, ...]:
    return tuple(sorted(marks, key=lambda mark: (mark.location, mark.kind, mark.colour)))


def coloured_pieces(art: BoardArt, owners: Mapping[str, str]) -> Iterator[str]:
    for piece, slot in zip(art.pieces, art.slots, strict=False):
        yield piece
        yield slot.unowned if slot.unowned == SEA else escape(owners.get(slot.province, slot.unowned))
    yield art.pieces[-1]


def listed_colours(art: BoardArt, owners: Mapping[str, str]) -> str:
    """The colours of provinces for scripts, as in "3 BER MUN;minor AUS", without those that are always sea."""
    colours_listed: dict[str, dict[str, None]] = {}
    for slot in art.slots:
        if slot.unowned != SEA:
            colours_listed.setdefault(owners.get(slot.province, slot.unowned), {})[slot.province] = None
    return escape(";".join(" ".join((colour, *names)) for colour, names in sorted(colours_listed.items())))


@dataclass(frozen=True, slots=True)
class Sketch:
    """A drawn order: its `shape` lies under the units, its `verdict` over everything."""

    shape: str
    verdict: str


@dataclass(frozen=True, slots=True)
class BoardDrawing:
    """Where everything is while the orders are drawn. `arrived`: units that arrived afterwards, which need room too."""

    art: BoardArt
    owners: Mapping[str, str]
    units: tuple[signs.UnitMark, ...]
    dislodged: tuple[signs.UnitMark, ...]
    arrived: tuple[signs.UnitMark, ...] = ()

    def layers(
        self,
        past: "BoardDrawing",
        arrows: Iterable[Arrow],
        holders: Iterable[signs.CentreMark],
        marks: Iterable[str],
        writing: str,
    ) -> Iterator[str]:
        """The layers of the drawing. `past`: the drawing when the orders were given."""
        sketches = list(past.sketches(arrows))
        yield '<g class="orders">'
        yield from (past.order(arrow, sketch) for arrow, sketch in sketches)
        yield f'</g>{writing}<g class="standing">'
        yield from (signs.centre_badge(mark, self.centre(mark.centre)) for mark in holders)
        yield from marks
        yield '</g><g class="units">'
        yield from (signs.unit_token(mark, self.place(mark.location), "unit") for mark in self.units)
        yield from (
            signs.unit_token(mark, self.dislodged_place(mark.location), "unit dislodged") for mark in self.dislodged
        )
        yield '</g><g class="verdicts">'
        yield from (past.verdict(arrow, sketch) for arrow, sketch in sketches)
        yield "</g>"

    def homes(self, homes: Mapping[str, str]) -> Iterator[str]:
        star = f'<circle r="5.2"/><path transform="scale(.62)" d="{signs.STAR}"/>'
        for name, title in sorted(homes.items()):
            yield signs.shape_at("home", self.centre(name), star, title)

    def owner_letters(self, letters: Mapping[str, str], centres_of_factions: Container[str]) -> Iterator[str]:
        """The letter of the owner beside every centre."""
        for name, place in sorted(self.art.centres.items()):
            if letter := letters.get(self.owners.get(name, "")):
                x, y = lines.point_ahead(place, HOLDER_BY if name in centres_of_factions else self.letter_by(name), 1)
                yield f'<text class="owner" x="{x:.1f}" y="{y:.1f}" font-size="10.5">{escape(letter)}</text>'

    def letter_by(self, centre: str) -> lines.Point:
        """The place of the letter: left of the centre's mark, unless a unit would cover it."""
        left, down = OWNER_BY
        (x, y), (unit_x, unit_y) = self.art.centres[centre], self.art.places[centre]
        is_covered = math.hypot(unit_x - x - left, unit_y - y) < LETTER_ROOM
        return (-left if is_covered else left), down

    def clashes(self, contested: Mapping[str, str]) -> Iterator[str]:
        for name, title in sorted(contested.items()):
            yield signs.shape_at("contested", self.place(name), f'<circle r="11"/><path d="{signs.CLASH}"/>', title)

    def sketches(self, arrows: Iterable[Arrow]) -> Iterator[tuple[Arrow, Sketch]]:
        counts: dict[tuple[str, str], int] = {}
        exact = map(self.with_coast, arrows)
        for arrow in sorted(exact, key=lambda each: (LAYERS[checked_kind(each)], each.unit, each.target, each.aux)):
            move = (arrow.aux, arrow.target)
            counts[move] = counts.get(move, -1) + 1
            yield arrow, SHAPES[arrow.kind](self, arrow, counts[move])

    def with_coast(self, arrow: Arrow) -> Arrow:
        """The arrow with the coast of a supported or convoyed unit, which an order doesn't have to name."""
        if arrow.kind == "support-hold":
            return replace(arrow, target=self.location_of_unit(arrow.target))
        return replace(arrow, aux=self.location_of_unit(arrow.aux)) if arrow.aux else arrow

    def location_of_unit(self, location: str) -> str:
        here = province_of(location)
        return next((mark.location for mark in self.units if province_of(mark.location) == here), location)

    def place(self, location: str) -> lines.Point:
        if location not in self.art.places:
            raise UnknownPlaceError(f"The map has no place called {location!r}.")
        return self.art.places[location]

    def centre(self, name: str) -> lines.Point:
        if name not in self.art.centres:
            raise UnknownPlaceError(f"The map has no supply centre called {name!r}.")
        return self.art.centres[name]

    def dislodged_place(self, location: str) -> lines.Point:
        x, y = self.place(location)
        return x + DISLODGED_BY[0], y + DISLODGED_BY[1]

    def colour(self, arrow: Arrow) -> str:
        """The colour of the ordered unit: of the dislodged one, if it retreats or disbands and another is there."""
        is_leaving = arrow.kind in ("retreat", "disband")
        marks = (*self.dislodged, *self.units) if is_leaving else (*self.units, *self.dislodged)
        here = province_of(arrow.unit)
        colours = (mark.colour for mark in marks if province_of(mark.location) == here)
        return next(colours, self.owners.get(here, "minor"))

    def start(self, arrow: Arrow) -> lines.Point:
        """Where the ordered unit is drawn: a dislodged one beside its conqueror."""
        here = province_of(arrow.unit)
        is_dislodged = any(province_of(mark.location) == here for mark in self.dislodged)
        is_leaving = is_dislodged and arrow.kind in ("retreat", "disband")
        return self.dislodged_place(arrow.unit) if is_leaving else self.place(arrow.unit)

    def order(self, arrow: Arrow, sketch: Sketch) -> str:
        style = f"order {arrow.kind}" + ("" if arrow.ok else " failed")
        attributes = f'class="{style}" data-order="{arrow.kind}" data-colour="{escape(self.colour(arrow))}"'
        title = f"<title>{escape(arrow.title)}</title>"
        return f"<g {attributes} {place_attributes(arrow)}>{title}{sketch.shape}</g>"

    def verdict(self, arrow: Arrow, sketch: Sketch) -> str:
        shape = sketch.verdict
        if arrow.points:  # at the shoulder of the unit that they are bid for
            points = f'<circle r="7.4"/><text y="4" font-size="11">{arrow.points}</text>'
            shape += signs.shape_at("bid", lines.point_ahead(self.start(arrow), BID_BY, 1), points)
        attributes = f'class="order" data-sign="{arrow.kind}" {place_attributes(arrow)}'
        return f"<g {attributes}>{shape}</g>" if shape else ""

    def travel(self, start: lines.Point, target: str) -> lines.Curve:
        # How far from a place an arrow stops, because a unit's token needs room.
        here = province_of(target)
        is_occupied = any(province_of(mark.location) == here for mark in (*self.units, *self.arrived))
        return lines.bent_curve(start, self.place(target), TOKEN_GAP, TOKEN_GAP if is_occupied else OPEN_GAP)

    # -- one sketch for each kind of order
    def moving(self, arrow: Arrow, _rank: int) -> Sketch:
        curve = self.travel(self.start(arrow), arrow.target)
        head = f'<path class="head" d="{lines.arrow_head(curve)}"/>'
        return Sketch(lines.line_with_edge(curve.path_data()) + head, cross_if_failed(arrow, curve.at(0.7)))

    def supporting_move(self, arrow: Arrow, rank: int) -> Sketch:
        """A line to the middle of the supported move. Several supporters arrive side by side."""
        travel = self.travel(self.place(arrow.aux), arrow.target)
        meeting = travel.at(MEETINGS[rank % len(MEETINGS)])
        curve = lines.bent_curve(self.place(arrow.unit), meeting, TOKEN_GAP, OPEN_GAP, lines.BEND / 2)
        knob = f'<circle class="knob" {lines.circle_centre(meeting)} r="4"/>'
        return Sketch(lines.line_with_edge(curve.path_data()) + knob, cross_if_failed(arrow, curve.at(0.5)))

    def supporting_hold(self, arrow: Arrow, _rank: int) -> Sketch:
        target = self.place(arrow.target)
        curve = lines.bent_curve(self.place(arrow.unit), target, TOKEN_GAP, TOKEN_GAP + 2, lines.BEND / 2)
        shape = lines.line_with_edge(curve.path_data()) + signs.ring_around(target, 17)
        return Sketch(shape, cross_if_failed(arrow, curve.at(0.5)))

    def holding(self, arrow: Arrow, _rank: int) -> Sketch:
        place = self.place(arrow.unit)
        start = lines.point_ahead(place, HELD_BY, 1)
        middle = lines.point_ahead(start, (1, 0), HELD_WIDTH / 2)
        return Sketch(lines.line_with_edge(f"M{lines.coordinates(start)}h{HELD_WIDTH}"), cross_if_failed(arrow, middle))

    def disbanding(self, arrow: Arrow, _rank: int) -> Sketch:
        place = self.start(arrow)
        return Sketch(signs.ring_around(place, 16), signs.sign_at(place, "bar", signs.BAR))

    def building(self, arrow: Arrow, _rank: int) -> Sketch:
        x, y = self.place(arrow.unit)
        return Sketch(
            signs.ring_around((x, y), 17),
            signs.sign_at((x - 15, y - 13), "plus", signs.PLUS) + cross_if_failed(arrow, (x, y)),
        )


def place_attributes(arrow: Arrow) -> str:
    """The places of an order as attributes of its element, for scripts."""
    where = {"unit": arrow.unit, "target": arrow.target, "aux": arrow.aux}
    return " ".join(f'data-{name}="{escape(place)}"' for name, place in where.items())


def checked_kind(arrow: Arrow) -> str:
    """The kind of an order; raises ValueError for an unknown one."""
    if arrow.kind not in SHAPES:
        raise ValueError(f"{arrow.kind!r} is not a kind of order; the kinds are {', '.join(SHAPES)}.")
    return arrow.kind


# in the order in which they overlap
SHAPES = {
    "hold": BoardDrawing.holding,
    "move": BoardDrawing.moving,
    "retreat": BoardDrawing.moving,
    "support-hold": BoardDrawing.supporting_hold,
    "support-move": BoardDrawing.supporting_move,
    "convoy": BoardDrawing.supporting_move,
    "disband": BoardDrawing.disbanding,
    "build": BoardDrawing.building,
}
LAYERS = {kind: layer for layer, kind in enumerate(SHAPES)}


def cross_if_failed(arrow: Arrow, place: lines.Point) -> str:
    return "" if arrow.ok else signs.sign_at(place, "cross", signs.CROSS)
