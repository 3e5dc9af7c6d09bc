"""Everything an adjudicator needs to know about a game between two phases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, NamedTuple, cast

from adjudication.board import province_of
from adjudication.turns import Turn
from adjudication.units import Unit

_BY_RANK = attrgetter("rank")
_BY_UNIT = attrgetter("unit.rank")


class Dislodged(NamedTuple):
    """A unit that must retreat or disband. `attacker_from` is the province it may not retreat to
    because the attacker came from there; None if the attacker came by convoy (DATC 4.A.5)."""

    unit: Unit
    attacker_from: str | None
    retreats: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """`units` are on the board, `dislodged` ones off it. `centres`: supply centre -> the power that controls it,
    without uncontrolled ones. `contested`: provinces left empty by a stand-off and closed to retreats. `relations` and
    `memory` keep what a variant's policies remember, as JSON values.

    Tuples and mappings are kept sorted, so equal games have equal positions.
    """

    turn: Turn
    units: tuple[Unit, ...]
    centres: Mapping[str, str] = field(default_factory=dict)
    dislodged: tuple[Dislodged, ...] = ()
    contested: frozenset[str] = frozenset()
    relations: Mapping[str, Any] = field(default_factory=dict)
    memory: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "units", tuple(sorted(self.units, key=_BY_RANK)))
        if self.dislodged:
            object.__setattr__(self, "dislodged", tuple(sorted(self.dislodged, key=_BY_UNIT)))
        if self.centres:
            object.__setattr__(self, "centres", dict(sorted(self.centres.items())))

    def __hash__(self) -> int:
        """A hash of what differs between positions of one game."""
        return hash((self.turn, self.units, tuple(self.centres.items()), self.dislodged))

    def __repr__(self) -> str:
        """A short text, as in "<Position S1901M: AUSTRIA A BUD, A VIE; ...>"; dislodged units have a "*"."""
        units = [(unit.power, str(unit)) for unit in self.units]
        units += [(dislodged.unit.power, f"*{dislodged.unit}") for dislodged in self.dislodged]
        powers = {power: ", ".join(text for owner, text in units if owner == power) for power, _ in sorted(units)}
        return f"<Position {self.turn.code}: {'; '.join(f'{power} {texts}' for power, texts in powers.items())}>"

    def __reduce__(self) -> tuple[object, ...]:
        state = (self.turn, self.units, self.centres, self.dislodged, self.contested, self.relations, self.memory)
        return Position, state

    def in_turn(self, turn: Turn) -> Position:
        """The same position in another turn, without sorting again."""
        return self._with_sorted(turn, self.units, self.dislodged, self.contested)

    def after_moves(self, units: Iterable[Unit], dislodged: Iterable[Dislodged], contested: frozenset[str]) -> Position:
        """The same position with other units. What did not change is not sorted again."""
        sorted_units = tuple(sorted(units, key=_BY_RANK))
        sorted_dislodged = tuple(sorted(dislodged, key=_BY_UNIT)) if dislodged else ()
        return self._with_sorted(self.turn, sorted_units, sorted_dislodged, contested)

    def _with_sorted(
        self, turn: Turn, units: tuple[Unit, ...], dislodged: tuple[Dislodged, ...], contested: frozenset[str]
    ) -> Position:
        draft = _Draft(turn, units, self.centres, dislodged, contested, self.relations, self.memory)
        return draft.finished()

    def unit_at(self, location: str) -> Unit | None:
        """The unit in the province of a location; dislodged units do not count."""
        province = province_of(location)
        return next((u for u in self.units if u.province == province), None)

    def dislodged_at(self, location: str) -> Dislodged | None:
        province = province_of(location)
        return next((dislodged for dislodged in self.dislodged if dislodged.unit.province == province), None)

    def units_of(self, power: str) -> tuple[Unit, ...]:
        return tuple([u for u in self.units if u.power == power])

    def centres_of(self, power: str) -> tuple[str, ...]:
        return tuple(centre for centre, owner in self.centres.items() if owner == power)

    def units_by_province(self) -> dict[str, Unit]:
        """Province -> the unit there."""
        return {unit.province: unit for unit in self.units}


class _Draft:
    """A position while it is being built, because a frozen object takes four times as long to make."""

    __slots__ = ("centres", "contested", "dislodged", "memory", "relations", "turn", "units")

    def __init__(
        self,
        turn: Turn,
        units: tuple[Unit, ...],
        centres: Mapping[str, str],
        dislodged: tuple[Dislodged, ...],
        contested: frozenset[str],
        relations: Mapping[str, Any],
        memory: Mapping[str, Any],
    ) -> None:
        self.turn = turn
        self.units = units
        self.centres = centres
        self.dislodged = dislodged
        self.contested = contested
        self.relations = relations
        self.memory = memory

    def finished(self) -> Position:
        """The finished position, which no longer changes."""
        self.__class__ = Position  # type: ignore[assignment]
        return cast("Position", self)
