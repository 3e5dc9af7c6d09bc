"""The words of a line as people write them, and the one table of words that have a meaning in orders."""

import re
import unicodedata
from collections.abc import Collection

from adjudication.errors import NotationError
from adjudication.reasons import Misreading
from adjudication.units import UnitKind

LONGEST_LINE, LONGEST_ITEM = 2_000, 120
"""Characters of a line that a player or game master writes, and of what is between its commas."""

KINDS = {"a": UnitKind.ARMY, "army": UnitKind.ARMY, "f": UnitKind.FLEET, "fleet": UnitKind.FLEET}
_WORDS_BY_VERB = {
    "hold": "h hold holds holding stand stands stay stays",
    "support": "s sup supp support supports supporting",
    "convoy": "c conv convoy convoys convoying",
    "move": "- m to move moves moving attack attacks",
    "retreat": "r retreat retreats retreating",
    "disband": "d disband disbands disbanding remove removes removed removing destroy destroys",
    "build": "b build builds building place places deploy",
    "waive": "waive waives waived waiving",
    "declare": "declare declares",
}
VERBS = {word: verb for verb, words in _WORDS_BY_VERB.items() for word in words.split()}
TOWARDS = (*(word for word, verb in VERBS.items() if verb == "move"), "into")
AND = ("and", "&")
AT = ("in", "at", "on")
MINE = ("the", "an", "my", "our", "own", "unit")
"""May stand before the writer’s own unit."""
VIA = (("via", "convoy"), ("by", "convoy"), ("via", "sea"), ("by", "sea"), ("via",), ("convoyed",))
COASTS = {"nc": "NC", "sc": "SC", "ec": "EC", "wc": "WC"}
LONG_COASTS = {"north": "NC", "south": "SC", "east": "EC", "west": "WC"}
COAST_WORDS = frozenset({*COASTS, *LONG_COASTS})
_PARTS = {phrase[0] for phrase in VIA} | {"from", *AND, *TOWARDS, *AT, *MINE}
NO_NAMES = frozenset({*KINDS, *VERBS, *COASTS, *_PARTS})
"""Words at which the name of a place ends, if it is not written in full."""

_ARROWS = re.compile(r"[‐-―−]|(?<!-)[-=]*>|[→⇒➔➙➛➜➝➞➟➡⟶⟹]")
_APART = re.compile(r"(?<=\w)['’][sS]\b|(?<=[^\W_])[/\\](?=[^\W_])|[.,()\[\]*_`’']")
"""What separates words, with the end of "Germany's"; a stroke elsewhere, as in "-/->", may cross something out."""
_STRUCK = frozenset("\u0335\u0336\u0337\u0338\u20d2\u20e5")
"""Marks that cross out what is before them: no accents."""
_COAST = re.compile(r"\b([nsew])\.\s?c\b", re.IGNORECASE)
_SEPARATORS = re.compile(r"[,;|]| / ")
_HIDDEN = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]")
SEPARATOR_LINE = re.compile(r"[-=_*~`+|.: ]*")
"""A line that only separates others."""
BULLET = re.compile(
    r"(?:(?:[-–—*•·◦‣▪●>+]|\(?\d{1,3}[.)])(?:\s+|(?<=[.)])(?=[^\W\d]))|[•●▪]"
    r"|(?i:\(?(?:[a-z]|[ivx]{2,4})[.)]\s*(?=(?:[a-z]?[af]|army|fleet)\s)))+"
)
"""What a list or a quotation puts before its lines; a letter counts one only before a unit, as in "a. A PAR - PIC"."""
_RESULT = re.compile(
    r"[(\[*]{1,2}(?:(?:bounce[sd]?|fail(?:s|ed)?|succe(?:eds|eded|ss)|ok|cut|void|invalid|dislodged|no convoy)\b"
    r"[,;\s]*)+[)\]*]{1,2}\.?$",
    re.IGNORECASE,
)
"""What reports put behind an order, as in "A PAR - BUR (bounce)"."""


def check_line_length(text: str) -> None:
    """Raises NotationError if the line is too long, or would be if all its letters were written out."""
    if (count := _length_written_out(text, LONGEST_LINE)) > LONGEST_LINE:
        raise NotationError(Misreading.TOO_LONG, count=count, most=LONGEST_LINE)


def check_item_length(text: str) -> None:
    """Raises NotationError if the text between two commas is too long."""
    if (count := _length_written_out(text, LONGEST_ITEM)) > LONGEST_ITEM:
        raise NotationError(Misreading.TOO_LONG, case="item", typed=text[:20], count=count, most=LONGEST_ITEM)


def _length_written_out(text: str, limit: int) -> int:
    """The length once `spelt_words` has written out every letter: one may become up to eighteen."""
    is_plain = text.isascii() or len(text) > limit
    return len(text if is_plain else unicodedata.normalize("NFKD", text))


def without_hidden_characters(text: str) -> str:
    """The text without characters that cannot be seen."""
    return text if text.isascii() else _HIDDEN.sub("", text)


def spelt_words(text: str) -> list[str]:
    """The words of a line as typed but without accents, with every dash or arrow as a separate word "-"."""
    if not text.isascii():
        letters = unicodedata.normalize("NFKD", without_hidden_characters(text))
        text = "".join(letter for letter in letters if letter in _STRUCK or not unicodedata.combining(letter))
    if ">" in text or not text.isascii():
        text = _ARROWS.sub("-", text)
    if "." in text:
        text = _COAST.sub(r"\1c", text)
    return _APART.sub(" ", text).replace("-", " - ").split()


def words_of(text: str) -> tuple[str, ...]:
    """The words of a line in lower case, as `spelt_words` finds them."""
    return tuple(word.lower() for word in spelt_words(text))


def words_and_breaks(text: str) -> tuple[list[str], Collection[int]]:
    """The words as typed, and the indices of the words after a comma or another separator."""
    first, *parts = _SEPARATORS.split(_RESULT.sub("", text))
    words, breaks = spelt_words(first), list[int]()
    for part in parts:
        breaks.append(len(words))
        words += spelt_words(part)
    return words, breaks
