"""`python -m variants bring`: the tables of a board that another program knows, as the beginning of a facts.yaml.

It reads DPjudge's .map files, jDip's XML, and a plain table of borders (.csv). What these cannot tell (towns, old
frontiers, sea lines) is left to you.
"""

import csv
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree as ET


class CannotRead(ValueError):
    """Not a board; the message says which line or element is wrong, and what is expected."""


@dataclass(slots=True)
class Place:
    """`kind`: "land", "coast" or "sea"; `army` and `fleet`: the places that it borders, as "Spa/nc"."""

    name: str
    kind: str = "land"
    aliases: list[str] = field(default_factory=list)
    army: set[str] = field(default_factory=set)
    fleet: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Tables:
    """`places`: abbreviation -> place, with coasts as "Spa/nc". `homes`, `owned`: province -> power; `centres`: those
    that no one owns, too. `minors`: provinces of powers that no one plays. `closed`: provinces that no unit enters.
    `blocks`: power -> its homes. `left_out`: a sentence for each thing that is not brought. `names`: name -> place."""

    places: dict[str, Place] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    owned: dict[str, str] = field(default_factory=dict)
    centres: set[str] = field(default_factory=set)
    minors: list[str] = field(default_factory=list)
    closed: set[str] = field(default_factory=set)
    blocks: dict[str, list[str]] = field(default_factory=dict)
    dummies: set[str] = field(default_factory=set)
    left_out: list[str] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)

    def add(self, text: str, name: str, aliases: Iterable[str] = ()) -> str:
        """A place by its abbreviation, which may be called by any of its names; the abbreviation."""
        short = _short(text)
        self.places[short] = Place(name, aliases=[alias for alias in aliases if alias])
        for called in (name, *self.places[short].aliases):
            self.names.setdefault(_short(called), short)
        return short

    def find(self, text: str, place: str, expected: str) -> str:
        """The abbreviation of what a file calls so. Raises CannotRead."""
        called = _short(text)
        if called in self.places:
            return called
        province, _, coast = called.partition("/")
        whole = self.names.get(called) or f"{self.names.get(province, province)}/{coast}"
        if whole not in self.places:
            raise CannotRead(f"{place}: {text} has no name; it needs {expected}.")
        return whole

    def close(self) -> None:
        """Take in what only the whole file says: the last homes of each power, minor powers, and what is impassable."""
        self.homes = {home: power for power, homes in self.blocks.items() for home in homes}
        self.minors = [centre for centre, owner in self.owned.items() if owner in self.dummies]
        for short in sorted(self.closed):
            self.left_out.append(f"{self.places.pop(short).name} is impassable, so it is no space.")
        for place in self.places.values():
            place.army = {there for there in place.army if there not in self.closed}
            place.fleet = {there for there in place.fleet if there not in self.closed}


def read_board(file: Path) -> Tables:
    """From a file of one of the known kinds, by its suffix. Raises CannotRead."""
    try:
        text = _text(file)
        if file.suffix.lower() == ".xml":
            tables = from_jdip(text)
            beside = file.with_name("variants.xml")
            if beside != file and beside.exists():
                _owners_in(_xml(_text(beside)), file.name, tables)
        elif file.suffix.lower() == ".csv":
            tables = from_table(text)
        else:
            tables = from_dpjudge(_with_used(file, text, {file.name.lower()}))
    except (OSError, ValueError) as error:
        raise CannotRead(f"{file}: {error}") from error
    return tables


def _text(file: Path) -> str:
    """In UTF-8, or else in Latin-1, which older programs write."""
    content = file.read_bytes()
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


_USES = re.compile(r"^(USES?|MAP)\s+(\S+)\s*$", re.IGNORECASE)
Lines = list[tuple[str, str]]
"""Where a line stands, and the line."""


def _with_used(file: Path, text: str, known: set[str]) -> Lines:
    """The lines of the file, and those of the files that it builds on in place of the lines that name them."""
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
        lines += _with_used(other, _text(other), known)
    return lines


