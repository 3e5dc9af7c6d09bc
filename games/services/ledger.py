"""Writing into a game's public log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.live import announce
from games.models import Event, EventKind

if TYPE_CHECKING:
    from datetime import datetime

    from games.models import Game


def record(game: Game, kind: EventKind, *, at: datetime, by: int | None = None, **facts: str | int) -> None:
    """Add a line. Everything given here is public for ever."""
    Event.objects.create(game=game, kind=kind, at=at, by_id=by, facts=facts)
    announce(game.pk)
