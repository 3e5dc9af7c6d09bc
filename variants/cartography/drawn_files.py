"""From the facts of a board to the text of its three drawn files."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from adjudication.board import BOARD_FORMAT
from variants.cartography.board import as_json, board
from variants.cartography.borders import find_borders
from variants.cartography.checks import run_checks
from variants.cartography.coasts import find_coasts
from variants.cartography.facts import BoardFacts, digest, read_facts
from variants.cartography.partition import divide_land, join_strays, smooth_checkers
from variants.cartography.pen import Pen
from variants.cartography.picture import Picture, home
from variants.cartography.placement import Anchors, place_all
from variants.cartography.plane_graph import PlaneGraph
from variants.cartography.projection import Projection
from variants.cartography.seas import divide_water
from variants.cartography.terrain import survey
from variants.commands.check import Check


@dataclass(frozen=True)
class DrawnFiles:
    """`files`: name -> text, to go beside facts.yaml; `checks`: the checks on the drawing; `faults`: those that have a
    place, each with where it is in map units."""

    files: dict[str, str]
    checks: list[Check]
    faults: list[tuple[str, float, float]]


DRAFT = {"raster_scale": 1}


def draw(facts_file: Path, *, draft: bool = False) -> DrawnFiles:
    """Same facts, same bytes. A draft is coarser, and its files do not pass for those of the facts."""
    facts, mark = read_facts(facts_file), digest(facts_file)
    if draft:
        facts, mark = facts | DRAFT, f"draft of {mark}"
    plane = PlaneGraph(divided(facts))
    coasts = find_coasts(plane)
    anchors = place_all(plane.partition, coasts)
    files = {
        "board.json": as_json(board(facts, mark)),
        "anchors.json": as_json(anchor_table(facts, anchors, mark)),
        "map.svg": Picture(plane, anchors, mark).svg(),
    }
    checks = run_checks(plane, find_borders(plane, coasts), anchors)
    return DrawnFiles(files, checks, list(placed(checks, plane.partition.pen.projection)))


NEAR = re.compile(r" near \[(-?[\d.]+), (-?[\d.]+)\]$")


def placed(checks: list[Check], projection: Projection) -> Iterator[tuple[str, float, float]]:
    """The faults that say near which degrees they are."""
    for check in checks:
        for fault in check.faults:
            if found := NEAR.search(fault):
                yield f"{check.claim}: {fault}", *projection.point([float(found[1]), float(found[2])])


def divided(facts: BoardFacts) -> Any:
    """The grid with a space for every pixel."""
    pen = Pen(Projection(facts), facts.get("raster_scale", 3), facts.get("seed", 1))
    partition = divide_land(facts, survey(facts, pen))
    join_strays(partition)
    divide_water(partition)
    join_strays(partition)
    smooth_checkers(partition.labels)
    return partition


def anchor_table(facts: BoardFacts, anchors: dict[str, Anchors], mark: str) -> dict[str, Any]:
    """The content of anchors.json: where things go, in map units, and whose country a province is."""
    entries = {name.upper(): entry(name, facts["spaces"][name], each) for name, each in anchors.items()}
    return {"format": BOARD_FORMAT, "facts": mark, "size": facts["size"], "provinces": entries}


def entry(name: str, space: dict[str, Any], anchors: Anchors) -> dict[str, Any]:
    found: dict[str, Any] = {"label": anchors.label, "unit": anchors.unit, "home": home(space)}
    if anchors.centre:
        found["centre"] = anchors.centre
    if anchors.units:
        found["units"] = anchors.units
    if anchors.coasts:
        found["coasts"] = {f"{name}/{coast}".upper(): spot for coast, spot in anchors.coasts.items()}
    return found
