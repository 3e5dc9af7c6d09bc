"""What people want of other people: not to hear of them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.press import Message


class Block(models.Model):
    """`by` wants no private messages from `whom`, nor him in games that `by` masters. Seen by `by` alone."""

    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    whom = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("by", "whom"), name="block_once"),
            models.CheckConstraint(condition=~Q(by=F("whom")), name="nobody_blocks_himself"),
        )

    def __str__(self) -> str:
        return f"block {self.pk}"


class Withheld(models.Model):
    """A private message that this person is not shown, because he had blocked its writer when it was sent."""

    message = models.ForeignKey(Message, on_delete=models.PROTECT, related_name="withheld")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        verbose_name_plural = "withheld"
        constraints = (models.UniqueConstraint(fields=("message", "user"), name="withheld_once"),)

    def __str__(self) -> str:
        return f"withheld {self.pk}"
