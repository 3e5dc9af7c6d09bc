"""Every file that a document names exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|md|toml|json|yml|js|css|html))`")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "games").rglob("*.md"), *(ROOT / "adjudication").rglob("*.md")])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    named = set(NAMED.findall(document.read_text(encoding="utf-8")))
    roots = (ROOT, document.parent)
    assert {path for path in named if not any((root / path).exists() for root in roots)} == set()


def test_the_documents_name_files() -> None:
    assert len(DOCUMENTS) > 5
    assert "tests/secrecy/test_table.py" in NAMED.findall((ROOT / "README.md").read_text(encoding="utf-8"))
