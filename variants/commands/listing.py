"""`python -m variants list`: the variants in a table."""

from collections.abc import Callable, Iterator, Mapping

from variants.rulebook import Rulebook, spaces

HEADINGS = ("slug", "title", "players", "spaces", "centres")


def listing(rulebooks: Mapping[str, Callable[[], Rulebook]]) -> Iterator[str]:
    """A line for each variant, under a line of headings."""
    rows = [HEADINGS, *(_row(slug, read()) for slug, read in rulebooks.items())]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for row in rows:
        words = (cell.ljust(width) for cell, width in zip(row[:2], widths, strict=False))
        numbers = (cell.rjust(width) for cell, width in zip(row[2:], widths[2:], strict=True))
        yield "  ".join((*words, *numbers))


def _row(slug: str, book: Rulebook) -> tuple[str, ...]:
    board = book.ruleset.board
    counts = (len(book.ruleset.powers), len(spaces(board)), len(board.centres))
    return (slug, book.title, *map(str, counts))
