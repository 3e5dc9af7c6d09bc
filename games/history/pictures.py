"""Maps as pictures outside pages. Public facts only."""

import re
from collections.abc import Iterable
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from resvg_py import svg_to_bytes

from variants.lone_map import board_look, lone_map
from variants.maps import Drawing

FONT = Path(__file__).parent / "fonts" / "dejavu-sans-bold.ttf"
FAMILY = "DejaVu Sans"
PICTURE_WIDTH = 1400
PREVIEW = (1200, 630)
"""The size that sites ask for when they preview links."""

INK, SOFT_INK, PAPER = "#1b2533", "#505a66", "#f4efe4"
MARGIN, MOST_OF_IT = 28, 0.7
TITLE_LINE, TITLE_LINES = 18, 3
VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


class Tally(NamedTuple):
    """A power and the supply centres it has."""

    name: str
    letter: str
    colour: str
    centres: int


def painted(svg: str, width: int = PICTURE_WIDTH) -> bytes:
    """An SVG as PNG of this width in pixels."""
    return svg_to_bytes(
        svg_string=svg,
        width=width,
        skip_system_fonts=True,
        font_files=[str(FONT)],
        font_family=FAMILY,
        sans_serif_family=FAMILY,
    )


def preview(variant_slug: str, drawing: Drawing, title: str, turn: str, tally: Iterable[Tally]) -> bytes:
    """A card with the map and, beside it, a title, the turn and how many centres each power has."""
    width, height = PREVIEW
    shown, taken = _placed(lone_map(variant_slug, drawing), height)
    left = taken + MARGIN
    lines = wrap(title, TITLE_LINE)[:TITLE_LINES]
    words = [_line(line, left, 64 + 36 * row, 30, INK) for row, line in enumerate(lines)]
    below = 64 + 36 * len(lines)
    words.append(_line(turn, left, below, 21, SOFT_INK))
    seals = (_seal(each, left, below + 46 + 40 * row) for row, each in enumerate(tally))
    card = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="{PAPER}"/>{shown}'
        f'<g font-family="{FAMILY}" font-weight="700">{"".join((*words, *seals))}</g></svg>'
    )
    return painted(card, width)


def _placed(svg: str, height: int) -> tuple[str, float]:
    """The map at this height from the left edge, and the width it takes up."""
    frame = VIEW_BOX.search(svg)
    assert frame is not None, "every map says how large it is"
    width = min(height * float(frame[1]) / float(frame[2]), PREVIEW[0] * MOST_OF_IT)
    return svg.replace("<svg ", f'<svg width="{width:.0f}" height="{height}" ', 1), width


def _line(words: str, x: float, y: float, size: int, colour: str) -> str:
    return f'<text x="{x:.0f}" y="{y:.0f}" font-size="{size}" fill="{colour}">{escape(words)}</text>'


def _seal(each: Tally, x: float, y: float) -> str:
    colour = board_look()[1][f"--owner-{each.colour}"]
    edge = f'cx="{x + 15:.0f}" cy="{y - 8:.0f}" r="15" fill="{colour}" stroke="{INK}"'
    letter = f'<g text-anchor="middle">{_line(each.letter, x + 15, y - 2, 17, INK)}</g>'
    return f"<circle {edge}/>{letter}{_line(f'{each.centres}  {each.name}', x + 42, y, 21, INK)}"
