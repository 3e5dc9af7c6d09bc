"""Finds the sentences in a template, so that each is one message for translators without a mark around it.

A sentence is a run of text, fields ({{ … }} and tags that show one thing, as {% moment … %}) and inline elements
between two boundaries: other HTML tags and tags of logic. When a template is loaded, `mark_sentences` puts
{% sentence %} and {% endsentence %} around each, also in attributes that people read. Text between {% counted %} and
{% endcounted %} is marked by hand.
"""

import re
from collections.abc import Iterator, Sequence
from enum import Enum, auto
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader

LOGIC = re.compile(r"({%.*?%}|{{.*?}}|{#.*?#})", re.DOTALL)
PLACEHOLDER = re.compile("\ue000(\\d+)\ue001")
"""In place of a tag or field of the template, so that HTML is read without them, as `placeholder` writes it."""
HTML = re.compile(r"<!--.*?-->|<![^>]*>|</?[a-zA-Z][^\s/>]*+(?:\"[^\"]*\"|'[^']*'|[^\"'>])*+>", re.DOTALL)
NAME = re.compile(r"</?([a-zA-Z][^\s/>]*)")
BLANK_LINE = re.compile(r"(\n\s*\n)")
OPENING, OPENING_IN_ATTRIBUTE = "{% sentence %}", "{% sentence in_attribute %}"
SPOKEN = re.compile(
    r"(?:(?<=\s)(?:title|aria-label|placeholder|alt|label|data-tap|data-confirm)"
    r"|(?:(?<=description\" )|(?<=og:title\" )|(?<=og:image:alt\" ))content)=\"([^\"]*)\""
)
WORD = re.compile(r"[^\W\d_]{2}|\b[AI]\b")
ENTITY = re.compile(r"&#?\w+;")
INLINE = {"a", "abbr", "b", "br", "cite", "code", "del", "em", "i", "kbd", "mark", "q", "s", "small", "span"}
INLINE |= {"strong", "sub", "sup", "time", "wbr"}
VOID = {"br", "wbr"}
RAW = {"script", "style", "svg"}
SHOWS = {"moment", "ago", "countdown", "person", "persons", "moment_in", "now"}
"""Tags that show one thing within a sentence."""
BY_HAND = {"counted": "endcounted", "blocktranslate": "endblocktranslate", "comment": "endcomment"}

IN_CODE = re.compile(r"{% block (?:\w+_class|here|styles|scripts) ")
"""Blocks whose words people don't read."""


def placeholder(number: int) -> str:
    return f"\ue000{number}\ue001"


class Kind(Enum):
    TEXT = auto()
    FIELD = auto()
    """It shows one thing."""
    OPENS = auto()
    CLOSES = auto()
    """An inline element, which may stand within a sentence."""
    ALONE = auto()
    """A line break, or another inline element without content."""
    LOGIC = auto()
    BOUNDARY = auto()


class Piece(NamedTuple):
    """A piece of a template. `name`: that of the element or of the template's tag."""

    kind: Kind
    source: str
    name: str = ""


def mark_sentences(source: str) -> str:
    """The template with every sentence marked."""
    return "".join(
        _mark_run(run) if is_run else "".join(each.source for each in run) for is_run, run in split_runs(source)
    )


def split_runs(source: str) -> Iterator[tuple[bool, list[Piece]]]:
    """The template in order: runs of text, fields and inline elements (True), and the pieces between them (False)."""
    pieces = [*_Reader(source).pieces()]
    open_pieces: list[int] = []
    matches = set[int]()
    for number, each in enumerate(pieces):
        if each.kind in (Kind.LOGIC, Kind.BOUNDARY):
            open_pieces = []
        elif each.kind is Kind.OPENS:
            open_pieces.append(number)
        elif each.kind is Kind.CLOSES and open_pieces:
            matches |= {open_pieces.pop(), number}
    # An inline element is a boundary if logic or another boundary comes before its end.
    told_apart = [
        each._replace(kind=Kind.BOUNDARY) if each.kind in (Kind.OPENS, Kind.CLOSES) and number not in matches else each
        for number, each in enumerate(pieces)
    ]
    for is_run, run in groupby(told_apart, key=lambda piece: piece.kind not in (Kind.LOGIC, Kind.BOUNDARY)):
        yield is_run, [*run]


def attributes(source: str) -> Iterator[str]:
    """The values of attributes that people read."""
    yield from _Reader(source).attributes()


