"""Home land without supply centres, which follows the home centres next to it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from adjudication.board import Board
from adjudication.position import Position


@dataclass(frozen=True, slots=True, eq=False)
class HomeTerritory:
    """`lands`: province -> the power it belongs to at the start, and that power's home centres next to it. What is
    neither a supply centre nor named here is never owned (D8)."""

    lands: Mapping[str, tuple[str, tuple[str, ...]]]

    def owner(self, province: str, position: Position) -> str | None:
        """The first owner, unless another power holds more of its neighbouring home centres than it does: then the
        one that holds most, and no one if two tie (D7)."""
        if province not in self.lands:
            return position.centres.get(province)
        first, homes = self.lands[province]
        held = Counter(position.centres[home] for home in homes if home in position.centres)
        own = held.pop(first, 0)
        if own >= held.total():
            return first
        (most, count), *others = held.most_common()
        return None if others and others[0][1] == count else most


def home_territory(board: Board, facts: Mapping[str, Any]) -> HomeTerritory:
    """From the `powers` of variant.toml, each with its `homes` and `lands`."""
    return HomeTerritory(
        {
            land: (entry["id"], tuple(home for home in entry["homes"] if home in board.army[land]))
            for entry in facts["powers"]
            for land in entry["lands"]
        }
    )
