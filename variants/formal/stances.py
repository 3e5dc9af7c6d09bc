"""The relations of two powers: neutral at first, allied, or at war; and what their units may do then."""

from dataclasses import dataclass

from adjudication.position import Position
from adjudication.reasons import Facts
from adjudication.relations import stance_of
from adjudication.resolution import Notice, NoticeKind
from adjudication.ruleset import Ruleset
from adjudication.units import Unit

NEUTRALITY, ALLIANCE, WAR = "neutrality", "alliance", "war"
STANCES = (NEUTRALITY, ALLIANCE, WAR)


def are_neutral(power: str, other: str, position: Position) -> bool:
    return power != other and stance_of(power, other, position, STANCES) == NEUTRALITY


def are_at_war(power: str, other: str, position: Position) -> bool:
    return power != other and stance_of(power, other, position, STANCES) == WAR


def are_friends(power: str, other: str, position: Position) -> bool:
    """Are they allies, or the same power?"""
    return power == other or stance_of(power, other, position, STANCES) == ALLIANCE


def stance_after(now: str, first: str | None, second: str | None) -> str:
    """The relation of two powers once both have declared, each a stance or None."""
    declarations = (first, second)
    if WAR in declarations:
        return WAR
    if first == second == ALLIANCE:
        return ALLIANCE
    if now == WAR and None in declarations:
        return WAR
    if now == ALLIANCE and NEUTRALITY not in declarations:
        return ALLIANCE
    return NEUTRALITY


@dataclass(frozen=True, slots=True)
class NeutralLand:
    """D9: units leave neutral land at the end of the movement phase, by the relations in force in it. A unit that has
    just beaten an enemy there is spared until the next phase (D10)."""

    def notice(self, unit: Unit, position: Position, ruleset: Ruleset) -> Notice | None:
        owner = ruleset.territory.owner(unit.province, position)
        if not owner or not are_neutral(unit.power, owner, position):
            return None
        facts: Facts = {"owner": owner, "power": unit.power, "unit": unit}
        return Notice(NoticeKind.INTERNED, unit.power, unit.province, facts)


@dataclass(frozen=True, slots=True)
class DeclaredRelations:
    """Only enemies dislodge each other, cut each other's supports and take each other's centres. A move to where a
    neutral power's unit is counts only if that unit leaves (D3)."""

    knows_courtesy = True
    stances: tuple[str, ...] = STANCES

    def may_dislodge(self, attacker: str, defender: str, position: Position) -> bool:
        return are_at_war(attacker, defender, position)

    def may_help_dislodge(self, supporter: str, defender: str, position: Position) -> bool:
        """No support counts against a unit of one's own or of an ally (D11)."""
        return not are_friends(supporter, defender, position)

    def may_cut(self, attacker: str, supporter: str, position: Position) -> bool:
        return are_at_war(attacker, supporter, position)

    def gives_way(self, mover: str, occupant: str, position: Position) -> bool:
        return are_neutral(mover, occupant, position)

    def may_take(self, power: str, owner: str, position: Position) -> bool:
        return are_at_war(power, owner, position)
