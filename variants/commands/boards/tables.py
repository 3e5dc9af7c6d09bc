"""The tables of another program's board, as far as they are read."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from adjudication.turns import Turn

READ = "DPjudge’s .map, jDip’s .xml, or a .csv with the columns short,name,kind,army,fleet"


class CannotRead(ValueError):
    """This is not a board; the message says which line or element is wrong, and what is expected."""


@dataclass(slots=True)
class BoardPlace:
    """`kind`: "land", "coast" or "sea"; `army` and `fleet`: the places that it borders, as "Spa/nc"."""

    name: str
    kind: str = "land"
    aliases: list[str] = field(default_factory=list)
    army: set[str] = field(default_factory=set)
    fleet: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Tables:
    """`places`: abbreviation -> place, with coasts as "Spa/nc". `homes`, `owners`: province -> power; `centres` include
    those without an owner. `minors`: provinces of powers that nobody plays. `impassable`: provinces no unit enters.
    `blocks`: power -> its homes. `units`: power, or "" -> its units at the start, as in "F STP/SC". `start`: more for
    variant.toml. `left_out`: a sentence for each thing that can't be converted. `names`: name -> place."""

    places: dict[str, BoardPlace] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    centres: set[str] = field(default_factory=set)
    minors: list[str] = field(default_factory=list)
    impassable: set[str] = field(default_factory=set)
    blocks: dict[str, list[str]] = field(default_factory=dict)
    units: dict[str, list[str]] = field(default_factory=dict)
    start: list[str] = field(default_factory=list)
    dummies: set[str] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def add_place(self, text: str, name: str, aliases: Iterable[str] = ()) -> str:
        """Add a place, which may be called by any of its names, and return its abbreviation."""
        abbr = short_name(text)
        self.places[abbr] = BoardPlace(name, aliases=[alias for alias in aliases if alias])
        for each in (name, *self.places[abbr].aliases):
            self.names.setdefault(short_name(each), abbr)
        return abbr

    def find_place(self, text: str, place: str, expected: str) -> str:
        """The abbreviation of the place with this name in a file. Raises CannotRead."""
        abbr = short_name(text)
        if abbr in self.places:
            return abbr
        province, _, coast = abbr.partition("/")
        whole = self.names.get(abbr) or f"{self.names.get(province, province)}/{coast}"
        if whole not in self.places:
            raise CannotRead(f"{place}: {text} has no name; it needs {expected}.")
        return whole

    def place_unit(self, power: str, kind: str, place: str) -> None:
        """Put a unit in a place. It replaces any other unit there."""
        for units in self.units.values():
            units[:] = [unit for unit in units if province_in(unit[2:]) != province_in(place.upper())]
        self.units.setdefault(power, []).append(f"{kind[0].upper()} {place.upper()}")

    def set_first_turn(self, words: str, place: str) -> None:
        """Note the first turn, as in "Spring, 1901, Movement"."""
        season, year, kind = ([*re.split(r"[,\s]+", words.strip().upper()), "", ""])[:3]
        try:
            turn = Turn.from_code(f"{season[:1]}{year}{kind[:1]}")
        except ValueError:
            self.left_out.append(f"{place} was left out: it begins in {words}.")
        else:
            self.start.append(f'first_turn = "{turn.code}"')

    def set_centres_to_win(self, centres: str) -> None:
        self.start.append(f"centres = {centres} under [victory]")

    def complete(self) -> None:
        """Add what only the whole file shows: the last homes of each power, minor powers, and impassable provinces."""
        self.homes = {home: power for power, homes in self.blocks.items() for home in homes}
        self.minors = [centre for centre, owner in self.owners.items() if owner in self.dummies]
        for abbr in sorted(self.impassable):
            self.left_out.append(f"{self.places.pop(abbr).name} is impassable, so it is no space.")
        for place in self.places.values():
            place.army = {there for there in place.army if there not in self.impassable}
            place.fleet = {there for there in place.fleet if there not in self.impassable}


def short_name(text: str) -> str:
    province, slash, coast = text.strip().partition("/")
    return province.capitalize() + slash + coast.lower()


def province_in(abbr: str) -> str:
    return abbr.partition("/")[0]


def text_of(file: Path) -> str:
    """The text of a file in UTF-8, or otherwise in Latin-1, which older programs write."""
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
