"""Vacant seats and who may sit there: people who wait for one, who asks or is asked, and who sits for a player away."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q

from games.models.game import Game, Occupancy, Seat


class Standby(models.Model):
    """Somebody who wants to be told of vacant seats. `variants`: slugs, none for any; `pace`: "live", "slow" or any."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    variants = models.JSONField(default=list, blank=True)
    pace = models.CharField(max_length=10, blank=True)
    since = models.DateTimeField()

    def __str__(self) -> str:
        return f"standby {self.pk}"


class Approach(models.Model):
    """The game master asks somebody into a seat (`invited`), or somebody asks the game master for a vacant one.

    `accepted` is None until whoever was asked has answered; False too when the seat has gone another way.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="approaches")
    seat = models.ForeignKey(Seat, on_delete=models.PROTECT, related_name="+")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    invited = models.BooleanField()
    made = models.DateTimeField()
    accepted = models.BooleanField(null=True, blank=True)

    class Meta:
        verbose_name_plural = "approaches"
        constraints = (
            models.UniqueConstraint(
                fields=("game", "user"), condition=Q(accepted__isnull=True), name="one_approach_at_a_time"
            ),
        )

    def __str__(self) -> str:
        return f"approach {self.pk}"


class Sitting(models.Model):
    """Somebody plays for a player from `begins` to `ends`, if he has accepted it and the player has not `ended` it.

    `talks`: he may read and write the messages of the seat. Nobody but the two of them sees the row.
    """

    occupancy = models.ForeignKey(Occupancy, on_delete=models.PROTECT, related_name="sittings")
    sitter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    begins = models.DateTimeField()
    ends = models.DateTimeField()
    talks = models.BooleanField(default=False)
    accepted = models.BooleanField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.CheckConstraint(condition=Q(ends__gt=F("begins")), name="sitting_ends_after_it_begins"),
            models.UniqueConstraint(
                fields=("occupancy",),
                condition=Q(ended__isnull=True) & ~Q(accepted=False),
                name="one_sitter_at_a_time",
            ),
        )

    def __str__(self) -> str:
        return f"sitting {self.pk}"