_NAMED = re.compile(r"^(?P<name>[^=]+?)\s*=\s*(?P<short>\S+)(?P<more>.*)$")
_ABUTS = re.compile(
    r"^(?P<kind>COAST|LAND|WATER|PORT|SHUT)\s+(?P<place>\S+)(?:\s+ABUTS\s*(?P<near>.*))?$", re.IGNORECASE
)
_POWER = re.compile(r"^(?P<power>[^\s()]+)(?P<adjective>\s+\([^)]*\))?(?P<homes>(?:\s+\S+)*)$")
_UNIT = re.compile(r"^[AF]\s+\S+$", re.IGNORECASE)
_KINDS = {"COAST": "coast", "PORT": "coast", "LAND": "land", "WATER": "sea", "SHUT": "land"}
_ELSEWHERE = ("BEGIN", "VICTORY", "RULE", "RULES", "FLOW", "SEASON", "YEAR", "DIR", "LEAGUE", "HOST", "NOTE")
"""What says nothing of the board."""
A_NAME = "a line like “Berlin = ber”"


def from_dpjudge(lines: Lines) -> Tables:
    """Lower-case neighbours are for armies only, starred ones for fleets only; a lower-case place names the ways of
    armies out of a province with several coasts. A name may stand anywhere. Raises CannotRead."""
    tables, rest = Tables(), Lines()
    for place, line in lines:
        words = " ".join(line.partition("#")[0].split())
        if (found := _NAMED.match(words)) and not _ABUTS.match(words):
            tables.add(found["short"], found["name"], found["more"].split())
        elif words:
            rest.append((place, words))
    power = ""
    for place, words in rest:
        if found := _ABUTS.match(words):
            _abuts(found, tables, place)
        else:
            power = _of_power(words, power, tables, place)
    if not any(place.army or place.fleet for place in tables.places.values()):
        raise CannotRead("There is no line like COAST BER ABUTS KIE MUN PRU.")
    tables.close()
    return tables


def _of_power(words: str, power: str, tables: Tables, place: str) -> str:
    """Take in a line of the block of this power; the power whose block goes on."""
    first, *more = words.split()
    match first.upper():
        case "UNOWNED" | "NEUTRAL":
            tables.centres |= {tables.find(centre, place, A_NAME) for centre in more if centre[0] != "-"}
            return ""
        case "OWNS" | "CENTERS" if power:
            tables.owned |= {tables.find(centre, place, A_NAME): power for centre in more}
        case "DUMMY" | "DUMMIES" if not more:
            tables.dummies.add(power)
        case word if word in _ELSEWHERE or _UNIT.match(words):
            pass
        case _:
            return _block_of(words, power, tables, place)
    return power


def _block_of(words: str, power: str, tables: Tables, place: str) -> str:
    """The power whose block begins with this line; a line that says something else is left out."""
    found = _POWER.match(words)
    homes = _homes_in(found, tables) if found else None
    if not found or homes is None:
        tables.left_out.append(f"{place} was left out: {words[:60]}")
        return power
    power = found["power"].strip("_").replace("_", " ").title()
    tables.blocks[power] = homes
    return power


def _homes_in(found: re.Match[str], tables: Tables) -> list[str] | None:
    """The homes that a line gives a power; None if it is no such line."""
    homes = [home for home in found["homes"].split() if home[0] not in "&-"]
    try:
        known = [tables.find(home, "", A_NAME) for home in homes]
    except CannotRead:
        return None
    return known if found["adjective"] or known else None


def _abuts(found: re.Match[str], tables: Tables, place: str) -> None:
    kind, text, near = found["kind"].upper(), found["place"], (found["near"] or "").split()
    here = tables.find(text, place, A_NAME)
    tables.places[here].kind = _KINDS[kind]
    if kind == "SHUT":
        tables.closed.add(here)
    by_army = text.islower() or "/" not in here
    for each in near:
        there = tables.find(each.lstrip("*"), place, A_NAME)
        if not each.islower() and not text.islower():
            tables.places[here].fleet.add(there)
        if by_army and not each.startswith("*"):
            tables.places[here].army.add(_province(there))


def _short(text: str) -> str:
    province, slash, coast = text.strip().partition("/")
    return province.capitalize() + slash + coast.lower()


def _province(short: str) -> str:
    return short.partition("/")[0]


A_PROVINCE = "an element PROVINCE, or a UNIQUENAME in one"


def from_jdip(text: str) -> Tables:
    """Raises CannotRead."""
    root, tables = _xml(text), Tables()
    elements = [*root.iter("PROVINCE")]
    for element in elements:
        _named(element, tables)
    for element in elements:
        here = _short(element.get("shortname", ""))
        for ways in element.iter("ADJACENCY"):
            _ways(here, ways, tables)
        if element.get("borders"):
            tables.left_out.append(f"{tables.places[here].name}: its borders have rules ({element.get('borders')}).")
    for border in root.iter("BORDER"):
        tables.left_out.append(f"The rule {border.get('id')} was left out: {border.get('description')}.")
    if not any(place.army or place.fleet for place in tables.places.values()):
        raise CannotRead("There is no element PROVINCE with an ADJACENCY.")
    return tables


