"""Convoy routes: chains of fleets, over bit masks of waters."""

from adjudication.movement.bitboard import Bitboard, bits


def route_exists(board: Bitboard, start: int, goal: int, fleets: int) -> bool:
    """Do the fleets in this mask link the two shores in an unbroken chain?"""
    waters = board.waters
    fleets &= ~(1 << goal)
    landing = waters[goal]
    reached = waters[start] & fleets
    if reached & landing:
        return True
    front = reached
    while front:
        if front & landing:
            return True
        beyond = 0
        for water in bits(front):
            beyond |= waters[water]
        front = beyond & fleets & ~reached
        reached |= front
    return False


def landings(board: Bitboard, start: int, fleets: int) -> int:
    """Mask of the shores to which an unbroken chain of these fleets leads."""
    front = reached = board.waters[start] & fleets
    shores = 0
    while front:
        beyond = 0
        for water in bits(front):
            beyond |= board.waters[water]
            shores |= board.landings[water]
        front = beyond & fleets & ~reached
        reached |= front
    return shores


def on_route(board: Bitboard, start: int, goal: int, fleets: int, fleet: int) -> bool:
    """Is this fleet on a route without detours, one that needs all of its fleets?

    A fleet that only lengthens a route takes no part in the convoy (DATC 6.F.12, 6.G.19).
    """
    fleets &= ~(1 << goal)
    embarking = board.waters[start]
    if (embarking & board.waters[goal] & fleets) >> fleet & 1:
        return True
    return any(
        _leads_on(board, first, embarking, board.waters[goal], fleets, fleet) for first in bits(embarking & fleets)
    )


def _leads_on(board: Bitboard, last: int, shunned: int, landing: int, fleets: int, wanted: int | None) -> bool:
    """Can a route that ends in `last` be continued to the landing by way of the wanted fleet?

    `shunned` are the waters that an earlier part of the route already touches: entering one would be a detour.
    """
    if last == wanted:
        wanted = None
    if landing >> last & 1:
        return wanted is None
    onward = board.waters[last] & fleets & ~shunned
    touched = shunned | board.waters[last] | 1 << last
    return any(_leads_on(board, water, touched, landing, fleets, wanted) for water in bits(onward))
