"""`python -m variants bring`: converts the tables of another program's board to the beginning of a facts.yaml.

It reads DPjudge's .map files, jDip's XML, and a plain table of borders (.csv). You add what these don't contain: towns,
old frontiers and sea lines.
"""

from pathlib import Path

from variants.commands.boards.borders import from_table
from variants.commands.boards.dpjudge import from_dpjudge, lines_with_used_files
from variants.commands.boards.jdip import from_jdip, read_start, xml_of
from variants.commands.boards.tables import CannotRead, Tables, text_of


def read_board(file: Path) -> Tables:
    """The tables of a board from a file of a known kind, which its suffix tells. Raises CannotRead."""
    try:
        text = text_of(file)
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
