"""`python -m variants convert`: games from one form into another, adjudicated again on the way."""

from collections.abc import Iterator
from dataclasses import dataclass

from variants.travel import FORMS, read_games, replayed, write_game

READABLE = tuple(name for name, form in FORMS.items() if form.read)


@dataclass(frozen=True, slots=True)
class Converted:
    """One game in its new form, and a sentence for each difference between its file and our adjudicator."""

    text: str
    differences: tuple[str, ...]


def converted(text: str, source: str, goal: str) -> Iterator[Converted]:
    """Every game of the text; `source` is "" for whichever form it has. Raises WrongFile."""
    for told in read_games(text, source):
        found = replayed(told)
        written = write_game(goal, found.game)
        yield Converted(written if written.endswith("\n") else f"{written}\n", found.differences)
