"""What units may do to each other, given their powers' declarations."""

from dataclasses import dataclass

from adjudication.position import Position
from variants.formal.stances import STANCES, are_at_war, are_friends, are_neutral


@dataclass(frozen=True, slots=True)
class DeclaredRelations:
    """Only enemies dislodge each other, cut each other's supports and take each other's centres. A move to where a
    neutral power's unit is counts only if that unit leaves (D3)."""

    knows_courtesy = True
    stances: tuple[str, ...] = STANCES

    def may_dislodge(self, attacker: str, defender: str, position: Position) -> bool:
        return are_at_war(attacker, defender, position)

    def may_help_dislodge(self, supporter: str, defender: str, position: Position) -> bool:
        """D11: no support counts against one's own unit or an ally's."""
        return not are_friends(supporter, defender, position)

    def may_cut(self, attacker: str, supporter: str, position: Position) -> bool:
        return are_at_war(attacker, supporter, position)

    def gives_way(self, mover: str, occupant: str, position: Position) -> bool:
        return are_neutral(mover, occupant, position)

    def may_take(self, power: str, owner: str, position: Position) -> bool:
        return are_at_war(power, owner, position)
