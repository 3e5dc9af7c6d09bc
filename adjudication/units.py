"""Units and what each kind may enter."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import lru_cache

from adjudication.board import Board, province_of

NEUTRAL = "NEUTRAL"
"""The power that owns the units of every minor power."""


class UnitKind(StrEnum):
    ARMY = "A"
    FLEET = "F"

    @property
    def word(self) -> str:
        return "army" if self is UnitKind.ARMY else "fleet"

    @property
    def article(self) -> str:
        return "An army" if self is UnitKind.ARMY else "A fleet"


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """`faction`: a letter, "" where a power has no factions. The rest follows from these. `side` is whom it
    fights for: its power, or its power's faction; units of one side do not harm each other. `text` is what is
    written for it, as in "A MUN" or "CA VIE"; by `rank` units are sorted as by their fields, by `stead` as by power
    and location."""

    power: str
    kind: UnitKind
    location: str
    faction: str = ""
    province: str = field(init=False, repr=False, compare=False)
    side: str = field(init=False, repr=False, compare=False)
    text: str = field(init=False, repr=False, compare=False)
    rank: str = field(init=False, repr=False, compare=False)
    stead: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.location))
        object.__setattr__(self, "side", f"{self.power} {self.faction}" if self.faction else self.power)
        object.__setattr__(self, "text", f"{self.mark} {self.location}")
        object.__setattr__(self, "rank", f"{self.power} {self.kind.value} {self.location} {self.faction}")
        object.__setattr__(self, "stead", f"{self.power} {self.location}")

    def __str__(self) -> str:
        return self.text

    @property
    def mark(self) -> str:
        """The letters written before its place: "A", or with a faction "CA"."""
        return mark_of(self.kind, self.faction)


def mark_of(kind: UnitKind, faction: str = "") -> str:
    return faction + kind.value


@lru_cache(maxsize=50_000)
def shared(power: str, kind: UnitKind, location: str, faction: str) -> Unit:
    """One object for all that speak of this unit, so that it is known again at a glance."""
    return Unit(power, kind, location, faction)


@lru_cache(maxsize=50_000)
def unit_of(power: str, text: str) -> Unit:
    """The unit written canonically, as in "A MUN" or "CA VIE"; ValueError for another kind of unit."""
    mark, location = text.split()
    return shared(power, UnitKind(mark[-1]), location, mark[:-1])


def forms_of(unit: Unit, board: Board) -> tuple[Unit, ...]:
    """The army that it may be, and the fleets, where it stands; no two of them in one location."""
    coasts = board.province(unit.location).coasts
    army = replace(unit, kind=UnitKind.ARMY, location=unit.province)
    return (army, *(replace(unit, kind=UnitKind.FLEET, location=coast) for coast in coasts))


def as_ordered(unit: Unit, location: str) -> Unit:
    """The unit in words: an army whose order names a coast is the fleet that the order makes of it."""
    if unit.kind is UnitKind.ARMY and "/" in location:
        return replace(unit, kind=UnitKind.FLEET, location=location)
    return unit


def may_stand(kind: UnitKind, location: str, board: Board) -> bool:
    """Can a unit of this kind be exactly there (an army on no coast, a fleet on a named one)?"""
    if kind is UnitKind.ARMY:
        return location in board.provinces and board.provinces[location].kind.takes_armies
    province = board.province(location)
    return province.kind.takes_fleets and location in board.fleet_locations(province.id)


def neighbours(kind: UnitKind, location: str, board: Board) -> frozenset[str]:
    """The adjacent locations that a unit of this kind reaches by itself."""
    if kind is UnitKind.ARMY:
        return board.army.get(province_of(location), frozenset())
    return board.fleet.get(location, frozenset())
