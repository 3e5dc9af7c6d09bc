"""The reasons why orders are refused or fail: each with its source and the facts that go with it.

The rules contain no sentences: `variants.words` makes them from a reason and its facts.
"""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import NamedTuple, Self, TypeAlias

from adjudication.orders import Build, Convoy, Disband, Hold, Move, Retreat, Support
from adjudication.units import Unit, unit_as_ordered

UnitOrder: TypeAlias = Hold | Move | Support | Convoy | Retreat | Disband | Build
"""An order about the unit of a place. One to build, too, can stand in the wrong phase."""


class GivenOrder(NamedTuple):
    """A unit's order, and the unit that it helps, if there is one."""

    unit: Unit
    order: UnitOrder
    helped: Unit | None = None


class Fallen(NamedTuple):
    """A dislodged unit, and the move that dislodged it."""

    unit: Unit
    by: GivenOrder


class Edit(NamedTuple):
    """A change of a position by hand: the new value at a place, and the old one ("-" for nothing). `what`: "unit", with
    values such as "GERMANY A MUN", or "centre", with the owner, such as "GERMANY" or "GERMANS I"."""

    place: str
    what: str
    now: str
    was: str


Fact: TypeAlias = (
    str | int | Unit | GivenOrder | tuple[str, ...] | tuple[Unit, ...] | tuple[Fallen, ...] | tuple[Edit, ...]
)
Facts: TypeAlias = Mapping[str, Fact]
NO_FACTS: Facts = {}

CASE = "case"
"""The fact that tells apart several rules with the same reason."""
AS_WRITTEN = "as written"
"""The fact that holds a finished sentence: what a person wrote, or an older version stored."""

PLACES = frozenset({"place", "here", "there", "goal", "places", "suggestions"})
POWERS = frozenset({"power", "other", "owner", "loser", "powers"})
FACTIONS = frozenset({"faction", "wrong", "supplied", "factions"})
UNITS = frozenset({"unit", "helped", "units"})
ORDERS = frozenset({"by", "dislodged_by"})
FALLEN = frozenset({"fallen"})
EDITS = frozenset({"edits"})
COUNTS = frozenset({"attack", "against", "count", "most", "spent", "year"})
"""What kind of value a fact is, by its name; others are words of ours, or a player’s. Plural names: several values."""


class Coded(StrEnum):
    """Something to tell people. `source`: the rule it comes from. `facts`: the names of the facts of each case, with
    optional ones in brackets; a case of its own begins with its name, as in "minor: place"."""

    source: str
    facts: tuple[str, ...]

    def __new__(cls, value: str, source: str, *facts: str) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.source = source
        member.facts = facts
        return member


