"""Sentences in templates that logic cuts into parts: `python -m tests.house.messages [FOLDER]`.

A sentence is one message for translators, so no `{% if %}` may choose among its words, and no filter may make some.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from games.kernel.told_in_templates import INLINE, Kind, Piece, has_words, is_spoken, runs

ROOT = Path(__file__).parents[2]
ENDED = re.compile(r"[.!?:…][”’\")]*$")
APART = ("(", "·", "–", "—", "|", "/", "→")
"""What begins so says something of its own."""
FILTERS = re.compile(r"\|(?:amount|times|possessive|pluralize|yesno|lower|join|capfirst|default:\"[^\"]*[a-z]{2})")
BRANCHES = {"if": "endif", "ifchanged": "endifchanged", "for": "endfor"}
TAG = re.compile(r"<[^>]*>|{[%#].*?[%#]}", re.DOTALL)


class Part(NamedTuple):
    """A part of a sentence, and why it is no message of its own."""

    file: str
    text: str
    why: str


class Fork(NamedTuple):
    """`entered`: could the text before it go on? `left`: could the text of its branches so far?"""

    end: str
    entered: bool
    left: bool
    certain: bool


def parts(file: str, source: str) -> Iterator[Part]:
    """`goes_on`: could what comes next go on with what stands before?"""
    goes_on, forks = False, list[Fork]()
    for is_run, run in runs(source):
        if not is_run:
            goes_on = _after(run[0], goes_on, forks)
            continue
        text = " ".join(TAG.sub("", "".join(piece.source for piece in run)).split())
        words = has_words(re.sub(r"{{.*?}}", "", text))
        if words and goes_on and not _is_apart(run, text):
            yield Part(file, text, "goes on with a sentence that logic cut")
        if words and FILTERS.search(text):
            yield Part(file, text, "has words that a filter makes")
        if text:
            goes_on = not ENDED.search(text)


def _is_apart(run: Sequence[Piece], text: str) -> bool:
    """Does it say something of its own, as links in a row do?"""
    bare = [piece for piece in run if piece.source.strip()]
    return text.startswith(APART) or (bare[0].kind is Kind.OPENS and not text[0].islower())


def _after(piece: Piece, goes_on: bool, forks: list[Fork]) -> bool:
    if piece.kind is Kind.BOUNDARY:
        return goes_on and (piece.name in INLINE or piece.source.startswith("{#"))
    if piece.name in BRANCHES:
        forks.append(Fork(BRANCHES[piece.name], goes_on, False, piece.name == "for"))
    elif piece.name in ("elif", "else", "empty") and forks:
        fork = forks.pop()
        forks.append(fork._replace(left=fork.left or goes_on, certain=fork.certain or piece.name == "else"))
        return fork.entered
    elif forks and piece.name == forks[-1].end:
        fork = forks.pop()
        return fork.left or goes_on or (fork.entered and not fork.certain)
    elif piece.name in ("include", "block", "endblock"):
        return False
    return goes_on


def parts_in(root: Path = ROOT) -> Iterator[Part]:
    for path in sorted((root / "templates").rglob("*")):
        if is_spoken(path):
            yield from parts(str(path.relative_to(root)), path.read_text())


def main() -> None:
    found = [*parts_in(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)]
    sys.stdout.writelines(f"{part.file}: “{part.text}” {part.why}\n" for part in found)
    sys.stdout.write(f"{len(found)} sentences in parts\n")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
