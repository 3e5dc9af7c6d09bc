"""Games that began elsewhere and continue here."""

from django.db import models

from games.kernel.models.game import Game
from games.kernel.models.numbered import Numbered
from games.kernel.models.packed import PackedJSONField

LONGEST_REPORTS = 200_000


class Brought(Numbered):
    """The position in which a game that began elsewhere continues here. `notices`: what changed at once by the rules;
    `reports`: what its game master says about earlier turns, as plain text. All of it is public."""

    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="brought")
    position = PackedJSONField()
    notices = models.JSONField(default=list, blank=True)
    reports = models.TextField(max_length=LONGEST_REPORTS, blank=True)

    class Meta:
        verbose_name_plural = "brought games"
