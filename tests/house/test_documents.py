"""Every file and heading that a document names exists, and so does whatever it names in backticks."""

from __future__ import annotations

import re
import subprocess
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`((?:[\w.-]+/)+[\w-]+\.(?:py|md|toml|json|yml|js|css|html))`")
HEADING = re.compile(r'"([A-Z][^"\n]+)"\s+in\s+`([\w./-]+\.md)`')
FOLDERS = ("adjudication", "games", "tests", "variants")
FENCED = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
SPAN = re.compile(r"`([^`]+)`")
FILE = re.compile(r"[\w.-]+\.(?:py|md|toml|json|yaml|yml|js|css|html|sql)")
LIST_OF_FILES = re.compile(r"file names: (.+?)\.\s", re.DOTALL)
FIELD = re.compile(r"\{[\w:|]+\}")
COMMAND, MODULE = re.compile(r"manage\.py (\w+)"), re.compile(r"python -m ([\w.]+)")
UNFINISHED = re.compile(r"\w*…")
WORD = re.compile(r"[^\W\d]\w*")
NOT_OURS = frozenset(
    WORD.findall(
        "_dmarc _domainkey _kombu Authentication binding DKIM1 DMARC1 dkim dmarc e4 fido2 HttpOnly IllegalMoveError "
        "legal_moves pg_dump pg_trgm push_san quarantine rsa rua SameSite Secure spf spf1 throttle_ timedatectl twine "
        "unacked volume"
    )
)
"""What other programs and standards name."""
LARGE = 400_000
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.md"))])


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_file_that_a_document_names_is_there(document: Path) -> None:
    named = set(NAMED.findall(document.read_text(encoding="utf-8")))
    roots = (ROOT, document.parent)
    assert {path for path in named if not any((root / path).exists() for root in roots)} == set()


@cache
def files() -> tuple[str, ...]:
    """The project's files, those of a commit to come among them."""
    listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return tuple(subprocess.run(listed, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines())


@cache
def code() -> tuple[str, frozenset[str]]:
    """All that is written in the project but for its documents, locks and drawings; and the words in it, in the names
    of files and in what it uses."""
    paths = [ROOT / name for name in files() if not name.endswith((".md", ".svg", ".lock"))]
    read = [path for path in paths if path.is_file() and path != Path(__file__) and path.stat().st_size < LARGE]
    text = "\n".join(path.read_text(encoding="utf-8", errors="ignore") for path in read)
    words = WORD.findall("\n".join([text, *(name.replace(".", " ") for name in files())]))
    return text, frozenset(words) | NOT_OURS


def is_file(name: str, document: Path) -> bool:
    """Is there such a file in the root, in the document's folder, or below it?"""
    folder = document.parent.relative_to(ROOT).as_posix().removeprefix(".")
    return name in files() or any(it.startswith(folder) and it.endswith(f"/{name}") for it in files())


def is_something(name: str, document: Path) -> bool:
    """Is this a file, a module or a command of the project; if not, do its words occur there, or in what it uses?"""
    text, words = code()
    if FILE.fullmatch(name):
        return is_file(name, document) or name in text
    if FIELD.fullmatch(name):
        return any(name in (ROOT / it).read_text(encoding="utf-8") for it in files() if it.endswith(".toml"))
    modules = (ROOT / module.replace(".", "/") for module in MODULE.findall(name) if module.split(".")[0] in FOLDERS)
    if not all(it.with_suffix(".py").is_file() or (it / "__main__.py").is_file() for it in modules):
        return False
    if not {*COMMAND.findall(name)} <= get_commands().keys():
        return False
    return words.issuperset(WORD.findall(UNFINISHED.sub("", name))) or name in text


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_whatever_a_document_names_in_backticks_is_something(document: Path) -> None:
    spans = {" ".join(it.split()) for it in SPAN.findall(FENCED.sub("", document.read_text(encoding="utf-8")))}
    assert {name for name in spans if not is_something(name, document)} == set()


def test_a_list_of_file_names_names_modules() -> None:
    named = set[str]()
    for document in DOCUMENTS:
        for listed in LIST_OF_FILES.findall(re.sub(r"\([^)]*\)", "", document.read_text(encoding="utf-8"))):
            named |= set(SPAN.findall(listed))
    assert "queries" in named
    assert {name for name in named if not any(it.endswith(f"/{name}.py") for it in files())} == set()


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
