"""The beginning of a facts.yaml for a board that was read."""

import json
import re
from collections.abc import Iterator

from adjudication.serialisation import lists_by_key
from variants.commands.boards.tables import Tables, province_in


def facts_of(tables: Tables) -> str:
    """The beginning of a facts.yaml: spaces, borders and aliases, and in comments what belongs in variant.toml."""
    return "\n".join(
        [
            *_toml_remarks(tables),
            *(f"# {' '.join(sentence.split())}" for sentence in (*tables.left_out, *_one_way_borders(tables))),
            "spaces:",
            *_space_lines(tables),
            "army: |",
            *_border_table(tables, by_sea=False),
            "fleet: |",
            *_border_table(tables, by_sea=True),
            "aliases:",
            *_alias_lines(tables),
            "",
        ]
    )


def _toml_remarks(tables: Tables) -> Iterator[str]:
    """Comments with what belongs in variant.toml."""
    nobody = {"", *tables.dummies}
    for power in dict.fromkeys((*tables.homes.values(), *tables.owners.values(), *tables.units)):
        if power not in nobody:
            homes = [place.upper() for place, whose in tables.homes.items() if whose == power]
            centres = [place.upper() for place, whose in tables.owners.items() if whose == power]
            colonies = [place for place in centres if place not in homes]
            yield _toml_remark(power, homes=homes, colonies=colonies, units=tables.units.get(power, []))
    minors = [unit for power in nobody for unit in tables.units.get(power, ())]
    if minors:
        armies, fleets = (sorted(unit[2:] for unit in minors if unit[0] == kind) for kind in "AF")
        yield _toml_remark("[minors]", armies=armies, fleets=fleets)
    yield from (f"# For variant.toml: {line}." for line in tables.start)


def _toml_remark(subject: str, **lists: list[str]) -> str:
    text = ", ".join(f"{name} = {json.dumps(listed)}" for name, listed in lists.items() if listed)
    return f"# For variant.toml: {subject} has {text}."


def _provinces(tables: Tables) -> list[str]:
    return [abbr for abbr in tables.places if "/" not in abbr]


def _key(abbr: str, tables: Tables) -> str:
    place = tables.places[province_in(abbr)]
    return abbr.upper() if place.kind == "sea" else abbr


def _space_lines(tables: Tables) -> Iterator[str]:
    parts = (each.partition("/") for each in tables.places)
    all_coasts = lists_by_key((province, coast) for province, slash, coast in parts if slash)
    for abbr in _provinces(tables):
        place = tables.places[abbr]
        entries = [f"name: {_yaml_text(place.name)}"]
        if place.kind == "sea":
            entries += ["sea: 1", "sites: []"]
        elif abbr in tables.homes:
            entries += ["sc: 1", "in: []", "sites: []"]
        else:
            centre = ["sc: 1"] if abbr in tables.owners or abbr in tables.centres else []
            is_played = abbr in tables.owners and abbr not in tables.minors
            owner = [f"owner: {_yaml_text(tables.owners[abbr])}"] if is_played else []
            entries += [*centre, *owner, "in: []", "sites: []"]
        coasts = ", ".join(f"{coast}: []" for coast in all_coasts.get(abbr, ()))
        entries += [f"coasts: {{{coasts}}}"] if coasts else []
        yield f"  {_yaml_text(_key(abbr, tables))}: {{{', '.join(entries)}}}"


def _border_table(tables: Tables, *, by_sea: bool) -> Iterator[str]:
    """Each border once, at the place that comes first."""
    borders: set[frozenset[str]] = set()
    for here in sorted(tables.places, key=lambda abbr: _key(abbr, tables)):
        neighbours = tables.places[here].fleet if by_sea else tables.places[here].army
        if not _has_border_by(here, tables, by_sea=by_sea):
            continue
        new_borders = [
            there
            for there in sorted(neighbours)
            if frozenset((here, there)) not in borders and _has_border_by(there, tables, by_sea=by_sea)
        ]
        borders |= {frozenset((here, there)) for there in new_borders}
        if new_borders:
            yield f"  {_key(here, tables)}: {' '.join(_key(there, tables) for there in new_borders)}"


def _one_way_borders(tables: Tables) -> Iterator[str]:
    for here, place in tables.places.items():
        for units, neighbours in (("armies", place.army), ("fleets", place.fleet)):
            for there in sorted(neighbours):
                other = tables.places[there]
                back, by_sea = (other.fleet, True) if units == "fleets" else (other.army, False)
                if here not in back and all(_has_border_by(it, tables, by_sea=by_sea) for it in (here, there)):
                    yield (
                        f"{place.name} borders {other.name} for {units}, but not the other way round; a border has no "
                        "direction here."
                    )


def _has_border_by(place: str, tables: Tables, *, by_sea: bool) -> bool:
    """Has this place borders for fleets, or for armies? A province with coasts has none for fleets."""
    if by_sea:
        return tables.places[place].kind != "land" and not any(it.startswith(f"{place}/") for it in tables.places)
    return tables.places[place].kind != "sea"


def _alias_lines(tables: Tables) -> Iterator[str]:
    for abbr in _provinces(tables):
        if tables.places[abbr].aliases:
            yield f"  {_yaml_text(_key(abbr, tables))}: [{', '.join(map(_yaml_text, tables.places[abbr].aliases))}]"


_PLAIN = re.compile(r"[A-Za-z][A-Za-z '/().-]*[A-Za-z).]|[A-Za-z]")
_OTHERWISE = ("y", "n", "yes", "no", "on", "off", "true", "false", "null")
"""Words that YAML takes for something else than text."""


def _yaml_text(text: str) -> str:
    """The text, quoted for YAML if necessary."""
    is_plain = _PLAIN.fullmatch(text) and text.lower() not in _OTHERWISE
    return text if is_plain else json.dumps(text, ensure_ascii=False)