class Reason(Coded):
    """Why an order is refused or fails. The outcome of a dislodged unit also has the facts `dislodged_by` and `fate`
    (the reason why it retreats or is disbanded)."""

    # Orders that are not allowed.
    WRONG_PHASE = "wrong phase", "Rules: phases", "phase", "now: phase", "bid:"
    NO_SUCH_UNIT = "no such unit", "DATC 3.B", "place", "dislodged: place"
    NOT_YOUR_UNIT = "not your unit", "DATC 6.A.6", "place", "minor: place", "dislodged: place"
    IN_DISORDER = "in disorder", "Rules: civil disorder", "unit", "imbalance: unit count", "faction: faction"
    NOT_A_MINOR = "not a minor's unit", "Diplomacy Points 2", "place"
    ORDERED_TWICE = "ordered twice", "DATC 4.D.3", "place", "placed: place", "declared: power"
    OWN_PROVINCE = "own province", "DATC 6.A.5, 6.A.11", "place"
    OUT_OF_REACH = "out of reach", "DATC 6.A.1", "unit place"
    WRONG_TERRAIN = (
        "wrong terrain",
        "DATC 6.A.2, 6.A.3",
        "sea: place",
        "inland: place",
        "build: kind place",
        "no fleets:",
    )
    WRONG_COAST = "wrong coast", "DATC 6.B.2, 6.B.3", "unit place places"
    COAST_NEEDED = "coast needed", "DATC 6.B.1", "places", "retreat: places"
    LIES_ON_ANOTHER_COAST = "lies on another coast", "DATC 6.B.11", "place here"
    NO_FLEET_TO_CONVOY = (
        "no fleet to convoy",
        "DATC 6.A.10",
        "here there",
        "adjacent: here there",
        "inland: here there",
        "friends: here there",
    )
    FLEET_NOT_CONVOYED = "fleet not convoyed", "DATC 6.A.7", "unit"
    SUPPORTS_ITSELF = "supports itself", "DATC 6.A.8"
    SUPPORT_OUT_OF_REACH = "support out of reach", "DATC 6.A.9", "unit place", "own province: unit"
    NOTHING_TO_SUPPORT = "nothing to support", "DATC 6.D.32", "place"
    SUPPORT_OF_IMPOSSIBLE_MOVE = (
        "support of an impossible move",
        "DATC 6.D.28, 6.D.31",
        "unit place",
        "friends: unit place",
    )
    CONVOY_BY_FLEET_AT_SEA = "convoy only at sea", "DATC 6.F.1", "unit"
    NO_ARMY_TO_CONVOY = "no army to convoy", "DATC 6.A.7", "place"
    CONVOY_OUTSIDE_ROUTE = "outside every route", "DATC 6.F.12, 6.G.19", "unit here there", "friends: unit helped there"
    MINOR_ONLY_HOLDS_OR_SUPPORTS = "minors do not move", "Diplomacy Points 3", "deeds"
    CLOSED_LAND = "closed land", "Rules: neutrality", "place owner power unit"
    NOT_A_FRIEND = (
        "not a friend",
        "Rules: relations",
        "war support: power other unit helped",
        "war convoy: power other unit helped",
        "neutrality support: power other unit helped",
        "neutrality convoy: power other unit helped",
    )
    SHARES_THE_PROVINCE = "shares the province", "Rules: shared provinces", "place"
    NOT_DECLARED_SO = "not declared so", "Rules: declarations", "typed", "itself:", "gone: power"
    RIVAL_FACTIONS = "rival factions", "Rules: factions", "faction wrong helped"
    WRONG_FACTION = (
        "wrong faction",
        "Rules: factions",
        "place supplied",
        "never: power faction factions",
        "which: factions",
        "home: place supplied faction",
    )
    NO_POINTS = "no points", "Diplomacy Points 2"
    NO_AUCTION = "no auction", "Diplomacy Points 1"
    OVERSPENT = "overspent", "Diplomacy Points 7", "count spent"
    NOT_A_RETREAT = "not a retreat", "DATC 6.H", "unit place"
    RETREAT_TO_ATTACKER = "retreat to the attacker", "DATC 6.H.5", "unit place"
    RETREAT_TO_CONTESTED = "retreat to a contested province", "DATC 6.H.6", "place"
    RETREAT_TO_OCCUPIED = "retreat to an occupied province", "DATC 6.H.7", "place"
    NOT_A_BUILD_SITE = "not a build site", "DATC 6.I.4", "place", "land: place", "neutral: place"
    CENTRE_NOT_CONTROLLED = "centre not controlled", "DATC 6.I.5", "place"
    BUILD_NEEDS_COAST = "build needs coast", "DATC 6.B.14", "places"
    SITE_OCCUPIED = "site occupied", "DATC 6.I.4", "place", "army: place"
    NO_BUILD_LEFT = "no build left", "DATC 6.I.1", "[faction] [count]", "place: count faction"
    NO_REMOVAL_DUE = "no removal due", "DATC 6.J.1", "[faction] [count]"

    # Orders that were allowed but failed.
    UNMATCHED_SUPPORT = "unmatched support", "DATC 6.D.7", "place", "unit", "unit goal"
    UNMATCHED_CONVOY = "unmatched convoy", "DATC 6.F", "unit goal"
    NO_CONVOY_ORDERED = "no convoy ordered", "DATC 6.D.8", "here there"
    BOUNCED = "bounced", "Rules: stand-off", "by attack against"
    HELD_OFF = "held off", "Rules: attack", "place attack against [own] [ally]"
    HEAD_TO_HEAD = "head to head", "DATC 6.E", "by attack against [own] [ally]"
    OWN_UNIT_THERE = "own unit there", "DATC 6.D.10", "unit own"
    ALLY_THERE = "ally there", "Rules: relations", "unit power"
    CONVOY_DISRUPTED = "convoy disrupted", "DATC 6.F.3", "[fallen]"
    CONVOY_PARADOX = "convoy paradox", "DATC 4.A.2, 6.F.14", "[units]"
    SUPPORT_CUT = "support cut", "DATC 6.D.2", "by"
    SUPPORTER_DISLODGED = "supporter dislodged", "DATC 6.D.17"
    DISLODGED = "dislodged", "Rules: dislodgement"
    DESTROYED = "destroyed", "Rules: retreats"
    MINOR_DISBANDED = "minor disbanded", "Minor Powers"
    GAVE_WAY = "gave way", "Rules: neutrality", "unit"
    SORTIE = "sortie", "Rules: sorties", "place", "alone: place"
    VARIANT_RULE = (
        "variant rule",
        "Rules: the variant",
        "strict league: place league",
        "benign league: place leagues",
        "one home: place",
    )
    SHARED_PROVINCE = "shared province", "Rules: shared provinces", "place"
    DISORDER_DISBANDED = "leaderless unit disbanded", "Rules: civil disorder"
    TAKES_TWO = "takes two", "Rules: declarations", "power", "war: power", "peace: power"
    RETREATS_COLLIDE = "retreats collide", "DATC 6.H.10", "place"


