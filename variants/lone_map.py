"""A map as a separate file: an SVG that includes its colours."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path

from variants.maps import Drawing, draw_svg

HERE = Path(__file__).parent
STYLES = (HERE / "board.css", HERE.parent / "static" / "css" / "board.css")
"""Where the style of boards is: in an installed package, and in the project, whose pages use it too."""
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
VARIABLE = re.compile(r"var\((--[\w-]+)(?:,\s*([^()]*))?\)")
EITHER = re.compile(r":is\(([^()]*)\)")


def standalone_map(variant_slug: str, drawing: Drawing) -> str:
    """The map as a separate file, in the colours of the light theme."""
    style, colours = board_style()
    head, mark, body = draw_svg(variant_slug, drawing).partition(">")
    return f"{head}{mark}<style>{style}</style>{_with_values(colours, body)}"


def empty_map(variant_slug: str, title: str) -> str:
    """The empty board as a separate file."""
    return standalone_map(variant_slug, Drawing(owners={}, units=(), dislodged=(), arrows=(), holders=(), title=title))


def board_css() -> str:
    return next(file for file in STYLES if file.exists()).read_text(encoding="utf-8")


@cache
def board_style() -> tuple[str, dict[str, str]]:
    """The board's style as image libraries understand it, and the values of its variables in the light theme."""
    rules = tuple(_rules(COMMENT.sub("", board_css())))
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
            yield f"{','.join(selectors)}{{{_with_values(values, body)}}}"


def _rules(css: str) -> Iterator[tuple[str, str]]:
    """The selector and declarations of every rule, including those in layers, but not those under a condition."""
    start = 0
    while (opening := css.find("{", start)) >= 0:
        closing = _closing_brace(css, opening)
        selector = css[start:opening].rpartition(";")[2].strip()
        inside = css[opening + 1 : closing]
        if selector.startswith("@layer"):
            yield from _rules(inside)
        elif not selector.startswith("@"):
            yield selector, " ".join(inside.split())
        start = closing + 1


def _closing_brace(css: str, opening: int) -> int:
    depth = 0
    for place in range(opening, len(css)):
        depth += {"{": 1, "}": -1}.get(css[place], 0)
        if depth == 0:
            return place
    raise ValueError("A bracket of the style is never closed.")


def _alternatives(selector: str) -> Iterator[str]:
    """The selectors in a list, one for every alternative in `:is()`."""
    for part in re.split(r",(?![^(]*\))", selector):
        choice = EITHER.search(part)
        if choice is None:
            yield " ".join(part.split())
            continue
        for each in choice[1].split(","):
            yield from _alternatives(part[: choice.start()] + each.strip() + part[choice.end() :])


def _is_plain(selector: str) -> bool:
    return selector.startswith(".board") and ":" not in selector and not selector.startswith(".board-")


def _with_values(values: Mapping[str, str], words: str) -> str:
    """Text with the values in place of variables. Image libraries accept `currentColor` only in this spelling."""
    while VARIABLE.search(words):
        words = VARIABLE.sub(lambda match: values.get(match[1], match[2] or ""), words)
    return words.replace("currentcolor", "currentColor")
