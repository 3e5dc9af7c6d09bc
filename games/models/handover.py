"""A game that passes from one game master to another."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import Game


class Handover(models.Model):
    """The `giver`, or the moderators in place of one who is gone, ask the `taker` to be the game master.

    `accepted` is None until the taker has answered; False too when the asking was taken back. Nobody else sees the row.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="handovers")
    giver = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    taker = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    by_moderators = models.BooleanField(default=False)
    made = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)
    answered = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game",), condition=Q(accepted__isnull=True), name="one_handover_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(accepted__isnull=True) ^ Q(answered__isnull=False), name="handover_answered_when"
            ),
        )

    def __str__(self) -> str:
        return f"handover {self.pk}"
