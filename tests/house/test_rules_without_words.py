"""The rules know no language: what they say are reasons and facts, of which `variants.words` makes sentences."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = (
    ROOT / "adjudication",
    ROOT / "variants" / "families",
    *(rules.parent for rules in sorted((ROOT / "variants").glob("*/rules.py"))),
)
FOR_PROGRAMMERS = {"adjudication/board.py", "adjudication/serialisation.py", "adjudication/turns.py"}
"""Exceptions about files that contradict themselves, which no player sees."""
ENDS = re.compile(r"[.?!]”?$")
FEWEST_WORDS = 5


def said_in(source: str) -> Iterator[tuple[int, str]]:
    """The sentences in the code of a module, each with its line. Values within are shown as “…”."""
    tree = ast.parse(source)
    within = {id(value) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for value in node.values}
    explaining = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        text = _text(node) if id(node) not in within | explaining else ""
        if len(text.split()) >= FEWEST_WORDS and ENDS.search(text.strip()):
            yield getattr(node, "lineno", 0), text


def _text(node: ast.AST) -> str:
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(value) for value in node.values)
    if isinstance(node, ast.FormattedValue):
        return "…"
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def modules() -> list[Path]:
    return [module for folder in FOLDERS for module in sorted(folder.rglob("*.py"))]


def test_there_are_rules_to_look_at() -> None:
    found = {module.relative_to(ROOT).as_posix() for module in modules()}
    assert {"adjudication/legality.py", "variants/formal/stances.py", "variants/families/leagues.py"} <= found


def test_no_rule_builds_a_sentence() -> None:
    said = {
        f"{module.relative_to(ROOT)}:{line}: {text}"
        for module in modules()
        if module.relative_to(ROOT).as_posix() not in FOR_PROGRAMMERS
        for line, text in said_in(module.read_text(encoding="utf-8"))
    }
    assert sorted(said) == []


def test_every_module_that_may_have_sentences_has_one() -> None:
    texts = {module: (ROOT / module).read_text(encoding="utf-8") for module in FOR_PROGRAMMERS}
    assert [module for module, text in texts.items() if not [*said_in(text)]] == []


@pytest.mark.parametrize(
    "code",
    [
        'SAID = "There is no unit in Munich."',
        'def said(place):\n    return f"There is no unit in {place}."',
        'def said(place):\n    """What is said."""\n    return ("There is no unit " "in Munich.")',
        'def said(line):\n    raise ValueError(f"{line}: do you mean this one?")',
        'SAID = "Say to them “this is over now.”"',
        'SAID = {"a": ["What a very long game!"]}',
    ],
)
def test_a_sentence_in_code_is_found(code: str) -> None:
    assert len([*said_in(code)]) == 1


@pytest.mark.parametrize(
    "code",
    [
        '"""A module of the rules, for players."""',
        'def said():\n    """What is said here and there."""',
        'class Case(Enum):\n    ONE = "one"\n    """The first of all its cases."""',
        'FACTS = "unit place here there goal"',
        'SOURCE = "DATC 6.A.5, 6.A.11"',
        'SAID = "Too short."',
        'def said(place):\n    return f"{place} {place}."',
    ],
)
def test_what_explains_code_and_what_is_no_sentence_is_not_one(code: str) -> None:
    assert [*said_in(code)] == []
