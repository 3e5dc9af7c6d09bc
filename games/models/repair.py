"""What a game master has put right: phases that were undone, and orders that count otherwise than written."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.models.game import Game


class Undoing(models.Model):
    """One act that undid phases. `back_to`: the turn that was played or judged again. All of it is public."""

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="undoings")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    back_to = models.CharField(max_length=12)
    reason = models.CharField(max_length=600)

    def __str__(self) -> str:
        return f"back to {self.back_to}"


class Amendment(models.Model):
    """One published order of a closed phase that counts otherwise: `was` and `instead` are canonical, "" for none.

    `power` is that whose unit it is, `place` the province of the unit or of the build.
    """

    phase = models.ForeignKey("games.Phase", on_delete=models.PROTECT, related_name="amendments")
    power = models.CharField(max_length=40)
    place = models.CharField(max_length=12)
    was = models.CharField(max_length=80)
    instead = models.CharField(max_length=80, blank=True)
    reason = models.CharField(max_length=300)

    def __str__(self) -> str:
        return f"{self.was} -> {self.instead}"
