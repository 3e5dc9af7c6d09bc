"""The public log of a game. It only grows: a trigger in the database refuses changes."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.kernel.models.game import Game


class EventKind(models.TextChoices):
    """The closed list of what is written into the log, all of it public."""

    CREATED = "created"
    SEAT_TAKEN = "seat taken"
    SEAT_LEFT = "seat left"
    JOINED = "joined"
    UNJOINED = "unjoined"
    ADMITTED = "admitted"
    MUSTER_CALLED = "muster called"
    CONFIRMED = "confirmed"
    PLACE_LOST = "place lost"
    SEATS_DEALT = "seats dealt"
    BOT_STOPPED = "bot stopped"
    STARTED = "started"
    DEADLINE_MOVED = "deadline moved"
    GRACE_GIVEN = "grace given"
    PLAYER_AWAY = "player away"
    PAUSED = "paused"
    RESUMED = "resumed"
    HELD = "held"
    STOPPED = "stopped"
    RELEASED = "released"
    SECEDED = "seceded"
    PLAYER_SEATED = "player seated"
    BIDS_LOOKED_AT = "bids looked at"
    PROPOSED = "end proposed"
    AGREED = "proposal agreed to"
    REFUSED = "proposal refused"
    WITHDRAWN = "proposal withdrawn"
    PROPOSAL_FELL = "proposal fell away"
    FINISHED = "finished"
    CLOSED = "closed"
    ROLLED_BACK = "rolled back"
    AMENDED = "order amended"
    POSITION_EDITED = "position edited"
    PREVIEWED = "previewed"
    SEAT_EMPTIED = "seat emptied"
    DEADLINE_SET = "deadline set"
    RESIGNED = "resigned"
    SEAT_LAPSED = "seat lapsed"
    CAME_BACK = "came back"
    TAKEN_OVER = "taken over"
    FRESH_TIME = "fresh time"
    SITTER_NAMED = "sitter named"
    HANDED_OVER = "handed over"
    MASTER_NAMED = "master named"
    RESTORED = "site restored"


class Event(models.Model):
    """One line of the log. `by` is a user's name, or empty for the site itself; `facts` fill the sentence."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    at = models.DateTimeField()
    kind = models.CharField(max_length=30)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    facts = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = (models.Index(fields=("game", "-id"), name="events_newest_first"),)

    def __str__(self) -> str:
        return self.kind


REPAIRS = (EventKind.ROLLED_BACK, EventKind.AMENDED, EventKind.POSITION_EDITED)
"""What changes a position or a result that was there already."""
