"""Upcoming deadlines if nothing changes, as pages and calendars show them."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated

from games.kernel.marks import InApi


@dataclass(frozen=True, slots=True)
class ComingView:
    """A coming deadline, if no phase ends early and none is moved."""

    code: Annotated[str, InApi("The turn in short, as in “F1926M”.")]
    title: Annotated[str, InApi("The turn, as in “Autumn 1927”.")]
    kind_title: Annotated[str, InApi("What will be done in the phase.")]
    at: Annotated[datetime, InApi("When it ends.")]


@dataclass(frozen=True, slots=True)
class GameDeadlines:
    slug: str
    name: str
    coming: tuple[ComingView, ...]
