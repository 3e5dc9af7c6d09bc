"""`python -m variants bring`: the tables of a board that another program knows, as the beginning of a facts.yaml.

It reads DPjudge's .map files, jDip's XML, and a plain table of borders (.csv). What these cannot tell (towns, old
frontiers, sea lines) is left to you.
"""

import csv
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
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
    """`places`: abbreviation -> place, with coasts as "Spa/nc". `homes`, `owned`: province -> power. `minors`:
    provinces of powers that no one plays."""

    places: dict[str, Place] = field(default_factory=dict)
    homes: dict[str, str] = field(default_factory=dict)
    owned: dict[str, str] = field(default_factory=dict)
    minors: list[str] = field(default_factory=list)


_NAMED = re.compile(r"^(?P<name>[^=]+?)\s*=\s*(?P<short>\S+)(?P<more>.*)$")
_ABUTS = re.compile(r"^(?P<kind>COAST|LAND|WATER|PORT|SHUT)\s+(?P<place>\S+)\s+ABUTS\s*(?P<near>.*)$", re.IGNORECASE)
_POWER = re.compile(r"^(?P<power>_?[A-Z][A-Z_+-]*)\s+\([^)]*\)\s*(?P<homes>.*)$")
_KINDS = {"COAST": "coast", "PORT": "coast", "LAND": "land", "WATER": "sea", "SHUT": "land"}


def from_dpjudge(text: str) -> Tables:
    """Lower-case neighbours are for armies only; a lower-case place names the ways of armies out of a province with
    several coasts. Raises CannotRead."""
    tables, power, dummies = Tables(), "", set[str]()
    for number, line in enumerate(text.splitlines(), start=1):
        words = " ".join(line.partition("#")[0].split())
        if found := _ABUTS.match(words):
            _abuts(found["kind"], found["place"], found["near"].split(), tables, number)
        elif found := _NAMED.match(words):
            tables.places[_short(found["short"])] = Place(found["name"], aliases=found["more"].split())
        elif found := _POWER.match(words):
            power = found["power"].strip("_").capitalize()
            tables.homes |= {_short(home): power for home in found["homes"].split() if home[0] != "&"}
        elif words.startswith("OWNS") and power:
            tables.owned |= {_short(centre): power for centre in words.split()[1:]}
        elif words == "DUMMY":
            dummies.add(power)
    tables.minors = [centre for centre, owner in tables.owned.items() if owner in dummies]
    if not any(place.army or place.fleet for place in tables.places.values()):
        raise CannotRead("There is no line like COAST BER ABUTS KIE MUN PRU.")
    return tables


def _abuts(kind: str, place: str, near: Iterable[str], tables: Tables, number: int) -> None:
    here = _short(place)
    if here not in tables.places:
        raise CannotRead(f"Line {number}: {place} has no name; it needs a line like “Berlin = ber”.")
    for there in near:
        if _short(there) not in tables.places:
            raise CannotRead(f"Line {number}: {there} has no name; it needs a line like “Berlin = ber”.")
    tables.places[here].kind = _KINDS[kind.upper()]
    by_army = place.islower() or "/" not in place
    tables.places[here].fleet |= {_short(there) for there in near if not there.islower() and not place.islower()}
    tables.places[here].army |= {_short(there)[:3] for there in near} if by_army else set()


def _short(text: str) -> str:
    province, slash, coast = text.partition("/")
    return province.capitalize() + slash + coast.lower()


def from_jdip(text: str) -> Tables:
    """Raises CannotRead."""
    try:
        root = ET.fromstring(text)  # noqa: S314 - a file of the designer's own
    except ET.ParseError as error:
        raise CannotRead(f"This is not XML: {error}.") from error
    tables = Tables()
    for element in root.iter("PROVINCE"):
        here = _short(element.get("shortname", ""))
        aliases = [alias.get("name", "") for alias in element.iter("UNIQUENAME")]
        tables.places[here] = Place(element.get("fullname", here), aliases=aliases)
        for ways in element.iter("ADJACENCY"):
            _ways(here, ways.get("type", ""), ways.get("refs", "").split(), tables)
    coasts = _coasts(tables)
    for here in _provinces(tables):
        place = tables.places[here]
        place.kind = "sea" if not place.army else "coast" if place.fleet or here in coasts else "land"
    if not tables.places:
        raise CannotRead("There is no element PROVINCE with an ADJACENCY.")
    return tables


