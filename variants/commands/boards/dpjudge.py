"""Boards of DPjudge and of the package `diplomacy`: files with the suffix .map."""

import re
from pathlib import Path

from variants.commands.boards.tables import READ, CannotRead, Tables, province_in, text_of

_USES = re.compile(r"^(USES?|MAP)\s+(\S+)\s*$", re.IGNORECASE)
Lines = list[tuple[str, str]]
"""Where a line stands, and the line."""


def lines_with_used_files(file: Path, text: str, file_names: set[str]) -> Lines:
    """The lines of the file, with the lines of each file that it builds on in place of the line that names it."""
    where = "Line" if len(file_names) == 1 else f"{file.name}, line"
    lines: Lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        place = f"{where} {number}"
        match = _USES.match(line.partition("#")[0].strip())
        if not match:
            lines.append((place, line))
            continue
        name = match[2] if "." in match[2] else f"{match[2]}.map"
        other = next((each for each in file.parent.iterdir() if each.name.lower() == name.lower()), None)
        if other is None:
            raise CannotRead(f"{place}: this board builds on {name}, which must be in the same folder.")
        if name.lower() in file_names:
            raise CannotRead(f"{place}: {name} is used twice.")
        file_names.add(name.lower())
        lines += lines_with_used_files(other, text_of(other), file_names)
    return lines


_NAMED = re.compile(r"^(?P<name>[^=]+?)\s*=\s*(?P<short>\S+)(?P<more>.*)$")
_ABUTS = re.compile(
    r"^(?P<kind>COAST|LAND|WATER|PORT|SHUT)\s+(?P<place>\S+)(?:\s+ABUTS\s*(?P<near>.*))?$", re.IGNORECASE
)
_POWER = re.compile(r"^(?P<power>[^\s()]+)(?P<adjective>\s+\([^)]*\))?(?P<homes>(?:\s+\S+)*)$")
_KINDS = {"COAST": "coast", "PORT": "coast", "LAND": "land", "WATER": "sea", "SHUT": "land"}
_ELSEWHERE = ("RULE", "RULES", "FLOW", "SEASON", "YEAR", "DIR", "LEAGUE", "HOST", "NOTE")
"""What says nothing of the board."""
A_NAME = "a line like “Berlin = ber”"


def from_dpjudge(lines: Lines) -> Tables:
    """The board in these lines. Neighbours in lower case are for armies only, starred ones for fleets only; a place in
    lower case lists an army's ways out of a province with several coasts. A name may be anywhere. Raises CannotRead."""
    tables, other_lines = Tables(), Lines()
    for place, line in lines:
        words = " ".join(line.partition("#")[0].split())
        if (match := _NAMED.match(words)) and not _ABUTS.match(words):
            tables.add_place(match["short"], match["name"], match["more"].split())
        elif words:
            other_lines.append((place, words))
    power = ""
    for place, words in other_lines:
        if match := _ABUTS.match(words):
            _read_borders(match, tables, place)
        else:
            power = _read_line_of_block(words, power, tables, place)
    if not any(place.army or place.fleet for place in tables.places.values()):
        raise CannotRead(f"There is no line like COAST BER ABUTS KIE MUN PRU. What is read: {READ}.")
    tables.complete()
    return tables


def _read_line_of_block(words: str, power: str, tables: Tables, place: str) -> str:
    """Read a line of this power's block, and return the power whose block continues after it."""
    first, *entries = words.split()
    match first.upper():
        case "UNOWNED" | "NEUTRAL":
            tables.centres |= {tables.find_place(centre, place, A_NAME) for centre in entries if centre[0] != "-"}
            return ""
        case "OWNS" | "CENTERS" if power:
            tables.owners |= {tables.find_place(centre, place, A_NAME): power for centre in entries}
        case "DUMMY" | "DUMMIES" if not entries:
            tables.dummies.add(power)
        case word if word in _ELSEWHERE or _read_line_of_start(words, power, tables, place):
            pass
        case _:
            return _begin_block(words, power, tables, place)
    return power


def _read_line_of_start(words: str, power: str, tables: Tables, place: str) -> bool:
    """Read a line about the start of the game; False for any other line."""
    match words.upper().split():
        case ["A" | "F" as kind, there]:
            tables.place_unit(power, kind, tables.find_place(there, place, A_NAME))
        case ["UNITS"] if power:
            tables.units.pop(power, None)
        case ["BEGIN", *_]:
            tables.set_first_turn(words.partition(" ")[2], place)
        case ["VICTORY", goal] if goal.isdecimal():
            tables.set_centres_to_win(goal)
        case _:
            return False
    return True


def _begin_block(words: str, power: str, tables: Tables, place: str) -> str:
    """Note the homes of the power whose block begins here, and return that power. Any other line is left out."""
    match = _POWER.match(words)
    homes = _homes_in(match, tables) if match else None
    if not match or homes is None:
        tables.left_out.append(f"{place} was left out: {words[:60]}")
        return power
    power = match["power"].strip("_").replace("_", " ").title()
    tables.blocks[power] = homes
    return power


def _homes_in(match: re.Match[str], tables: Tables) -> list[str] | None:
    """The homes that a line gives to a power; None if it is another kind of line."""
    homes = [home for home in match["homes"].split() if home[0] not in "&-"]
    try:
        ids = [tables.find_place(home, "", A_NAME) for home in homes]
    except CannotRead:
        return None
    return ids if match["adjective"] or ids else None


def _read_borders(match: re.Match[str], tables: Tables, place: str) -> None:
    kind, text, neighbours = match["kind"].upper(), match["place"], (match["near"] or "").split()
    here = tables.find_place(text, place, A_NAME)
    tables.places[here].kind = _KINDS[kind]
    if kind == "SHUT":
        tables.impassable.add(here)
    by_army = text.islower() or "/" not in here
    for each in neighbours:
        there = tables.find_place(each.lstrip("*"), place, A_NAME)
        if not each.islower() and not text.islower():
            tables.places[here].fleet.add(there)
        if by_army and not each.startswith("*"):
            tables.places[here].army.add(province_in(there))
