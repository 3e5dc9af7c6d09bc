"""The public log of a game. It only grows: a trigger in the database refuses changes."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.kernel.models.game import Game


class Event(models.Model):
    """One line of the log. `kind` is that of a News, `by` empty for the site itself; `facts` fill the sentence."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    at = models.DateTimeField()
    kind = models.CharField(max_length=30)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    facts = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = (models.Index(fields=("game", "-id"), name="events_newest_first"),)

    def __str__(self) -> str:
        return self.kind
