"""The names of a board's provinces as players write them."""

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache

from adjudication.board import Board, Province
from adjudication.errors import NotationError
from adjudication.reasons import Misreading

LONGEST_LINE, LONGEST_ITEM = 2_000, 120
"""Characters of a line that a player or game master writes, and of what is between its commas."""
_COASTS = {"nc": "NC", "sc": "SC", "ec": "EC", "wc": "WC"}
_LONG_COASTS = {"north": "NC", "south": "SC", "east": "EC", "west": "WC"}


def check_line(text: str) -> None:
    """Raises NotationError if the line is too long."""
    if len(text) > LONGEST_LINE:
        raise NotationError(Misreading.TOO_LONG, count=len(text), most=LONGEST_LINE)


def check_item(text: str) -> None:
    """The same for what is between two commas."""
    if len(text) > LONGEST_ITEM:
        raise NotationError(Misreading.TOO_LONG, case="item", typed=text[:20], count=len(text), most=LONGEST_ITEM)


def spelt_words(text: str) -> list[str]:
    """The words of a line as typed, with every dash or arrow as a separate word "-"."""
    text = re.sub(r"[‐-―−]|(?<!-)-+>|→|=>", "-", text)
    text = re.sub(r"\b\w+['’][sS]\b", " ", text)
    text = re.sub(r"[.,’'()\[\]/\\*]", " ", text)
    return text.replace("-", " - ").split()


def words_of(text: str) -> tuple[str, ...]:
    """The same in lower case."""
    return tuple(word.lower() for word in spelt_words(text))


class PlaceNames:
    """Finds the longest name at a given word of a line. Names are stored as words, with and without hyphens."""

    __slots__ = ("ambiguous", "board", "longest", "names", "spelt")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.names: dict[tuple[str, ...], str] = {}
        self.spelt: dict[str, str] = {}
        for province in board.provinces.values():
            for name in province.aliases:
                self._learn(name, province)
        # Full names and abbreviations win over any alias that another province might share.
        for province in board.provinces.values():
            for name in (province.name, province.abbr, province.id):
                self._learn(name, province)
        self.ambiguous = {words_of(name): name for name in board.ambiguous}
        for words in self.ambiguous:
            self.names.pop(words, None)
        self.longest = max(map(len, self.names))

    def _learn(self, name: str, province: Province) -> None:
        words = words_of(name)
        self.names[words] = province.id
        self.names[tuple(word for word in words if word != "-")] = province.id
        self.spelt[" ".join(words)] = province.id

    def find(self, words: Sequence[str], at: int) -> tuple[str, int] | None:
        """The location named at that word, and the index of the word after the name; None if none is named."""
        for end in range(min(len(words), at + self.longest), at, -1):
            province = self.names.get(tuple(words[at:end]))
            if province:
                return self._with_coast(province, words, end)
        return None

    def _with_coast(self, province: str, words: Sequence[str], end: int) -> tuple[str, int]:
        coasts = self.board.provinces[province].coasts
        following = words[end : end + 2]
        if not following:
            return province, end
        if following[0] in _COASTS:
            return self._coast(province, _COASTS[following[0]], coasts), end + 1
        if following[0] in _LONG_COASTS and "coast" in following[1:]:
            return self._coast(province, _LONG_COASTS[following[0]], coasts), end + 2
        return province, end

    @staticmethod
    def _coast(province: str, coast: str, coasts: Sequence[str]) -> str:
        """If the province has a single coast, any coast named is ignored."""
        return f"{province}/{coast}" if coasts else province

    def doubt(self, words: Sequence[str]) -> NotationError | None:
        """What to say about an ambiguous name; None for any other."""
        name = self.ambiguous.get(tuple(words))
        if name is None:
            return None
        return NotationError(Misreading.AMBIGUOUS, typed=name, places=tuple(self.board.ambiguous[name]))

    def suggestions(self, words: Sequence[str]) -> tuple[str, ...]:
        """Up to three provinces whose names look like these words."""
        wanted = " ".join(word for word in words if word != "-")
        close = get_close_matches(wanted, self.spelt, n=6, cutoff=0.6)
        return tuple(dict.fromkeys(self.spelt[name] for name in close))[:3]


@lru_cache(maxsize=64)
def place_names_of(board: Board) -> PlaceNames:
    return PlaceNames(board)
