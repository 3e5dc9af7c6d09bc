"""What happened, and the emails waiting to be sent about it, written in the same transaction."""

from django.conf import settings
from django.db import models

from games.kernel.models.game import Game


class Event(models.Model):
    """One line of the public log, which only grows: a database trigger refuses changes.

    `kind` is that of a News, `by` is empty for the site itself; `facts` fill the sentence.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="events")
    at = models.DateTimeField()
    kind = models.CharField(max_length=30)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    facts = models.JSONField(default=dict, blank=True)

    class Meta:
        indexes = (models.Index(fields=("game", "-id"), name="events_newest_first"),)

    def __str__(self) -> str:
        return self.kind


class Outgoing(models.Model):
    """Something for one user that waits until it can be sent by email, and is tried again if the server refuses it.

    Without a `next_try` it waits for the daily digest, if it is `for_the_day`, or isn't wanted by email. It is `pushed`
    once nothing is left to send to devices, which is next tried at `next_push`, or at once. On the site it is a line
    among the reader's notifications, new until it is `seen`.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    written = models.DateTimeField()
    next_try = models.DateTimeField(null=True, blank=True)
    for_the_day = models.BooleanField(default=False)
    tries = models.PositiveIntegerField(default=0)
    sent = models.DateTimeField(null=True, blank=True)
    seen = models.DateTimeField(null=True, blank=True)
    next_push = models.DateTimeField(null=True, blank=True)
    pushed = models.BooleanField(default=False)

    class Meta:
        abstract = True


class Letter(Outgoing):
    """One email. `key` names its recipient and subject, so that none is written twice; `kind` is that of a News."""

    key = models.CharField(max_length=120)
    kind = models.CharField(max_length=30)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="letters")
    ordinal = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("key",), name="letter_written_once"),)
        indexes = (models.Index(fields=("next_try",), condition=models.Q(sent__isnull=True), name="letters_to_send"),)

    def __str__(self) -> str:
        return self.key
