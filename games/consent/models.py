"""What a game master has asked the players to agree to, and their answers."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.kernel.models import Game, Phase
from games.kernel.models.numbered import Numbered


class Matter(models.TextChoices):
    TERMS = "terms"
    DEADLINE = "deadline"


class AskingOutcome(models.TextChoices):
    """`LAPSED`: time was up, or the phase or the game ended."""

    OPEN = "open"
    AGREED = "agreed"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    LAPSED = "lapsed"


class Asking(Numbered):
    """One request of a game master. Answers count before `until`.

    New terms are `choices`: the options that change, as the game stores them.
    An earlier `deadline` is that of a `phase`.
    """

    game = models.ForeignKey(Game, on_delete=models.PROTECT, related_name="askings")
    matter = models.CharField(max_length=10, choices=Matter)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField()
    until = models.DateTimeField()
    told = models.TextField(default="", editable=False)
    """The same in words, by version 0.2.0, which reads and writes this while a site is upgraded."""
    choices = models.JSONField(default=dict, blank=True)
    phase = models.ForeignKey(Phase, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    deadline = models.DateTimeField(null=True, blank=True)
    outcome = models.CharField(max_length=10, choices=AskingOutcome, default=AskingOutcome.OPEN)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("game", "matter"), condition=Q(outcome=AskingOutcome.OPEN), name="one_asking_at_a_time"
            ),
            models.CheckConstraint(
                condition=Q(matter=Matter.TERMS, phase__isnull=True, deadline__isnull=True)
                | Q(matter=Matter.DEADLINE, phase__isnull=False, deadline__isnull=False),
                name="asking_has_its_matter",
            ),
        )


class Consent(Numbered):
    """The agreement of one player. It never passes to the next holder of the seat."""

    asking = models.ForeignKey(Asking, on_delete=models.PROTECT, related_name="consents")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("asking", "user"), name="consent_once"),)
