"""A board as numbers, made once: provinces are bits and borders are masks.

A province's number is its place in sorted order. Locations share these numbers: number `n` is the whole province `n`,
and the named coasts follow the last province.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import TypeAlias

from adjudication.board import Board, province_of

NOWHERE = -1
"""The number of no province."""
Ways: TypeAlias = dict[str, tuple[tuple[str, int], ...]]
"""Location -> the adjacent locations, sorted, each with the number of its province."""


class Bitboard:
    """`province`: location -> its province, as names. `camps`: province -> the provinces within it, if any; `around`:
    province -> the one it lies within, or itself. `singleton`: province -> the group of just this one. `army[p]`: the
    provinces adjacent to an army in province p. `fleet[l]`: the locations adjacent to a fleet in location l, and
    `fleet_provinces[l]` their provinces; `army_ways` and `fleet_ways`: the same as names. `waters[p]`: the waters
    adjacent to province p; `landings[p]`: the shores adjacent to water p. `water` and `shore`: where fleets convoy, and
    where armies embark and land."""

    __slots__ = (
        "army",
        "army_ways",
        "around",
        "base",
        "board",
        "camps",
        "fleet",
        "fleet_provinces",
        "fleet_ways",
        "landings",
        "locations",
        "number",
        "province",
        "provinces",
        "shore",
        "singleton",
        "water",
        "waters",
    )

    def __init__(self, board: Board) -> None:
        self.board = board
        self.provinces = tuple(sorted(board.provinces))
        coasts = [place for place in board.locations if place not in board.provinces]
        self.locations = (*self.provinces, *coasts)
        self.number = {place: index for index, place in enumerate(self.locations)}
        self.province = {place: province_of(place) for place in self.locations}
        self.camps = {self.number[p]: [self.number[c] for c in camps] for p, camps in board.camps.items()}
        self.around = [self.number[board.around(place)] for place in self.provinces]
        self.singleton = [(here,) for here in range(len(self.provinces))]
        self.base = [self.number[province_of(place)] for place in self.locations]
        self.water = self._mask([p for p in self.provinces if board.provinces[p].kind.is_water])
        self.shore = self._mask([p for p in self.provinces if board.provinces[p].kind.is_shore])
        self.army = [self._mask(board.army.get(p, ())) for p in self.provinces]
        self.fleet = [self._mask(board.fleet.get(place, ())) for place in self.locations]
        self.fleet_provinces = [
            self._mask(province_of(there) for there in board.fleet.get(place, ())) for place in self.locations
        ]
        self.army_ways = self._ways(board.army)
        self.fleet_ways = self._ways(board.fleet)
        self.waters = [0] * len(self.provinces)
        for place, province in enumerate(self.base):
            self.waters[province] |= self.fleet_provinces[place] & self.water
        self.landings = [self._shores_of(water) for water in range(len(self.provinces))]

    def _mask(self, places: Iterator[str] | list[str] | frozenset[str] | tuple[str, ...]) -> int:
        mask = 0
        for place in places:
            mask |= 1 << self.number[place]
        return mask

    def _ways(self, borders: Mapping[str, Iterable[str]]) -> Ways:
        return {
            here: tuple((there, self.number[province_of(there)]) for there in sorted(borders[here])) for here in borders
        }

    def _shores_of(self, water: int) -> int:
        shores = [p for p, waters in enumerate(self.waters) if waters >> water & 1 and self.around[p] == p]
        return sum(1 << p for p in shores) & self.shore


@lru_cache(maxsize=64)
def bitboard_of(board: Board) -> Bitboard:
    """The bitboard of a board: the same one for as long as the board lives."""
    return Bitboard(board)


def bits(mask: int) -> Iterator[int]:
    """The numbers of the provinces in a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest
