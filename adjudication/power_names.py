"""The names of powers as players write them: before a colon, or before a unit that is meant."""

import re
from collections.abc import Sequence
from functools import lru_cache

from adjudication.line_words import words_of
from adjudication.place_names import SHORTEST_ABBREVIATION, Words
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL

MINORS = ("neutral", "neutrals", "minor", "minors", "minor power", "minor powers", "unowned", "independent")
_JOINTS = re.compile(r" and | & |-")


class PowerNames:
    """Finds the longest name at a given word of a line: an id, a name, an adjective, or the beginning of one that no
    other power shares."""

    __slots__ = ("longest", "names")

    def __init__(self, ruleset: Ruleset) -> None:
        self.names: dict[Words, str] = {words_of(name): NEUTRAL for name in MINORS}
        for power in ruleset.powers:
            for name in (*ruleset.names.get(power, ()), power):
                for part in (*_JOINTS.split(name), name):
                    self.names[words_of(part)] = power
        self.longest = max(map(len, self.names))

    def find(self, words: Sequence[str], at: int) -> tuple[str, int] | None:
        """The power named at that word, and the index of the word after its name; None if there is none."""
        for end in range(min(len(words), at + self.longest), at, -1):
            power = self.names.get(tuple(words[at:end]))
            if power:
                return power, end
        word = words[at] if at < len(words) else ""
        powers = {power for name, power in self.names.items() if len(name) == 1 and name[0].startswith(word)}
        return (powers.pop(), at + 1) if len(word) >= SHORTEST_ABBREVIATION and len(powers) == 1 else None

    def power_called(self, text: str) -> str | None:
        """The power for which this whole text is a name."""
        words = words_of(text)
        power_and_end = self.find(words, 0)
        return power_and_end[0] if power_and_end and power_and_end[1] == len(words) else None


@lru_cache(maxsize=64)
def power_names_of(ruleset: Ruleset) -> PowerNames:
    return PowerNames(ruleset)
