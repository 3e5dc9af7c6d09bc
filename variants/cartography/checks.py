"""Eighteen checks on a drawing. A board that fails some of them is written all the same, so that you can look at it."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import Any

from shapely.geometry import Point, box
from shapely.ops import nearest_points
from shapely.strtree import STRtree

from variants.cartography.arrangements import UNIT_SIZE
from variants.cartography.arrays import distances
from variants.cartography.borders import Borders
from variants.cartography.facts import Pair, pair, parse_pairs
from variants.cartography.lettering import text_size
from variants.cartography.picture import COAST_TYPE
from variants.cartography.placement import SEA_TYPE, Anchors, Spot
from variants.cartography.plane_graph import PlaneGraph
from variants.cartography.topology import OFF_THE_MAP
from variants.commands.check import Check

MIN_BORDER, MIN_AREA, MIN_APART, MAX_AWAY = 12.0, 650.0, 9.0, 60.0
MOST_HIDDEN = 0.15


def run_checks(plane: PlaneGraph, borders: Borders, anchors: dict[str, Anchors]) -> list[Check]:
    return [
        *shape_checks(plane),
        *border_checks(plane, borders),
        Check("every border has a piece long enough to see", sorted(short_borders(plane, borders))),
        Check("no two different triple points nearly touch", sorted(near_misses(plane))),
        Check("every space is large enough", sorted(small_spaces(plane))),
        Check("no province leaves a scrap among others", sorted(scraps(plane))),
        Check("no island lies far from its province", sorted(stray_islands(plane))),
        Check("no label is hidden", sorted(hidden_labels(plane, anchors))),
        Check(
            "label, unit and centre mark fit inside every space",
            [f"{name}: {each.problem}" for name, each in anchors.items() if each.problem],
        ),
    ]


def shape_checks(plane: PlaneGraph) -> Iterator[Check]:
    partition, polygons = plane.partition, plane.polygons
    jacobian, low, high = partition.pen.projection.scale_range()
    folds = [] if jacobian > 0 else ["the map folds over itself"]
    yield Check(f"the projection is one-to-one ({low:.2f} to {high:.2f} km per unit)", folds)
    yield Check("the facts are understood, no sea leaks, coasts are as declared", list(partition.problems))
    missing = [name for name in partition.spaces if partition.number(name) not in polygons]
    yield Check(f"all {len(partition.spaces)} spaces are on the map", missing)
    broken = [plane.names[i] for i, shape in polygons.items() if not shape.is_valid or shape.is_empty]
    yield Check("every space is a valid polygon", broken)
    frame = partition.pen.projection.width * partition.pen.projection.height
    total = sum(shape.area for shape in polygons.values())
    gaps = [] if abs(total - frame) < 0.5 else [f"{total:.1f} of {frame}"]
    yield Check("the areas add up to the frame", gaps)
    yield Check("no two spaces overlap", overlaps(plane))
    yield crossings(plane)


def overlaps(plane: PlaneGraph) -> list[str]:
    numbers = list(plane.polygons)
    shapes: list[Any] = [plane.polygons[number] for number in numbers]
    tree = STRtree(shapes)
    return [
        f"{plane.names[numbers[i]]}/{plane.names[numbers[j]]}"
        for i, shape in enumerate(shapes)
        for j in sorted(tree.query(shape))
        if j > i and shape.intersection(shapes[j]).area > 0.02
    ]


def crossings(plane: PlaneGraph) -> Check:
    drawn = [
        sorted(plane.names[space] for space in node.spaces if space != OFF_THE_MAP)
        for node in plane.nodes.values()
        if len(node.spaces - {OFF_THE_MAP}) > 3
    ]
    declared = [sorted(names) for names in plane.partition.facts.get("fourway", [])]
    odd = [names for names in drawn if names not in declared] + [names for names in declared if names not in drawn]
    return Check(f"exactly the {len(declared)} declared four-way points", ["/".join(names) for names in odd])


def border_checks(plane: PlaneGraph, borders: Borders) -> Iterator[Check]:
    facts = plane.partition.facts
    army, fleet = parse_pairs(facts["army"]), parse_pairs(facts.get("fleet") or "")
    yield Check(f"every declared army border ({len(army)}) is drawn", joined(army - borders.army, plane))
    yield Check("every drawn land border is declared", joined(borders.army - army, plane))
    yield Check(f"every declared fleet border ({len(fleet)}) is drawn", joined(fleet - borders.fleet, plane))
    yield Check("every drawn contact by water is declared", joined(borders.fleet - fleet, plane))


def joined(pairs: set[Pair], plane: PlaneGraph) -> list[str]:
    return sorted(f"{'-'.join(names)}{near(names, plane)}" for names in pairs)


def near(names: Iterable[str], plane: PlaneGraph) -> str:
    """Where the first two of these spaces are closest to each other, as in " near [54.32, 15.9]"; "" if one of them is
    not drawn."""
    shapes = [plane.polygons.get(plane.partition.number(name.partition("/")[0])) for name in names]
    if len(shapes) < 2 or shapes[0] is None or shapes[1] is None:
        return ""
    middle = shapes[0].intersection(shapes[1])
    here = nearest_points(shapes[0], shapes[1])[0] if middle.is_empty else middle.representative_point()
    return f" near {at(here, plane)}"


def at(here: Point, plane: PlaneGraph) -> list[float]:
    return plane.partition.pen.projection.degrees(here.x, here.y)


def short_borders(plane: PlaneGraph, borders: Borders) -> Iterator[str]:
    crossing = {pair(a, b) for cross in plane.crosses for a, b in combinations(cross.names, 2)}
    for names, lengths in borders.shared.items():
        inert = {plane.partition.number(name) for name in names} & set(plane.partition.inert)
        if not inert and names not in crossing and max(lengths) < MIN_BORDER:
            yield f"{'-'.join(names)} {max(lengths):.0f}{near(names, plane)}"


def near_misses(plane: PlaneGraph) -> Iterator[str]:
    outside, inert = {OFF_THE_MAP, plane.partition.void_number}, set(plane.partition.inert)
    nodes = [node for node in plane.nodes.values() if not node.spaces & outside and len(node.spaces - inert) > 1]
    for a, b in combinations(nodes, 2):
        if a.spaces != b.spaces and distances(a.place[None, :], b.place)[0] < MIN_APART:
            points = " ~ ".join("/".join(sorted(plane.names[i] for i in node.spaces)) for node in (a, b))
            yield f"{points} near {at(Point(a.place), plane)}"


def small_spaces(plane: PlaneGraph) -> Iterator[str]:
    for name in plane.partition.spaces:
        shape = plane.polygons.get(plane.partition.number(name))
        if shape is not None and shape.area < MIN_AREA:
            yield f"{name} {shape.area:.0f} near {at(shape.representative_point(), plane)}"


def scraps(plane: PlaneGraph) -> Iterator[str]:
    """Parts of a province apart from its largest that lie on the mainland of others."""
    lands = land_of(plane)
    for name, _, part in apart(plane):
        others = [shape for number, shape in lands.items() if number != plane.partition.number(name)]
        if any(part.touches(other) for other in others):
            yield f"{name}: a piece of {part.area:.0f} near {at(part.representative_point(), plane)}"


def stray_islands(plane: PlaneGraph) -> Iterator[str]:
    """Islands far from the rest of their province."""
    for name, main, part in apart(plane):
        away = main.distance(part)
        if away > MAX_AWAY:
            yield f"{name}: an island {away:.0f} away near {at(part.representative_point(), plane)}"


def apart(plane: PlaneGraph) -> Iterator[tuple[str, Any, Any]]:
    """The provinces in several pieces: the largest of them, and each other one that is not meant, unless the facts
    allow several."""
    lands, allowed = land_of(plane), plane.partition.facts.get("multipart", [])
    for name in plane.partition.spaces:
        shape = lands.get(plane.partition.number(name))
        if shape is None or name in allowed or shape.geom_type != "MultiPolygon":
            continue
        *parts, main = sorted(shape.geoms, key=lambda one: one.area)
        yield from ((name, main, part) for part in parts if not is_meant(part, name, plane))


def land_of(plane: PlaneGraph) -> dict[int, Any]:
    return {number: shape for number, shape in plane.polygons.items() if number not in plane.partition.seas}


def is_meant(part: Any, name: str, plane: PlaneGraph) -> bool:
    """Do the facts name a place on it: a town of the province, or an island that stays?"""
    facts = plane.partition.facts
    places = [*plane.partition.spaces[name].get("sites", []), *facts.get("keep_islands", [])]
    return any(part.covers(Point(plane.partition.pen.projection.point(place))) for place in places)


def hidden_labels(plane: PlaneGraph, anchors: dict[str, Anchors]) -> Iterator[str]:
    """Words that another word, a unit or a centre's mark covers."""
    words = list(written(plane, anchors))
    marks = [(f"the unit in {name}", around(each.unit, *UNIT_SIZE)) for name, each in anchors.items()]
    side = plane.partition.facts.get("centre_size", 11)
    marks += [
        (f"the centre of {name}", around(each.centre, side, side)) for name, each in anchors.items() if each.centre
    ]
    for index, (word, place) in enumerate(words):
        for other, there in (*words[index + 1 :], *marks):
            if place.intersection(there).area > MOST_HIDDEN * min(place.area, there.area):
                yield f"{word} is covered by {other} near {at(place.centroid, plane)}"


def written(plane: PlaneGraph, anchors: dict[str, Anchors]) -> Iterator[tuple[str, Any]]:
    """The words on the map that are not turned, and where they are."""
    for name, each in anchors.items():
        yield name, around(each.label, *text_size(name, each.type_size))
        for coast, spot in each.coasts.items():
            yield coast, around(spot, *text_size(coast, COAST_TYPE))
    for name, places in plane.partition.facts.get("extra_labels", {}).items():
        yield from ((name, around((x, y), *text_size(name, SEA_TYPE))) for x, y, *turn in places if not turn)


def around(spot: Spot, width: float, height: float) -> Any:
    x, y = spot
    return box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
