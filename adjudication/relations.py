"""What the units of one power may do to those of another."""

from dataclasses import dataclass

from adjudication.position import Position
from adjudication.units import NEUTRAL


def relation_key(power: str, other: str) -> str:
    """The key of two powers in `Position.relations`: both ids in sorted order, separated by a space."""
    first, second = sorted((power, other))
    return f"{first} {second}"


def stance_of(power: str, other: str, position: Position, stances: tuple[str, ...]) -> str:
    """The current relationship of two powers; the first stance if they have never declared one."""
    return str(position.relations.get(relation_key(power, other), stances[0]))


@dataclass(frozen=True, slots=True)
class EveryPowerForItself:
    """No power dislodges its own units or cuts its own supports (DATC 6.D.10 to 6.D.14, 6.D.20).

    Minor powers share the power NEUTRAL but are not one power: a minor power may help to dislodge another's unit.
    """

    knows_courtesy = False
    stances: tuple[str, ...] = ()

    def may_dislodge(self, attacker: str, defender: str, position: Position) -> bool:
        return attacker != defender or attacker == NEUTRAL

    def may_help_dislodge(self, supporter: str, defender: str, position: Position) -> bool:
        return supporter != defender or supporter == NEUTRAL

    def may_cut(self, attacker: str, supporter: str, position: Position) -> bool:
        return attacker != supporter or attacker == NEUTRAL

    def gives_way(self, mover: str, occupant: str, position: Position) -> bool:
        return False

    def may_take(self, power: str, owner: str, position: Position) -> bool:
        return True
