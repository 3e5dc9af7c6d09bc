"""Upcoming deadlines if nothing changes, as pages and calendars show them."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class ComingView:
    """A coming deadline, if no phase ends early and no deadline moves. `code` is that of the turn, as in "S1926M"."""

    code: str
    title: str
    kind_title: str
    at: datetime


@dataclass(frozen=True, slots=True)
class GameDeadlines:
    slug: str
    name: str
    coming: tuple[ComingView, ...]
