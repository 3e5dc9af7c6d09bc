"""Boards of DPjudge and of the package `diplomacy`: files with the suffix .map."""

import re
from pathlib import Path

from variants.commands.boards.tables import CannotRead, Tables, province_in, text_of

_USES = re.compile(r"^(USES?|MAP)\s+(\S+)\s*$", re.IGNORECASE)
Lines = list[tuple[str, str]]
"""Where a line stands, and the line."""


def lines_with_used_files(file: Path, text: str, known: set[str]) -> Lines:
    """The lines of the file, with the lines of each file that it builds on in place of the line that names it."""
    where = "Line" if len(known) == 1 else f"{file.name}, line"
    lines: Lines = []
    for number, line in enumerate(text.splitlines(), start=1):
        place = f"{where} {number}"
        used = _USES.match(line.partition("#")[0].strip())
        if not used:
            lines.append((place, line))
            continue
        name = used[2] if "." in used[2] else f"{used[2]}.map"
        other = next((each for each in file.parent.iterdir() if each.name.lower() == name.lower()), None)
        if other is None:
            raise CannotRead(f"{place}: this board builds on {name}, which must be in the same folder.")
        if name.lower() in known:
            raise CannotRead(f"{place}: {name} is used twice.")
        known.add(name.lower())
        lines += lines_with_used_files(other, text_of(other), known)
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
    tables, rest = Tables(), Lines()
    for place, line in lines:
        words = " ".join(line.partition("#")[0].split())
        if (found := _NAMED.match(words)) and not _ABUTS.match(words):
            tables.add_place(found["short"], found["name"], found["more"].split())
        elif words:
            rest.append((place, words))
    power = ""
    for place, words in rest:
        if found := _ABUTS.match(words):
            _read_borders(found, tables, place)
        else:
            power = _read_line_of_block(words, power, tables, place)
    if not any(place.army or place.fleet for place in tables.places.values()):
        raise CannotRead("There is no line like COAST BER ABUTS KIE MUN PRU.")
    tables.complete()
    return tables


def _read_line_of_block(words: str, power: str, tables: Tables, place: str) -> str:
    """Read a line of this power's block, and return the power whose block continues after it."""
    first, *more = words.split()
    match first.upper():
        case "UNOWNED" | "NEUTRAL":
            tables.centres |= {tables.find_place(centre, place, A_NAME) for centre in more if centre[0] != "-"}
            return ""
        case "OWNS" | "CENTERS" if power:
            tables.owned |= {tables.find_place(centre, place, A_NAME): power for centre in more}
        case "DUMMY" | "DUMMIES" if not more:
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
    """The power whose block begins with this line. A line that says something else is skipped."""
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
        known = [tables.find_place(home, "", A_NAME) for home in homes]
    except CannotRead:
        return None
    return known if match["adjective"] or known else None


def _read_borders(match: re.Match[str], tables: Tables, place: str) -> None:
    kind, text, near = match["kind"].upper(), match["place"], (match["near"] or "").split()
    here = tables.find_place(text, place, A_NAME)
    tables.places[here].kind = _KINDS[kind]
    if kind == "SHUT":
        tables.closed.add(here)
    by_army = text.islower() or "/" not in here
    for each in near:
        there = tables.find_place(each.lstrip("*"), place, A_NAME)
        if not each.islower() and not text.islower():
            tables.places[here].fleet.add(there)
        if by_army and not each.startswith("*"):
            tables.places[here].army.add(province_in(there))
