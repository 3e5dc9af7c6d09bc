"""The published rules, clause by clause: each is said on its variant's page and proved (clauses.toml)."""

import re
import tomllib
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from markdown_it import MarkdownIt

from variants.examples import examples_of
from variants.registry import find
from variants.rulebook import spaces
from variants.variant import Variant
from variants.words.orders import unit_words

TESTS = Path(__file__).parents[1]
TEXTS: dict[str, Any] = tomllib.loads((Path(__file__).parent / "clauses.toml").read_text(encoding="utf-8"))
CLAUSES = [(slug, *clause) for text in TEXTS.values() for slug in text["variants"] for clause in text["clauses"]]
QUOTES = str.maketrans("“”’‘", "\"\"''")


@cache
def page_of(slug: str) -> str:
    """What the variant's page says, with single spaces: its rules, powers, credits and names."""
    variant = find(slug)
    board, names = variant.ruleset.board, spaces(variant.ruleset.board)
    listed = " ".join(f"{board.provinces[place].abbr} {board.provinces[place].name}" for place in names)
    html = MarkdownIt("js-default").render(variant.rules_text)
    words = unescape(re.sub(r"</t[dh]>", " ", re.sub(r"</?(?:strong|em|a)\b[^>]*>", "", html)))
    said = " ".join([re.sub(r"<[^>]+>", " ", words), variant.credits, _starts(variant), listed])
    return " ".join(said.translate(QUOTES).split())


def _starts(variant: Variant) -> str:
    """As the page lists powers at the start: "Britain F Edi, F Gib, F Lon, F Sue"."""
    board, start = variant.ruleset.board, variant.start
    return " ".join(
        f"{power.name} {', '.join(unit_words(unit, board) for unit in start.units_of(power.id))}"
        for power in variant.powers
    )


@cache
def proofs() -> frozenset[str]:
    """As in "test_balkan rule_4_of_14_centres_eight_win"."""
    found = (
        f"{path.stem} {name}"
        for path in TESTS.rglob("test_*.py")
        for name in re.findall(r"^def test_(\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
    )
    return frozenset(found)


@pytest.mark.parametrize(("slug", "part", "clause", "said", "proof"), CLAUSES)
def test_every_clause_is_said_on_the_page_and_proved(slug: str, part: str, clause: str, said: str, proof: str) -> None:
    assert " ".join(said.translate(QUOTES).split()) in page_of(slug), (part, clause)
    assert proof in proofs() or proof in {example.title for example in examples_of(find(slug))}, (part, clause)


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_every_part_of_a_text_has_its_clauses_in_sequence(text: dict[str, Any]) -> None:
    assert list(dict.fromkeys(part for part, *_ in text["clauses"])) == text["parts"]


def test_the_two_player_game_has_no_press_unless_its_creator_chooses_it() -> None:
    assert find("balkan-battle").press_default == "none"
