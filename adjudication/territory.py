"""Which power each province belongs to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from adjudication.position import Position

if TYPE_CHECKING:
    from adjudication.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class CentresAlone:
    """A supply centre belongs to the power that controls it, and all other land is unowned."""

    def owner(self, province: str, position: Position) -> str | None:
        return position.centres.get(province)


def owners(position: Position, ruleset: Ruleset) -> dict[str, str]:
    """Province (supply centres included) -> the power that it belongs to; unowned provinces are omitted."""
    told = ((province, ruleset.territory.owner(province, position)) for province in ruleset.board.provinces)
    return {province: owner for province, owner in told if owner is not None}
