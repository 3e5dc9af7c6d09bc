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


def are_neutral(one: str, other: str, position: Position) -> bool:
    return one != other and stance_of(one, other, position, STANCES) == NEUTRALITY


def are_at_war(one: str, other: str, position: Position) -> bool:
    return one != other and stance_of(one, other, position, STANCES) == WAR


def are_friends(one: str, other: str, position: Position) -> bool:
    """Are they allies, or the same power?"""
    return one == other or stance_of(one, other, position, STANCES) == ALLIANCE


def stance_after(now: str, one: str | None, other: str | None) -> str:
    """The relation of two powers once both declarations are opened; None is a declaration that says nothing."""
    papers = (one, other)
    if WAR in papers:
        return WAR
    if one == other == ALLIANCE:
        return ALLIANCE
    if now == WAR and None in papers:
        return WAR
    if now == ALLIANCE and NEUTRALITY not in papers:
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
        """D11: no support counts against one's own unit or an ally's."""
        return not are_friends(supporter, defender, position)

    def may_cut(self, attacker: str, supporter: str, position: Position) -> bool:
        return are_at_war(attacker, supporter, position)

    def gives_way(self, mover: str, occupant: str, position: Position) -> bool:
        return are_neutral(mover, occupant, position)

    def may_take(self, power: str, owner: str, position: Position) -> bool:
        return are_at_war(power, owner, position)
