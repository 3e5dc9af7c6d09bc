"""Convoy routes: chains of fleets, over bit masks of waters."""

from collections.abc import Mapping
from functools import lru_cache

from adjudication.movement.bitboard import Bitboard, bits


def route_exists(board: Bitboard, start: int, goal: int, fleets: int) -> bool:
    """Do the fleets in this mask link the two shores in an unbroken chain?"""
    waters = board.waters
    fleets &= ~(1 << goal)
    landing = waters[goal]
    reached_fleets = waters[start] & fleets
    if reached_fleets & landing:
        return True
    front = reached_fleets
    while front:
        if front & landing:
            return True
        beyond = 0
        for water in bits(front):
            beyond |= waters[water]
        front = beyond & fleets & ~reached_fleets
        reached_fleets |= front
    return False


def chained_fleets(board: Bitboard, start: int, fleets: int) -> int:
    """Mask of those fleets that are linked to the shore by an unbroken chain."""
    front = reached_fleets = board.waters[start] & fleets
    while front:
        beyond = 0
        for water in bits(front):
            beyond |= board.waters[water]
        front = beyond & fleets & ~reached_fleets
        reached_fleets |= front
    return reached_fleets


def reachable_shores(board: Bitboard, start: int, fleets: int) -> int:
    """Mask of the shores to which an unbroken chain of these fleets leads."""
    shores = 0
    for water in bits(chained_fleets(board, start, fleets)):
        shores |= board.landings[water]
    return shores


def fleets_by_shore(board: Bitboard, start: int, fleets: int) -> Mapping[int, int]:
    """Shore -> the fleets that may take part in a convoy there from `start`; shores out of reach are omitted."""
    return _fleets_by_shore(board, start, chained_fleets(board, start, fleets))


@lru_cache(maxsize=20_000)
def _fleets_by_shore(board: Bitboard, start: int, chain: int) -> Mapping[int, int]:
    if not chain or not board.shore >> start & 1:
        return {}
    shores, home = bits(reachable_shores(board, start, chain)), board.around[start]
    fleets_by_goal = {goal: fleets_on_routes(board, start, goal, chain) for goal in shores if goal != home}
    return {goal: taking_part for goal, taking_part in fleets_by_goal.items() if taking_part}


@lru_cache(maxsize=20_000)
def fleets_on_routes(board: Bitboard, start: int, goal: int, fleets: int) -> int:
    """Mask of the fleets that are on a route without detours: a route that needs all of its fleets.

    A fleet that only lengthens a route takes no part in the convoy (DATC 6.F.12, 6.G.19).
    """
    fleets &= ~(1 << goal)
    embarking, landing = board.waters[start], board.waters[goal]
    mask = 0
    for first in bits(embarking & fleets):
        mask |= _fleets_onward(board, first, embarking, landing, fleets)
    return mask


def _fleets_onward(board: Bitboard, last: int, avoided_waters: int, landing: int, fleets: int) -> int:
    """Mask of the fleets on routes that continue from `last` to the landing, including `last`.

    `avoided_waters` are the waters next to an earlier part of the route: entering one would be a detour.
    """
    if landing >> last & 1:
        return 1 << last
    waters_to_avoid = avoided_waters | board.waters[last] | 1 << last
    mask = 0
    for water in bits(board.waters[last] & fleets & ~avoided_waters):
        mask |= _fleets_onward(board, water, waters_to_avoid, landing, fleets)
    return mask and mask | 1 << last
