"""Units, and the places that each kind may enter."""

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


@dataclass(frozen=True, slots=True, order=True)
class Unit:
    """`faction` is a letter, or "" if the power has no factions; the other attributes follow from the fields. `side` is
    the power or faction that the unit fights for; units of one side do not harm each other. `text` is its notation, as
    in "A MUN" or "CA VIE". Sorting by `rank` sorts by the fields; sorting by `power_and_place`, by power and
    location."""

    power: str
    kind: UnitKind
    location: str
    faction: str = ""
    province: str = field(init=False, repr=False, compare=False)
    side: str = field(init=False, repr=False, compare=False)
    text: str = field(init=False, repr=False, compare=False)
    rank: str = field(init=False, repr=False, compare=False)
    power_and_place: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "province", province_of(self.location))
        object.__setattr__(self, "side", f"{self.power} {self.faction}" if self.faction else self.power)
        object.__setattr__(self, "text", f"{self.mark} {self.location}")
        object.__setattr__(self, "rank", f"{self.power} {self.kind.value} {self.location} {self.faction}")
        object.__setattr__(self, "power_and_place", f"{self.power} {self.location}")

    def __str__(self) -> str:
        return self.text

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle only the fields, without the attributes that follow from them, so that positions are stored small."""
        return shared_unit, (self.power, self.kind, self.location, self.faction)

    @property
    def mark(self) -> str:
        """The letters before the unit's place: "A", or "CA" with a faction."""
        return mark_of(self.kind, self.faction)


def mark_of(kind: UnitKind, faction: str = "") -> str:
    return faction + kind.value


@lru_cache(maxsize=50_000)
def shared_unit(power: str, kind: UnitKind, location: str, faction: str) -> Unit:
    """The one shared object for this unit, so that comparing identities is usually enough."""
    return Unit(power, kind, location, faction)


@lru_cache(maxsize=50_000)
def unit_from_text(power: str, text: str) -> Unit:
    """The unit from its canonical text, as in "A MUN" or "CA VIE"; raises ValueError for an unknown kind of unit."""
    mark, location = text.split()
    return shared_unit(power, UnitKind(mark[-1]), location, mark[:-1])


def forms_of(unit: Unit, board: Board) -> tuple[Unit, ...]:
    """The army and the fleets that the unit may become where it is, at most one for each location."""
    coasts = board.province(unit.location).coasts
    army = replace(unit, kind=UnitKind.ARMY, location=unit.province)
    return (army, *(replace(unit, kind=UnitKind.FLEET, location=coast) for coast in coasts))


def unit_as_ordered(unit: Unit, location: str) -> Unit:
    """The unit as its order describes it: an army whose order names a coast becomes the fleet there."""
    if unit.kind is UnitKind.ARMY and "/" in location:
        return replace(unit, kind=UnitKind.FLEET, location=location)
    return unit


def may_stand(kind: UnitKind, location: str, board: Board) -> bool:
    """Can a unit of this kind be at this exact location (an army on no coast, a fleet on a named one if any)?"""
    if kind is UnitKind.ARMY:
        return location in board.provinces and board.provinces[location].kind.takes_armies
    province = board.province(location)
    return province.kind.takes_fleets and location in board.fleet_locations(province.id)


def neighbours(kind: UnitKind, location: str, board: Board) -> frozenset[str]:
    """The adjacent locations that a unit of this kind reaches by itself."""
    if kind is UnitKind.ARMY:
        return board.army.get(province_of(location), frozenset())
    return board.fleet.get(location, frozenset())
