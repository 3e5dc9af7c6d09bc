"""The board as data: provinces, borders and coasts, checked once when the board is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

BOARD_FORMAT = 1
"""The format of board.json."""


class ProvinceKind(StrEnum):
    """The kind of a province, which decides which units can be there and which can convoy.

    An ISLAND is a sea space containing land: armies and fleets can be there, a fleet there can convoy, and an army can
    embark and land there.
    """

    LAND = "land"
    COAST = "coast"
    SEA = "sea"
    ISLAND = "island"

    @property
    def takes_armies(self) -> bool:
        return self is not ProvinceKind.SEA

    @property
    def takes_fleets(self) -> bool:
        return self is not ProvinceKind.LAND

    @property
    def is_shore(self) -> bool:
        """Can an army embark or land here?"""
        return self is ProvinceKind.COAST or self is ProvinceKind.ISLAND

    @property
    def is_water(self) -> bool:
        """Can a fleet convoy here?"""
        return self is ProvinceKind.SEA or self is ProvinceKind.ISLAND


class BoardError(ValueError):
    """A board's facts contradict each other."""


@dataclass(frozen=True, slots=True)
class Province:
    """`coasts` are location ids such as ("SPA/NC", "SPA/SC"), empty for a single coast. A province with `within` is a
    camp in that province, one of several places for units that share it. A camp's borders only lead out."""

    id: str
    name: str
    abbr: str
    kind: ProvinceKind
    centre: bool = False
    coasts: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    within: str = ""


def province_of(location: str) -> str:
    """The province of a location: "SPA" for "SPA/NC"."""
    return location[:3] if location[3:4] == "/" else location


def steps_from(starts: Iterable[str], neighbours_of: Callable[[str], Iterable[str]]) -> dict[str, int]:
    """Place -> steps to the nearest start; `neighbours_of` gives the places one step away."""
    steps = dict.fromkeys(starts, 0)
    front = list(steps)
    while front:
        beyond = []
        for here in front:
            for there in neighbours_of(here):
                if there not in steps:
                    steps[there] = steps[here] + 1
                    beyond.append(there)
        front = beyond
    return steps


def _frozen_borders(borders: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {place: frozenset(borders[place]) for place in sorted(borders)}


@dataclass(frozen=True, eq=False)
class Board:
    """Provinces by id; `army` borders by province, `fleet` borders by location. `ambiguous`: name -> the provinces that
    it could mean; such a name is not accepted.

    Borders are listed in both directions. Raises BoardError if the facts contradict each other. Boards are compared by
    identity.
    """

    provinces: Mapping[str, Province]
    army: Mapping[str, frozenset[str]]
    fleet: Mapping[str, frozenset[str]]
    ambiguous: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    centres: tuple[str, ...] = field(init=False)
    locations: tuple[str, ...] = field(init=False)
    camps: Mapping[str, tuple[str, ...]] = field(init=False)

    def __post_init__(self) -> None:
        centres = sorted(p.id for p in self.provinces.values() if p.centre)
        coasts = (coast for p in self.provinces.values() for coast in p.coasts)
        object.__setattr__(self, "centres", tuple(centres))
        object.__setattr__(self, "locations", tuple(sorted((*self.provinces, *coasts))))
        camps: dict[str, tuple[str, ...]] = {}
        for camp in self.provinces.values():
            if camp.within:
                camps[camp.within] = (*camps.get(camp.within, ()), camp.id)
        object.__setattr__(self, "camps", camps)
        self._check_places()
        for name, places in self.ambiguous.items():
            if not set(places) <= set(self.provinces):
                raise BoardError(f"The name {name} could mean a province that is not on the board.")
        self._check_borders(self.army, "army")
        self._check_borders(self.fleet, "fleet")

    def _check_places(self) -> None:
        locations = set(self.locations)
        for place in (*self.army, *self.fleet):
            if place not in locations:
                raise BoardError(f"Borders are listed for {place}, which is not on the board.")
        for place in self.army:
            if place not in self.provinces or not self.provinces[place].kind.takes_armies:
                raise BoardError(f"An army cannot be in {place}.")
        for place in self.fleet:
            if not self.province(place).kind.takes_fleets:
                raise BoardError(f"A fleet cannot be in {place}.")
            if self.province(place).coasts and place in self.provinces:
                raise BoardError(f"The fleet borders of {place} must name its coasts.")

    def _check_borders(self, borders: Mapping[str, frozenset[str]], kind: str) -> None:
        for here, places in borders.items():
            one_way = self.province(here).within
            for there in places:
                if one_way and self.province(there).within:
                    raise BoardError(f"The {kind} border {here}-{there} joins two camps.")
                if not one_way and here not in borders.get(there, ()):
                    raise BoardError(f"The {kind} border {here}-{there} is listed one way only.")

    def province(self, location: str) -> Province:
        """The province of a location; raises KeyError if there is none."""
        return self.provinces[province_of(location)]

    def around(self, location: str) -> str:
        """The province in which players see a unit at this location: for a camp, the province around it."""
        province = self.province(location)
        return province.within or province.id

    def name(self, location: str) -> str:
        """The name for display: "Spain (nc)"."""
        name = self.province(location).name
        return f"{name} ({location[4:].lower()})" if location not in self.provinces else name

    def fleet_locations(self, province: str) -> tuple[str, ...]:
        """The locations for a fleet in the province: its coasts, or the province itself."""
        return self.provinces[province].coasts or (province,)

    @classmethod
    def from_json(cls, facts: Mapping[str, Any]) -> Board:
        """A board from `{"format": 1, "provinces": {ID: {name, abbr, kind, centre, coasts, aliases}}, "army": {ID:
        [ID]}, "fleet": {LOCATION: [LOCATION]}}`, with `"ambiguous": {NAME: [ID]}` if there are such names."""
        if facts["format"] != BOARD_FORMAT:
            raise BoardError(f"Unknown board format {facts['format']!r}.")
        provinces = {
            key: Province(
                id=key,
                name=province["name"],
                abbr=province["abbr"],
                kind=ProvinceKind(province["kind"]),
                centre=province.get("centre", False),
                coasts=tuple(province.get("coasts", ())),
                aliases=tuple(province.get("aliases", ())),
                within=province.get("within", ""),
            )
            for key, province in sorted(facts["provinces"].items())
        }
        ambiguous = {name: tuple(sorted(ids)) for name, ids in facts.get("ambiguous", {}).items()}
        return cls(provinces, _frozen_borders(facts["army"]), _frozen_borders(facts["fleet"]), ambiguous)
