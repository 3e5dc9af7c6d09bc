"""The reasons why orders are refused or fail: each rule with its sentence and source."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Self


class Reason(StrEnum):
    """`sentence` gives the rule alone; outcomes add the units and places."""

    sentence: str
    source: str

    def __new__(cls, value: str, sentence: str, source: str) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.sentence = sentence
        member.source = source
        return member

    # Orders that are not allowed.
    WRONG_PHASE = "wrong phase", "This order belongs to another phase.", "Rules: phases"
    NO_SUCH_UNIT = "no such unit", "There is no unit to order in that province.", "DATC 3.B"
    NOT_YOUR_UNIT = "not your unit", "The unit belongs to another power.", "DATC 6.A.6"
    IN_DISORDER = "in disorder", "The unit is in civil disorder and takes no orders.", "Rules: civil disorder"
    NOT_A_MINOR = ("not a minor's unit", "Points can be bid only on minor powers’ units.", "Diplomacy Points 2")
    ORDERED_TWICE = "ordered twice", "A unit can have only one order.", "DATC 4.D.3"
    OWN_PROVINCE = ("own province", "A unit cannot move to the province it is in.", "DATC 6.A.5, 6.A.11")
    OUT_OF_REACH = "out of reach", "The destination is not adjacent.", "DATC 6.A.1"
    WRONG_TERRAIN = ("wrong terrain", "Armies stay on land, fleets on water and coasts.", "DATC 6.A.2, 6.A.3")
    WRONG_COAST = "wrong coast", "The fleet cannot reach that coast.", "DATC 6.B.2, 6.B.3"
    COAST_NEEDED = "coast needed", "Both coasts are in reach, so the order must name one.", "DATC 6.B.1"
    LIES_ON_ANOTHER_COAST = (
        "lies on another coast",
        "The fleet is on another coast and cannot move there.",
        "DATC 6.B.11",
    )
    NO_FLEET_TO_CONVOY = ("no fleet to convoy", "No chain of fleets links the two coasts.", "DATC 6.A.10")
    FLEET_NOT_CONVOYED = "fleet not convoyed", "Only armies can be convoyed.", "DATC 6.A.7"
    SUPPORTS_ITSELF = "supports itself", "A unit cannot support itself.", "DATC 6.A.8"
    SUPPORT_OUT_OF_REACH = (
        "support out of reach",
        "A unit can support only into a province that it could move to itself.",
        "DATC 6.A.9",
    )
    NOTHING_TO_SUPPORT = "nothing to support", "There is no unit there to support.", "DATC 6.D.32"
    SUPPORT_OF_IMPOSSIBLE_MOVE = (
        "support of an impossible move",
        "The supported unit could never make that move.",
        "DATC 6.D.28, 6.D.31",
    )
    CONVOY_BY_FLEET_AT_SEA = "convoy only at sea", "Only a fleet at sea can convoy.", "DATC 6.F.1"
    NO_ARMY_TO_CONVOY = "no army to convoy", "There is no army there to convoy.", "DATC 6.A.7"
    CONVOY_OUTSIDE_ROUTE = (
        "outside every route",
        "The fleet is not on any convoy route between the two coasts.",
        "DATC 6.F.12, 6.G.19",
    )
    MINOR_ONLY_HOLDS_OR_SUPPORTS = (
        "minors do not move",
        "A minor power’s unit cannot be given an order of this kind.",
        "Diplomacy Points 3",
    )
    CLOSED_LAND = (
        "closed land",
        "A unit cannot enter the land of a power that is neutral towards its own.",
        "Rules: neutrality",
    )
    NOT_A_FRIEND = (
        "not a friend",
        "A unit can support and convoy only units of its own power and of that power’s allies.",
        "Rules: relations",
    )
    SHARES_THE_PROVINCE = (
        "shares the province",
        "Units that share a province cannot be dislodged, so they need no support to hold.",
        "Rules: shared provinces",
    )
    NOT_DECLARED_SO = (
        "not declared so",
        "A declaration names one of the allowed relationships and another power that is still in the game.",
        "Rules: declarations",
    )
    RIVAL_FACTIONS = ("rival factions", "Armies of rival factions cannot support each other.", "Rules: factions")
    WRONG_FACTION = (
        "wrong faction",
        "The army must belong to the faction that its supply centre supplies.",
        "Rules: factions",
    )
    NO_POINTS = "no points", "A bid needs at least one point.", "Diplomacy Points 2"
    NO_AUCTION = "no auction", "There are no bids in this game or phase.", "Diplomacy Points 1"
    OVERSPENT = ("overspent", "A power that bids more points than it has forfeits all of them.", "Diplomacy Points 7")
    NOT_A_RETREAT = "not a retreat", "The unit cannot retreat there.", "DATC 6.H"
    RETREAT_TO_ATTACKER = (
        "retreat to the attacker",
        "A unit cannot retreat to the province its attacker came from.",
        "DATC 6.H.5",
    )
    RETREAT_TO_CONTESTED = (
        "retreat to a contested province",
        "A unit cannot retreat to a contested province.",
        "DATC 6.H.6",
    )
    RETREAT_TO_OCCUPIED = (
        "retreat to an occupied province",
        "A unit cannot retreat to an occupied province.",
        "DATC 6.H.7",
    )
    NOT_A_BUILD_SITE = "not a build site", "The power cannot build there.", "DATC 6.I.4"
    CENTRE_NOT_CONTROLLED = (
        "centre not controlled",
        "Units can be built only in centres that their power controls.",
        "DATC 6.I.5",
    )
    BUILD_NEEDS_COAST = "build needs coast", "A fleet must be built on a named coast.", "DATC 6.B.14"
    SITE_OCCUPIED = "site occupied", "Units can be built only in empty centres.", "DATC 6.I.4"
    NO_BUILD_LEFT = "no build left", "All builds are used up.", "DATC 6.I.1"
    NO_REMOVAL_DUE = "no removal due", "No further unit has to be removed.", "DATC 6.J.1"

    # Orders that were allowed but failed.
    UNMATCHED_SUPPORT = "unmatched support", "The supported unit did something else.", "DATC 6.D.7"
    UNMATCHED_CONVOY = "unmatched convoy", "The army did not ask for this convoy.", "DATC 6.F"
    NO_CONVOY_ORDERED = ("no convoy ordered", "No fleets were ordered to convoy the army.", "DATC 6.D.8")
    BOUNCED = "bounced", "The move was not stronger than its opposition.", "Rules: stand-off"
    HELD_OFF = "held off", "The province was held with equal or greater strength.", "Rules: attack"
    HEAD_TO_HEAD = "head to head", "Two units moved against each other.", "DATC 6.E"
    OWN_UNIT_THERE = ("own unit there", "A unit cannot dislodge one of its own power.", "DATC 6.D.10")
    ALLY_THERE = ("ally there", "A unit cannot dislodge one of an allied power.", "Rules: relations")
    CONVOY_DISRUPTED = "convoy disrupted", "The convoying fleet was dislodged.", "DATC 6.F.3"
    CONVOY_PARADOX = ("convoy paradox", "The convoy would have decided its own fate.", "DATC 4.A.2, 6.F.14")
    SUPPORT_CUT = "support cut", "The supporting unit was attacked.", "DATC 6.D.2"
    SUPPORTER_DISLODGED = "supporter dislodged", "The supporting unit was dislodged.", "DATC 6.D.17"
    DISLODGED = "dislodged", "The unit was dislodged.", "Rules: dislodgement"
    DESTROYED = "destroyed", "The unit was dislodged and had nowhere to retreat.", "Rules: retreats"
    MINOR_DISBANDED = ("minor disbanded", "A minor power’s dislodged unit is disbanded.", "Minor Powers")
    GAVE_WAY = (
        "gave way",
        "A move to a province occupied by a neutral power’s unit counts only if that unit leaves.",
        "Rules: neutrality",
    )
    SORTIE = "sortie", "A sortie never arrives: the unit stays where it is.", "Rules: sorties"
    VARIANT_RULE = "variant rule", "A rule of this variant forbids it.", "Rules: the variant"
    SHARED_PROVINCE = (
        "shared province",
        "A province that units share is closed to others until all of them have left.",
        "Rules: shared provinces",
    )
    DISORDER_DISBANDED = (
        "leaderless unit disbanded",
        "A unit in civil disorder is disbanded if it is dislodged.",
        "Rules: civil disorder",
    )
    TAKES_TWO = (
        "takes two",
        "It takes one power to start a war, but two to end it or to form an alliance.",
        "Rules: declarations",
    )
    RETREATS_COLLIDE = ("retreats collide", "Two units retreated to the same province.", "DATC 6.H.10")


@dataclass(frozen=True, slots=True)
class OrderRefusal:
    """Why an order is refused: the rule, and a sentence about this particular order."""

    reason: Reason
    sentence: str
