"""Made-up positions of any size: copies of a board side by side, with a unit in every centre."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from adjudication.board import Board, Province, province_of
from adjudication.units import UnitKind, neighbours
from variants.rulebook import Rulebook


def tiled(rulebook: Rulebook, copies: int) -> Rulebook:
    """The same rules on this many boards, with no borders between them."""
    board = rulebook.ruleset.board
    ids = sorted(board.provinces)
    provinces: dict[str, Province] = {}
    army: dict[str, frozenset[str]] = {}
    fleet: dict[str, frozenset[str]] = {}
    for copy in range(copies):
        renamed = {place: f"{copy}{ids.index(province_of(place)):02d}{place[3:]}" for place in board.locations}
        for province in board.provinces.values():
            new = renamed[province.id]
            coasts = tuple(renamed[coast] for coast in province.coasts)
            provinces[new] = replace(province, id=new, name=new, abbr=new, coasts=coasts, aliases=())
        army |= {renamed[here]: frozenset(renamed[p] for p in there) for here, there in board.army.items()}
        fleet |= {renamed[here]: frozenset(renamed[p] for p in there) for here, there in board.fleet.items()}
    return replace(rulebook, ruleset=replace(rulebook.ruleset, board=Board(provinces, army, fleet)))


SUPPORTS = 2
"""Which of every three."""


@dataclass(frozen=True, slots=True)
class Crowd:
    """Armies in the first centres of a board, owned by the powers in turn. Two in three attack, in all
    directions. The third supports the one before it if it can, or holds."""

    rulebook: Rulebook
    units: int

    def phase(self) -> dict[str, Any]:
        units: dict[str, list[str]] = {}
        orders: dict[str, list[str]] = {}
        for power, place, order in self._orders():
            units.setdefault(power, []).append(f"A {place}")
            orders.setdefault(power, []).append(order)
        return {"phase": self.rulebook.start.turn.code, "units": units, "orders": orders}

    def _orders(self) -> Iterator[tuple[str, str, str]]:
        ruleset = self.rulebook.ruleset
        before = goal = ""
        for index, place in enumerate(ruleset.board.centres[: self.units]):
            near = sorted(neighbours(UnitKind.ARMY, place, ruleset.board))
            order = f"A {place} H"
            supports = index % 3 == SUPPORTS
            if supports and goal in near:
                order = f"A {place} S A {before} - {goal}"
            elif near and not supports:
                before, goal = place, near[index % len(near)]
                order = f"A {place} - {goal}"
            yield ruleset.powers[index % len(ruleset.powers)], place, order
