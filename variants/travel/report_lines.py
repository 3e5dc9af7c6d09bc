"""The lines of a report, without the markup of its medium: email, a forum, a wiki or a spreadsheet."""

import csv
import re
from collections.abc import Iterator

from adjudication.line_words import BULLET, LONGEST_LINE, SEPARATOR_LINE, without_hidden_characters

TAG = re.compile(r"\[/?(?!s\]|strike|del)(?:[a-z]{1,8}|\*)(?:=[^\[\]]{0,80})?\]|\*\*|__|`", re.IGNORECASE)
"""Marks of BBCode and Markdown; not those that strike words out, which must not be read."""
TITLE = re.compile(r"#{1,6} (?=\S)")
"""What Markdown writes before a title; other lines that begin like that are remarks."""


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Numbers and lines with single spaces. A wrapped line is joined, and has the number of its beginning."""
    first, before, indent = 0, "", 0
    for number, raw in enumerate(without_hidden_characters(text).splitlines(), 1):
        line = TAG.sub("", raw) if "[" in raw or "*" in raw or "`" in raw or "_" in raw else raw
        cells = line.strip()
        if ("\t" in cells or ("\t" in line and "|" in before)) and " \t" not in cells and ":" not in cells:
            cells = (f"|{line}" if line.startswith("\t") else cells).replace("\t", " | ")
        words = " ".join(cells.split()).strip(" =")
        bullet = BULLET.match(words)
        words = words[bullet.end() :] if bullet else words
        inner_indent = len(line) - len(line.lstrip())
        if not words or SEPARATOR_LINE.fullmatch(words):
            continue
        if before and not bullet and _continues_line(words, before, is_inner=inner_indent > indent):
            before = f"{before} {words}"
            continue
        if before:
            yield first, before
        first, before, indent = number, words, inner_indent
    if before:
        yield first, before


def _continues_line(line: str, before: str, *, is_inner: bool) -> bool:
    is_open = before.endswith(",") or (is_inner and not before.endswith(":"))
    is_other = ":" in line or "|" in before + line[:1] or before.startswith("#") or len(before) >= LONGEST_LINE
    return is_open and not is_other


def cells_of(line: str) -> list[str]:
    """The cells of a table row; one cell if the line is not a row."""
    for sign in "|;,":
        if sign in line.strip("|"):
            row = next(csv.reader([line.strip().strip("|") if sign == "|" else line], delimiter=sign), [])
            return [cell.strip() for cell in row]
    return [line]