def _named(element: ET.Element, tables: Tables) -> None:
    aliases = [alias.get("name", "") for alias in element.iter("UNIQUENAME")]
    short = element.get("shortname", "")
    here = tables.add(short, element.get("fullname", short), aliases)
    kinds = [ways.get("type", "mv") for ways in element.iter("ADJACENCY")]
    for coast in kinds:
        if coast not in ("mv", "xc"):
            tables.add(f"{here}/{coast}", f"{tables.places[here].name} ({coast})")
    ashore = "coast" if {*kinds} - {"mv"} else "land"
    tables.places[here].kind = "sea" if {*kinds} == {"xc"} else ashore


def _xml(text: str) -> ET.Element:
    try:
        return ET.fromstring(text)  # noqa: S314 - a file of the designer's own
    except ET.ParseError as error:
        raise CannotRead(f"This is not XML: {error}.") from error


def _ways(here: str, ways: ET.Element, tables: Tables) -> None:
    """An island names itself as the place that its armies border."""
    kind, place = ways.get("type", "mv"), tables.places[here]
    refs = [re.sub("-(?=[nsew]c$)", "/", ref) for ref in ways.get("refs", "").split()]
    near = {tables.find(ref, f"PROVINCE {here.lower()}", A_PROVINCE) for ref in refs} - {here}
    if kind == "mv":
        place.army |= {_province(there) for there in near}
    elif kind == "xc":
        place.fleet |= near
    else:
        tables.places[f"{here}/{kind}"].kind = "coast"
        tables.places[f"{here}/{kind}"].fleet |= near


def _owners_in(root: ET.Element, adjacency: str, tables: Tables) -> None:
    """The centres of the first variant on this board, as a file variants.xml beside it gives them."""
    for variant in root.iter("VARIANT"):
        if any(each.get("adjacencyURI") == adjacency for each in variant.iter("MAP")):
            powers = {power.get("name", "").lower(): power.get("name", "") for power in variant.iter("POWER")}
            for centre in variant.iter("SUPPLYCENTER"):
                here = tables.find(centre.get("province", ""), "variants.xml", A_PROVINCE)
                tables.centres.add(here)
                for key, table in (("homepower", tables.homes), ("owner", tables.owned)):
                    if (power := powers.get(centre.get(key, "none").lower())) is not None:
                        table[here] = power
            return


COLUMNS = ("short", "name", "kind", "army", "fleet")


def from_table(text: str) -> Tables:
    """A row for each province or coast: `short`, `name`, `kind` (land, coast or sea), and what it borders for armies
    and for fleets, with spaces between; columns are parted by commas or semicolons. A border may be given from one
    side. Raises CannotRead."""
    lines = text.splitlines()
    sign = ";" if lines and ";" in lines[0] else ","
    rows = csv.DictReader(lines, skipinitialspace=True, delimiter=sign)
    if tuple(name.strip().lower() for name in rows.fieldnames or ()) != COLUMNS:
        raise CannotRead(f"Line 1: the columns must be {','.join(COLUMNS)}.")
    rows.fieldnames = COLUMNS
    tables, borders = Tables(), list[tuple[int, str, str, str]]()
    for row in rows:
        short, name, kind = ((row[column] or "").strip() for column in COLUMNS[:3])
        near = {by: (row[by] or "").split() for by in COLUMNS[3:]}
        if kind not in ("land", "coast", "sea"):
            raise CannotRead(f"Line {rows.line_num}: {short} is land, coast or sea, not “{kind}”.")
        here = tables.add(short, name)
        tables.places[here].kind = kind
        borders += [(rows.line_num, by, here, each) for by in ("army", "fleet") for each in near[by]]
    for line, by, here, each in borders:
        try:
            there = tables.find(each, "", "")
        except CannotRead as error:
            raise CannotRead(f"Line {line}: {here} borders {each}, which has no row.") from error
        getattr(tables.places[here], by).add(there)
        getattr(tables.places[there], by).add(here)
    return tables


