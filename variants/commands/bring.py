"""`python -m variants bring`: converts the tables of another program's board to the beginning of a facts.yaml.

It reads DPjudge's .map files, jDip's XML, and a plain table of borders (.csv). You add what these don't contain: towns,
old frontiers and sea lines.
"""

import csv
import re
from pathlib import Path

from variants.commands.boards.dpjudge import from_dpjudge, lines_with_used_files
from variants.commands.boards.jdip import from_jdip, read_start, xml_of
from variants.commands.boards.tables import READ, CannotRead, Tables, text_of

COLUMNS = ("short", "name", "kind", "army", "fleet")
NOT_READ = {
    "webDiplomacy’s install.php": r"InstallTerritory\b",
    "godip’s map.go": r"\bgodip/graph\b|\bProv\(\".*\.Conn\(",
    "an SVG, like DiplomacyGM’s": r"<(?:svg:)?svg\b",
    "Parlance’s .cfg": r"^\[(?:borders|positions|variant)\]",
    "a map of DAIDE": r"^\s*MDF *\(",
    "JSON, like DiplomacyGM’s or diplicity’s": r"\A\s*\{",
}
"""Boards of other programs, by what is in their files."""


def read_board(file: Path) -> Tables:
    """The tables of a board from a file of a known kind, which its suffix tells. Raises CannotRead."""
    try:
        text = text_of(file)
        for form in (form for form, mark in NOT_READ.items() if re.search(mark, text, re.MULTILINE)):
            raise CannotRead(f"this looks like {form}, which is not read. What is read: {READ}.")
        if file.suffix.lower() == ".xml":
            tables = from_jdip(text)
            start_file = file.with_name("variants.xml")
            if start_file != file and start_file.exists():
                read_start(xml_of(text_of(start_file)), file.name, tables)
        elif file.suffix.lower() == ".csv":
            tables = from_table(text)
        else:
            tables = from_dpjudge(lines_with_used_files(file, text, {file.name.lower()}))
    except (OSError, ValueError) as error:
        raise CannotRead(f"{file}: {error}") from error
    return tables


def from_table(text: str) -> Tables:
    """The board in a table with a row for each province or coast: `short`, `name`, `kind` (land, coast or sea), and its
    borders for armies and for fleets, separated by spaces. Columns are separated by commas or semicolons. A border may
    be given from one side only. Raises CannotRead."""
    lines = text.splitlines()
    sign = ";" if lines and ";" in lines[0] else ","
    rows = csv.DictReader(lines, skipinitialspace=True, delimiter=sign)
    if tuple(name.strip().lower() for name in rows.fieldnames or ()) != COLUMNS:
        raise CannotRead(f"Line 1: the columns must be {','.join(COLUMNS)}.")
    rows.fieldnames = COLUMNS
    tables, borders = Tables(), list[tuple[int, str, str, str]]()
    for row in rows:
        short, name, kind = ((row[column] or "").strip() for column in COLUMNS[:3])
        borders_by_unit = {by: (row[by] or "").split() for by in COLUMNS[3:]}
        if kind not in ("land", "coast", "sea"):
            raise CannotRead(f"Line {rows.line_num}: {short} is land, coast or sea, not “{kind}”.")
        here = tables.add_place(short, name)
        tables.places[here].kind = kind
        borders += [(rows.line_num, by, here, each) for by in ("army", "fleet") for each in borders_by_unit[by]]
    for line, by, here, each in borders:
        try:
            there = tables.find_place(each, "", "")
        except CannotRead as error:
            raise CannotRead(f"Line {line}: {here} borders {each}, which has no row.") from error
        getattr(tables.places[here], by).add(there)
        getattr(tables.places[there], by).add(here)
    return tables
