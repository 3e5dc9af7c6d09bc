"""What two powers may be to each other: neutral at first, allies, or at war."""

from adjudication.position import Position
from adjudication.relations import stance_of

NEUTRALITY, ALLIANCE, WAR = "neutrality", "alliance", "war"
STANCES = (NEUTRALITY, ALLIANCE, WAR)


def are_neutral(one: str, other: str, position: Position) -> bool:
    return one != other and stance_of(one, other, position, STANCES) == NEUTRALITY


def are_at_war(one: str, other: str, position: Position) -> bool:
    return one != other and stance_of(one, other, position, STANCES) == WAR


def are_friends(one: str, other: str, position: Position) -> bool:
    """Allies, or the same power."""
    return one == other or stance_of(one, other, position, STANCES) == ALLIANCE


def settled(now: str, one: str | None, other: str | None) -> str:
    """What two powers are to each other once both papers are opened; None is a paper that says nothing."""
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
