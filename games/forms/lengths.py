"""The lengths of time that forms offer, in seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

MINUTE, HOUR, DAY = 60, 3_600, 86_400

LENGTHS: tuple[tuple[int, str], ...] = (
    (MINUTE, "1 minute"),
    (5 * MINUTE, "5 minutes"),
    (10 * MINUTE, "10 minutes"),
    (15 * MINUTE, "15 minutes"),
    (30 * MINUTE, "30 minutes"),
    (HOUR, "1 hour"),
    (12 * HOUR, "12 hours"),
    (DAY, "1 day"),
    (2 * DAY, "2 days"),
    (3 * DAY, "3 days"),
    (7 * DAY, "1 week"),
)


def nearest(wanted: int, choices: Iterable[tuple[int, str]]) -> int:
    """The value of these choices that comes nearest to the one that is wanted."""
    return min((value for value, _ in choices), key=lambda value: abs(value - wanted))
