"""The names of a board's provinces as players write them."""

from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache

from adjudication.board import Board, Province
from adjudication.errors import NotationError
from adjudication.line_words import COASTS, LONG_COASTS, NO_NAMES, words_of
from adjudication.reasons import Facts, Misreading
from adjudication.units import UnitKind

SHORTEST_ABBREVIATION = 3
"""Letters of a name that is not written in full."""
Words = tuple[str, ...]


def is_abbreviated_by(name: Sequence[str], typed_words: Sequence[str]) -> bool:
    """Is each typed word the beginning of the corresponding word of the name, as in "West Med"?"""
    return len(typed_words) <= len(name) and all(map(str.startswith, name, typed_words))


class PlaceNames:
    """Finds the longest name at a given word of a line. Names are stored as words, with and without hyphens, and as one
    word. `heads`: the first words of names with several words; `by_letter`: first letter -> the longer names, which may
    be abbreviated to a unique beginning."""

    __slots__ = ("ambiguous", "board", "by_letter", "heads", "longest", "names", "spelt")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.names: dict[Words, str] = {}
        self.spelt: dict[str, str] = {}
        for province in board.provinces.values():
            for name in province.aliases:
                self._add_name(name, province)
        # Full names and abbreviations win over any alias that another province might share.
        for province in board.provinces.values():
            for name in (province.name, province.abbr, province.id):
                self._add_name(name, province)
        self.ambiguous = {words_of(name): name for name in board.ambiguous}
        for words in self.ambiguous:
            self.names.pop(words, None)
        self.longest = max(map(len, self.names))
        self.heads = {words[0] for words in self.names if len(words) > 1}
        self.by_letter: dict[str, list[tuple[Words, str]]] = {}
        for words, province_id in self.names.items():
            if sum(map(len, words)) > SHORTEST_ABBREVIATION:
                self.by_letter.setdefault(words[0][0], []).append((words, province_id))

    def _add_name(self, name: str, province: Province) -> None:
        words = words_of(name)
        words_only = tuple(word for word in words if word != "-")
        self.names.setdefault(("".join(words_only),), province.id)
        self.names[words] = self.names[words_only] = province.id
        self.spelt[" ".join(words)] = province.id

    def find(self, words: Sequence[str], at: int, kind: UnitKind | None = None) -> tuple[str, int] | None:
        """The location named at that word, and the index of the word after the name; None if there is none. `kind`:
        that of the unit which is or goes there; it tells apart places that a beginning of a name could mean."""
        names, name_end, after = self.names, 0, at + 1
        if at < len(words) and words[at] not in self.heads:
            province = names.get((words[at],))
            if province and (after == len(words) or words[after] in NO_NAMES):
                return self._with_coast(province, words, after)
        for end in range(min(len(words), at + self.longest), at, -1):
            province = names.get(tuple(words[at:end]))
            if province:
                if end == len(words) or (words[end] in NO_NAMES and words[end] != "-"):
                    return self._with_coast(province, words, end)
                name_end = end
                break
        if tuple(words[at : at + 1]) in self.ambiguous:
            return None
        provinces, end = self._find_abbreviated(words, at, kind, name_end)
        if len(provinces) > 1 or not (provinces or name_end):
            return None if provinces else self._with_glued_coast(words, at, kind)
        province = provinces.pop() if provinces else names[tuple(words[at:name_end])]
        return self._with_coast(province, words, end or name_end)

    def _find_abbreviated(
        self, words: Sequence[str], at: int, kind: UnitKind | None, name_end: int
    ) -> tuple[set[str], int]:
        """The provinces whose names the next words abbreviate, using as many words as possible, and the index after
        them. `name_end`: where a whole name ends, if there is one; an abbreviation must be longer."""
        # The index after the words that can belong to a name. A hyphen belongs to it unless another name follows.
        longest, last = at, min(len(words), at + self.longest)
        while longest < last and (words[longest] not in NO_NAMES or self._is_hyphen(words, longest, at)):
            longest += 1
        for end in range(longest, max(at, name_end), -1):
            typed_words = words[at:end]
            if sum(map(len, typed_words)) >= SHORTEST_ABBREVIATION:
                names = self.by_letter.get(typed_words[0][0], ())
                provinces = {province for name, province in names if is_abbreviated_by(name, typed_words)}
                fitting = {province for province in provinces if kind is None or self._admits(province, kind)}
                if provinces:
                    return fitting or provinces, end
        return set(), 0

    def _is_hyphen(self, words: Sequence[str], end: int, at: int) -> bool:
        next_words = tuple(words[end + 1 : end + 2])
        if words[end] != "-" or end == at or not next_words or next_words in self.names or next_words[0] in NO_NAMES:
            return False
        typed_words = (*words[at:end], "-", *next_words)
        return any(is_abbreviated_by(name, typed_words) for name, _ in self.by_letter.get(typed_words[0][0], ()))

    def _admits(self, province: str, kind: UnitKind) -> bool:
        province_kind = self.board.provinces[province].kind
        return province_kind.takes_armies if kind is UnitKind.ARMY else province_kind.takes_fleets

    def _with_coast(self, province: str, words: Sequence[str], end: int) -> tuple[str, int]:
        coasts = self.board.provinces[province].coasts
        if end == len(words) or (not coasts and words[end] == "-"):
            return province, end
        coast, after = coast_at(words, end)
        if not coast and coasts and "-" in words[end : end + 1]:
            coast, after = coast_at(words, end + 1)
        return (self.on_coast(province, coast), after) if coast else (province, end)

    def _with_glued_coast(self, words: Sequence[str], at: int, kind: UnitKind | None) -> tuple[str, int] | None:
        """A location whose coast is glued to it, as in "SpaNC"."""
        word = words[at] if at < len(words) else ""
        coast = COASTS.get(word[-2:])
        place = self.find([word[:-2]], 0, kind) if coast and len(word) > SHORTEST_ABBREVIATION else None
        if coast is None or place is None or not self.board.province(place[0]).coasts:
            return None
        return self.on_coast(place[0], coast), at + 1

    def on_coast(self, location: str, coast: str) -> str:
        """The location with this coast, which the board may not have."""
        return location if "/" in location else f"{location}/{coast}"

    def error_if_absent(self, location: str) -> NotationError | None:
        """The error about a coast that the province does not have; None if the location is on the board."""
        if location in self.board.locations:
            return None
        coasts = tuple(self.board.province(location).coasts)
        facts: Facts = {"places": coasts} if coasts else {"case": "none"}
        return NotationError(Misreading.NO_SUCH_COAST, place=location, **facts)

    def error_if_ambiguous(self, words: Sequence[str], kind: UnitKind | None = None) -> NotationError | None:
        """The error about an ambiguous name; None if the name is not ambiguous."""
        name = self.ambiguous.get(tuple(words))
        if name is not None:
            return NotationError(Misreading.AMBIGUOUS, typed=name, places=tuple(self.board.ambiguous[name]))
        provinces, end = self._find_abbreviated(words, 0, kind, 0)
        if len(provinces) > 1:
            return NotationError(Misreading.AMBIGUOUS, typed=" ".join(words[:end]), places=tuple(sorted(provinces)))
        return None

    def suggestions(self, words: Sequence[str]) -> tuple[str, ...]:
        """Up to three provinces whose names look like these words."""
        text = " ".join(word for word in words if word != "-")
        close = get_close_matches(text, self.spelt, n=6, cutoff=0.6)
        return tuple(dict.fromkeys(self.spelt[name] for name in close))[:3]


def coast_at(words: Sequence[str], at: int) -> tuple[str, int]:
    """The coast named at that word, as "nc" or "north coast", and the index of the next word; "" if there is none."""
    word = words[at] if at < len(words) else ""
    if word in COASTS:
        return COASTS[word], at + 1
    if word in LONG_COASTS and "coast" in words[at + 1 : at + 2]:
        return LONG_COASTS[word], at + 2
    return "", at


@lru_cache(maxsize=64)
def place_names_of(board: Board) -> PlaceNames:
    return PlaceNames(board)
