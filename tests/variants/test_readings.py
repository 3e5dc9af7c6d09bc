"""Each reading of a published text has a worked example, which the rules page draws, or a reason why it has none."""

import re

import pytest

from variants.examples import examples_of
from variants.registry import offered
from variants.variant import Variant

READING = re.compile(r"\*\*Our reading \((D\d+)\)")
TERMS = "It is about a game’s terms or its people, not about a phase."
BOARD = "It is about the board or its names."
PHASES = "It is about more than one phase, and an example is one."
NEVER = "It says itself that this cannot happen."
NO_CASE = {
    "1926": {"D9": TERMS, "D11": BOARD, "D12": TERMS, "D13": TERMS, "D14": BOARD},
    "locarno": {"D9": TERMS, "D11": BOARD, "D12": TERMS, "D13": TERMS},
    "ambition-and-empire": {"D5": TERMS},
    "collapse-of-the-dual-empire": {"D4": BOARD, "D5": BOARD},
    "formal-diplomacy": {"D2": TERMS, "D8": BOARD, "D12": TERMS},
    "balkan-battle": {"D2": NEVER, "D3": TERMS, "D8": BOARD},
    "three-way-balkan-battle": {
        "D1": PHASES,
        "D2": NEVER,
        "D3": TERMS,
        "D4": BOARD,
        "D7": PHASES,
        "D8": BOARD,
        "D11": PHASES,
    },
}


@pytest.mark.parametrize("variant", offered(), ids=lambda variant: variant.slug)
def test_every_reading_has_an_example_or_a_reason_why_not(variant: Variant) -> None:
    readings = {*READING.findall(variant.rules_text)}
    with_example = {example.decision for example in examples_of(variant)}
    assert readings - with_example == NO_CASE.get(variant.slug, {}).keys()