def facts_of(tables: Tables) -> str:
    """The beginning of a facts.yaml: spaces, borders and aliases, and in remarks what belongs in variant.toml."""
    return "\n".join(
        [
            *_homes(tables),
            *(f"# {' '.join(sentence.split())}" for sentence in (*tables.left_out, *_one_way(tables))),
            "spaces:",
            *_spaces(tables),
            "army: |",
            *_table(tables, by_sea=False),
            "fleet: |",
            *_table(tables, by_sea=True),
            "aliases:",
            *_aliases(tables),
            "",
        ]
    )


def _homes(tables: Tables) -> Iterator[str]:
    for power in dict.fromkeys(tables.homes.values()):
        homes = ", ".join(f'"{place.upper()}"' for place, whose in tables.homes.items() if whose == power)
        yield f"# For variant.toml: {power} has homes = [{homes}]."


def _provinces(tables: Tables) -> list[str]:
    return [short for short in tables.places if "/" not in short]


def _coasts(tables: Tables) -> dict[str, list[str]]:
    """Province -> its coasts, as in "nc"."""
    found: dict[str, list[str]] = {}
    for province, slash, coast in (each.partition("/") for each in tables.places):
        if slash:
            found.setdefault(province, []).append(coast)
    return found


def _key(short: str, tables: Tables) -> str:
    place = tables.places[_province(short)]
    return short.upper() if place.kind == "sea" else short


def _spaces(tables: Tables) -> Iterator[str]:
    all_coasts = _coasts(tables)
    for short in _provinces(tables):
        place = tables.places[short]
        entries = [f"name: {_scalar(place.name)}"]
        if place.kind == "sea":
            entries += ["sea: 1", "sites: []"]
        elif short in tables.homes:
            entries += ["sc: 1", "in: []", "sites: []"]
        else:
            centre = ["sc: 1"] if short in tables.owned or short in tables.centres else []
            owner = (
                [f"owner: {_scalar(tables.owned[short])}"]
                if short in tables.owned and short not in tables.minors
                else []
            )
            entries += [*centre, *owner, "in: []", "sites: []"]
        coasts = ", ".join(f"{coast}: []" for coast in all_coasts.get(short, ()))
        entries += [f"coasts: {{{coasts}}}"] if coasts else []
        yield f"  {_scalar(_key(short, tables))}: {{{', '.join(entries)}}}"


def _table(tables: Tables, *, by_sea: bool) -> Iterator[str]:
    """Each border once, from the place that comes first."""
    split = {_province(short) for short in tables.places if "/" in short}
    done: set[frozenset[str]] = set()
    for here in sorted(tables.places, key=lambda short: _key(short, tables)):
        near = tables.places[here].fleet if by_sea else tables.places[here].army
        if not _is_kept(here, tables, split, by_sea=by_sea):
            continue
        new = [
            there
            for there in sorted(near)
            if frozenset((here, there)) not in done and _is_kept(there, tables, split, by_sea=by_sea)
        ]
        done |= {frozenset((here, there)) for there in new}
        if new:
            yield f"  {_key(here, tables)}: {' '.join(_key(there, tables) for there in new)}"


def _one_way(tables: Tables) -> Iterator[str]:
    split = {_province(short) for short in tables.places if "/" in short}
    for here, place in tables.places.items():
        for units, near in (("armies", place.army), ("fleets", place.fleet)):
            for there in sorted(near):
                other = tables.places[there]
                back, by_sea = (other.fleet, True) if units == "fleets" else (other.army, False)
                if here not in back and all(_is_kept(it, tables, split, by_sea=by_sea) for it in (here, there)):
                    yield (
                        f"{place.name} borders {other.name} for {units}, but not the other way round; a border has no "
                        "direction here."
                    )


def _is_kept(there: str, tables: Tables, split: set[str], *, by_sea: bool) -> bool:
    if by_sea:
        return there not in split and tables.places[there].kind != "land"
    return tables.places[there].kind != "sea"


def _aliases(tables: Tables) -> Iterator[str]:
    for short in _provinces(tables):
        if tables.places[short].aliases:
            yield f"  {_scalar(_key(short, tables))}: [{', '.join(map(_scalar, tables.places[short].aliases))}]"


_PLAIN = re.compile(r"[A-Za-z][A-Za-z '/().-]*[A-Za-z).]|[A-Za-z]")
_OTHERWISE = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
"""Words that YAML takes for something else than text."""


def _scalar(text: str) -> str:
    """The text as YAML reads it."""
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _OTHERWISE
    return text if is_plain else json.dumps(text, ensure_ascii=False)
