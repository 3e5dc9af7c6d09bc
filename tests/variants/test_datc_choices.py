"""Two tables, for programmers and for players, decide every point that the DATC leaves open."""

import re
from pathlib import Path

import pytest

import adjudication
from variants.registry import find

HERE = Path(adjudication.__file__).parent
TABLE = (HERE / "RULES.md").read_text(encoding="utf-8")
PAGE = find("standard").rules_text
ISSUES = [
    f"4.{letter}.{number}"
    for letter, last in {"A": 7, "B": 7, "C": 6, "D": 9, "E": 6}.items()
    for number in range(1, last + 1)
]
NAMED = re.compile(r"`([\w/]+\.py)`((?: `[^`]+`(?:, (?=`\w+`))?)*)")


def defines(file: str, name: str) -> bool:
    source = (HERE / file).read_text(encoding="utf-8")
    return re.search(rf"(?:def|class) {name}\b", source) is not None


@pytest.mark.parametrize("issue", ISSUES)
def test_every_open_point_of_chapter_4_has_its_row_in_both_tables(issue: str) -> None:
    rows = [line for line in TABLE.splitlines() if line.startswith("|") and re.search(rf"{issue}\b", line)]
    assert len(rows) == 1
    assert len(re.findall(rf"^\| \*\*{issue}\*\* \| .+ \| .+ \|$", PAGE, re.MULTILINE)) == 1


def test_the_table_names_code_that_there_is() -> None:
    named = [
        (file, name) for file, names in NAMED.findall(TABLE) for _, name in re.findall(r"`([^`.]+\.)?(\w+)`", names)
    ]
    assert len(named) > 30
    assert [each for each in named if not defines(*each)] == []
