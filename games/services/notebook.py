"""What a player notes for himself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction

from games.models import Notebook
from games.models.press import LONGEST_NOTES
from games.services.refusals import BadMessage, WrongMoment
from games.services.rows import lock_game

if TYPE_CHECKING:
    from games.visibility import SeatAccess


@transaction.atomic
def save_notes(seat: SeatAccess, *, text: str, version: int | None) -> int:
    """Put this text in place of the notes; the new version. `version` is that of the page it was typed on.

    BadMessage for a text that is too long; WrongMoment if the notes have been changed since then. With None they are
    overwritten all the same.
    """
    words = text.replace("\r\n", "\n").replace("\0", "")
    if len(words) > LONGEST_NOTES:
        raise BadMessage(
            f"Not saved: the notes have {len(words)} characters, and they may have {LONGEST_NOTES}. Shorten them."
        )
    lock_game(seat.game_id)
    notes, _made = Notebook.objects.get_or_create(occupancy_id=seat.occupancy_id)
    if notes.text == words:
        return notes.version
    if version is not None and version != notes.version:
        raise WrongMoment(
            "Not saved: these notes were changed on another page or device since you opened them here. "
            "Its words stand below. Save to put what you have typed in their place."
        )
    notes.text, notes.version = words, notes.version + 1
    notes.save()
    return notes.version
