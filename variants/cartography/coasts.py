"""The coasts of every land space, read off the drawing."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from variants.cartography.arrays import Floats, distances
from variants.cartography.plane_graph import PlaneGraph, Ring, RingStep
from variants.cartography.topology import Vertex


@dataclass(eq=False)
class Coast:
    """A stretch of shore a fleet can lie on: its seas, its arcs, and the nodes at its two ends.

    `island` shores are closed rings; `name` is the declared coast ("nc") or empty.
    """

    seas: set[int]
    steps: list[RingStep]
    ends: list[Vertex | None]
    island: bool = False
    name: str = ""
    islands: list[Coast] = field(default_factory=list)

    def points(self) -> Floats:
        return np.vstack([step.points for step in self.steps])

    def absorb(self, other: Coast) -> None:
        self.seas |= other.seas
        self.steps += other.steps
        self.ends += other.ends


def find_coasts(plane: PlaneGraph) -> dict[str, list[Coast]]:
    """The coasts of each land space, named where the facts name them."""
    partition = plane.partition
    land = [name for name in partition.spaces if partition.number(name) not in partition.seas]
    return {name: coasts_of(plane, name) for name in land}


def coasts_of(plane: PlaneGraph, name: str) -> list[Coast]:
    runs = [run for ring in plane.rings.get(plane.partition.number(name), []) for run in shore_runs(plane, ring)]
    for run in runs:
        run.seas -= plane.partition.inert_seas
    runs = joined(plane, name, [run for run in runs if run.seas])
    for place in plane.partition.facts.get("coast_split", {}).get(name, []):
        split(runs, np.array(plane.partition.pen.projection.point(place)))
    coasts = with_islands(runs)
    give_names(plane, name, coasts)
    return coasts


def shore_runs(plane: PlaneGraph, ring: Ring) -> list[Coast]:
    """Maximal runs of sea-facing arcs along a ring."""
    seas = plane.partition.seas
    wet = [step.beyond in seas for step in ring]
    if all(wet):
        return [Coast({step.beyond for step in ring}, list(ring), [], island=True)]
    if not any(wet):
        return []
    first = next(i for i in range(len(ring)) if wet[i] and not wet[i - 1])
    return list(runs_of(ring[first:] + ring[:first], seas))


def runs_of(steps: Ring, seas: set[int]) -> Iterable[Coast]:
    run: list[RingStep] = []
    for step in steps:
        if step.beyond in seas:
            run.append(step)
        elif run:
            yield coast_along(run)
            run = []
    if run:
        yield coast_along(run)


def coast_along(run: list[RingStep]) -> Coast:
    return Coast({step.beyond for step in run}, run, [run[0].start, run[-1].end])


def mainland(runs: list[Coast]) -> list[Coast]:
    return [run for run in runs if not run.island]


def joined(plane: PlaneGraph, name: str, runs: list[Coast]) -> list[Coast]:
    """A canal space has one coast, and a border inside a strait does not divide a coast."""
    space, main = plane.partition.spaces[name], mainland(runs)
    if len(main) < 2:
        return runs
    if space.get("canal") or space.get("one_coast"):
        return merged(runs, main)
    for ends in strait_ends(plane, name):
        hit = [run for run in mainland(runs) if ends & set(run.ends)]
        if len(hit) == 2:
            runs = merged(runs, hit)
    return runs


def merged(runs: list[Coast], group: list[Coast]) -> list[Coast]:
    for other in group[1:]:
        group[0].absorb(other)
    return [run for run in runs if run is group[0] or run not in group]


def strait_ends(plane: PlaneGraph, name: str) -> list[set[Vertex | None]]:
    straits = {frozenset(pair) for pair in plane.partition.facts.get("straits", [])}
    own = plane.partition.number(name)
    return [
        {arc.start, arc.end}
        for arc in plane.arcs
        if own in arc.sides and frozenset(plane.names[side] for side in arc.sides) in straits
    ]


def split(runs: list[Coast], place: Floats) -> None:
    """Divides the nearest mainland coast at the point nearest to `place` (a rock between two coasts)."""
    candidates = [(run, i) for run in mainland(runs) for i in range(len(run.steps))]
    run, i = min(candidates, key=lambda found: distances(found[0].steps[found[1]].points, place).min())
    step = run.steps[i]
    k = int(np.argmin(distances(step.points, place)))
    before = RingStep(step.points[: k + 1], step.arc, step.beyond, step.start, None)
    after = RingStep(step.points[k:], step.arc, step.beyond, None, step.end)
    runs.remove(run)
    first, second = [*run.steps[:i], before], [after, *run.steps[i + 1 :]]
    for steps, end in zip((first, second), run.ends, strict=True):
        runs.append(Coast({each.beyond for each in steps}, steps, [end]))


def with_islands(runs: list[Coast]) -> list[Coast]:
    """Island shores join the mainland coast sharing most seas; without a mainland, the first shore."""
    main = mainland(runs)
    islands = [run for run in runs if run.island]
    if not main:
        main, islands = islands[:1], islands[1:]
    for island in islands:
        coast = max(main, key=lambda each: len(each.seas & island.seas))
        coast.seas |= island.seas
        coast.islands.append(island)
    return main


def give_names(plane: PlaneGraph, name: str, coasts: list[Coast]) -> None:
    declared = plane.partition.spaces[name].get("coasts")
    if declared:
        places = {each: np.array(plane.partition.pen.projection.point(at)) for each, at in declared.items()}
        for coast in coasts:
            points = coast.points()
            coast.name = min(places, key=lambda each: distances(points, places[each]).min())
        drawn = sorted(coast.name for coast in coasts)
        if drawn != sorted(declared):
            plane.partition.problems.append(f"{name}: declared coasts {list(declared)} but drawn {drawn}")
    elif len(coasts) > 1:
        seas = [sorted(plane.names[sea] for sea in coast.seas) for coast in coasts]
        plane.partition.problems.append(f"{name}: drawn with {len(coasts)} coasts {seas} but none declared")
