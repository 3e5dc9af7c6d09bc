"""Random numbers that follow from a seed alone and are the same on every machine."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import TypeVar

Item = TypeVar("Item")
MASK = (1 << 64) - 1


class SeededRng:
    """A generator of the numbers that follow from `seeds` (Sebastiano Vigna's SplitMix64)."""

    __slots__ = ("_state",)

    def __init__(self, *seeds: object) -> None:
        self._state = int.from_bytes(hashlib.sha256(repr(seeds).encode()).digest()[:8], "big")

    def below(self, limit: int) -> int:
        """The next number, from 0 to `limit` - 1."""
        self._state = bits = (self._state + 0x9E3779B97F4A7C15) & MASK
        bits = ((bits ^ bits >> 30) * 0xBF58476D1CE4E5B9) & MASK
        bits = ((bits ^ bits >> 27) * 0x94D049BB133111EB) & MASK
        return (bits ^ bits >> 31) % limit

    def one_of(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]

    def shuffled(self, items: Iterable[Item]) -> list[Item]:
        """All of these items in random order."""
        result = [*items]
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result
