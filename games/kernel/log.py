"""Writing into a game's public log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.kernel.live import announce
from games.kernel.models import Event, EventKind
from games.kernel.refusals import BadReason

if TYPE_CHECKING:
    from datetime import datetime

    from games.kernel.models import Game


LONGEST_REASON = 300


def reason_of(text: str, *, needed: bool) -> str:
    """A reason as one line for the log; BadReason if it is too long, or missing where it is `needed`."""
    words = " ".join(text.replace("\0", "").split())
    if needed and not words:
        raise BadReason("Nothing was changed. Write why: everybody reads the reason in the public log.")
    if len(words) > LONGEST_REASON:
        raise BadReason(
            f"Nothing was changed: the reason has {len(words)} characters, and it may have {LONGEST_REASON}."
        )
    return words


def record(game: Game, kind: EventKind, *, at: datetime, by: int | None = None, **facts: str | int) -> None:
    """Add a line. Everything given here is public for ever."""
    Event.objects.create(game=game, kind=kind, at=at, by_id=by, facts=facts)
    announce(game.pk)
