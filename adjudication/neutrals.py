"""Minor powers: units and centres that no player has."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from adjudication.civil_disorder import disordered_powers, turn_centres_into_minors
from adjudication.orders import Convoy, Hold, Move, Order, Support
from adjudication.position import Position
from adjudication.resolution import Changed
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL, Unit, UnitKind


class SortieRule(StrEnum):
    """A sortie is a move that never arrives: it cuts support and keeps others out of an empty province. Published rules
    differ in how else it counts. MOVES: as a move, which can be supported, while its unit cannot be supported to hold.
    HOLDS: as a hold, which can be supported, while the sortie itself cannot."""

    MOVES = "moves"
    HOLDS = "holds"


@dataclass(frozen=True, slots=True)
class NoMinors:
    """Uncontrolled centres are empty. If there is a neutral unit, it holds."""

    sorties: SortieRule | None = None
    order_kinds: tuple[str, ...] = ("hold",)

    def may_be_ordered(self, order: Order) -> bool:
        return isinstance(order, Hold)

    def rebuilt_units(self, position: Position) -> tuple[Unit, ...]:
        return ()

    def after_count(self, position: Position, ruleset: Ruleset) -> Changed:
        return position, ()


@dataclass(frozen=True, slots=True)
class ArmedMinors:
    """Every minor power has a unit that holds or supports, and is rebuilt in Winter. It may convoy, or make `sorties`,
    if the rules say so.

    The position remembers in `memory["minors"]`: centre -> kind of the unit when rebuilt.
    """

    sorties: SortieRule | None = None
    convoys: bool = False

    @property
    def order_kinds(self) -> tuple[str, ...]:
        """The actions that its unit can be ordered to do, as in ("hold", "support")."""
        return ("hold", "support", *(("convoy",) if self.convoys else ()), *(("sortie",) if self.sorties else ()))

    def may_be_ordered(self, order: Order) -> bool:
        if isinstance(order, Move):
            return self.sorties is not None and not order.via
        return isinstance(order, Hold | Support) or (self.convoys and isinstance(order, Convoy))

    def rebuilt_units(self, position: Position) -> tuple[Unit, ...]:
        """The units of minors whose centre no power controls and no unit occupies."""
        minors: Mapping[str, str] = position.memory.get("minors", {})
        units = position.units_by_province()
        return tuple(
            Unit(NEUTRAL, UnitKind(kind), centre)
            for centre, kind in sorted(minors.items())
            if centre not in position.centres and centre not in units
        )

    def after_count(self, position: Position, ruleset: Ruleset) -> Changed:
        """Centres of a power in permanent civil disorder become minors once they are empty."""
        return turn_centres_into_minors(disordered_powers(position), position)
