"""What a name looks like, so that no one can be taken for another player or for the people who run the site."""

import json
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

CATEGORIES_LEFT_OUT = ("P", "S", "Z", "C")
"""Categories of signs that hardly tell names apart: punctuation, symbols, spaces, invisible signs."""


def looks_of(name: str) -> frozenset[str]:
    """The skeletons (Unicode TS 39) of a name without punctuation: as it is, in small letters and in capitals, because
    some capitals look like other letters than their small ones do: I like l, and a Greek Ν like N. Two names look alike
    if they share one."""
    plain = "".join(sign for sign in name if not unicodedata.category(sign).startswith(CATEGORIES_LEFT_OUT))
    return frozenset(_skeleton(text).casefold() for text in (plain, plain.casefold(), plain.upper()))


def _skeleton(text: str) -> str:
    prototypes = _prototypes()
    replaced = "".join(prototypes.get(sign, sign) for sign in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", replaced)


@cache
def _prototypes() -> Mapping[str, str]:
    """A sign -> what stands for all that look like it; only signs that are not themselves such.

    The library's module would keep all of its table, 18 MB in every process; this is less than one.
    """
    table = json.loads((files("confusable_homoglyphs") / "confusables.json").read_text(encoding="utf-8"))
    alike = {sign: [row["c"] for row in rows] for sign, rows in table.items()}
    # Each sign is listed with its prototype, and each prototype with all such signs. Of two that have only each
    # other, nothing says which is the prototype.
    sources = {sign: others[0] for sign, others in alike.items() if len(others) == 1 and len(sign) == 1}
    return {sign: to for sign, to in sources.items() if len(alike[to]) > 1 or to < sign}
