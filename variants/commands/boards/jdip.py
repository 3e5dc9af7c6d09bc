"""Boards of jDip: the borders in one XML file, and the start of a game in a variants.xml beside it."""

import re
from collections.abc import Mapping
from xml.etree import ElementTree as ET

from variants.commands.boards.tables import CannotRead, Tables, province_in, short_name

A_PROVINCE = "an element PROVINCE, or a UNIQUENAME in one"


def from_jdip(text: str) -> Tables:
    """The board in this XML. Raises CannotRead."""
    root, tables = xml_of(text), Tables()
    elements = [*root.iter("PROVINCE")]
    for element in elements:
        _add_province(element, tables)
    for element in elements:
        here = short_name(element.get("shortname", ""))
        for ways in element.iter("ADJACENCY"):
            _add_borders(here, ways, tables)
        if element.get("borders"):
            tables.left_out.append(f"{tables.places[here].name}: its borders have rules ({element.get('borders')}).")
    for border in root.iter("BORDER"):
        tables.left_out.append(f"The rule {border.get('id')} was left out: {border.get('description')}.")
    if not any(place.army or place.fleet for place in tables.places.values()):
        raise CannotRead("There is no element PROVINCE with an ADJACENCY.")
    return tables


def _add_province(element: ET.Element, tables: Tables) -> None:
    aliases = [alias.get("name", "") for alias in element.iter("UNIQUENAME")]
    abbr = element.get("shortname", "")
    here = tables.add_place(abbr, element.get("fullname", abbr), aliases)
    kinds = [ways.get("type", "mv") for ways in element.iter("ADJACENCY")]
    for coast in kinds:
        if coast not in ("mv", "xc"):
            tables.add_place(f"{here}/{coast}", f"{tables.places[here].name} ({coast})")
    ashore = "coast" if {*kinds} - {"mv"} else "land"
    tables.places[here].kind = "sea" if {*kinds} == {"xc"} else ashore


def xml_of(text: str) -> ET.Element:
    try:
        return ET.fromstring(text)  # noqa: S314 - a file of the designer's own
    except ET.ParseError as error:
        raise CannotRead(f"This is not XML: {error}.") from error


def _add_borders(here: str, ways: ET.Element, tables: Tables) -> None:
    """Add the borders of a place. An island names itself as the place that its armies border."""
    kind, place = ways.get("type", "mv"), tables.places[here]
    refs = [re.sub("-(?=[nsew]c$)", "/", ref) for ref in ways.get("refs", "").split()]
    neighbours = {tables.find_place(ref, f"PROVINCE {here.lower()}", A_PROVINCE) for ref in refs} - {here}
    if kind == "mv":
        place.army |= {province_in(there) for there in neighbours}
    elif kind == "xc":
        place.fleet |= neighbours
    else:
        tables.places[f"{here}/{kind}"].kind = "coast"
        tables.places[f"{here}/{kind}"].fleet |= neighbours


def read_start(root: ET.Element, adjacency: str, tables: Tables) -> None:
    """Read the start of the first variant on this board from the variants.xml beside it."""
    variants = [it for it in root.iter("VARIANT") if any(m.get("adjacencyURI") == adjacency for m in it.iter("MAP"))]
    for variant in variants[:1]:
        powers = _powers_in(variant, tables)
        for centre in variant.iter("SUPPLYCENTER"):
            here = tables.find_place(centre.get("province", ""), "variants.xml", A_PROVINCE)
            tables.centres.add(here)
            for key, table in (("homepower", tables.homes), ("owner", tables.owners)):
                if power := _power_in(centre, key, powers, tables):
                    table[here] = power
        for unit in variant.iter("INITIALSTATE"):
            place = "/".join(filter(None, (unit.get("province"), unit.get("unitcoast"))))
            if power := _power_in(unit, "power", powers, tables):
                tables.place_unit(power, unit.get("unit", ""), tables.find_place(place, "variants.xml", A_PROVINCE))
        _read_rules(variant, tables)
    tables.left_out += [f"variants.xml: {it.get('name')}, on the same board, was left out." for it in variants[1:]]


def _powers_in(variant: ET.Element, tables: Tables) -> dict[str, str]:
    """Any name of a power, in lower case -> its main name."""
    powers = dict[str, str]()
    for power in variant.iter("POWER"):
        name = power.get("name", "")
        powers |= {alias.strip().lower(): name for alias in (name, *power.get("altnames", "").split(","))}
        if power.get("active") == "false":
            tables.left_out.append(f"{name} has no player there; it has one here.")
    return powers


def _power_in(element: ET.Element, key: str, powers: Mapping[str, str], tables: Tables) -> str | None:
    """The power that an element names by any of its names."""
    name = element.get(key, "none")
    if name.lower() not in {*powers, "none", "any"}:
        tables.left_out.append(f"variants.xml: {element.get('province')} was left out: there is no power {name}.")
    return powers.get(name.lower())


def _read_rules(variant: ET.Element, tables: Tables) -> None:
    for time in variant.iter("STARTINGTIME"):
        tables.set_first_turn(time.get("turn", ""), "variants.xml: STARTINGTIME")
    for goal in variant.iterfind("VICTORYCONDITIONS/*"):
        if goal.tag == "WINNING_SUPPLY_CENTERS":
            tables.set_centres_to_win(goal.get("value", ""))
        else:
            tables.left_out.append(f"variants.xml: {goal.tag} = {goal.get('value')} was left out.")
    for rule in variant.iter("RULEOPTION"):
        if rule.get("value") != "VALUE_BUILDS_HOME_ONLY":
            tables.left_out.append(f"variants.xml: {rule.get('name')} = {rule.get('value')} was left out.")
