"""Series of games, their directors, rounds and tables, and what was changed in them."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.kernel.models import Game
from games.kernel.models.numbered import Numbered

LONGEST_NAME, LONGEST_TEXT = 80, 5_000


class Tournament(models.Model):
    """A series: a club's league or season, whose directors put finished or running games into it.

    Until it is `published`, only its directors see it, and it has no games. `terms` are what `Terms` stores.
    """

    slug = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField(max_length=LONGEST_TEXT, blank=True)
    terms = models.JSONField()
    created = models.DateTimeField()
    published = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(
                fields=("-published", "-id"), condition=Q(published__isnull=False), name="tournaments_newest_first"
            ),
        )

    def __str__(self) -> str:
        return self.name


class Director(Numbered):
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="directors")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="directs")

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "user"), name="director_once"),)


class Round(Numbered):
    """Games that are played side by side. A series has one."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("tournament", "number"), name="round_number_once"),)


class Table(Numbered):
    """A game of a round. `outcome`: how it ended, as `outcome_of` stores it; null before the end, and if it ended
    before it began."""

    round = models.ForeignKey(Round, on_delete=models.PROTECT, related_name="tables")
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="table")
    added = models.DateTimeField()
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    outcome = models.JSONField(null=True, blank=True)


class Change(Numbered):
    """A line of the public list of changes since the tournament was published. Its `kind` is a key of CHANGES; it may
    be about a game, or a user that became a director."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="changes")
    at = models.DateTimeField()
    by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    kind = models.CharField(max_length=20)
    facts = models.JSONField(default=dict, blank=True)
    game = models.ForeignKey(Game, on_delete=models.PROTECT, null=True, blank=True, related_name="+")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
