"""Every file and heading that a document names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|md|toml|json|yml|js|css|html))`")
HEADING = re.compile(r'"([A-Z][^"\n]+)"\s+in\s+`([\w./-]+\.md)`')
FOLDERS = ("adjudication", "games", "tests", "variants")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    named = set(NAMED.findall(document.read_text(encoding="utf-8")))
    roots = (ROOT, document.parent)
    assert {path for path in named if not any((root / path).exists() for root in roots)} == set()


def test_every_heading_that_a_document_names_is_there() -> None:
    named = {found for path in DOCUMENTS for found in HEADING.findall(path.read_text(encoding="utf-8"))}
    assert len(named) > 3
    assert {(head, file) for head, file in named if f"# {head}\n" not in (ROOT / file).read_text("utf-8")} == set()


def test_the_documents_name_files() -> None:
    assert len(DOCUMENTS) > 5
    assert "tests/secrecy/test_table.py" in NAMED.findall((ROOT / "README.md").read_text(encoding="utf-8"))


def test_the_documents_can_be_read_in_an_evening() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split()) <= 1500
    lengths = {path: path.read_text(encoding="utf-8").count("\n") for path in (ROOT / "games").rglob("README.md")}
    assert {str(path): lines for path, lines in lengths.items() if lines > 40} == {}


def test_the_changelog_tells_each_change_in_one_line() -> None:
    lines = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith(" ") or len(line) > 160] == []


def test_no_line_of_a_template_is_longer_than_160_characters() -> None:
    pages = [path for path in (ROOT / "templates").rglob("*") if path.is_file()]
    assert [str(path) for path in pages for line in path.read_text("utf-8").splitlines() if len(line) > 160] == []
