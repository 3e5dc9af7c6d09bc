"""Pages of lists that only grow at one end. Places in a list count from 1 and never change."""

from typing import NamedTuple


class Window(NamedTuple):
    """The rows from index `start` up to, but not including, `end`, of `total`."""

    start: int
    end: int
    total: int

    @property
    def first(self) -> int:
        """The place of the first row."""
        return self.start + 1


def window(total: int, most: int, *, before: int | None = None, after: int | None = None) -> Window:
    """The newest rows, at most this many; or those next to a place, `before` or `after` it."""
    if after is not None:
        start = min(after, total)
        return Window(start, min(start + most, total), total)
    end = total if before is None else max(0, min(before - 1, total))
    return Window(max(0, end - most), end, total)
