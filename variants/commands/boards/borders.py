"""A board as a plain table of borders."""

import csv

from variants.commands.boards.tables import CannotRead, Tables

COLUMNS = ("short", "name", "kind", "army", "fleet")


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
