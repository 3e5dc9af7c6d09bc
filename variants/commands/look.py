"""Pages for designers: a variant's board empty, at the start and crowded, large and small (`python -m variants look`),
and the faults of its map, circled."""

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import cycle
from pathlib import Path

from adjudication.units import NEUTRAL, Unit, UnitKind, may_stand
from variants.drawing import draw_board
from variants.loader import load
from variants.lone_map import board_css
from variants.rulebook import VARIANTS, rules_in
from variants.signs import UnitMark
from variants.variant import Variant

WIDTHS = (1100, 370)
"""Pixels: a window on a desk, and a phone."""
FAULTS = """.faults { fill: none; stroke: red; stroke-width: 3 }
.faults text { fill: red; stroke: none; font: bold 16px sans-serif }"""
STYLE = """body { margin: 1rem; background: Canvas; color: CanvasText; color-scheme: light dark }
svg { display: block; height: auto; margin-bottom: 1rem; border: 1px solid }"""


def look_page(folder: str, variants: Path = VARIANTS) -> str:
    """The page as HTML. Raises BrokenVariant if the variant does not load."""
    variant = load(folder, rules_in(folder, variants), variants)
    start = variant.start.units, dict(variant.start.centres)
    boards = {"Empty": ((), {}), "At the start": start, "Crowded": _crowded_board(variant)}
    parts = [page_head(variant.title)]
    for title, (units, owners) in boards.items():
        svg = drawn_board(variant, units, owners)
        parts += [f"<h2>{title}</h2>", *(f'<div style="width: {width}px">{svg}</div>' for width in WIDTHS)]
    return "\n".join(parts)


def drawn_board(variant: Variant, units: Iterable[Unit], owners: Mapping[str, str]) -> str:
    """The board as SVG, with these units; `owners`: centre -> power."""
    colours = {power.id: str(power.colour) for power in variant.powers} | {NEUTRAL: "minor"}
    letters = {power.id: power.letter for power in variant.powers}
    return draw_board(
        variant.art,
        {centre: colours[power] for centre, power in owners.items()},
        [
            UnitMark(
                kind=unit.kind.value,
                location=unit.location,
                colour=colours[unit.power],
                letter=letters.get(unit.power, ""),
                title=str(unit),
            )
            for unit in units
        ],
        letters={colours[power]: letter for power, letter in letters.items()},
        title=variant.title,
    )


def faults_page(svg: str, faults: Iterable[tuple[str, float, float]]) -> str:
    """A page with this map and each fault in a numbered circle: what is wrong, and where it is in map units."""
    lines, by_place = list[str](), dict[tuple[int, int], list[str]]()
    for number, (fault, x, y) in enumerate(faults, 1):
        lines.append(f"<li>{escape(fault)}</li>")
        by_place.setdefault((round(x), round(y)), []).append(str(number))
    circles = [
        f'<circle cx="{x}" cy="{y}" r="14"/><text x="{x + 17}" y="{y + 5}">{", ".join(numbers)}</text>'
        for (x, y), numbers in by_place.items()
    ]
    svg_with_faults = svg.replace("</svg>", f'<g class="faults">{"".join(circles)}</g></svg>')
    return f"{page_head('Faults of the map')}<style>{FAULTS}</style>{svg_with_faults}<ol>{''.join(lines)}</ol>"


def page_head(title: str) -> str:
    return f"<!doctype html><meta charset=utf-8><title>{escape(title)}</title><style>{board_css()}{STYLE}</style>"


def _crowded_board(variant: Variant) -> tuple[tuple[Unit, ...], dict[str, str]]:
    """The board with a unit at every possible place and an owner for every centre, each power in turn."""
    powers = cycle(power.id for power in variant.powers)
    units = tuple(Unit(next(powers), kind, place) for kind, place in _places(variant))
    return units, dict(zip(variant.ruleset.board.centres, powers, strict=False))


def _places(variant: Variant) -> Iterator[tuple[UnitKind, str]]:
    board = variant.ruleset.board
    for province in board.provinces:
        fleets = [place for place in board.fleet_locations(province) if may_stand(UnitKind.FLEET, place, board)]
        yield from ((UnitKind.FLEET, place) for place in fleets)
        if not fleets:
            yield UnitKind.ARMY, province
