"""Adjacency as drawn: where armies and fleets can go, read off the plane graph and its coasts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from variants.cartography.coasts import Coast
from variants.cartography.facts import Pair, pair, parse_pairs
from variants.cartography.partition import Partition
from variants.cartography.plane_graph import Node, PlaneGraph
from variants.cartography.topology import OFF_THE_MAP, Vertex


@dataclass(frozen=True)
class Borders:
    """`shared`: lengths of the drawn pieces between two names; `army`, `fleet`: adjacency as drawn."""

    shared: dict[Pair, list[float]]
    army: set[Pair]
    fleet: set[Pair]


def find_borders(plane: PlaneGraph, coasts: dict[str, list[Coast]]) -> Borders:
    partition = plane.partition
    shared = shared_lines(plane)
    army, fleet = by_shared_lines(partition, shared)
    fleet |= shore_to_sea(plane, coasts) | shore_to_shore(plane, coasts)
    add_diagonals(plane, shared, army, fleet)
    for bridge in partition.facts.get("bridges", []):
        between = pair(*bridge["between"])
        army |= {between} if bridge.get("army") else set()
        fleet |= {between} if bridge.get("fleet") else set()
    army |= landings(partition, shared)
    never = {pair(*names) for names in partition.facts.get("no_adjacency", [])}
    return Borders(shared, army - never, fleet - never)


def shared_lines(plane: PlaneGraph) -> dict[Pair, list[float]]:
    shared: dict[Pair, list[float]] = {}
    for arc in plane.arcs:
        if arc.kind not in ("frame", "void") and not arc.sides <= set(plane.partition.inert):
            shared.setdefault(pair(plane.names[arc.left], plane.names[arc.right]), []).append(arc.length)
    return shared


def by_shared_lines(partition: Partition, shared: Iterable[Pair]) -> tuple[set[Pair], set[Pair]]:
    """(land-land borders, sea-sea borders) of the spaces in play."""
    army: set[Pair] = set()
    fleet: set[Pair] = set()
    for names in shared:
        sides = {partition.number(name) for name in names}
        if sides & set(partition.inert):
            continue
        wet = len(sides & partition.seas)
        if wet != 1:
            (fleet if wet else army).add(names)
    return army, fleet


def shore(space: str, coast: str) -> str:
    return f"{space}/{coast}" if coast else space


def shore_to_sea(plane: PlaneGraph, coasts: dict[str, list[Coast]]) -> set[Pair]:
    return {
        pair(shore(name, coast.name), plane.names[sea])
        for name, stretches in coasts.items()
        for coast in stretches
        for sea in coast.seas
    }


def shore_to_shore(plane: PlaneGraph, coasts: dict[str, list[Coast]]) -> set[Pair]:
    """Where two land spaces and a sea meet at one node, a fleet can go from coast to coast."""
    found = set()
    for vertex, node in plane.nodes.items():
        for a, b in combinations(lands_at_sea(plane, node), 2):
            found.add(pair(shore(a, coast_at(coasts[a], vertex)), shore(b, coast_at(coasts[b], vertex))))
    return found


def lands_at_sea(plane: PlaneGraph, node: Node) -> Iterator[str]:
    partition = plane.partition
    spaces = node.spaces - {OFF_THE_MAP, partition.void_number} - set(partition.inert)
    if spaces & partition.seas:
        for number in sorted(spaces - partition.seas):
            yield plane.names[number]


def coast_at(coasts: list[Coast], vertex: Vertex) -> str:
    return next((coast.name for coast in coasts if vertex in coast.ends), "")


def add_diagonals(plane: PlaneGraph, shared: dict[Pair, list[float]], army: set[Pair], fleet: set[Pair]) -> None:
    """At a declared crossing all four spaces touch."""
    partition = plane.partition
    for cross in plane.crosses:
        for names in combinations(cross.names, 2):
            between = pair(*names)
            if {partition.number(name) for name in names} & partition.seas:
                fleet.add(between)
                shared.setdefault(between, []).append(0.0)
            else:
                army.add(between)


def landings(partition: Partition, shared: dict[Pair, list[float]]) -> set[Pair]:
    """Army borders of sea spaces that contain land: only the declared ones, where a border is drawn."""
    islands = {name for name, space in partition.spaces.items() if space.get("island")}
    declared = parse_pairs(partition.facts["army"])
    return {names for names in declared if islands & set(names) and names in shared}
