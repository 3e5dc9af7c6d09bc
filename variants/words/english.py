"""Grammar for sentences assembled from parts: lists in the reader’s language; English numbers."""

from collections.abc import Iterable
from functools import reduce

from variants.words.messages import term

ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def amount(count: int, noun: str, plural: str = "") -> str:
    """The number with its noun, as in "1 point", "3 points". `plural` is an irregular plural, as in "armies"."""
    return f"{count} {noun}" if count == 1 else f"{count} {plural or f'{noun}s'}"


def ordinal(rank: int) -> str:
    """The ordinal number, as in "1st", "12th", "23rd"."""
    return f"{rank}{'th' if rank % 100 in {11, 12, 13} else ENDINGS.get(rank % 10, 'th')}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """The words as a list, as in "Mun, Ruh and Tyr"; "" for none. `last`: the term that joins the last two, as in "Mun
    or Ruh"; any other term joins all of them."""
    *first_words, end = [*words] or [""]
    if not first_words:
        return end
    between = "," if last in {"and", "or"} else last
    beginning = reduce(lambda before, after: term(between, before=before, after=after), first_words)
    return term(last, before=beginning, after=end)