def _ways(here: str, kind: str, refs: list[str], tables: Tables) -> None:
    near = {_short(re.sub("-", "/", ref)) for ref in refs}
    if kind == "mv":
        tables.places[here].army |= {there[:3] for there in near}
    elif kind == "xc":
        tables.places[here].fleet |= near
    else:
        coast = f"{here}/{kind}"
        tables.places.setdefault(coast, Place(f"{tables.places[here].name} ({kind})", "coast")).fleet |= near


COLUMNS = ("short", "name", "kind", "army", "fleet")


def from_table(text: str) -> Tables:
    """A row for each province or coast: `short`, `name`, `kind` (land, coast or sea), and what it borders for armies
    and for fleets, with spaces between. A border may be given from one side. Raises CannotRead."""
    rows = csv.DictReader(text.splitlines(), skipinitialspace=True)
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise CannotRead(f"Line 1: the columns must be {','.join(COLUMNS)}.")
    tables, borders = Tables(), list[tuple[int, str, str, str]]()
    for row in rows:
        short, name, kind = ((row[column] or "").strip() for column in COLUMNS[:3])
        near = {by: (row[by] or "").split() for by in COLUMNS[3:]}
        if kind not in ("land", "coast", "sea"):
            raise CannotRead(f"Line {rows.line_num}: {short} is land, coast or sea, not “{kind}”.")
        tables.places[_short(short)] = Place(name, kind)
        borders += [(rows.line_num, by, _short(short), _short(each)) for by in ("army", "fleet") for each in near[by]]
    for line, by, here, there in borders:
        if there not in tables.places:
            raise CannotRead(f"Line {line}: {here} borders {there}, which has no row.")
        getattr(tables.places[here], by).add(there)
        getattr(tables.places[there], by).add(here)
    return tables


def facts_of(tables: Tables) -> str:
    """The beginning of a facts.yaml: spaces, borders and aliases, and in remarks what belongs in variant.toml."""
    return "\n".join(
        [
            *_homes(tables),
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
    place = tables.places[short[:3]]
    return short.upper() if place.kind == "sea" else short


def _spaces(tables: Tables) -> Iterator[str]:
    all_coasts = _coasts(tables)
    for short in _provinces(tables):
        place = tables.places[short]
        entries = [f"name: {place.name}"]
        if place.kind == "sea":
            entries += ["sea: 1", "sites: []"]
        elif short in tables.homes:
            entries += ["sc: 1", "in: []", "sites: []"]
        else:
            centre = ["sc: 1"] if short in tables.owned else []
            owner = [f"owner: {tables.owned[short]}"] if short in tables.owned and short not in tables.minors else []
            entries += [*centre, *owner, "in: []", "sites: []"]
        coasts = ", ".join(f"{coast}: []" for coast in all_coasts.get(short, ()))
        entries += [f"coasts: {{{coasts}}}"] if coasts else []
        yield f"  {_key(short, tables)}: {{{', '.join(entries)}}}"


def _table(tables: Tables, *, by_sea: bool) -> Iterator[str]:
    """Each border once, from the place that comes first."""
    split = {short[:3] for short in tables.places if "/" in short}
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


def _is_kept(there: str, tables: Tables, split: set[str], *, by_sea: bool) -> bool:
    if by_sea:
        return there not in split and tables.places[there].kind != "land"
    return tables.places[there].kind != "sea"


def _aliases(tables: Tables) -> Iterator[str]:
    for short in _provinces(tables):
        if tables.places[short].aliases:
            yield f"  {_key(short, tables)}: [{', '.join(tables.places[short].aliases)}]"
