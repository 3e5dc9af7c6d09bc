"""What a name looks like, so that no one can be taken for another player or for the people who run the site."""

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

CATEGORIES_LEFT_OUT = ("P", "S", "Z", "C")
"""Categories of characters that hardly tell names apart: punctuation, symbols, spaces, invisible ones."""


def looks_of(name: str) -> frozenset[str]:
    """The skeletons (Unicode TS 39) of a name without punctuation: as it is, in lower case and in upper case, because a
    capital can look like another letter than its lower case does: I looks like l, and a Greek Ν like N. Two names look
    alike if they share one."""
    letters = "".join(char for char in name if not unicodedata.category(char).startswith(CATEGORIES_LEFT_OUT))
    return frozenset(_skeleton(text).casefold() for text in (letters, letters.casefold(), letters.upper()))


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    prototype_text = "".join(prototypes.get(char, char) for char in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", prototype_text)


@cache
def _prototypes() -> Mapping[str, str]:
    """A character -> the one that stands for all that look like it; without characters that stand for themselves.

    The library's module would keep its whole table, 18 MB in every process; this takes less than 1 MB.
    """
    table = json.loads((files("confusable_homoglyphs") / "confusables.json").read_text(encoding="utf-8"))
    lookalikes = {char: [row["c"] for row in rows] for char, rows in table.items()}
    # Each character is listed with its prototype, and each prototype with all of its. Of two that have only each
    # other, nothing says which is the prototype.
    sources = {char: chars[0] for char, chars in lookalikes.items() if len(chars) == 1 and len(char) == 1}
    return {char: to for char, to in sources.items() if len(lookalikes[to]) > 1 or to < char}
