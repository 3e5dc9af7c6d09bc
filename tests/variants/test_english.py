"""Generated sentences are as correct as written ones."""

import pytest

from variants.words.english import amount, listed, ordinal


@pytest.mark.parametrize(("count", "words"), [(0, "0 seats"), (1, "1 seat"), (2, "2 seats")])
def test_one_thing_is_singular(count: int, words: str) -> None:
    assert amount(count, "seat") == words


@pytest.mark.parametrize(("count", "words"), [(1, "1 army"), (3, "3 armies")])
def test_a_plural_of_its_own_is_taken(count: int, words: str) -> None:
    assert amount(count, "army", "armies") == words


@pytest.mark.parametrize(
    ("rank", "words"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"), (23, "23rd")]
)
def test_ranks_have_their_endings(rank: int, words: str) -> None:
    assert ordinal(rank) == words


@pytest.mark.parametrize(
    ("words", "sentence"),
    [([], ""), (["Mun"], "Mun"), (["Mun", "Tyr"], "Mun and Tyr"), (["Mun", "Ruh", "Tyr"], "Mun, Ruh and Tyr")],
)
def test_a_list_ends_with_and(words: list[str], sentence: str) -> None:
    assert listed(words) == sentence


def test_a_choice_ends_with_or() -> None:
    assert listed(["Mun", "Tyr"], "or") == "Mun or Tyr"
