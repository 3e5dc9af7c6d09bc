"""Maps outside pages: an SVG that includes its colours, and pictures made from it. Public facts only."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap
from typing import NamedTuple

from django.contrib.staticfiles import finders
from resvg_py import svg_to_bytes

from games.history.drawing import draw
from games.history.parts import Drawing

FONT = Path(__file__).parent / "fonts" / "dejavu-sans-bold.ttf"
FAMILY = "DejaVu Sans"
PICTURE_WIDTH = 1400
PREVIEW = (1200, 630)
"""The size that sites ask for when they preview links."""

INK, SOFT_INK, PAPER = "#1b2533", "#505a66", "#f4efe4"
MARGIN, MOST_OF_IT = 28, 0.7
TITLE_LINE, TITLE_LINES = 18, 3
VIEW_BOX = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
EITHER = re.compile(r":is\(([^()]*)\)")


class Tally(NamedTuple):
    """A power and the supply centres it has."""

    name: str
    letter: str
    colour: int
    centres: int


def lone_map(variant_slug: str, drawing: Drawing) -> str:
    """The map as a file of its own, in the colours of the light theme."""
    style, colours = board_look()
    head, mark, body = draw(variant_slug, drawing).partition(">")
    return f"{head}{mark}<style>{style}</style>{_with(colours, body)}"


def empty_map(variant_slug: str, title: str) -> str:
    """The same before anything stands on it."""
    return lone_map(variant_slug, Drawing(owners={}, units=(), dislodged=(), arrows=(), holders=(), title=title))


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


@cache
def board_look() -> tuple[str, dict[str, str]]:
    """The board's style as image libraries understand it, and the values of its variables in the light theme."""
    found = finders.find("css/board.css")
    assert isinstance(found, str), "the board's style is one file of the site"
    rules = tuple(_rules(COMMENT.sub("", Path(found).read_text())))
    values = {
        name.strip(): value.strip()
        for selector, body in rules
        if selector == ":root"
        for name, colon, value in (line.partition(":") for line in body.split(";"))
        if colon
    }
    return "".join(_plain_rules(rules, values)), values


def _plain_rules(rules: Iterable[tuple[str, str]], values: Mapping[str, str]) -> Iterator[str]:
    """The rules for `.board` without variables and `:is()`."""
    for selector, body in rules:
        selectors = [each for each in _alternatives(selector) if _is_plain(each)]
        if selectors:
            yield f"{','.join(selectors)}{{{_with(values, body)}}}"


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """(selector, declarations) of every rule, including those in layers, but not those under a condition."""
    start = 0
    while (opened := css.find("{", start)) >= 0:
        closed = _closing(css, opened)
        selector = css[start:opened].rpartition(";")[2].strip()
        inside = css[opened + 1 : closed]
        if selector.startswith("@layer"):
            yield from _rules(inside)
        elif not selector.startswith("@"):
            yield selector, " ".join(inside.split())
        start = closed + 1


def _closing(css: str, opened: int) -> int:
    depth = 0
    for place in range(opened, len(css)):
        depth += {"{": 1, "}": -1}.get(css[place], 0)
        if depth == 0:
            return place
    raise ValueError("A bracket of the style is never closed.")


def _alternatives(selector: str) -> Iterator[str]:
    """A list of selectors, each once for every alternative in its `:is()`."""
    for one in re.split(r",(?![^(]*\))", selector):
        choice = EITHER.search(one)
        if choice is None:
            yield " ".join(one.split())
            continue
        for each in choice[1].split(","):
            yield from _alternatives(one[: choice.start()] + each.strip() + one[choice.end() :])


def _is_plain(selector: str) -> bool:
    return selector.startswith(".board") and ":" not in selector and not selector.startswith(".board-")


def _with(values: Mapping[str, str], words: str) -> str:
    """Without variables; image libraries know `currentColor` in this spelling only."""
    while VARIABLE.search(words):
        words = VARIABLE.sub(lambda found: values.get(found[1], found[2] or ""), words)
    return words.replace("currentcolor", "currentColor")
