"""English grammar for sentences assembled from parts: numbers, lists and possessives."""

from collections.abc import Iterable

TIMES = {1: "once", 2: "twice"}
ENDINGS = {1: "st", 2: "nd", 3: "rd"}


def amount(count: int, noun: str, several: str = "") -> str:
    """As in "1 point", "3 points". `several` is an irregular plural, as in "armies"."""
    return f"{count} {noun}" if count == 1 else f"{count} {several or f'{noun}s'}"


def times(count: int) -> str:
    """As in "once", "twice", "3 times"."""
    return TIMES.get(count, f"{count} times")


def ranked(rank: int) -> str:
    """As in "1st", "12th", "23rd"."""
    return f"{rank}{'th' if rank % 100 in {11, 12, 13} else ENDINGS.get(rank % 10, 'th')}"


def listed(words: Iterable[str], last: str = "and") -> str:
    """As in "Mun, Ruh and Tyr"; "" for none. `last` joins the last two, as in "Mun or Ruh"."""
    *others, end = [*words] or [""]
    return f"{', '.join(others)} {last} {end}" if others else end


def possessive(name: str) -> str:
    """As in "France’s", "the Netherlands’"."""
    return f"{name}’" if name.endswith("s") else f"{name}’s"
