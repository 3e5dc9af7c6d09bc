"""Sentences in templates that logic cuts into parts: `python -m tests.house.messages [FOLDER]`.

A sentence is one message for translators, so no `{% if %}` may choose among its words, and no filter may make some.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import IntEnum
from pathlib import Path
from typing import NamedTuple

from games.kernel.told_in_templates import INLINE, Kind, Piece, attributes, has_words, has_words_for_people, split_runs

ROOT = Path(__file__).parents[2]
ENDED = re.compile(r"[.!?:…·–—|/→(✓✕][”’\")]*$")
APART = ("(", "·", "–", "—", "|", "/", "→")
"""What begins so says something of its own."""
FILTERS = re.compile(r"\|(?:amount|times|possessive|pluralize|yesno|lower|join:\"[^\"]*[a-z]|default:\"[^\"]*[a-z]{2})")
CONTINUED = re.compile(r"[a-z,;]")
REMARK = re.compile(r"class=\"[^\"]*\b(?:chip|small|whole)\b")
GIVEN = re.compile(r"{% (?:include|with) .*?%}")
WORDS_GIVEN = re.compile(r"=\"([A-Z][^\"]*[a-z]|[^\"]* [^\"]+)\"")
BRANCHES = {"if": "endif", "ifchanged": "endifchanged", "for": "endfor"}
FIELD = re.compile(r"{{.*?}}|{%.*?%}")


class Part(NamedTuple):
    """A part of a sentence, and why it is no message of its own."""

    place: str
    text: str
    why: str


class Open(IntEnum):
    """How what stands before could go on: by a word in small letters only, where an element has begun since."""

    NOT = 0
    SMALL = 1
    ANY = 2


class Fork(NamedTuple):
    """How could the text before it go on (`entered`), and that of its branches so far (`left`)?"""

    end: str
    entered: Open
    left: Open
    certain: bool


def parts(file: str, source: str) -> Iterator[Part]:
    """All that is no message, in text, in attributes that people read, and in what is given to other templates."""
    yield from _cut(file, source)
    for value in attributes(source):
        yield from _cut(file, value)
    for tag in GIVEN.findall(source):
        for words in WORDS_GIVEN.findall(tag):
            yield Part(file, words, "is given to another template without _()")


def _cut(file: str, source: str) -> Iterator[Part]:
    before, forks = Open.NOT, list[Fork]()
    for is_run, run in split_runs(source):
        if not is_run:
            for piece in run:
                before = _after(piece, before, forks)
            continue
        text = " ".join("".join(piece.source for piece in run if piece.kind in (Kind.TEXT, Kind.FIELD)).split())
        words = has_words(FIELD.sub("", text))
        if words and before and not _is_apart(run, text, before):
            yield Part(file, text, "goes on with a sentence that logic cut")
        if FILTERS.search(text):
            yield Part(file, text, "has words that a filter makes")
        if text:
            before = _at_end_of(text)


def _at_end_of(text: str) -> Open:
    """What a field shows may be a whole sentence."""
    if ENDED.search(text):
        return Open.NOT
    return Open.SMALL if text.endswith(("}}", "%}")) else Open.ANY


def _is_apart(run: Sequence[Piece], text: str, before: Open) -> bool:
    """Does it say something of its own, as links in a row do?"""
    first = next(piece for piece in run if piece.source.strip())
    begins = first.kind is Kind.OPENS
    return (
        text.startswith(APART)
        or ((begins or before is Open.SMALL) and not CONTINUED.match(text))
        or (begins and REMARK.search(first.source) is not None)
    )


def _after(piece: Piece, before: Open, forks: list[Fork]) -> Open:
    if piece.kind is Kind.BOUNDARY:
        if piece.name in INLINE and not piece.source.startswith("</"):
            return Open.NOT if REMARK.search(piece.source) else min(before, Open.SMALL)
        return before if piece.name in INLINE or piece.source.startswith("{#") else Open.NOT
    if piece.name in BRANCHES:
        forks.append(Fork(BRANCHES[piece.name], before, Open.NOT, piece.name == "for"))
    elif piece.name in ("elif", "else", "empty") and forks:
        fork = forks.pop()
        forks.append(fork._replace(left=max(fork.left, before), certain=fork.certain or piece.name == "else"))
        return fork.entered
    elif forks and piece.name == forks[-1].end:
        fork = forks.pop()
        return max(fork.left, before, Open.NOT if fork.certain else fork.entered)
    elif piece.name in ("include", "block", "endblock"):
        return Open.NOT
    return before


def parts_in(root: Path) -> Iterator[Part]:
    for path in sorted((root / "templates").rglob("*")):
        if has_words_for_people(path):
            yield from parts(str(path.relative_to(root)), path.read_text())


def report(find: Callable[[Path], Iterable[Part]]) -> None:
    """Print what is found in the checkout, or in the folder that the command names, and exit with whether anything
    is."""
    found = [*find(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)]
    sys.stdout.writelines(f"{part.place}: “{part.text}” {part.why}\n" for part in found)
    sys.stdout.write(f"{len(found)} parts of sentences\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    report(parts_in)