class _Reader:
    """Takes a template apart. The attributes that people read are marked already in its `pieces`.

    `text`: the template with its tags and fields `set_aside`; `until`: what ends a part without sentences.
    """

    def __init__(self, source: str) -> None:
        self.set_aside: list[str] = []
        self.text = LOGIC.sub(self._set_aside, source)
        self.until = ""

    def _set_aside(self, match: re.Match[str]) -> str:
        self.set_aside.append(match[0])
        return placeholder(len(self.set_aside) - 1)

    def _restored(self, text: str) -> str:
        return PLACEHOLDER.sub(lambda match: self.set_aside[int(match[1])], text)

    def pieces(self) -> Iterator[Piece]:
        at = 0
        for match in HTML.finditer(self.text):
            yield from self._pieces_between(self.text[at : match.start()])
            yield self._element(match[0])
            at = match.end()
        yield from self._pieces_between(self.text[at:])

    def attributes(self) -> Iterator[str]:
        return (self._restored(found[1]) for found in SPOKEN.finditer(self.text))

    def _pieces_between(self, text: str) -> Iterator[Piece]:
        for number, part in enumerate(PLACEHOLDER.split(text)):
            if number % 2:
                yield self._logic(self.set_aside[int(part)])
                continue
            for count, paragraph in enumerate(BLANK_LINE.split(part)):
                if paragraph:
                    yield Piece(Kind.BOUNDARY if self.until or count % 2 else Kind.TEXT, paragraph)

    def _logic(self, source: str) -> Piece:
        name = source[2:-2].strip().split(" ")[0] if source.startswith("{%") else ""
        if self.until:
            self.until = "" if name == self.until else self.until
            return Piece(Kind.BOUNDARY, source)
        if name in BY_HAND or IN_CODE.match(source):
            self.until = BY_HAND.get(name, "endblock")
            return Piece(Kind.BOUNDARY, source)
        if source.startswith("{#"):
            return Piece(Kind.BOUNDARY, source)
        is_field = not name or (name in SHOWS and " as " not in source)
        return Piece(Kind.FIELD if is_field else Kind.LOGIC, source, name)

    def _element(self, text: str) -> Piece:
        named = NAME.match(text)
        name = named[1].lower() if named else ""
        if self.until:
            is_read = self.until == "endblock"
            self.until = "" if text.lower() == self.until else self.until
            return Piece(Kind.BOUNDARY, self._restored(SPOKEN.sub(self._attribute, text) if is_read else text))
        if name in RAW and text[1] != "/" and not text.endswith("/>"):
            self.until = f"</{name}>"
        source = self._restored(SPOKEN.sub(self._attribute, text))
        if name not in INLINE:
            return Piece(Kind.BOUNDARY, source, name)
        if name in VOID:
            return Piece(Kind.ALONE, source, name)
        return Piece(Kind.CLOSES if text[1] == "/" else Kind.OPENS, source, name)

    def _attribute(self, match: re.Match[str]) -> str:
        """An attribute with its sentences marked."""
        name, _, _ = match[0].partition("=")
        return f'{name}="{mark_sentences(self._restored(match[1])).replace(OPENING, OPENING_IN_ATTRIBUTE)}"'


def has_words(text: str) -> bool:
    return WORD.search(ENTITY.sub("", text)) is not None


def _mark_run(run: Sequence[Piece]) -> str:
    """The run with its sentences marked: as a whole if there are words outside elements, else within each element."""
    parts = [*_whole_elements(run)]
    if any(piece.kind is Kind.TEXT and has_words(piece.source) for part in parts if len(part) == 1 for piece in part):
        source = "".join(piece.source for piece in run)
        before, sentence, after = source.partition(source.strip())
        return f"{before}{OPENING}{sentence}{{% endsentence %}}{after}"
    return "".join(
        part[0].source + _mark_run(part[1:-1]) + part[-1].source if len(part) > 1 else part[0].source for part in parts
    )


def _whole_elements(run: Sequence[Piece]) -> Iterator[Sequence[Piece]]:
    """The run in whole elements and single pieces, also single tags that open or close nothing."""
    at = 0
    while at < len(run):
        end = _end_of_element(run, at)
        yield run[at : end + 1]
        at = end + 1


def _end_of_element(run: Sequence[Piece], at: int) -> int:
    """The index at which the element ends that opens at `at`; `at` itself if none does."""
    depth = 0
    for number in range(at, len(run)):
        depth += (run[number].kind is Kind.OPENS) - (run[number].kind is Kind.CLOSES)
        if depth <= 0:
            return number if run[at].kind is Kind.OPENS else at
    return at


class Loader(FilesystemLoader):
    """Loads the site's own templates with their sentences marked."""

    def get_contents(self, origin: Origin) -> str:
        source: str = super().get_contents(origin)
        return mark_sentences(source) if has_words_for_people(Path(origin.name)) else source


def has_words_for_people(path: Path) -> bool:
    """Is this the path of a template with words for people?"""
    return path.suffix in (".html", ".txt") and path.name != "robots.txt"