class Misreading(Coded):
    """Why a line is not an order."""

    TOO_LONG = "too long", "Notation", "count most", "item: typed count most", "sheet: count most", "remarks:"
    NO_ORDER = "no order on the line", "Notation"
    NO_UNIT = "not written as a unit", "Notation"
    NO_PLACE = "not a place", "Notation", "typed", "province: typed [suggestions]", "missing:"
    NO_SUCH_COAST = "no such coast", "DATC 4.B", "place places", "none: place"
    COAST_TO_NAME = "coast to name", "DATC 4.B", "places"
    CANNOT_BE_THERE = "cannot be there", "DATC 6.A.2, 6.A.3", "kind"
    AMBIGUOUS = "ambiguous", "Notation", "typed places"
    SEVERAL_UNITS = "several units", "Rules: shared provinces", "place units", "none of it: place units power"
    ANOTHER_KIND = "another kind of unit", "DATC 4.B", "place unit mark"
    SEVERAL_ORDERS = "several orders", "Notation", "count"
    NO_POWER = "not a power", "Notation", "typed"
    NOT_ITS_UNIT = "not its unit", "Notation", "place power"
    OF_ANOTHER_POWER = "of another power", "Notation", "power"
    COMPLETE = "complete before the end", "Notation", *(f"{what}: rest" for what in ("order", "condition", "wish"))
    NO_DEED = "nothing to do", "Notation", "place phase"
    CONVOY_WHERE = "convoy without a goal", "Notation"
    BUILD_WHAT = "build without a kind", "Notation", "", "factions: factions"
    DECLARE_WHAT = "declaration without a power", "Notation", "powers"
    NO_CONDITION = "no condition", "Written ahead"
    NOT_AHEAD = "not ahead of this phase", "Written ahead", "retreats:", "adjustments:"
    NO_WISH = "no wish", "Written ahead"
    LINE_TWICE = "line written twice", "Written ahead", "BUILDS:", "REMOVALS:", "unit: unit"
    NAMED_TWICE = "named twice", "Written ahead", "place", "retreat: place", "build: place"
    AFTER_THE_LAST = "after the last wish", "Written ahead", "disband:", "waive:"
    NO_RETREAT_THERE = "no retreat there", "Written ahead", "unit place places", "nowhere: unit place"
    NO_UNIT_CAN_BE_THERE = "no unit can be there", "Written ahead", "place"


class OrderRefusal(NamedTuple):
    """Why an order is refused: the rule, and what it is about in this particular order."""

    reason: Reason
    facts: Facts = NO_FACTS


def refuse(reason: Reason, **facts: Fact) -> OrderRefusal:
    return OrderRefusal(reason, facts)


def given_order(unit: Unit, order: UnitOrder, units: Mapping[str, Unit]) -> GivenOrder:
    """The order with its unit as the order describes it, but at the unit's location. `units`: province -> unit."""
    province = order.supported if isinstance(order, Support) else order.army if isinstance(order, Convoy) else ""
    unit = unit_as_ordered(unit, order.location)
    return GivenOrder(unit, replace(order, location=unit.location), units.get(province))
