"""Any order text is read or refused with a sentence, in steps proportional to its length."""

from __future__ import annotations

import random

import pytest

from adjudication.notation import parse_order, read_sheet, write_order
from adjudication.options import order_options
from games.orders.sheets import LONGEST_TEXT, SentSheet, read_once
from tests.long_round import how_many
from tests.steps import counted
from variants.registry import find
from variants.words import say

MOST_STEPS = 90_000
"""For three lines: a good reading takes a third of that, mostly to compare a word with the names of all spaces."""
SIGNS = [
    *"-->→–=;:#/().,'’*\\[]\"`~\0\t\r\n ",
    "\u2028",
    "\u202e",
    "İ",
    "ß",
    "𝔐",
    "٣",
    "é",
    "e\u0301",
    "\ufeff",
    "\ud83d\ude00",
]
WORDS = [
    *("A", "F", "H", "S", "C", "R", "D", "VIA", "to", "by", "convoy", "hold", "supports", "move", "retreat", "disband"),
    *("build", "waive", "declare", "war", "peace", "place", "army", "fleet", "the", "of", "nc", "sc", "(ec)", "coast"),
    *("north", "Germany", "France's", "minor", "0", "1:", "-1:", "99:", "999999999:", "9dp:", "point", "2", "points:"),
]
HEAPS = ["-", "1 ", "9", "m", " ", "\t", "(", "'", "a'", "mun ", "A MUN S ", ";", "#", ":", "1: ", "DECLARE ", "\u0301"]


def real_lines(slug: str) -> list[str]:
    """Every legal order of the first position, as text."""
    variant = find(slug)
    units = order_options(variant.powers[0].id, variant.start, variant.ruleset)
    return [write_order(order, variant.start) for unit in units for order in unit.orders]


def mutated(chance: random.Random, line: str) -> str:
    """A real line with a few words, signs and lengths changed."""
    words = line.split(" ")
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(words) + 1)
        match chance.randrange(6):
            case 0:
                words.insert(at, chance.choice(WORDS))
            case 1:
                words.insert(at, chance.choice(SIGNS) * chance.choice((1, 1, 2, 40)))
            case 2:
                words = words[:at] + words
            case 3:
                del words[at : at + 1]
            case 4:
                words.append(chance.choice(HEAPS) * chance.randrange(60))
            case _:
                chance.shuffle(words)
        words = words[:60] or [""]
    return chance.choice((" ", " ", "", "  ")).join(words)


@pytest.mark.parametrize("slug", ["1926", "collapse-of-the-dual-empire", "formal-diplomacy"])
def test_any_line_is_read_or_refused_with_a_sentence(slug: str) -> None:
    variant, chance, lines = find(slug), random.Random(slug), real_lines(slug)
    power = variant.powers[0].id
    for _ in range(how_many("lines")):
        text = "\n".join(mutated(chance, chance.choice(lines)) for _ in range(chance.randint(1, 3)))
        with counted() as steps:
            found = read_sheet(text[:LONGEST_TEXT], power, variant.start, variant.ruleset)
        assert steps.number < MOST_STEPS, text
        for problem in found.problems:
            assert say(problem.why, variant.ruleset), text
        for order in found.sheet.orders:
            again = parse_order(write_order(order, variant.start), variant.start, variant.ruleset, power)
            assert again == order, text


@pytest.mark.parametrize("heap", HEAPS)
def test_a_heap_of_twice_the_length_takes_at_most_twice_the_steps(heap: str) -> None:
    variant = find("1926")
    taken = []
    for length in (900, 1_800):
        text = f"A Mun S {heap * length}"[:length]
        with counted() as steps:
            read_sheet(text, "GERMANY", variant.start, variant.ruleset)
        taken.append(steps.number)
    assert taken[1] <= 2 * taken[0] + MOST_STEPS // 100


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("A Mun S " + "A Ber " * 400, "This line has 2,407 characters; at most 2,000 are allowed."),
        ("1: A Aus S " + "A Mun " * 400, "This line has 2,410 characters; at most 2,000 are allowed."),
        ("IF A Mun DISLODGED: " + "Bur, " * 400, "This line has 2,019 characters; at most 2,000 are allowed."),
        ("Germany" + "y" * 2_000 + ":", "This line has 2,008 characters; at most 2,000 are allowed."),
        ("IF A Mun DISLODGED: Bur, " + "y" * 121, "has 121 characters; at most 120 are allowed between commas."),
        ("IF A Ber DISLODGED: " + "y" * 121, "has 121 characters; at most 120 are allowed between commas."),
    ],
)
def test_a_line_or_an_item_that_is_too_long_is_refused(line: str, sentence: str) -> None:
    variant = find("1926")
    found = read_sheet(f"A Ber H\n{line}", "GERMANY", variant.start, variant.ruleset)
    (problem,) = found.problems
    assert problem.line == 2
    assert sentence in say(problem.why, variant.ruleset)
    assert len(found.sheet.orders) == 1


def test_spaces_between_words_say_nothing() -> None:
    variant = find("1926")
    text = "A Ber H\n1: A Aus H\nIF A Mun DISLODGED: Bur, Sil"
    spaced = text.replace(" ", " \t " * 2_000)
    readings = [read_sheet(each, "GERMANY", variant.start, variant.ruleset) for each in (text, spaced)]
    one, other = ((it.sheet, [(p.line, p.text, p.why.reason, p.why.facts) for p in it.problems]) for it in readings)
    assert one == other


def test_a_sheet_that_is_too_long_is_not_read_at_all() -> None:
    variant = find("1926")
    found = read_once(SentSheet("A Mun H\n" + "x y\n" * 60_000), "GERMANY", variant.start, variant)
    assert found.lawful.orders == ()
    assert [problem.sentence for problem in found.problems] == [
        f"The orders have 240008 characters; at most {LONGEST_TEXT} are allowed."
    ]
