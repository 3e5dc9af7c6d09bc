"""Minor powers: units and centres that no player has."""

from collections.abc import Mapping
from dataclasses import dataclass

from adjudication.civil_disorder import free_centres, seceded
from adjudication.orders import Hold, Order, Support
from adjudication.position import Position
from adjudication.resolution import Changed
from adjudication.ruleset import Ruleset
from adjudication.units import NEUTRAL, Unit, UnitKind


@dataclass(frozen=True, slots=True)
class NoMinors:
    """Uncontrolled centres are empty. If there is a neutral unit, it holds."""

    def may_be_ordered(self, order: Order) -> bool:
        return isinstance(order, Hold)

    def rebuilt(self, position: Position) -> tuple[Unit, ...]:
        return ()

    def after_count(self, position: Position, ruleset: Ruleset) -> Changed:
        return position, ()


@dataclass(frozen=True, slots=True)
class ArmedMinors:
    """Every minor power has a unit that holds or supports, and is rebuilt in Winter.

    The position remembers in `memory["minors"]`: centre -> kind of the unit when rebuilt.
    """

    def may_be_ordered(self, order: Order) -> bool:
        return isinstance(order, Hold | Support)

    def rebuilt(self, position: Position) -> tuple[Unit, ...]:
        """The units of minors whose centre no power controls and no unit occupies."""
        minors: Mapping[str, str] = position.memory.get("minors", {})
        occupied = position.occupied()
        return tuple(
            Unit(NEUTRAL, UnitKind(kind), centre)
            for centre, kind in sorted(minors.items())
            if centre not in position.centres and centre not in occupied
        )

    def after_count(self, position: Position, ruleset: Ruleset) -> Changed:
        """Centres of a power in permanent civil disorder become minors once they are empty."""
        return free_centres(seceded(position), position, ruleset.board)
