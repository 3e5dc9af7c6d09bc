"""A board's distances: how near every location is to every supply centre, worked out once for each board."""

from functools import lru_cache

from adjudication.board import Board, province_of, steps_from
from adjudication.civil_disorder import steps_to_nearest
from adjudication.movement.bitboard import bitboard_of
from adjudication.units import UnitKind, neighbours

PULL = (300, 280, 150, 75, 40, 20, 10, 5, 3, 2, 1)
"""How much a centre so many steps away counts; 0 beyond."""
OVERSEAS = 2
"""How many steps more it takes to cross borders that a unit of this kind cannot cross by itself."""
FAR = 99
WIDTH = 16
"""Bits for each centre in numbers that say something about all of them."""


class Ground:
    """`centres`: the supply centres as province numbers. `place[c]`: which of them province c is."""

    __slots__ = ("_near", "board", "centres", "number", "place", "reach", "steps")

    def __init__(self, board: Board) -> None:
        self.board = board
        self.number = bitboard_of(board).number
        self.centres = tuple(self.number[centre] for centre in board.centres)
        self.place = {centre: index for index, centre in enumerate(self.centres)}
        self._near: dict[tuple[UnitKind, str], tuple[int, ...]] = {}
        self.reach = Reach(board)
        self.steps = Steps(self)

    def near(self, kind: UnitKind, location: str) -> tuple[int, ...]:
        """How strongly each centre attracts a unit of this kind at this location."""
        pulls = self._near.get((kind, location))
        if pulls is None:
            pulls = tuple([PULL[steps] if steps < len(PULL) else 0 for steps in self.steps_to(kind, location)])
            self._near[kind, location] = pulls
        return pulls

    def steps_to(self, kind: UnitKind, location: str) -> tuple[int, ...]:
        """How many turns a unit of this kind needs from this location to each centre."""
        by_itself = steps_from([location], lambda here: neighbours(kind, here, self.board))
        own_steps: dict[str, int] = {}
        for place, steps in by_itself.items():
            own_steps.setdefault(province_of(place), steps)
        any_way = steps_to_nearest([province_of(location)], self.board)
        return tuple([min(own_steps.get(c, FAR), any_way.get(c, FAR) + OVERSEAS) for c in self.board.centres])


class Reach(dict[str, int]):
    """Rank of a unit (`Unit.rank`) -> a 1 for each centre that it could enter, each in a field of WIDTH bits, so that
    sums of these numbers count units for each centre."""

    __slots__ = ("board",)

    def __init__(self, board: Board) -> None:
        super().__init__()
        self.board = board

    def __missing__(self, rank: str) -> int:
        _, kind, location, *_ = rank.split(" ")
        provinces = {province_of(there) for there in neighbours(UnitKind(kind), location, self.board)}
        ones = (1 << WIDTH * index for index, c in enumerate(self.board.centres) if c in provinces)
        self[rank] = mask = sum(ones)
        return mask


class Steps(dict[str, tuple[int, ...]]):
    """Rank of a unit -> how many turns it needs to each centre."""

    __slots__ = ("ground",)

    def __init__(self, ground: Ground) -> None:
        super().__init__()
        self.ground = ground

    def __missing__(self, rank: str) -> tuple[int, ...]:
        _, kind, location, *_ = rank.split(" ")
        self[rank] = steps = self.ground.steps_to(UnitKind(kind), location)
        return steps


@lru_cache(maxsize=64)
def ground_of(board: Board) -> Ground:
    """The ground of a board: the same one for as long as the board lives."""
    return Ground(board)
