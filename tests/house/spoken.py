"""Which words of a page are plain English, though it is shown in the language that nobody speaks.

In that language every vowel has an accent, so that a word without any is a name, an order, or has escaped translation.
"""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import TYPE_CHECKING

from django.conf import settings
from django.utils.translation import trans_real

from games.kernel.languages import PSEUDO
from games.management.commands.catalogue import SOURCES, write_catalogue

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

ATTRIBUTES = {"alt", "aria-label", "placeholder", "title", "content", "data-confirm"}
"""What people read or hear of an element besides its text."""
SILENT = {"script", "style", "code", "pre", "textarea", "kbd", "samp", "svg"}
"""What programs read, or what people have typed."""
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
WORD = re.compile(r"[^\W\d_]+(?:[’'~][^\W\d_]*)*")
ADDRESS = re.compile(r"https?://\S+|\S+@\S+|\b\w+-[0-9a-f]{8}\b")
SHORTEST = 3


def write_pseudo_language() -> None:
    """What the server and its scripts say in it, where the site looks, which forgets what it has read."""
    for domain in SOURCES:
        write_catalogue(PSEUDO, Path(settings.LOCALE_PATHS[-1]), domain)
    trans_real._translations.clear()  # type: ignore[attr-defined]


class Reader(HTMLParser):
    """Gathers the texts of a page that people read in its language; `lang` says what is in another."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.open: list[tuple[str, bool]] = []

    @property
    def is_silent(self) -> bool:
        return any(silent for _, silent in self.open)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        spoken = given.get("lang")
        silent = tag in SILENT or (spoken is not None and tag != "html") or given.get("translate") == "no"
        if tag not in VOID:
            self.open.append((tag, silent))
        if not self.is_silent and not (tag == "meta" and "description" not in str(attrs)):
            self.texts += [value for name, value in attrs if name in ATTRIBUTES and value]

    def handle_endtag(self, tag: str) -> None:
        while any(each == tag for each, _ in self.open):
            if self.open.pop()[0] == tag:
                break

    def handle_data(self, data: str) -> None:
        if not self.is_silent:
            self.texts.append(data)


def texts_of(page: str) -> list[str]:
    reader = Reader()
    reader.feed(page)
    return reader.texts


def english_in(texts: Collection[str], names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each plain word of at least three letters that is no name, with the text that it stands in. `names`: in small
    letters."""
    for text in texts:
        for word in WORD.findall(ADDRESS.sub(" ", text)):
            if len(word) >= SHORTEST and word.isascii() and word.lower() not in names and not word.isupper():
                yield word, " ".join(text.split())
