"""The worked examples of the rules pages: the adjudicator agrees."""

from typing import Any

import pytest

from variants.examples import BadExample, Example, answers_to_claims, examples_of, play, read_examples
from variants.registry import offered, teaching
from variants.rulebooks import RULEBOOKS
from variants.variant import Variant

VARIANTS = (*offered(), *teaching())
EXAMPLES = [(variant, example) for variant in VARIANTS for example in examples_of(variant)]
STANDARD = RULEBOOKS["standard"]()

each_example = pytest.mark.parametrize(
    ("variant", "example"), EXAMPLES, ids=[f"{variant.slug}: {example.title}" for variant, example in EXAMPLES]
)


@each_example
def test_the_judge_does_what_the_example_says(variant: Variant, example: Example) -> None:
    assert answers_to_claims(example, play(example, variant.ruleset), variant.ruleset) == example.claims


@each_example
def test_an_example_belongs_to_a_decision_on_the_rules_page_or_to_a_place_in_the_rules(
    variant: Variant, example: Example
) -> None:
    if example.decision:
        marks = (f"**Our reading ({example.decision}).**", f"| **{example.decision}** |")
        assert any(mark in variant.rules_text for mark in marks)
    else:
        assert example.source


@pytest.mark.parametrize("variant", VARIANTS, ids=lambda variant: variant.slug)
def test_every_variant_has_examples(variant: Variant) -> None:
    assert examples_of(variant)


# Files that are incomplete or untrue.

MARCH: dict[str, Any] = {
    "title": "A march",
    "text": "An army walks.",
    "source": "rule 1",
    "units": {"FRANCE": ["A PAR"]},
    "orders": {"FRANCE": ["A Par - Bur"]},
    "results": {"A PAR - BUR": ["succeeds"]},
}


def written(*entries: dict[str, Any]) -> str:
    """As a file, with inline tables."""
    lines = []
    for entry in entries:
        lines += ["[[example]]", *(f"{key} = {inline(value)}" for key, value in entry.items())]
    return "\n".join(lines)


def inline(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{key}" = {inline(each)}' for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(inline, value)) + "]"
    return f'"{value}"'


def test_what_is_left_out_is_as_at_the_start() -> None:
    (march,) = read_examples(written({key: MARCH[key] for key in MARCH if key != "units"}), STANDARD)
    assert march.position == STANDARD.start


def test_a_false_claim_of_any_kind_is_found() -> None:
    false: dict[str, Any] = {
        "results": {"A PAR - BUR": ["fails"], "A MUN H": ["stands"]},
        "reasons": {"A PAR - BUR": "support cut"},
        "next": "F1901M",
        "after": {"FRANCE": ["A PAR"]},
        "retreats": {"A PAR": ["GAS"]},
        "centers_after": {"FRANCE": ["BRE"]},
        "notices": ["The army is tired."],
        "winners": ["FRANCE"],
    }
    (march,) = read_examples(written(MARCH | false), STANDARD)
    assert answers_to_claims(march, play(march, STANDARD.ruleset), STANDARD.ruleset) == {
        "results": {"A PAR - BUR": ["succeeds"], "A MUN H": ["no such order"]},
        "reasons": {"A PAR - BUR": ""},
        "next": "F1901M",
        "after": {"FRANCE": ["A BUR"]},
        "retreats": {},
        "centers_after": {"FRANCE": ["BRE", "MAR", "PAR"]},
        "notices": [],
        "winners": [],
    }


@pytest.mark.parametrize(
    ("entry", "sentence"),
    [
        ({"title": ""}, "An example needs a title and a text"),
        ({"source": ""}, "A march: An example names either a decision or a source."),
        ({"decision": "D1"}, "A march: An example names either a decision or a source."),
        ({"unit": {}}, "A march: 'unit' is not known; there are title, text, .*winners."),
        ({"orders": {"FRANCE": ["A Par"]}}, "A march: FRANCE, “A Par”: Say what the unit in Paris should do"),
        ({"results": {}}, "A march: “A PAR - BUR” is ordered, and “results” does not name it."),
    ],
)
def test_an_example_that_cannot_be_played_or_says_too_little_is_refused(entry: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadExample, match=sentence):
        read_examples(written(MARCH | entry), STANDARD)


def test_two_examples_have_two_titles() -> None:
    with pytest.raises(BadExample, match="Two examples have the title 'A march'"):
        read_examples(written(MARCH, MARCH), STANDARD)


def test_a_phase_that_never_follows_is_not_waited_for() -> None:
    (march,) = read_examples(written(MARCH | {"next": "S1900M"}), STANDARD)
    with pytest.raises(BadExample, match="A march: S1900M does not follow"):
        play(march, STANDARD.ruleset)
