"""Phases by their names, and their deadlines."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime


def phase_mark(ordinal: int, opened: datetime) -> str:
    """What tells a phase also from one that was opened again in its place."""
    return f"{ordinal} {opened.isoformat()}"


@dataclass(frozen=True, slots=True)
class PhaseHead:
    """`kind`: movement "M", retreats "R", adjustments "A", deployment "P", declarations "D". `short` tells the phase
    from the others of its `year`. `remaining_seconds` instead of a deadline while the clock is stopped."""

    ordinal: int
    code: str
    title: str
    year: int
    short: str
    kind: str
    kind_title: str
    is_open: bool
    opened: datetime
    closed: datetime | None
    deadline: datetime | None
    remaining_seconds: int | None

    @property
    def mark(self) -> str:
        """Tells this phase also from one that was opened again in its place."""
        return phase_mark(self.ordinal, self.opened)


@dataclass(frozen=True, slots=True)
class ComingView:
    """A deadline that comes if no phase ends early and none is put off. `code` is that of the turn, as in "S1926M"."""

    code: str
    title: str
    kind_title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GameDeadlines:
    slug: str
    name: str
    coming: tuple[ComingView, ...]
